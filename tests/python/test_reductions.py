"""The module's reductions, bit by bit beside the contract's executable reading, and what they refuse."""

import os
import sys
import unittest

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))

import cases
import contract_dims
import contract_stats
import onefold
from library import DTYPES, same

FUNCTIONS = {
    "sum": onefold.sum,
    "mean": onefold.mean,
    "prod": onefold.prod,
    "min": onefold.amin,
    "max": onefold.amax,
    "argmin": onefold.argmin,
    "argmax": onefold.argmax,
    "absmax": onefold.absmax,
    "count_nonzero": onefold.count_nonzero,
    "any": onefold.any,
    "all": onefold.all,
}
TAKE_INIT = {"sum", "prod", "min", "max", "any", "all"}
TAKE_ACCTYPE = {"sum", "prod", "mean", "absmax"}
NEED_ELEMENTS = {"min", "max", "argmin", "argmax"}
NAMES = DTYPES[1:]
SHAPES = [(), (1,), (5,), (17,), (33,), (3, 5), (16, 2), (2, 1, 19), (3, 2, 4), (2, 33, 2)]
SHAPES += [(0,), (0, 3), (3, 0), (2, 0, 2)]


def widened(raw, name):
    """bf16 as NumPy has it: the same values in float32."""
    return (raw.astype(np.uint32) << 16).view(np.float32) if name == "bf16" else raw


def numbers_of(array):
    """(values, type's name) of an Array, NaNs as they are."""
    return array.numpy(), array.dtype.name


def random_source(rng, name, shape):
    """(raw elements, what a function is given): an Array or, of what NumPy has, its array in any layout."""
    raw = cases.random_elements(rng, name, int(np.prod(shape))).reshape(shape)
    if name == "bf16":
        raw[(raw & 0x7FFF) > 0x7F80] = 0x7FC0  # converting from float32 keeps no payload
        return raw, onefold.array(widened(raw, name), onefold.bf16)
    laid_out = cases.laid_out(rng, raw)
    return raw, onefold.array(raw) if rng.integers(3) == 0 else laid_out


def random_dims(rng, ndim, one=False):
    if rng.integers(3) == 0:
        return None
    count = 1 if one and ndim else rng.integers(ndim + 1)
    chosen = [int(d) - ndim * int(rng.integers(2)) for d in rng.permutation(ndim)[:count]]
    return chosen[0] if len(chosen) == 1 and rng.integers(2) else tuple(chosen)


def axes_of(dim):
    return dim if dim is None or isinstance(dim, tuple) else (dim,)


def random_init(rng, name, acctype):
    if contract_dims.is_float(acctype or name) and rng.integers(2):
        return float(rng.choice([0.0, -0.0, 1.5, 0.1, -1e300, 5e-324, np.inf, -np.inf, np.nan]))
    return int(rng.choice([0, 1] if name == "bool" or (acctype or name)[0] == "u" else [0, 1, -3, 100]))


def is_defined(operation, shape, axes, init):
    """Whether every slice has a value."""
    axes = set(range(len(shape))) if axes is None else {a % len(shape) for a in axes}
    slice_size = int(np.prod([n for d, n in enumerate(shape) if d in axes]))
    outputs = int(np.prod([n for d, n in enumerate(shape) if d not in axes]))
    return operation not in NEED_ELEMENTS or init is not None or slice_size > 0 or outputs == 0


