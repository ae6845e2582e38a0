"""Makes the pages, and looks into the references: they must hold every name that the library and the package export."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest
import zlib

SOURCE = pathlib.Path(os.environ["ONEFOLD_SOURCE"])
BUILD = pathlib.Path(os.environ["ONEFOLD_BUILD"])
HAS_SPHINX = all(map(importlib.util.find_spec, ["sphinx", "myst_parser", "furo", "sphinx_design", "clang"]))

sys.path.insert(0, str(SOURCE / "docs/_ext"))

COMMENT = """/**
 * Adds up, as of_sum does.
 *
 *     for (i = 0; i < n; i++)
 *
 *         sum += x[i];
 *
 * x, y   any `dtype`; a * b and a_ are
 *        not markup.
 * out    receives the sum (contract 3 to 4).
 * Bits: contract 5. Cost: one pass; O(1) scratch.
 * OF_ERR_VALUE: n is negative; too large. OF_ERR_TYPE, OF_ERR_MEMORY. Errors as of_sum; OF_ERR_INDEX
 * also: an index. Nothing is written then. All else as for of_sum.
 */"""
RENDERED = r"""Adds up, as :c:type:`of_sum` does.

.. code-block:: c

   for (i = 0; i < n; i++)

       sum += x[i];

All else as for :c:type:`of_sum`.

:Parameters:
   * **x**, **y** – any ``dtype``; a \* b and a\_ are not markup.
   * **out** – receives the sum (contract :ref:`3 <contract-3>` to :ref:`4 <contract-4>`).
:Bits: Contract :ref:`5 <contract-5>`.
:Cost: One pass; O(1) scratch.
:Errors:
   * :c:type:`OF_ERR_VALUE` – n is negative; too large.
   * :c:type:`OF_ERR_TYPE`, :c:type:`OF_ERR_MEMORY`
   * As :c:type:`of_sum`.
   * :c:type:`OF_ERR_INDEX` – an index.
   * Nothing is written then.
"""


@unittest.skipUnless(HAS_SPHINX, "what makes the pages is not installed")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = subprocess.run(
            [SOURCE / "tools/make_docs.sh", folder.name], text=True, capture_output=True
        )
        cls.pages = pathlib.Path(folder.name, "html")

    def test_there_is_no_warning(self):
        self.assertEqual((self.made.stderr, self.made.returncode), ("", 0))

    def names(self, domain):
        inventory = (self.pages / "objects.inv").read_bytes().split(b"\n", 4)[4]
        lines = zlib.decompress(inventory).decode().splitlines()
        return {name for name, kind, *_ in map(str.split, lines) if kind.startswith(domain)}

    def test_every_exported_function_is_there(self):
        library = BUILD / "src/libonefold.so"
        symbols = subprocess.run(
            ["nm", "-D", "--defined-only", library], text=True, capture_output=True, check=True
        ).stdout
        exported = set(re.findall(r" T (of_\w+)$", symbols, re.MULTILINE))
        self.assertGreater(len(exported), 50)
        self.assertEqual(exported - self.names("c:function"), set())

    def test_every_type_macro_and_enumerator_is_there(self):
        names = self.names("c:")
        for header in (SOURCE / "include/onefold").glob("*.h"):
            text = header.read_text()
            temporary = set(re.findall(r"#undef (\w+)", text)) | {"OF_STATISTIC", "OF_STATISTIC_OF_TWO"}
            wanted = set(re.findall(r"^#define (OF_\w+)", text, re.MULTILINE)) - temporary
            wanted |= set(re.findall(r"^typedef (?:struct|enum) (\w+)", text, re.MULTILINE))
            wanted |= set(re.findall(r"^    (OF_\w+)[ ,]", text, re.MULTILINE))
            with self.subTest(header=header.name):
                self.assertEqual(wanted - names, set())

    def test_all_of_the_package_is_there(self):
        sys.path.insert(0, str(BUILD / "python"))
        import onefold
        import onefold.algorithms
        import onefold.segment

        names = self.names("py:")
        for module in (onefold, onefold.algorithms, onefold.segment):
            # `import onefold.segment` binds more names in onefold.
            public = {name for name in module.__all__ if not isinstance(getattr(module, name), types.ModuleType)}
            self.assertEqual({f"{module.__name__}.{name}" for name in public} - names, set())
        for module in ("torch", "jax"):
            text = (SOURCE / f"src/python/onefold/{module}.py").read_text()
            public = re.findall(r"^def ([a-z]\w*)", text, re.MULTILINE)
            self.assertEqual({f"onefold.{module}.{name}" for name in public} - names, set())
        members = {name for name in dir(onefold.Array) if not name.startswith("_")}
        self.assertEqual({f"onefold.Array.{name}" for name in members} - names, set())

    def test_every_header_and_list_has_a_page(self):
        for header in (SOURCE / "include/onefold").iterdir():
            page = self.pages / "c" / header.with_suffix(".html").name
            with self.subTest(header=header.name):
                self.assertIn(f"({header.name})", page.read_text())

    def test_every_option_of_the_command_is_there(self):
        manual = (SOURCE / "docs/onefold.1").read_text().replace("\\-", "-")
        options = set(re.findall(r"--[a-z][a-z-]*", manual))
        self.assertGreater(len(options), 20)
        page = re.sub(r"<[^>]+>", "", (self.pages / "onefold.html").read_text())
        self.assertEqual(options - set(re.findall(r"--[a-z][a-z-]*", page)), set())
        self.assertRegex(page, r"onefold devices\|check\|bench \[OPTION\]\.\.\.")

    def test_a_function_of_a_list_says_what_it_does(self):
        page = re.sub(r"<[^>]+>", "", (self.pages / "c/reduce.html").read_text())
        self.assertRegex(page, r"of_status of_argmax\([^)]*\)[^a-z]*The index of the first largest value,")


@unittest.skipUnless(HAS_SPHINX, "what makes the pages is not installed")
class Comments(unittest.TestCase):
    """The form of a header's comment."""

    maxDiff = None

    def test_every_part(self):
        import header_pages
        import house_form

        dialect = header_pages.C(pages=set(), unlinked=set())
        rendered = house_form.render(house_form.strip(COMMENT), dialect)
        self.assertEqual("\n".join(rendered).replace("\\ ", ""), RENDERED)


if __name__ == "__main__":
    unittest.main()
