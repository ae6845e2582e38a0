"""Compares histograms, through the shared object, with contract.py."""

import contextlib
import ctypes
import math
import os
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

import cases
import contract
from library import DTYPES, Library, pointer_to, same

OUTSIDE = ["clamp", "drop"]


class Options(ctypes.Structure):
    """of_histogram_opts."""

    _fields_ = [
        ("range", ctypes.POINTER(ctypes.c_double)),
        ("outside", ctypes.c_int),
        ("weights", ctypes.c_void_p),
        ("n", ctypes.POINTER(ctypes.c_int64)),
    ]


def histogram(library, raw, name, bins, ends=None, outside="clamp", n=None, weights=None, weights_name=None):
    """(counts, edges) as of_histogram gives them."""
    options = Options(outside=OUTSIDE.index(outside), n=pointer_to(n))
    if ends is not None:
        options.range = (ctypes.c_double * 2)(*ends)
    counts, edges = library.output(), library.output()
    with contextlib.ExitStack() as stack:
        x = stack.enter_context(library.array(raw, name))
        if weights is not None:
            options.weights = stack.enter_context(library.array(weights, weights_name))
        library.call("of_histogram", x, ctypes.c_int64(bins), ctypes.byref(options), counts, edges)
    return library.take(counts)[0], library.take(edges)[0]


def outcome(function, *arguments, **options):
    try:
        return function(*arguments, **options)
    except ValueError:
        return "ValueError"


def values_of(raw, name):
    return [v for v in contract.Values(raw, name).py if math.isfinite(v)]


def random_range(rng, raw, name):
    """None; ends among the data or beside it; tiny, huge and empty ranges; some that are refused."""
    family = rng.integers(8)
    around = [float(v) for v in values_of(raw, name)] or [0.0]
    pick = lambda: around[rng.integers(len(around))]
    if family < 3:
        return None
    if family == 3:
        return tuple(sorted((pick(), pick())))
    if family == 4:
        lo = pick()
        hi = lo
        for _ in range(rng.integers(20)):
            hi = math.nextafter(hi, math.inf)
        return lo, hi
    if family == 5:
        return tuple(sorted(float(v) for v in rng.normal(0, 10.0 ** rng.integers(-3, 4), 2)))
    if family == 6:
        exponent = float(rng.choice([-1074, -1040, -1000, -500, -149, -100, 0, 100, 127, 500, 900, 1022]))
        return tuple(sorted(float(v) * 2.0**exponent for v in rng.integers(-3, 4, 2)))
    ends = [0.0, -0.0, 1.0, 2.0**63, -(2.0**63), 2.0**64, 5e-324, 1.7e308, -1.7e308, math.inf, math.nan]
    return float(rng.choice(ends)), float(rng.choice(ends))


def near_edges(rng, name, n, edges):
    """Elements on the edges, and next to them."""
    picked = [contract.convert(float(edges[i]), name) for i in rng.integers(len(edges), size=n)]
    if not all(map(math.isfinite, picked)):
        return None
    if name not in cases.FLOATS:
        info = np.iinfo(contract.storage(name)) if name != "bool" else None
        moved = [v + int(rng.integers(-1, 2)) for v in picked]
        if info:
            moved = [min(max(v, int(info.min)), int(info.max)) for v in moved]
        return np.array(moved, contract.storage(name))
    rounded = np.array([contract.round_to(name, contract.Fraction(v)) for v in picked], contract.storage(name))
    bits = rounded.view(cases.unsigned(rounded.itemsize)).copy()
    bits[bits != 0] += rng.integers(-1, 2, np.count_nonzero(bits)).astype(bits.dtype)
    return bits.view(rounded.dtype)


def random_case(rng, sizes):
    name = DTYPES[rng.integers(1, len(DTYPES))]
    n = int(rng.choice(sizes))
    raw = cases.random_elements(rng, name, n)
    bins = int(rng.choice([1, 2, 3, 7, 10, 16, 33, 60, 255]))
    ends = random_range(rng, raw, name)
    if n and rng.integers(2):
        answer = outcome(contract.histogram, raw, bins, ends, dtype=name)
        if answer != "ValueError":
            beside = near_edges(rng, name, n, answer[1])
            raw = raw if beside is None else beside
    take = None if rng.integers(3) else int(rng.integers(0, n + 1))
    weights_name = DTYPES[rng.integers(1, len(DTYPES))]
    weights = cases.random_elements(rng, weights_name, n) if rng.integers(3) == 0 else None
    return raw, name, bins, ends, OUTSIDE[rng.integers(2)], take, weights, weights_name


def expected(raw, name, bins, ends, outside, n, weights, weights_name):
    if n is not None:
        raw, weights = raw[:n], weights if weights is None else weights[:n]
    return outcome(contract.histogram, raw, bins, ends, outside, name, weights, weights_name)