class AgainstContract(unittest.TestCase):
    def check(self, got, expected, name, about):
        values, type_name = numbers_of(got)
        self.assertEqual(type_name, name, about)
        self.assertTrue(same(values, widened(expected, name)), f"{about}: got {values!r}, expected {expected!r}")

    def test_all_types_and_dims(self):
        rng = np.random.default_rng(11)
        for number in range(2500):
            operation = contract_dims.OPERATIONS[rng.integers(len(FUNCTIONS))]
            name = NAMES[rng.integers(len(NAMES))]
            shape = SHAPES[rng.integers(len(SHAPES))]
            dim = random_dims(rng, len(shape), operation in ("argmin", "argmax"))
            options = {}
            if operation in TAKE_ACCTYPE and rng.integers(3) == 0:
                wide = operation in ("sum", "prod") and name not in cases.FLOATS
                types = cases.FLOATS + cases.INTEGERS if wide else cases.FLOATS
                options["acctype"] = types[rng.integers(len(types))]
            if operation in TAKE_INIT and rng.integers(3) == 0:
                options["init"] = random_init(rng, name, options.get("acctype"))
            keepdim = bool(rng.integers(2))
            if not is_defined(operation, shape, axes_of(dim), options.get("init")):
                continue
            raw, source = random_source(rng, name, shape)
            expected, out = contract_dims.reduced(operation, raw, name, axes_of(dim), keepdim, **options)
            about = f"{number}: {operation} {name} {shape} dim={dim} keepdim={keepdim} {options} {type(source)}"
            self.check(FUNCTIONS[operation](source, dim, keepdim, **options), expected, out, about)

    def test_statistics(self):
        rng = np.random.default_rng(12)
        functions = {"var": onefold.var, "std": onefold.std, "dot": onefold.dot, "weighted_mean": onefold.weighted_mean}
        for number in range(700):
            operation = contract_stats.OPERATIONS[rng.integers(len(contract_stats.OPERATIONS))]
            name, other = (NAMES[i] for i in rng.integers(len(NAMES), size=2))
            shape = SHAPES[rng.integers(len(SHAPES))]
            dim, keepdim = random_dims(rng, len(shape)), bool(rng.integers(2))
            acctype = cases.FLOATS[rng.integers(4)] if rng.integers(3) == 0 else None
            raw, source = random_source(rng, name, shape)
            options = {"acctype": acctype}
            if operation in ("dot", "weighted_mean"):
                options["second"], second = random_source(rng, other, shape)
                options["second_name"] = other
                got = functions[operation](source, second, dim, keepdim, acctype=acctype)
            elif operation == "norm":
                options["ord"] = [1, 2, float("inf")][rng.integers(3)]
                got = onefold.norm(source, options["ord"], dim, keepdim, acctype=acctype)
            else:
                got = functions[operation](source, dim, keepdim, acctype=acctype)
            if dim is None:
                expected = np.asarray(contract_stats.whole(operation, raw, name, **options))
                expected, out = expected.reshape((1,) * (raw.ndim if keepdim else 0)), acctype or "f64"
            else:
                expected = contract_stats.along(operation, raw, name, axes_of(dim), keepdim, **options)
                out = acctype or contract_stats.join(name, options.get("second_name", name))
            self.check(got, expected, out, f"{number}: {operation} {name} {other} {shape} {dim} {options}")

    def test_vectors_and_matrices(self):
        """Along dims component by component, without them over all components, whatever the layout."""
        rng = np.random.default_rng(13)
        elements = {(3,): onefold.vec3, (4,): onefold.vec4, (2, 2): onefold.mat2}
        elements[2, 3] = lambda scalar: onefold.mat(2, 3, scalar)
        for number in range(300):
            extent = list(elements)[rng.integers(len(elements))]
            name = ["f32", "f64", "i16", "u8", "f16"][rng.integers(5)]
            shape = [(5,), (17,), (2, 3), (4, 1, 2)][rng.integers(4)]
            layout = ["aos", "soa"][rng.integers(2)]
            operation = contract_dims.OPERATIONS[rng.integers(len(FUNCTIONS))]
            raw = cases.random_elements(rng, name, int(np.prod(shape + extent))).reshape(shape + extent)
            source = onefold.array(raw, elements[extent](getattr(onefold, name)), layout=layout)
            if len(extent) == 1 and rng.integers(3) == 0:  # parts that lie apart
                source = onefold.soa(*(onefold.array(np.ascontiguousarray(raw[..., k])) for k in range(extent[0])))
            dim = random_dims(rng, len(shape), operation in ("argmin", "argmax"))
            if dim == ():
                continue
            keepdim = bool(rng.integers(2))
            got = FUNCTIONS[operation](source, dim, keepdim)
            about = f"{number}: {operation} {name} {shape} of {extent} {layout} {dim} {keepdim}"
            if dim is None:
                expected, out = contract_dims.reduced(operation, raw, name)
                self.assertEqual(got.shape, (1,) * len(shape) if keepdim else (), about)
                self.check(got.reshape(()), expected, out, about)
            else:
                axes = tuple(d % len(shape) for d in axes_of(dim))
                expected, out = contract_dims.reduced(operation, raw, name, axes, keepdim)
                self.assertEqual(got.dtype.shape, extent, about)
                self.assertEqual(got.dtype.scalar.name, out, about)
                self.assertTrue(same(got.numpy(), expected), about)


