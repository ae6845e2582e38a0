"""Holds the README to its word: every C program in it compiles without a warning and prints the text
block that follows it; every console block's commands print what the block shows."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ONEFOLD_SOURCE"])
BUILD = pathlib.Path(os.environ["ONEFOLD_BUILD"])
COMMAND = os.environ["ONEFOLD_COMMAND"]

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((SOURCE / "README.md").read_text())


def run(command, folder, **options):
    return subprocess.run(
        command, cwd=folder, check=True, text=True, stdout=subprocess.PIPE, **options
    ).stdout


class Readme(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_c_programs(self):
        tested = 0
        for (language, code), (next_language, text) in zip(BLOCKS, BLOCKS[1:]):
            if language != "c":
                continue
            with self.subTest(code=code):
                self.assertEqual(next_language, "text", "no output follows")
                self.assertEqual(run([self.compile(code)], self.folder.name), text)
            tested += 1
        self.assertGreater(tested, 0)

    def compile(self, code):
        program = os.path.join(self.folder.name, "program")
        libraries = BUILD / "src"
        run(
            [os.environ["CC"], "-std=c17", "-Wall", "-Wextra", "-Werror", "-x", "c", "-"]
            + [f"-I{SOURCE / 'include'}", f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
            + ["-lonefold", "-o", program],
            self.folder.name,
            input=code,
        )
        return program

    def test_console(self):
        if not COMMAND:
            self.skipTest("the command is not built")
        path = f"{os.path.dirname(COMMAND)}:{os.environ['PATH']}"
        environment = os.environ | {"PATH": path, "LC_ALL": "C.UTF-8"}
        tested = 0
        for language, block in BLOCKS:
            if language != "console":
                continue
            for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = step.partition("\n")
                with self.subTest(command=command):
                    shell = ["bash", "-c", command]
                    self.assertEqual(run(shell, self.folder.name, env=environment), output)
                tested += 1
        self.assertGreater(tested, 0)


if __name__ == "__main__":
    unittest.main()
