"""mapreduce and its kin, bit by bit beside the contract's executable reading, and what they refuse."""

import functools
import operator
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
import onefold
from library import same

NAMES = {
    "sum": ["sum", operator.add],
    "prod": ["prod", operator.mul],
    "min": ["min", min],
    "max": ["max", max],
    "any": ["any"],
    "all": ["all"],
    "count_nonzero": ["count", "count_nonzero"],
    "mean": ["mean"],
    "absmax": ["absmax"],
    "argmin": ["argmin"],
    "argmax": ["argmax"],
}
MAPS = {
    "none": [None, "identity"],
    "abs": ["abs", abs, operator.abs],
    "square": ["square"],
    "product": ["product", operator.mul],
}
# What the reference has maps of floats for; integers have all.
FLOAT_MAPS = {"sum": ["square", "product"], "count_nonzero": ["square"], "any": ["square"], "all": ["square"]}
TYPES = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64".split()


def one_of(rng, choices):
    return choices[rng.integers(len(choices))]


class AgainstContract(unittest.TestCase):
    def random_call(self, rng, shapes):
        name, operation = one_of(rng, TYPES), one_of(rng, list(NAMES))
        shape = one_of(rng, shapes)
        maps = ["none", "abs"] + FLOAT_MAPS.get(operation, []) if name in cases.FLOATS else list(MAPS)
        map = one_of(rng, maps if rng.integers(2) else ["none"])
        count = 2 if map == "product" else 1
        raws = [cases.random_elements(rng, name, int(np.prod(shape))).reshape(shape) for _ in range(count)]
        return operation, name, map, raws

    def random_options(self, rng, operation, name, map):
        options = {}
        if operation in ("sum", "prod", "mean", "absmax") and rng.integers(3) == 0:
            options["acctype"] = one_of(rng, cases.FLOATS)
        takes_init = operation in ("sum", "prod", "min", "max", "any", "all", "count_nonzero")
        if takes_init and rng.integers(3) == 0 and not (operation == "sum" and map in ("square", "product")):
            floats = (options.get("acctype") or name) in cases.FLOATS and operation != "count_nonzero"
            options["init"] = one_of(rng, [0.0, -0.0, 0.1, 1e300, np.nan] if floats else [0, 1])
        return options

    def test_numbers(self):
        rng = np.random.default_rng(21)
        for number in range(1500):
            operation, name, map, raws = self.random_call(rng, [(1,), (5,), (17,), (100,), (3, 4), ()])
            options = self.random_options(rng, operation, name, map)
            second = raws[1] if len(raws) > 1 else None
            expected, out = contract_dims.reduced(operation, raws[0], name, map=map, second=second, **options)
            sources = [cases.laid_out(rng, raw) if rng.integers(2) else onefold.array(raw) for raw in raws]
            f, op = one_of(rng, MAPS[map]), one_of(rng, NAMES[operation])
            got = onefold.mapreduce(f, op, *sources, **options)
            about = f"{number}: {operation} {name} {map} {options} of {raws}: got {got!r}, expected {expected!r}"
            kind = "f" if out == "bf16" else expected.dtype.kind
            self.assertIs(type(got), {"b": bool, "f": float}.get(kind, int), about)
            if out == "bf16":
                expected = (expected.astype(np.uint32) << 16).view(np.float32)
            self.assertTrue(same(np.array(got).astype(expected.dtype), expected), about)
            if map == "none" and len(raws) == 1:
                again = onefold.reduce(op, sources[0], **options)
                self.assertEqual(np.array(again).tobytes(), np.array(got).tobytes(), about)

    def test_along_dims(self):
        rng = np.random.default_rng(22)
        for number in range(1000):
            operation, name, map, raws = self.random_call(rng, [(5,), (3, 5), (16, 2), (2, 1, 19), (3, 2, 4)])
            options = self.random_options(rng, operation, name, map)
            if options.get("acctype") == "bf16":
                continue
            ndim = raws[0].ndim
            count = 1 if operation in ("argmin", "argmax") else rng.integers(ndim + 1)
            dims = tuple(int(d) - ndim * int(rng.integers(2)) for d in rng.permutation(ndim)[:count])
            second = raws[1] if len(raws) > 1 else None
            expected, out = contract_dims.reduced(
                operation, raws[0], name, dims, True, map=map, second=second, **options
            )
            sources = [cases.laid_out(rng, raw) if rng.integers(2) else onefold.array(raw) for raw in raws]
            f, op = one_of(rng, MAPS[map]), one_of(rng, NAMES[operation])
            got = onefold.mapreduce(f, op, *sources, dims=dims, **options)
            about = f"{number}: {operation} {name} {map} {dims} {options} of {raws}"
            self.assertEqual(got.dtype.name, out, about)
            self.assertTrue(same(got.numpy(), expected), f"{about}: got {got!r}, expected {expected!r}")

    def test_into_arrays(self):
        rng = np.random.default_rng(23)
        for number in range(1000):
            operation = one_of(rng, ["sum", "prod", "min", "max", "any", "all", "count_nonzero"])
            name = one_of(rng, ["i8", "i32", "u16", "u64", "f16", "f32", "f64"])
            shape = one_of(rng, [(5,), (3, 5), (16, 2), (2, 1, 19), (3, 2, 4), (3, 0)])
            integer = operation in ("any", "all", "count_nonzero")
            into_names = ["f32", "f64", "f16"] if name[0] == "f" else ["i64", "f64"]
            into_name = one_of(rng, ["i64", "u8"] if integer else into_names)
            into_shape = tuple(1 if rng.integers(2) else n for n in shape)
            raw = cases.random_elements(rng, name, int(np.prod(shape))).reshape(shape)
            old = cases.random_elements(rng, into_name, int(np.prod(into_shape))).reshape(into_shape)
            options = {"overwrite": True} if rng.integers(2) else {}
            if rng.integers(3) == 0:
                options["init"] = one_of(rng, [0, 1] if integer or name[0] != "f" else [0.5, 2])
            if operation in ("min", "max", "prod") and into_name != name and not options:
                continue  # the reference folds in one type
            expected = contract_dims.folded(operation, raw, name, old, into_name, **options)
            target = cases.laid_out(rng, old.copy())
            if rng.integers(2):
                target = onefold.array(old)
            f, op = one_of(rng, MAPS["none"]), one_of(rng, NAMES[operation])
            about = f"{number}: {operation} {name} {shape} into {into_name} {into_shape} {options} {raw} {old}"
            self.assertIs(onefold.mapreducedim(f, op, target, raw, **options), target, about)
            got = np.asarray(target)
            self.assertTrue(same(np.ascontiguousarray(got), expected), f"{about}: got {got}, expected {expected}")


