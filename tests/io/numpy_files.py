"""NumPy's side of test_numpy_files: writes .npy files of every kind, and reads back what Onefold wrote.

    numpy_files.py write FOLDER    makes NAME.npy, NAME.raw (the elements, row-major and little-endian) and a list
    numpy_files.py check FOLDER    compares NAME.saved.npy with NAME.npy
"""

import pathlib
import sys

import numpy as np

TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
NAMES = dict(zip(TYPES, "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64".split()))
SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (4, 5), (1, 6), (2, 3, 4), (2, 1, 3, 1, 2, 2, 1, 2)]
VERSIONS = [(1, 0), (2, 0), (3, 0)]


def elements(code, shape, random):
    if code == "?":
        return random.integers(0, 2, shape).astype(bool)
    whole = np.frombuffer(random.bytes(8 * int(np.prod(shape)) + 8), "u8")[: int(np.prod(shape))]
    return whole.astype("u" + code[1]).view(code).reshape(shape)


def cases():
    random = np.random.default_rng(1)
    for code in TYPES:
        for order in "<>":
            for shape in SHAPES:
                for layout in "CF":
                    yield code, order, np.array(elements(code, shape, random), order + code, order=layout)


def write(folder):
    with open(folder / "list", "w") as listing:
        for number, (code, order, array) in enumerate(cases()):
            name = f"{number}.npy"
            with open(folder / name, "wb") as file:
                np.lib.format.write_array(file, array, VERSIONS[number % 3])
            (folder / f"{number}.raw").write_bytes(array.astype("<" + code).tobytes("C"))
            print(number, NAMES[code], array.ndim, *array.shape, file=listing)


def check(folder):
    for number, (code, _, array) in enumerate(cases()):
        saved = np.load(folder / f"{number}.saved.npy")
        assert saved.dtype == np.dtype("<" + code), (number, saved.dtype)
        assert saved.shape == array.shape, (number, saved.shape)
        assert saved.tobytes() == array.astype("<" + code).tobytes("C"), number
    raw = np.load(folder / "bf16.npy")
    assert raw.dtype.itemsize == 2 and raw.dtype.kind == "V", raw.dtype
    assert raw.shape == (2, 2) and raw.tobytes() == bytes(range(8)), raw
    both = open(folder / "both.npy", "rb")
    assert np.load(both).tolist() == [1.5] and np.load(both).tolist() == [1.5]


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
