"""Executable reading of docs/contract.md: slow, exact, independent of any library code.

Functions take NumPy arrays (bf16: uint16 bits and dtype="bf16") and return NumPy scalars or arrays
whose bytes are the contract's answer. Real arithmetic uses fractions; nothing rounds except
`round_to`, once.
"""

import bisect
import math
from fractions import Fraction

import numpy as np

# Bits of significand, exponent of the smallest unit in the last place, of the largest finite value.
_FLOAT = {
    "f16": (11, -24, 15),
    "bf16": (8, -133, 127),
    "f32": (24, -149, 127),
    "f64": (53, -1074, 1023),
}
# Storage, exponent bits, fraction bits.
_BITS = {
    "f16": (np.uint16, 5, 10),
    "bf16": (np.uint16, 8, 7),
    "f32": (np.uint32, 8, 23),
    "f64": (np.uint64, 11, 52),
}
_NP = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "bool": np.bool_,
}
_NAME = {np.dtype(v): k for k, v in _NP.items()}


def is_float(name):
    return name in _FLOAT


def storage(name):
    return np.uint16 if name == "bf16" else _NP[name]


class Values:
    """The flattened elements of an array: type, raw elements, exact values of the finite ones."""

    def __init__(self, a, dtype=None):
        self.raw = np.asarray(a).reshape(-1)
        self.name = dtype or _NAME[self.raw.dtype]
        self.n = self.raw.size
        if self.name == "bf16":
            self.py = [_bf16_to_float(v) for v in self.raw]
        else:
            self.py = [float(v) if is_float(self.name) else int(v) for v in self.raw]
        self.nan = self.pinf = self.ninf = 0
        self.exact = []
        for v in self.py:
            if isinstance(v, float) and v != v:
                self.nan += 1
            elif v == math.inf:
                self.pinf += 1
            elif v == -math.inf:
                self.ninf += 1
            else:
                self.exact.append(Fraction(v))
        self.all_neg_zero = self.n > 0 and all(_neg_zero(v) for v in self.py)


def _bf16_to_float(bits):
    return float((np.uint32(bits) << np.uint32(16)).view(np.float32))


def _neg_zero(v):
    return v == 0 and isinstance(v, float) and math.copysign(1, v) < 0


# Rounding


def _pack(name, sign, kind, value=None):
    """A float of type `name`: of kind "nan", "inf", or "finite" with a Fraction that fits."""
    utype, ebits, fbits = _BITS[name]
    p, emin_ulp, _ = _FLOAT[name]
    if kind == "nan":
        bits, sign = (((1 << ebits) - 1) << fbits) | (1 << (fbits - 1)), 0
    elif kind == "inf":
        bits = ((1 << ebits) - 1) << fbits
    elif value == 0:
        bits = 0
    else:
        m = value / Fraction(2) ** emin_ulp
        assert m.denominator == 1
        m = m.numerator
        e = m.bit_length() - p
        bits = m if e < 0 else ((e + 1) << fbits) | ((m >> e) & ((1 << fbits) - 1))
        assert e < 0 or (m >> e) << e == m
    raw = utype(bits | sign << (ebits + fbits))
    return raw if name == "bf16" else raw.view(_NP[name])


def _nearest_even(q):
    n = q.numerator // q.denominator
    rem = q - n
    return n + 1 if rem > Fraction(1, 2) or (rem == Fraction(1, 2) and n & 1) else n


def _exponent(m):
    e = m.numerator.bit_length() - m.denominator.bit_length()
    return e - 1 if Fraction(2) ** e > m else e


def round_to(name, x, zero_sign=0):
    """The Fraction x rounded once, to nearest, ties to even, to float type `name`."""
    p, emin_ulp, emax = _FLOAT[name]
    if x == 0:
        return _pack(name, zero_sign, "finite", Fraction(0))
    sign, m = (1, -x) if x < 0 else (0, x)
    ulp = Fraction(2) ** max(_exponent(m) - p + 1, emin_ulp)
    m = _nearest_even(m / ulp) * ulp
    if m >= Fraction(2) ** (emax + 1):
        return _pack(name, sign, "inf")
    return _pack(name, sign, "finite", m)