class Numbers(unittest.TestCase):
    def test_exact_integers(self):
        self.assertEqual(onefold.mapreduce(None, operator.add, np.array([2**62, 2**61], np.uint64)), 2**62 + 2**61)
        self.assertEqual(onefold.mapreduce("square", "sum", np.array([2**20 + 1])), (2**20 + 1) ** 2)
        self.assertEqual(onefold.reduce("max", np.array([2**63 + 1, 5], np.uint64)), 2**63 + 1)

    def test_nothing_gives_init_as_it_is(self):
        for init in (3, 0.1, np.float32(2), True):
            self.assertIs(onefold.mapreduce(None, "sum", np.ones(0, np.float32), init=init), init)
        init = np.int8(4)
        self.assertIs(onefold.reduce(max, np.ones((2, 0), np.int64), init=init), init)
        self.assertIs(onefold.count(np.ones(0), init=init), init)
        with self.assertRaisesRegex(TypeError, "init is 0.5, a float"):
            onefold.reduce("sum", np.ones(0, np.int32), init=0.5)

    def test_nothing_without_init(self):
        nothing = np.ones(0, np.float32)
        for op, value in {"sum": 0.0, "prod": 1.0, "count": 0, "any": False, "all": True, "absmax": 0.0}.items():
            got = onefold.reduce(op, nothing)
            self.assertEqual((type(got), got), (type(value), value), op)
        self.assertNotEqual(onefold.reduce("mean", nothing), onefold.reduce("mean", nothing))
        for op in ("min", max, "argmin"):
            with self.assertRaisesRegex(ValueError, "reduction requires a nonempty array"):
                onefold.reduce(op, nothing)
            with self.assertRaisesRegex(ValueError, "reduction requires a nonempty array"):
                onefold.reduce(op, np.ones((2, 0)), dims=1)
        self.assertEqual(onefold.reduce("min", np.ones((2, 0)), dims=1, init=5).tolist(), [[5.0], [5.0]])

    def test_neutral_and_order_change_nothing(self):
        x = np.random.default_rng(1).standard_normal(1000)
        for op in ("sum", "min", "max", "any", "all", "count"):
            for options in ({"neutral": 7}, {"neutral": np.float32(1)}, {"order": "index"}, {"alg": "auto"}):
                self.assertEqual(onefold.reduce(op, x, **options), onefold.reduce(op, x), (op, options))
        integers = np.array([3, 5, 7])
        self.assertEqual(onefold.reduce("prod", integers, order="index"), 105)

    def test_backend(self):
        x = np.ones(3)
        for backend in ("cpu", onefold.device("cpu"), onefold.get_backend()):
            self.assertEqual(onefold.mapreduce("square", "sum", x, backend=backend), 3.0)

    def test_bools(self):
        flags = np.array([[True, False], [True, True]])
        self.assertIs(onefold.reduce(operator.or_, flags), True)
        self.assertIs(onefold.reduce(operator.and_, flags), False)
        self.assertEqual(onefold.reduce(operator.and_, flags, dims=0).tolist(), [[True, False]])
        self.assertIs(onefold.reduce(operator.or_, [False, True]), True)

    def test_counts(self):
        x = np.array([[0, 1, 2], [0, 0, -3]])
        self.assertEqual(onefold.count(x), 3)
        self.assertEqual(onefold.count(None, x, init=4), 7)
        self.assertEqual(onefold.count("square", x, dims=1).tolist(), [[2], [1]])
        self.assertEqual(onefold.count("product", x, x[::-1]), 2)

    def test_vectors(self):
        points = onefold.array([[1, 2, 3], [4, 5, 6]], onefold.vec3())
        self.assertEqual(onefold.mapreduce("square", "sum", points), 91.0)
        sums = onefold.mapreduce("square", "sum", points, dims=0)
        self.assertEqual((sums.shape, sums.dtype), ((1,), onefold.vec3()))
        self.assertEqual(sums.tolist(), [[17.0, 29.0, 45.0]])


