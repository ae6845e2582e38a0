"""Checks the laws of the source tree that no compiler knows.

- src/README.md says which folder may include which; arrows point down only, and so may the includes.
- The command includes public headers and its own files only.
- A file has at most 800 lines, and a C file's name stands once in the repository.
- Nothing generated is kept among the sources.
- A link in a page leads to something that exists.
"""

import collections
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ.get("ONEFOLD_SOURCE", pathlib.Path(__file__).parents[2]))
CODE = {".c", ".h", ".inc", ".def"}
TEXT = CODE | {".py", ".sh", ".cmake", ".txt", ".md"}
MOST_LINES = 800

TABLE_ROW = re.compile(r"^\| `(\w+)/` \|.*\| ([^|]*) \|$", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
GENERATED = re.compile(r"(generated|created) by|do not edit", re.IGNORECASE)


def files(*suffixes):
    """The repository's own files: nothing from a build, a virtual environment or git."""
    for top in sorted(ROOT.iterdir()):
        if top.name.startswith((".", "build")):
            continue
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix in suffixes and path.is_file():
                yield path


def folder_of(path):
    return path.relative_to(ROOT / "src").parts[0]


def allowed_includes():
    """For each folder of src/, the folders below it, from the table in src/README.md."""
    rows = TABLE_ROW.findall((ROOT / "src/README.md").read_text())
    direct = {name: set(re.findall(r"\w+", below)) for name, below in rows}

    def below(name):
        return set().union({name}, *(below(other) for other in direct[name] if other in direct))

    return {name: below(name) for name in direct}


class Layout(unittest.TestCase):
    def test_every_folder_is_on_the_map(self):
        folders = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
        self.assertLessEqual(folders, set(allowed_includes()))

    def test_includes_point_down(self):
        allowed = allowed_includes()
        for path in files(".c", ".h", ".inc"):
            if ROOT / "src" not in path.parents:
                continue
            for bracket, name in INCLUDE.findall(path.read_text()):
                if bracket == "<":
                    continue
                with self.subTest(file=str(path.relative_to(ROOT)), include=name):
                    self.assertTrue((ROOT / "src" / name).is_file(), "not a path below src/")
                    self.assertIn(name.split("/")[0], allowed[folder_of(path)])

    def test_files_are_short(self):
        for path in files(*TEXT):
            lines = path.read_text().count("\n")
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertLessEqual(lines, MOST_LINES)

    def test_names_are_unique(self):
        places = collections.defaultdict(list)
        for path in files(*CODE):
            places[path.name].append(str(path.relative_to(ROOT)))
        self.assertEqual({name: p for name, p in places.items() if len(p) > 1}, {})

    def test_nothing_is_generated(self):
        for path in files(*CODE):
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertNotRegex(path.read_text()[:1000], GENERATED)

    def test_links_lead_somewhere(self):
        for path in files(".md"):
            for link in LINK.findall(path.read_text()):
                with self.subTest(file=str(path.relative_to(ROOT)), link=link):
                    self.assertTrue((path.parent / link).exists())


if __name__ == "__main__":
    unittest.main()