def round_root(name, x):
    """The correctly rounded square root of the Fraction x >= 0."""
    if x == 0:
        return _pack(name, 0, "finite", Fraction(0))
    enough = 1 << (2 * (_FLOAT[name][0] + 3))  # so that the root has more bits than the type
    k = 0
    while math.floor(x * Fraction(4) ** k) < enough:
        k += 32
    scaled = x * Fraction(4) ** k
    r = math.isqrt(math.floor(scaled))
    sticky = 0 if Fraction(r * r) == scaled else 1
    return round_to(name, Fraction(2 * r + sticky, 2) / Fraction(2) ** k)


def wrap(x, name):
    """The integer x modulo the width of integer type `name`."""
    bits = 8 * np.dtype(_NP[name]).itemsize
    x = int(x) & ((1 << bits) - 1)
    return _NP[name](x - (1 << bits) if name[0] == "i" and x >> (bits - 1) else x)


def convert(v, name):
    """Section 1's conversion of a Python int or float to type `name`, as a Python int or float."""
    if is_float(name):
        if isinstance(v, float) and (v != v or math.isinf(v) or v == 0):
            return v
        r = round_to(name, Fraction(v))
        return _bf16_to_float(r) if name == "bf16" else float(r)
    if name == "bool":
        return int(v != 0)
    if isinstance(v, float):
        info = np.iinfo(_NP[name])
        if v != v:
            return 0
        if math.isinf(v):
            return int(info.max if v > 0 else info.min)
        return int(max(min(math.trunc(v), info.max), info.min))
    return int(wrap(v, name))


def _special(name, nan, pinf, ninf):
    if nan or (pinf and ninf):
        return _pack(name, 0, "nan")
    return _pack(name, 1 if ninf else 0, "inf") if pinf or ninf else None


def _accumulator_type(name, acctype, init):
    """The type that a sum or product has; an integer type never takes a float."""
    acc = acctype or (name if is_float(name) else "u64" if name[0] == "u" else "i64")
    if not is_float(acc) and (is_float(name) or isinstance(init, float)):
        raise TypeError("acctype")
    return acc


# Sums


def sum_(a, dtype=None, acctype=None, init=None):
    x = Values(a, dtype)
    acc = _accumulator_type(x.name, acctype, init)
    nan, pinf, ninf, terms, negz = x.nan, x.pinf, x.ninf, x.exact, x.all_neg_zero
    if init is not None:
        i = Values(np.array([init], np.float64)) if isinstance(init, float) else None
        nan, pinf, ninf = (nan + i.nan, pinf + i.pinf, ninf + i.ninf) if i else (nan, pinf, ninf)
        terms = terms + (i.exact if i else [Fraction(int(init))])
        negz = (negz or x.n == 0) and _neg_zero(init)
    total = sum(terms, Fraction(0))
    if not is_float(acc):
        return wrap(int(total), acc)
    s = _special(acc, nan, pinf, ninf)
    return s if s is not None else round_to(acc, total, 1 if negz else 0)


def mean(a, dtype=None, out="f64"):
    x = Values(a, dtype)
    if x.n == 0:
        return _pack(out, 0, "nan")
    s = _special(out, x.nan, x.pinf, x.ninf)
    if s is not None:
        return s
    return round_to(out, sum(x.exact, Fraction(0)) / x.n, 1 if x.all_neg_zero else 0)


