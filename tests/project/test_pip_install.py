"""Installs the package as a user does, `pip install .` in a new virtual environment, and uses it there."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ONEFOLD_SOURCE"])

PROGRAM = """
import numpy
import onefold

x = numpy.array([1e16, 1.0, -1e16, 1.0])
print(onefold.__version__, onefold.array(x).sum(), onefold.array(x.reshape(2, 2), onefold.vec2(onefold.f64)).max())
"""


class Install(unittest.TestCase):
    def test_install_and_use(self):
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder, "venv/bin/python")
            subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
            install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ROOT]
            installed = subprocess.run(install, text=True, capture_output=True, cwd=folder)
            self.assertEqual(installed.returncode, 0, installed.stdout + installed.stderr)
            result = subprocess.run([python, "-I", "-c", PROGRAM], text=True, capture_output=True, cwd=folder)
            self.assertEqual((result.stderr, result.stdout), ("", "0.1.0 2.0 1e+16\n"))


if __name__ == "__main__":
    unittest.main()
