"""Holds the README, the first page and the tutorials to their word.

Every C program in them compiles without a warning and prints the text block that follows it; every console block's
commands print what the block shows; every Python block, in one program with those before it, prints the text block that
follows it, or nothing. A page's blocks run in order, in one new folder.
"""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ONEFOLD_SOURCE"])
BUILD = pathlib.Path(os.environ["ONEFOLD_BUILD"])
COMMAND = os.environ["ONEFOLD_COMMAND"]
PACKAGE = BUILD / "python"
PAGES = [SOURCE / "README.md", SOURCE / "docs/index.md", *sorted((SOURCE / "docs/tutorials").glob("*.md"))]

OPTIONAL = {"jax", "pandas", "torch"}  # what an example may need and only the benchmarks install

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command, folder, **options):
    return subprocess.run(
        command, cwd=folder, check=True, text=True, stdout=subprocess.PIPE, **options
    ).stdout


def compile_c(code, folder):
    program = os.path.join(folder, "program")
    libraries = BUILD / "src"
    run(
        [os.environ["CC"], "-std=c17", "-Wall", "-Wextra", "-Werror", "-x", "c", "-"]
        + [f"-I{SOURCE / 'include'}", f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
        + ["-lonefold", "-o", program],
        folder,
        input=code,
    )
    return program


class Pages(unittest.TestCase):
    """One test a page, added below."""

    maxDiff = None

    def check(self, page):
        blocks = BLOCK.findall(page.read_text())
        self.assertNotEqual(blocks, [])
        checks = {"c": self.check_c, "console": self.check_console, "python": self.check_python}
        self.names = {"__name__": "__main__"}
        with tempfile.TemporaryDirectory() as folder:
            for (language, code), (next_language, text) in zip(blocks, [*blocks[1:], ("", "")]):
                if language in checks:
                    output = text if next_language == "text" else None
                    with self.subTest(language=language, code=code):
                        checks[language](code, output, folder)

    def check_c(self, code, output, folder):
        self.assertIsNotNone(output, "no output follows")
        self.assertEqual(run([compile_c(code, folder)], folder), output)

    def check_console(self, block, output, folder):
        if not COMMAND:
            self.skipTest("the command is not built")
        path = f"{os.path.dirname(COMMAND)}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
        environment = os.environ | {"PATH": path, "LC_ALL": "C.UTF-8"}
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            with self.subTest(command=command):
                self.assertEqual(run(["bash", "-c", command], folder, env=environment), shown)

    def check_python(self, code, output, folder):
        if not PACKAGE.is_dir():
            self.skipTest("the Python package is not built")
        if str(PACKAGE) not in sys.path:
            sys.path.insert(0, str(PACKAGE))
        printed = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            try:
                exec(compile(code, "<page>", "exec"), self.names)
            except ModuleNotFoundError as error:
                if error.name.partition(".")[0] not in OPTIONAL:
                    raise
                self.skipTest(str(error))
        self.assertEqual(printed.getvalue(), output or "")


def add_test(page):
    setattr(Pages, f"test_{page.stem}", lambda self: self.check(page))


for each_page in PAGES:
    add_test(each_page)

if __name__ == "__main__":
    unittest.main()
