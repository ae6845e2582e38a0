"""Runs the C programs of examples/ and compares what they print."""

import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

PROGRAMS = pathlib.Path(os.environ["ONEFOLD_BUILD"]) / "examples"


def run(name, *arguments):
    return subprocess.run([PROGRAMS / name, *arguments], text=True, capture_output=True)


def npy(shape, numbers):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    data = struct.pack(f"<{len(numbers)}d", *numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


class SumFile(unittest.TestCase):
    def run_on(self, content):
        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            file.write(content)
            file.flush()
            return run("sum_file", file.name)

    def test_sum_and_column_means(self):
        # 1e300 and -1e300 cancel; an ordinary sum would lose all that was added between them.
        result = self.run_on(npy((3, 2), [1e300, 1, 0.5, 2, -1e300, 6]))
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout, f"sum 9.5\nmeans\n{0.5 / 3!r}\n3.0\n")
        self.assertEqual(result.returncode, 0)

    def test_what_is_no_file_of_numbers(self):
        result = self.run_on(b"day,rain\n")
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, "^sum_file: .")
        self.assertEqual(result.returncode, 1)

    def test_usage(self):
        result = run("sum_file")
        self.assertEqual(result.stderr, "usage: sum_file FILE.npy\n")
        self.assertEqual(result.returncode, 2)


class PartialSums(unittest.TestCase):
    def test_sum_is_one(self):
        result = run("partial_sums")
        self.assertEqual(result.stderr, "")
        self.assertRegex(result.stdout, r"^a loop says -?[\d.e+]+, 4 processes 1\.0\n$")
        self.assertNotRegex(result.stdout, "loop says 1,")
        self.assertEqual(result.returncode, 0)


if __name__ == "__main__":
    unittest.main()
