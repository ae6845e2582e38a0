"""Writes the EGM96 geoid, as Debian's package proj-data carries it, as a .npy file.

    geoid.py OUT.npy

The source starts with 40 bytes: latitude and longitude of the first number and the steps between
numbers (four binary64), then rows and columns (two 32-bit integers). The numbers follow, binary32,
from south to north and from west to east. All of it is big-endian.
"""

import os
import struct
import sys

import numpy as np

SOURCE = os.environ.get("ONEFOLD_GEOID", "/usr/share/proj/egm96_15.gtx")
HEADER = struct.Struct(">4d2i")


def read_grid(path):
    with open(path, "rb") as file:
        *_, rows, columns = HEADER.unpack(file.read(HEADER.size))
        return np.fromfile(file, ">f4", rows * columns).reshape(rows, columns).astype(np.float32)


def main():
    try:
        np.save(sys.argv[1], read_grid(SOURCE))
    except FileNotFoundError:
        sys.exit(
            f"demo: {SOURCE} is missing. Debian's package proj-data has it; elsewhere,"
            " ONEFOLD_GEOID says where it is."
        )


if __name__ == "__main__":
    main()
