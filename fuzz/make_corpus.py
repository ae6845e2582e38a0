"""Writes the seeds of the fuzzers: small files of every kind, and files that lie.

    fuzz/make_corpus.py        rewrites its own files in fuzz/corpus; others there were found by fuzzers and stay
"""

import pathlib
import struct

CORPUS = pathlib.Path(__file__).parent / "corpus"
DESCRS = "|b1 |i1 <i2 >i2 <i4 >i4 <i8 >i8 |u1 <u2 >u2 <u4 >u4 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 |V2 <V2 bfloat16"


def npy(header, data=b"", major=1, minor=0, length=None):
    text = header if isinstance(header, bytes) else header.encode("latin1")
    size = struct.pack("<H" if major == 1 else "<I", len(text) if length is None else length)
    return b"\x93NUMPY" + bytes([major, minor]) + size + text + data


def header(descr="'<f4'", fortran="False", shape="(3,)", end="\n"):
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}{end}"


def npy_seeds():
    data = bytes(range(1, 97))
    for descr in DESCRS.split():
        name = descr.replace("<", "little_").replace(">", "big_").replace("|", "")
        yield f"type_{name}", npy(header(f"'{descr}'"), data[:24])
    for name, shape in {"0d": "()", "empty": "(0,)", "zero": "(3, 0, 2)", "2d": "(2, 3)", "8d": "(1, 2, 1, 1, 3, 1, 2, 1)"}.items():
        for order in ("False", "True"):
            yield f"shape_{name}_{order}", npy(header("'>i2'", order, shape), data[:24], 2)
    yield "version_3", npy(header(), data[:12], 3)
    yield "python_2", npy(header(shape="(3L,)"), data[:12])
    yield "odd_offset", npy(header(end=" \n"), data[:12])
    yield "other_order", npy('{"shape":(3,),"fortran_order":True,"descr":"<f4"}', data[:12])
    yield "two_arrays", npy(header(), data[:12]) * 2
    yield "record", npy(header("[('x', '<f4'), ('y', '<f8')]"), data[:36])
    for descr in ("<c8", "|O", "<U5", "|S3", "<M8[ns]", "<f16"):
        yield "foreign_" + "".join(filter(str.isalnum, descr)), npy(header(f"'{descr}'"), data)

    yield "lie_nothing", b""
    yield "lie_magic", b"\x93NUMPZ" + npy(header(), data)[6:]
    yield "lie_version", npy(header(), data, 9)
    yield "lie_minor", npy(header(), data, 1, 7)
    yield "lie_header_length_long", npy(header(), data, 2, 0, 0xFFFFFFFF)
    yield "lie_header_length_past_end", npy(header(), b"", 1, 0, 0xFFFF)
    yield "lie_header_length_short", npy(header(), data, 1, 0, 20)
    yield "lie_header_length_none", npy("", data)
    yield "lie_product", npy(header(shape="(4294967296, 4294967296, 4294967296)"), data)
    yield "lie_product_with_zero", npy(header(shape="(4294967296, 0, 4294967296, 4294967296)"), data)
    yield "lie_size", npy(header(shape="(9223372036854775807,)"), data)
    yield "lie_size_past_64_bits", npy(header(shape="(99999999999999999999999,)"), data)
    yield "lie_negative", npy(header(shape="(-1,)"), data)
    yield "lie_too_little_data", npy(header(shape="(25,)"), data)
    yield "lie_nine_dimensions", npy(header(shape="(1, 1, 1, 1, 1, 1, 1, 1, 1)"), data)
    yield "lie_shape_open", npy(header(shape="(3"), data)
    yield "lie_shape_of_floats", npy(header(shape="(3.5,)"), data)
    yield "lie_order", npy(header(fortran="1"), data)
    yield "lie_garbage", npy(header(end=" import os\n"), data)
    yield "lie_not_ascii", npy(header("'<f4\xe9'"), data)
    yield "lie_zero_byte", npy(header(end="\0\n"), data)
    yield "lie_escape", npy(header(r"'\x3cf4'"), data)
    yield "lie_twice", npy("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", data)
    yield "lie_brackets", npy(header("[" * 500), data)
    yield "lie_string_open", npy("{'descr': '<f4", data)


def csv_seeds():
    yield "plain", b"1\n2.5\n-3e-7\n"
    yield "header", b"x,y\n1,2\n3,4\n"
    yield "windows", b"\xef\xbb\xbfx;y\r\n1;2\r\n3;4\r\n"
    yield "tabs", b"x\ty\n1\t2\n3\t4"
    yield "bars", b"x|y\n1|2\n"
    yield "quotes", b'"x","a ""b"", c"\n"1","two\nlines"\n"2",""\n'
    yield "missing", b"x,y\n1,\n,2\n\n3,4\n"
    yield "blanks", b"\n \t\r\n x , y \n 1 , 2 \n\n"
    yield "short_row", b"x,y\n1,2\n3\n"
    yield "integers", b"x\n0\n-32768\n32767\n32768\n18446744073709551615\n18446744073709551616\n"
    yield "floats", b"x\n0.1\n1e308\n1e309\n4.9e-324\n1e-400\n-0.0\nnan\n-inf\n0x1.8p3\n9007199254740993\n"
    yield "long_numbers", b"x\n" + b"1" * 400 + b"\n0." + b"0" * 400 + b"1\n1" + b"0" * 400 + b"e-400\n"
    yield "booleans", b"true\nfalse\n1\n0\n"
    yield "twice", b"x,x\n1,2\n"
    yield "nothing", b""
    yield "mark_only", b"\xef\xbb\xbf"
    yield "open_quote", b'x\n1\n"2\n3\n'
    yield "quote_inside", b'x\n1"2\n"1"2\n'
    yield "zero_byte", b"x\n1\0\n"
    yield "not_utf_8", b"\xff\xfe1\0\n\0"
    yield "old_macintosh", b"x\r1\r2\r"
    yield "commas", b"," * 200 + b"\n" + b"," * 200