class Results(unittest.TestCase):
    def test_without_dim_an_array_of_no_dimensions(self):
        x = np.array([3, 1, 2], np.int32)
        for function in FUNCTIONS.values():
            result = function(x)
            self.assertIsInstance(result, onefold.Array)
            self.assertEqual(result.shape, ())
        self.assertEqual(int(onefold.sum(x)), 6)
        self.assertEqual(float(onefold.mean(x)), 2.0)
        self.assertEqual(onefold.argmax(x).item(), 0)
        self.assertIs(onefold.any(x).item(), True)
        self.assertEqual(onefold.sum(np.array([2**63, 2**62], np.uint64)).item(), 2**63 + 2**62)

    def test_names_and_places_of_arguments(self):
        x = np.ones((2, 3), np.float32)
        self.assertEqual(onefold.sum(input=x, dim=1, keepdim=True).shape, (2, 1))
        self.assertEqual(onefold.sum(x, 1, True).shape, (2, 1))
        self.assertEqual(onefold.sum(x, (0, 1)).shape, ())
        self.assertEqual(onefold.sum(x, [0]).shape, (3,))
        self.assertEqual(onefold.sum(x, np.int64(0), keepdim=1).shape, (1, 3))
        self.assertEqual(onefold.sum(x, ()).shape, (2, 3))
        self.assertEqual(onefold.norm(x, 1).item(), 6.0)

    def test_what_stands_for_an_array(self):
        for x in ([1.5, 2.5], (1.5, 2.5), memoryview(np.array([1.5, 2.5])), np.array([[1.5], [2.5]], order="F")):
            self.assertEqual(float(onefold.sum(x)), 4.0)
        self.assertEqual(float(onefold.sum(2.5)), 2.5)
        self.assertEqual(int(onefold.sum(7)), 7)
        self.assertEqual(onefold.sum(np.float64(2.5)).dtype, onefold.f64)

    def test_numbers_beside_dtypes_of_numpy(self):
        x = np.array([1, 2], np.uint8)
        self.assertEqual(onefold.sum(x, acctype=np.float32).dtype, onefold.f32)
        self.assertEqual(onefold.sum(x, acctype="i16").dtype, onefold.i16)
        self.assertEqual(onefold.sum(x, init=np.int64(4)).item(), 7)
        self.assertEqual(onefold.amax(np.array([], np.float32), init=np.float32(4)).item(), 4.0)

    def test_a_second_array_may_be_longer(self):
        self.assertEqual(onefold.dot(np.ones(3), np.arange(5.0)).item(), 3.0)
        self.assertEqual(onefold.dot(np.ones((2, 2)), np.arange(4.0)).item(), 6.0)
        with self.assertRaisesRegex(ValueError, "second"):
            onefold.dot(np.ones(3), np.ones(2))
        with self.assertRaisesRegex(ValueError, "shape"):
            onefold.dot(np.ones((3, 2)), np.ones((2, 3)), dim=0)

    def test_no_sharing_with_the_input(self):
        x = np.array([[1.0, 2.0]])
        kept = onefold.sum(x, ())
        x[0, 0] = 9
        self.assertEqual(kept.numpy().tolist(), [[1.0, 2.0]])