def laid_out(rng, raw):
    """The same elements reversed, spread out, misaligned or in two dimensions."""
    how = rng.integers(5)
    if how == 0:
        return raw
    if how == 1:
        return raw[::-1].copy()[::-1]
    if how == 2:
        spread = np.zeros(3 * raw.size, raw.dtype)
        spread[::3] = raw
        return spread[::3]
    if how == 3:
        memory = np.zeros(raw.nbytes + 1, np.uint8)
        memory[1:] = raw.view(np.uint8)
        return memory[1:].view(raw.dtype)
    if raw.size % 2:
        return raw
    return np.asfortranarray(raw.reshape(2, -1))


def compare_random(library, count, seed, sizes):
    rng = np.random.default_rng(seed)
    wrong = refused = 0
    for _ in range(count):
        case = random_case(rng, sizes)
        want = expected(*case)
        case = list(case)
        case[0] = laid_out(rng, case[0])
        case[6] = case[6] if case[6] is None else laid_out(rng, case[6])
        got = outcome(histogram, library, *case)
        refused += want == "ValueError"
        if isinstance(want, str) or isinstance(got, str):
            right = isinstance(want, str) and isinstance(got, str)
        else:
            right = same(got[0], want[0]) and same(got[1], want[1])
        if not right:
            wrong += 1
            if wrong <= 10:
                print(f"{case[1:]} of {case[0].tobytes().hex()}: got {got}, expected {want}")
    assert refused < count / 2
    return wrong


def by_search(raw, name, edges, outside):
    """Counts of many elements, by a binary search; the edges compare exactly with the elements."""
    values = contract_values(raw, name)
    bins = len(edges) - 1
    at = np.searchsorted(edges, values, side="right")
    at = np.where(values == edges[-1], bins, at)
    counts = np.bincount(at[values == values], minlength=bins + 2)
    if outside == "clamp":
        counts[1] += counts[0]
        counts[bins] += counts[bins + 1]
    return counts[1 : bins + 1].astype(np.int64)


def contract_values(raw, name):
    if name == "bf16":
        return (raw.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return raw.astype(np.float64)


def compare_large(library):
    """Every body in every configuration, on data that is exact in f64."""
    rng = np.random.default_rng(3)
    wrong = 0
    for name in DTYPES[1:]:
        n = 100003
        if name in cases.FLOATS:
            raw = np.array(rng.normal(0, 1, n), np.float32)
            raw[::1000] = np.nan
            raw[::777] = np.inf
            raw = (raw.view(np.uint32) >> 16).astype(np.uint16) if name == "bf16" else raw.astype(contract.storage(name))
        elif name == "bool":
            raw = rng.integers(0, 2, n).astype(bool)
        else:
            raw = rng.integers(0, 1 << min(40, 8 * cases.itemsize(name) - 1), n).astype(contract.storage(name))
        top = float(contract_values(raw, name)[np.isfinite(contract_values(raw, name))].max())
        for bins, ends in [(256, (-0.5, top)), (256, (0, 128)), (7, (0.1, top / 2)), (5000, (-2, 2)), (60000, (-1, top)), (200000, (0, 1))]:
            lo, hi = ends
            width = (hi - lo) / bins
            edges = np.append(np.minimum(lo + np.arange(bins) * width, hi), hi)
            for outside in OUTSIDE:
                want = by_search(raw, name, edges, outside)
                for configuration in library.configurations((1, 3)):
                    counts, got_edges = histogram(library, raw, name, bins, ends, outside)
                    if not same(counts, want) or not same(got_edges, edges):
                        wrong += 1
                        print(f"{name} {bins} bins {ends} {outside} {configuration}: {np.flatnonzero(counts != want)[:9]}")
    return wrong


def compare_numpy(library):
    """NumPy drops what is outside; bins of a width that is a power of two have exact edges there too."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        bins = 2 ** int(rng.integers(0, 10))
        x = rng.normal(0, 3, 5000).astype(np.float32)
        want, edges = np.histogram(x, bins, (-4, 4))
        got, got_edges = histogram(library, x, "f32", bins, (-4, 4), "drop")
        assert same(got, want.astype(np.int64)) and same(got_edges, edges.astype(np.float64))
        y = rng.integers(-900, 900, 5000)
        want, _ = np.histogram(y, 512, (-512, 512))
        assert same(histogram(library, y, "i64", 512, (-512, 512), "drop")[0], want.astype(np.int64))


def main():
    library = Library()
    wrong = 0
    for seed, configuration in enumerate(library.configurations((1, 3))):
        wrong += compare_random(library, 600, seed, [0, 1, 2, 3, 5, 15, 16, 17, 31, 33, 64, 65, 130])
    wrong += compare_large(library)
    compare_numpy(library)
    print(f"{wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
