"""Installs the package as a user does, `pip install .` in a new virtual environment, and runs the README's Python there."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from test_pages import BLOCK

ROOT = pathlib.Path(os.environ["ONEFOLD_SOURCE"])

def readme_program():
    """The README's Python, and what it prints."""
    blocks = BLOCK.findall((ROOT / "README.md").read_text())
    code = [(code, text) for (language, code), (_, text) in zip(blocks, blocks[1:]) if language == "python"]
    return ["".join(parts) for parts in zip(*code)]


class Install(unittest.TestCase):
    def test_install_and_use(self):
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder, "venv/bin/python")
            subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
            install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ROOT]
            installed = subprocess.run(install, text=True, capture_output=True, cwd=folder)
            self.assertEqual(installed.returncode, 0, installed.stdout + installed.stderr)
            program, output = readme_program()
            result = subprocess.run([python, "-I", "-c", program], text=True, capture_output=True, cwd=folder)
            self.assertEqual((result.stderr, result.stdout), ("", output))


if __name__ == "__main__":
    unittest.main()