class Refusals(unittest.TestCase):
    def refuse(self, kind, words, function, *args, **options):
        with self.assertRaisesRegex(kind, words):
            function(*args, **options)

    def test_dims(self):
        x = np.ones((2, 3), np.float32)
        for function in FUNCTIONS.values():
            self.refuse(ValueError, "dim 2 is out of range", function, x, 2)
            self.refuse(ValueError, "dim -3 is out of range", function, x, -3)
            self.refuse(ValueError, "twice|one, or all", function, x, (0, -2))
            self.refuse(TypeError, "dim", function, x, 1.0)
            self.refuse(TypeError, "dim", function, x, "0")
            self.refuse(TypeError, "dim", function, x, True)
            self.refuse(ValueError, "dim", function, x, tuple(range(9)))
            self.refuse(ValueError, "dim", function, x, 2**70)
        self.refuse(ValueError, "2 entries; argmax takes one, or all", onefold.argmax, np.ones((2, 2, 2)), (0, 1))

    def test_a_row_of_elements_has_no_inner_dims(self):
        points = onefold.ones(4, onefold.vec3())
        self.refuse(ValueError, "dim 1 is out of range for an array of 1", onefold.sum, points, 1)

    def test_nothing_to_reduce(self):
        for function in (onefold.amin, onefold.amax, onefold.argmin, onefold.argmax):
            self.refuse(ValueError, "reduction requires a nonempty array", function, np.ones(0))
            self.refuse(ValueError, "reduction requires a nonempty array", function, np.ones((2, 0)), 1)
            self.assertEqual(function(np.ones((2, 0)), 0).shape, (0,))

    def test_types(self):
        floats, integers = np.ones(2, np.float32), np.ones(2, np.int32)
        self.refuse(TypeError, "i32, which cannot hold a sum of f32", onefold.sum, floats, acctype=onefold.i32)
        self.refuse(TypeError, "acctype is bool", onefold.sum, integers, acctype=onefold.bool_)
        self.refuse(TypeError, "acctype is i64; mean takes a float", onefold.mean, floats, acctype=onefold.i64)
        self.refuse(TypeError, "acctype .* must be a type of scalars", onefold.sum, floats, acctype=onefold.vec3())
        self.refuse(TypeError, "acctype", onefold.sum, floats, acctype="f99")
        self.refuse(TypeError, "acctype", onefold.sum, floats, acctype=complex)
        self.refuse(TypeError, "init is 1.5, a float", onefold.sum, integers, init=1.5)
        self.refuse(TypeError, "init is 1.5, a float", onefold.amin, integers, init=1.5)
        self.refuse(ValueError, "init is 300, which u8 cannot hold", onefold.amax, np.ones(2, np.uint8), init=300)
        self.refuse(ValueError, "init .* 64 bits", onefold.sum, integers, init=2**64)
        self.refuse(TypeError, "init", onefold.sum, integers, init="1")
        self.refuse(TypeError, "init", onefold.sum, integers, init=1j)
        self.refuse(ValueError, "init must be one number", onefold.sum, integers, init=integers)

    def test_what_is_no_array(self):
        arrays = [np.array(["a"]), np.array([1j]), [None], [[1], [2, 3]]]
        for bad in (None, "text", b"bytes", object(), {}, {1.0}, 1j, *arrays):
            for function in (onefold.sum, onefold.argmax, onefold.var):
                with self.assertRaises((TypeError, ValueError), msg=repr(bad)):
                    function(bad)

    def test_orders_of_norms(self):
        for bad in (0, 3, -1, float("nan"), float("-inf"), "fro", None):
            self.refuse(ValueError, "Unsupported norm order", onefold.norm, np.ones(2), bad)

    def test_unknown_options(self):
        for name in ("axis", "out", "dtype", "keepdims"):
            self.refuse(TypeError, name, onefold.sum, np.ones(2), **{name: None})
        for name in ("init", "n"):
            self.refuse(TypeError, name, onefold.mean, np.ones(2), **{name: 1})


if __name__ == "__main__":
    unittest.main()