class IntoArrays(unittest.TestCase):
    def test_the_old_element_is_one_more_term(self):
        total = np.array([[10, 20]])
        self.assertIs(onefold.mapreducedim("identity", operator.add, total, np.array([[1, 2], [3, 4]])), total)
        self.assertEqual(total.tolist(), [[14, 26]])
        into = np.full((2, 1), 5.0)
        table = np.array([[1.0, 2.0], [3.0, 4.0]])
        onefold.mapreducedim(None, "sum", into, table, overwrite=True)
        self.assertEqual(into.tolist(), [[3.0], [7.0]])
        onefold.mapreducedim(None, "sum", into, table, init=100)
        self.assertEqual(into.tolist(), [[103.0], [107.0]])
        onefold.mapreducedim("product", "sum", into, table, table)
        self.assertEqual(into.tolist(), [[108.0], [132.0]])

    def test_trailing_dims_may_be_left_off(self):
        for shape in ((2,), (2, 1), (2, 1, 1)):
            sums = onefold.mapreducedim(None, "sum", np.zeros(shape), np.ones((2, 3, 4)))
            self.assertEqual(sums.reshape(-1).tolist(), [12.0, 12.0])

    def test_vectors(self):
        points = onefold.array(np.arange(12.0).reshape(2, 2, 3), onefold.vec3(onefold.f64))
        apart = onefold.zeros((1, 2), points.dtype, layout="soa")
        for into in (onefold.zeros((1, 2), points.dtype), apart, np.zeros((1, 2, 3))):
            onefold.mapreducedim(None, "sum", into, points)
            self.assertEqual(into.tolist(), [[[6, 8, 10], [12, 14, 16]]])
        for into in (onefold.zeros((2,), points.dtype), np.zeros((2, 3))):
            self.assertEqual(onefold.mapreducedim(None, "sum", into, points).tolist(), [[3, 5, 7], [15, 17, 19]])
        for into in (onefold.zeros((2,), onefold.vec2(onefold.f64)), np.zeros((2, 2)), np.zeros((2,)), np.zeros(())):
            with self.assertRaisesRegex(TypeError, "R has elements of"):
                onefold.mapreducedim(None, "sum", into, points)

    def test_refusals_leave_it_as_it_was(self):
        table = np.ones((2, 3), np.float32)
        frozen = np.ones((2, 1), np.float32)
        frozen.flags.writeable = False
        refusals = [
            (ValueError, "no reduction of shape", "sum", np.full((3, 1), 7.0), {}),
            (ValueError, "no reduction of shape", "sum", np.full((2, 1, 2), 7.0), {}),
            (TypeError, "cannot hold a sum of f32", "sum", np.full((2, 1), 7), {}),
            (ValueError, "overwrite is not set", "mean", np.full((2, 1), 7.0), {}),
            (ValueError, "init is given, but mean takes none", "mean", np.full((2, 1), 7.0), {"init": 1}),
            (TypeError, "init", "sum", np.full((2, 1), 7.0), {"init": "1"}),
            (ValueError, "R is read-only", "sum", frozen, {}),
            (TypeError, "R must be an Array", "sum", [[0.0], [0.0]], {}),
            (TypeError, "R must be an Array", "sum", None, {}),
        ]
        for kind, words, op, into, options in refusals:
            before = repr(into)
            with self.assertRaisesRegex(kind, words):
                onefold.mapreducedim(None, op, into, table, **options)
            self.assertEqual(repr(into), before)

    def test_shared_memory(self):
        table = np.ones((3, 3))
        for into, sources in (
            (table[:1], [table]),
            (table[:, :1], [np.ones((3, 3)), table]),
            (table[1:2, ::-1], [table.T]),
        ):
            with self.assertRaisesRegex(ValueError, "overlap|share"):
                onefold.mapreducedim(None if len(sources) == 1 else "product", "sum", into, *sources)
        self.assertEqual(table.tolist(), np.ones((3, 3)).tolist())