def dot(a, b, out="f64", dtype_a=None, dtype_b=None, n=None):
    x, y = Values(a, dtype_a), Values(b, dtype_b)
    n = x.n if n is None else n
    if n < 0 or n > x.n or n > y.n:
        raise ValueError("n")
    nan = pinf = ninf = 0
    total, negz = Fraction(0), n > 0
    for p, q in zip(x.py[:n], y.py[:n]):
        if any(isinstance(v, float) and not math.isfinite(v) for v in (p, q)):
            r = float(p) * float(q)
            nan, pinf, ninf = nan + (r != r), pinf + (r == math.inf), ninf + (r == -math.inf)
            negz = False
        else:
            total += Fraction(p) * Fraction(q)
            real = isinstance(p, float) or isinstance(q, float)
            negative = (math.copysign(1, p) < 0) != (math.copysign(1, q) < 0)
            negz = negz and real and negative and (p == 0 or q == 0)
    s = _special(out, nan, pinf, ninf)
    return s if s is not None else round_to(out, total, 1 if negz else 0)


def var(a, dtype=None, out="f64", root=False):
    x = Values(a, dtype)
    if x.n == 0 or x.nan or x.pinf or x.ninf:
        return _pack(out, 0, "nan")
    s = sum(x.exact, Fraction(0))
    q = sum((t * t for t in x.exact), Fraction(0))
    v = (q - s * s / x.n) / x.n
    return round_root(out, v) if root else round_to(out, v)


def std(a, dtype=None, out="f64"):
    return var(a, dtype, out, root=True)


def norm(a, ord=2, dtype=None, out="f64"):
    x = Values(a, dtype)
    if ord not in (1, 2, math.inf):
        raise ValueError("Unsupported norm order")
    if x.nan:
        return _pack(out, 0, "nan")
    if x.pinf or x.ninf:
        return _pack(out, 0, "inf")
    if ord == 1:
        return round_to(out, sum((abs(t) for t in x.exact), Fraction(0)))
    if ord == 2:
        return round_root(out, sum((t * t for t in x.exact), Fraction(0)))
    return round_to(out, max((abs(t) for t in x.exact), default=Fraction(0)))


def weighted_mean(a, w, out="f64"):
    x, y = Values(a), Values(w)
    if x.nan or x.pinf or x.ninf or y.nan or y.pinf or y.ninf or sum(y.exact) == 0:
        return _pack(out, 0, "nan")
    return round_to(out, sum((p * q for p, q in zip(x.exact, y.exact)), Fraction(0)) / sum(y.exact))


# Extremes and order


def order_key(v):
    """Total order of section 9: -0.0 before +0.0, NaNs last and equal."""
    if isinstance(v, float):
        return (1, 0, 0) if v != v else (0, v, 0 if not _neg_zero(v) else -1)
    return (0, v, 0)


def extreme(a, largest, dtype=None):
    x = Values(a, dtype)
    if x.n == 0:
        raise ValueError("%s reduction requires a nonempty array" % ("max" if largest else "min"))
    if x.nan:
        return _pack(x.name, 0, "nan")
    return x.raw[(max if largest else min)(range(x.n), key=lambda i: order_key(x.py[i]))]


def arg_extreme(a, largest, dtype=None):
    x = Values(a, dtype)
    if x.n == 0:
        raise ValueError("empty")
    for i, v in enumerate(x.py):
        if isinstance(v, float) and v != v:
            return np.int64(i)
    best = (max if largest else min)(x.py)
    return np.int64(next(i for i, v in enumerate(x.py) if v == best))


def argsort(a, descending=False, dtype=None):
    x = Values(a, dtype)
    keys = [order_key(v) for v in x.py]
    rank = {k: r for r, k in enumerate(sorted(set(keys), reverse=descending))}
    return np.array(sorted(range(x.n), key=lambda i: rank[keys[i]]), dtype=np.int32)


def count_nonzero(a, dtype=None):
    return np.int64(sum(v != 0 for v in Values(a, dtype).py))


def any_(a, dtype=None):
    return np.bool_(any(v != 0 for v in Values(a, dtype).py))


def all_(a, dtype=None):
    return np.bool_(all(v != 0 for v in Values(a, dtype).py))


