"""Replays the transcripts beside this file: what a person types, and what the command must answer.

Each line of a *.transcript file begins with what it is:

    # a remark
    @ NAME                        a text file, whose lines follow, each after "| "
    @ NAME TYPE SHAPE VALUE ...   a file of numbers: .npy by its name, otherwise raw. TYPE as NumPy
                                  writes it ("<f8"; "<V2" takes bf16); SHAPE as in "(2,3)", with an F
                                  behind it for Fortran order
    $ COMMAND                     run by sh, in a new folder with the transcript's files
    > a line of its standard output
    ~ a regular expression for a whole line of it
    ! a line of its standard error
    ? its exit status, where that is not 0
"""
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
COMMAND = os.environ.get("ONEFOLD_COMMAND", "")
CODES = {"b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I",
         "u8": "Q", "f2": "e", "f4": "f", "f8": "d"}


def pack(descr, text):
    """The bytes of one number of a type such as "<f8"."""
    if descr == "<V2":  # bf16 is the upper half of an f32
        return struct.pack("<f", float(text))[2:]
    order = "<" if descr[0] == "|" else descr[0]
    read_float = float.fromhex if "x" in text else float
    number = read_float(text) if descr[1] == "f" else int(text, 0)
    return struct.pack(order + CODES[descr[1:]], number)


def npy_header(descr, shape, fortran):
    sizes = "".join(f"{size}, " for size in shape)
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({sizes}), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def write_numbers(path, descr, shape_text, values):
    fortran = shape_text.endswith("F")
    shape = [int(size) for size in re.findall(r"\d+", shape_text)]
    data = b"".join(pack(descr, value) for value in values)
    path.write_bytes((npy_header(descr, shape, fortran) if path.suffix == ".npy" else b"") + data)


class Step:
    """One command and what it must answer."""

    def __init__(self, command, line):
        self.command, self.line = command, line
        self.out, self.err, self.status = [], [], 0


def read_transcript(path, folder):
    """Writes the transcript's files into the folder and returns its steps."""
    steps, text_file = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        kind, rest = line[:1], line[2:]
        if kind == "@":
            name, *numbers = rest.split()
            text_file = folder / name
            if numbers:
                write_numbers(text_file, numbers[0], numbers[1], numbers[2:])
            else:
                text_file.write_text("")
        elif kind == "|":
            text_file.write_text(text_file.read_text() + rest + "\n")
        elif kind == "$":
            steps.append(Step(rest, number))
        elif kind == ">":
            steps[-1].out.append(re.escape(rest))
        elif kind == "~":
            steps[-1].out.append(rest)
        elif kind == "!":
            steps[-1].err.append(rest)
        elif kind == "?":
            steps[-1].status = int(rest)
        elif kind not in ("", "#"):
            raise ValueError(f"{path.name}:{number}: what is this line?")
    return steps


def run(command, folder):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("ONEFOLD_")}
    environment["PATH"] = os.path.dirname(COMMAND) + ":" + environment["PATH"]
    environment["LC_ALL"] = "C"
    return subprocess.run(["sh", "-c", command], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=600)


@unittest.skipUnless(COMMAND, "the command is not built")
class Transcripts(unittest.TestCase):
    maxDiff = None

    def replay(self, path):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for step in read_transcript(path, folder):
                with self.subTest(line=step.line, command=step.command):
                    self.check(step, run(step.command, folder))

    def check(self, step, done):
        self.assertEqual(done.stderr.splitlines(), step.err)
        lines = done.stdout.splitlines()
        matches = [re.fullmatch(wanted, line) is not None
                   for wanted, line in zip(step.out, lines)]
        if len(lines) != len(step.out) or not all(matches):
            self.assertEqual(lines, [wanted.replace("\\", "") for wanted in step.out])
        self.assertEqual(done.returncode, step.status)


def add_test(path):
    setattr(Transcripts, "test_" + path.stem, lambda self: self.replay(path))


for transcript in sorted(HERE.glob("*.transcript")):
    add_test(transcript)

if __name__ == "__main__":
    unittest.main()