class Workspaces(unittest.TestCase):
    def test_the_same_bits_any_number_of_times(self):
        rng = np.random.default_rng(5)
        for shape, dims in (((100000,), None), ((200, 300), 0), ((200, 300), 1), ((3, 4), (0, 1)), ((0,), None)):
            for op in ("sum", "prod", "count"):
                x = rng.standard_normal(shape)
                workspace = onefold.workspace("abs", op, x, dims=dims)
                self.assertGreaterEqual(workspace.nbytes, 0)
                for values in (x, x[::-1].copy(), x):
                    plain = onefold.mapreduce("abs", op, values, dims=dims)
                    with_it = onefold.mapreduce("abs", op, values, dims=dims, workspace=workspace)
                    self.assertEqual(repr(with_it), repr(plain))

    def test_one_made_for_another_call(self):
        x = np.ones((50, 60))
        workspace = onefold.workspace(None, "sum", x, dims=0)
        for call in (
            lambda: onefold.reduce("sum", x, dims=1, workspace=workspace),
            lambda: onefold.reduce("sum", x, workspace=workspace),
            lambda: onefold.reduce("prod", x, dims=0, workspace=workspace),
            lambda: onefold.mapreduce("square", "sum", x, dims=0, workspace=workspace),
            lambda: onefold.reduce("sum", x.astype(np.float32), dims=0, workspace=workspace),
            lambda: onefold.reduce("sum", np.ones((60, 50)), dims=0, workspace=workspace),
            lambda: onefold.reduce("sum", np.asfortranarray(x), dims=0, workspace=workspace),
            lambda: onefold.reduce("sum", x, dims=0, acctype=onefold.f32, workspace=workspace),
            lambda: onefold.mapreducedim(None, "sum", np.ones((1, 60)), x, workspace=workspace),
        ):
            with self.assertRaisesRegex(ValueError, "workspace was made for another"):
                call()
        self.assertEqual(onefold.reduce("sum", x, dims=0, workspace=workspace).tolist(), [[50.0] * 60])

    def test_into_arrays(self):
        x = np.random.default_rng(6).standard_normal((2000, 40))
        for made, used in (({}, {}), ({"overwrite": True}, {"overwrite": True}), ({"init": 1}, {"init": 2})):
            workspace = onefold.workspace(None, "sum", x, R=np.zeros((1, 40)), **made)
            with_it = onefold.mapreducedim(None, "sum", np.ones((1, 40)), x, workspace=workspace, **used)
            plain = onefold.mapreducedim(None, "sum", np.ones((1, 40)), x, **used)
            self.assertEqual(with_it.tobytes(), plain.tobytes())

    def test_options_that_need_other_memory(self):
        """One made for other options serves as well or is refused; it is never written past its end."""
        x = np.random.default_rng(6).standard_normal((2000, 40))
        kinds = [{}, {"overwrite": True}, {"init": 1}, {"init": 1.5, "overwrite": True}]
        for made in kinds:
            workspace = onefold.workspace(None, "sum", x, R=np.zeros((1, 40)), **made)
            for used in kinds:
                plain = onefold.mapreducedim(None, "sum", np.ones((1, 40)), x, **used)
                try:
                    got = onefold.mapreducedim(None, "sum", np.ones((1, 40)), x, workspace=workspace, **used)
                    self.assertEqual(got.tobytes(), plain.tobytes(), (made, used))
                except ValueError as error:
                    self.assertRegex(str(error), "workspace was made for another")

    def test_what_is_none(self):
        for bad in (1, "memory", object(), np.ones(100), type("W", (), {"_capsule": 5})()):
            with self.assertRaisesRegex(TypeError, "was not made by onefold.workspace"):
                onefold.reduce("sum", np.ones(3), workspace=bad)

    def test_errors_of_the_call(self):
        with self.assertRaisesRegex(ValueError, "dim 3"):
            onefold.workspace(None, "sum", np.ones(3), dims=3)
        with self.assertRaisesRegex(ValueError, "dims is given"):
            onefold.workspace(None, "sum", np.ones(3), R=np.ones(1), dims=0)
        with self.assertRaisesRegex(ValueError, "nonempty"):
            onefold.workspace(None, "min", np.ones(0))