# Folds in index order

RUN = 16


def fold(values, op, init=None, order="tree"):
    values = list(values)
    if not values:
        if init is None:
            raise ValueError("empty fold without init")
        return init

    def left(vs):
        acc = vs[0]
        for v in vs[1:]:
            acc = op(acc, v)
        return acc

    def tree(vs):
        while len(vs) > 1:
            vs = [op(vs[i], vs[i + 1]) for i in range(0, len(vs), 2)]
        return vs[0]

    if order == "index":
        r = left(values)
    else:
        q = len(values) // RUN
        runs = [left(values[RUN * i : RUN * (i + 1)]) for i in range(q)]
        groups, start = [], 0
        for k in reversed(range(q.bit_length())):
            if q >> k & 1:
                groups.append(tree(runs[start : start + (1 << k)]))
                start += 1 << k
        if len(values) % RUN:
            groups.append(left(values[RUN * q :]))
        r = left(groups)
    return r if init is None else op(init, r)


def scan(values, op, exclusive=False, init=None):
    values = list(values)
    return [fold(values[: i if exclusive else i + 1], op, init) for i in range(len(values))]


def prod(a, dtype=None, acctype=None, init=None):
    x = Values(a, dtype)
    acc = _accumulator_type(x.name, acctype, init)
    py = x.py + ([init] if init is not None else [])
    if not is_float(acc):
        p = 1
        for v in py:
            p = p * int(v) & ((1 << 64) - 1)
        return wrap(p, acc)
    neg = sum((math.copysign(1, v) < 0) if isinstance(v, float) else v < 0 for v in py) & 1
    if any(isinstance(v, float) and v != v for v in py):
        return _pack(acc, 0, "nan")
    inf = any(isinstance(v, float) and math.isinf(v) for v in py)
    zero = any(v == 0 for v in py)
    if inf:
        return _pack(acc, 0, "nan") if zero else _pack(acc, neg, "inf")
    if zero:
        return _pack(acc, neg, "finite", Fraction(0))

    def round53(r):  # 53-bit significand, unbounded exponent
        u = Fraction(2) ** (_exponent(abs(r)) - 52)
        k = _nearest_even(abs(r) / u) * u
        return k if r > 0 else -k

    vals = [round53(Fraction(v)) for v in x.py]
    i = None if init is None else round53(Fraction(init))
    if not vals and i is None:
        return round_to(acc, Fraction(1))
    return round_to(acc, fold(vals, lambda p, q: round53(p * q), i))


# Scans of sums


def scan_sum(a, out=None, exclusive=False, init=None, dtype=None):
    x = Values(a, dtype)
    out = out or x.name
    if out == "bool":
        raise TypeError("scan into bool")
    vals = [convert(v, out) for v in x.py]
    start = convert(0 if init is None else init, out)
    res = []
    for i in range(x.n):
        part = vals[: i if exclusive else i + 1]
        if not is_float(out):
            res.append(wrap(start + sum(part), out))
        elif init is None:
            res.append(sum_(np.array(part, np.float64), acctype=out))
        else:
            res.append(sum_(np.array(part, np.float64), acctype=out, init=float(start)))
    return np.array(res, dtype=storage(out))


# Runs and segments


def runs(keys, dtype=None):
    k = Values(keys, dtype)
    starts = [i for i in range(k.n) if i == 0 or not (k.py[i] == k.py[i - 1])]
    return list(zip(starts, starts[1:] + [k.n]))


def unique(keys, dtype=None):
    k, r = np.asarray(keys).reshape(-1), runs(keys, dtype)
    return k[[s for s, _ in r]], np.array([e - s for s, e in r], dtype=np.int32)