def decimal_seeds():
    numbers = "0 -0 1 +1 1. .5 -1.25e-3 1e22 1e27 1e28 9999999999999999999 18446744073709551615 2.98023223876953125e-8"
    numbers += " 65520 16777217 9007199254740993 1e-27 0x1p3 nan -inf true 127 -128 255 256 00000000000000000000000001"
    for place, number in enumerate(numbers.split()):
        yield f"number_{place:02}", number.encode()


def dlpack_seeds():
    def tensor(*shape, strides=None, major=1, flags=0, device=1, ndim=None, type=(2, 32, 1), has=3, offset=0):
        sizes = shape + (0,) * (9 - len(shape))
        steps = (strides or ()) + (0,) * (9 - len(strides or ()))
        has |= 4 if strides is not None else 0
        ndim = len(shape) if ndim is None else ndim
        return struct.pack("<IIiiBBHIQ9q9q", major, flags, device, ndim, *type, has, offset, *sizes, *steps)

    for kind, bits in [(6, 8), (0, 8), (0, 16), (0, 32), (0, 64), (1, 8), (1, 64), (2, 16), (2, 64), (4, 16), (5, 64)]:
        yield f"type_{kind}_{bits}", tensor(3, type=(kind, bits, 1))
    yield "0d", tensor()
    yield "8d", tensor(1, 2, 1, 1, 3, 1, 2, 1)
    yield "zero", tensor(3, 0, 2, has=2)
    yield "read_only", tensor(3, flags=1)
    yield "pinned", tensor(3, device=3)
    yield "backwards", tensor(3, 4, strides=(-4, 1))
    yield "repeated", tensor(3, 4, strides=(0, 1), offset=8)
    yield "odd_address", tensor(3, offset=3)
    yield "lie_version", tensor(3, major=2)
    yield "lie_device", tensor(3, device=2)
    yield "lie_lanes", tensor(3, type=(2, 32, 4))
    yield "lie_dimensions", tensor(3, ndim=9)
    yield "lie_no_dimensions", tensor(3, ndim=-1)
    yield "lie_negative", tensor(3, -3)
    yield "lie_product", tensor(1 << 40, 1 << 40)
    yield "lie_stride", tensor(3, strides=(1 << 62,))
    yield "lie_reach", tensor(3, strides=(-(1 << 60),))
    yield "lie_offset", tensor(3, offset=(1 << 64) - 8)
    yield "lie_no_data", tensor(3, has=2)
    yield "lie_no_shape", tensor(3, has=1)
    yield "lie_short", tensor(3)[:13]


def parse_seeds():
    yield "expression", b"-a ** b @ c[i, (j)].x if a < b <= c and not d or f(1.5e-3, 0x_1F) else (x, ())"
    yield "kernel", b"""'''About.'''
@func
def g(a: f32, b) -> f64:
\t'one' "two"
\treturn a, b  # \xc3\xa9

@onefold.kernel
def f(x, out):
    n = len(x); s = t = 0.0
    for i, j in ndindex(n, x.shape[1]):
        k, out[i, j] = \\
            j, x[(i, j)]
        while k > 0:
            k //= 2
            if k == 5: continue
            elif x[k] != -~+1:
                break
            else: pass
        out[()] @= g(k, (
            x))
    return s
"""
    yield "expects_an_elif", b"def f():\r\n if a:\r\n  pass\r\n else if b: pass"
    refused = b"try with assert import class lambda yield await del global raise is in None *a **a [a] {a} 'a' f'a' "
    refused += b"a:=b a[1:2] 1j ... match"
    for place, words in enumerate(refused.split()):
        yield f"refused_{place:02}", b"def f(a):\n  x = a " + words + b"\n  " + words + b" a: f(" + words + b")\n"
    yield "tabs", b"def f():\n\tif a:\n        b\n \tc"
    yield "brackets", b"def f(): x = " + b"([" * 150
    yield "signs", b"-" * 300 + b"1"
    yield "long_sum", b"1" + b"+1" * 1100
    yield "circle", b"def f(): g()\ndef g(): h()\ndef h(): f()\n"
    yield "not_utf_8", b"# \xff"
    yield "zero_byte", b"def f(): pass\0"
    yield "mark_only", b"\xef\xbb\xbf"
    yield "numbers", b"18446744073709551615 + 18446744073709551616 + 1_0.0_1e+1_0 + 0b1_ + 012 + 1e999"


SUBJECTS = {"npy": npy_seeds, "csv": csv_seeds, "decimal": decimal_seeds, "dlpack": dlpack_seeds, "parse": parse_seeds}
for subject, seeds in SUBJECTS.items():
    (CORPUS / subject).mkdir(parents=True, exist_ok=True)
    for name, content in seeds():
        (CORPUS / subject / name).write_bytes(content)