class Refusals(unittest.TestCase):
    def refuse(self, kind, words, *args, **options):
        with self.assertRaisesRegex(kind, words):
            onefold.mapreduce(*args, **options)

    def test_functions_of_ones_own(self):
        x = np.ones(3, np.int32)
        for f in (lambda x: x, np.abs, functools.partial(abs), str, [].append):
            self.refuse(NotImplementedError, "come with kernels; there are .*square", f, "sum", x)
        for op in (lambda a, b: a, np.add, operator.sub, operator.or_, operator.and_, sum, None):
            self.refuse(NotImplementedError, "come with kernels; there are sum", None, op, x)
        self.refuse(NotImplementedError, "come with kernels", "abs", operator.or_, np.array([True]))

    def test_names(self):
        x = np.ones(3)
        self.refuse(ValueError, "f 'cube' is none of identity", "cube", "sum", x)
        self.refuse(ValueError, "op 'plus' is none of sum", None, "plus", x)
        self.refuse(ValueError, "op 'var' is none of", None, "var", x)
        self.refuse(TypeError, "f 3 is neither a name nor a function", 3, "sum", x)
        self.refuse(TypeError, "op 3 is neither a name nor a function", None, 3, x)

    def test_numbers_of_arrays(self):
        x = np.ones(3)
        self.refuse(ValueError, "takes 2 arrays, not 1", "product", "sum", x)
        self.refuse(ValueError, "takes 1 arrays?, not 2", "square", "sum", x, x)
        self.refuse(ValueError, "takes 2 arrays, not 3", operator.mul, "sum", x, x, x)
        self.refuse(ValueError, "shape", "product", "sum", x, np.ones(4))
        self.refuse(ValueError, "shape", "product", "sum", np.ones((2, 3)), np.ones((3, 2)), dims=0)
        with self.assertRaisesRegex(TypeError, "count takes an array"):
            onefold.count()

    def test_options(self):
        x = np.ones(3)
        self.refuse(ValueError, "order 'tree'", None, "sum", x, order="tree")
        self.refuse(ValueError, "order 1", None, "sum", x, order=1)
        self.refuse(NotImplementedError, "products of floats", None, "prod", x, order="index")
        self.refuse(NotImplementedError, "products of floats", None, "prod", [1, 2], order="index", acctype=onefold.f32)
        mixed = (np.ones(2, np.int64), np.ones(2, np.uint64))
        self.refuse(NotImplementedError, "products of floats", "product", "prod", *mixed, order="index")
        self.refuse(ValueError, "alg 'BlockReduce'", None, "sum", x, alg="BlockReduce")
        self.refuse(RuntimeError, "gpu", None, "sum", x, backend="gpu")
        self.refuse(TypeError, "device", None, "sum", x, backend=3)
        self.refuse(TypeError, "neutral", None, "sum", x, neutral="0")
        self.refuse(ValueError, "init is given, but mean takes none", None, "mean", x, init=0)
        self.refuse(TypeError, "acctype", None, "any", x, acctype=onefold.f32)
        self.refuse(ValueError, "dim 1 is out of range", None, "sum", x, dims=1)


if __name__ == "__main__":
    unittest.main()