def _group(v, name, op):
    by_sum = "i64" if name == "bool" else name
    mean_type = name if is_float(name) else "f64"
    if op == "sum":
        return sum_(v, name, acctype=by_sum)
    if op == "prod":
        return prod(v, name, acctype=by_sum)
    if op == "min":
        return extreme(v, False, name)
    if op == "max":
        return extreme(v, True, name)
    if op == "mean":
        return mean(v, name, mean_type)
    if op == "count":
        return np.int64(v.size)
    if op == "variance":
        return var(v, name, mean_type)
    raise ValueError(op)


def reduce_by_key(keys, values, op="sum", key_dtype=None, dtype=None):
    v = Values(values, dtype)
    out = [_group(v.raw[s:e], v.name, op) for s, e in runs(keys, key_dtype)]
    return unique(keys, key_dtype)[0], np.array(out, dtype=out[0].dtype if out else v.raw.dtype)


def empty_segment(name, op):
    if op in ("sum", "mean", "count", "variance"):
        return 0
    low = op == "min"
    if name == "bool":
        return low
    if is_float(name):
        return _pack(name, 0 if low else 1, "inf")
    info = np.iinfo(_NP[name])
    return info.max if low else info.min


def segment(x, ids, num_segments, op="sum", constant=None, dtype=None):
    x, ids = np.asarray(x), np.asarray(ids)
    name = dtype or _NAME[x.dtype]
    flat = x.reshape(x.shape[0], -1)
    fill = empty_segment(name, op) if constant is None else constant
    out = []
    for s in range(num_segments):
        rows = flat[ids == s]
        columns = range(flat.shape[1])
        out.append([_group(rows[:, c], name, op) if len(rows) else fill for c in columns])
    kind = _segment_storage(name, op)
    return np.array(out, dtype=kind).reshape((num_segments,) + x.shape[1:])


def _segment_storage(name, op):
    if op == "count" or op == "sum" and name == "bool":
        return np.int64
    if op in ("sum", "min", "max") or is_float(name):
        return storage(name)
    return np.float64


# Histogram


def histogram(a, bins=10, range=None, outside="clamp", dtype=None, weights=None, weights_dtype=None):
    x = Values(a, dtype)
    if bins < 1:
        raise ValueError("bins")
    if range is None:
        if x.n == 0 or x.nan or x.pinf or x.ninf:
            raise ValueError("no finite range")
        lo, hi = float(min(x.exact)), float(max(x.exact))
        lo = math.nextafter(lo, -math.inf) if Fraction(lo) > min(x.exact) else lo
        hi = math.nextafter(hi, math.inf) if Fraction(hi) < max(x.exact) else hi
    else:
        lo, hi = map(float, range)
    if not (math.isfinite(lo) and math.isfinite(hi)) or lo > hi:
        raise ValueError("range")
    if lo == hi:
        hi = max(lo + 1, math.nextafter(lo, math.inf))
    if math.isinf(hi - lo):
        raise ValueError("range overflows")
    width = (hi - lo) / bins
    edges = [min(lo + i * width, hi) for i in map(float, np.arange(bins))] + [hi]
    exact_edges = [Fraction(e) for e in edges]
    members = [[] for _ in np.arange(bins)]
    for j, v in enumerate(x.py):
        i = _bin_of(v, exact_edges, outside)
        if i is not None:
            members[i].append(j)
    if weights is None:
        return np.array([len(m) for m in members], np.int64), np.array(edges)
    w = np.asarray(weights).reshape(-1)
    return np.array([sum_(w[m], weights_dtype) for m in members]), np.array(edges)


def _bin_of(v, edges, outside):
    """The bin of a value, or None: edges[i] <= v < edges[i + 1], the last edge included."""
    if isinstance(v, float) and v != v:
        return None
    last = len(edges) - 2
    infinite = isinstance(v, float) and math.isinf(v)
    if v < 0 if infinite else v < edges[0]:
        return 0 if outside == "clamp" else None
    if infinite or v > edges[-1]:
        return last if outside == "clamp" else None
    if v == edges[-1]:
        return last
    return bisect.bisect_right(edges, v) - 1
