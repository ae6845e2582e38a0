"""The stubs (.pyi) say what the package has: the same names, with the same parameters and defaults."""

import ast
import importlib.util
import inspect
import os
import pathlib
import sys
import unittest

try:
    import onefold
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

SOURCE = pathlib.Path(os.environ.get("ONEFOLD_SOURCE", pathlib.Path(__file__).parents[2])) / "src/python/onefold"
NEED = {"torch": "torch", "jax": "jax"}  # what a module cannot be imported without
Kind = inspect.Parameter


def modules():
    """(the stub, the module's name) of each stub."""
    for path in sorted(SOURCE.rglob("*.pyi")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        yield path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def of_stub(function, is_method):
    """(name, kind, default's text or None) of each parameter of a stub's function."""
    args, found = function.args, []
    first = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    for i, arg in enumerate(args.posonlyargs + args.args):
        kind = Kind.POSITIONAL_ONLY if i < len(args.posonlyargs) else Kind.POSITIONAL_OR_KEYWORD
        found.append((arg.arg, kind, ast.unparse(args.defaults[i - first]) if i >= first else None))
    if args.vararg:
        found.append((args.vararg.arg, Kind.VAR_POSITIONAL, None))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults):
        found.append((arg.arg, Kind.KEYWORD_ONLY, ast.unparse(default) if default else None))
    if args.kwarg:
        found.append((args.kwarg.arg, Kind.VAR_KEYWORD, None))
    return found[1:] if is_method else found


def of_package(function, is_method):
    found = [
        (p.name, p.kind, None if p.default is p.empty else repr(p.default))
        for p in inspect.signature(function).parameters.values()
    ]
    return found[1:] if is_method else found


class Stubs(unittest.TestCase):
    def check_function(self, about, stubs, function, is_method=False):
        expected = of_package(function, is_method)
        if len(stubs) > 1:  # overloads: each takes a part of it
            names = {name for name, _, _ in expected}
            for stub in stubs:
                self.assertLessEqual({name for name, _, _ in of_stub(stub, is_method)}, names, about)
            return
        got = of_stub(stubs[0], is_method)
        self.assertEqual([each[:2] for each in got], [each[:2] for each in expected], about)
        for (name, _, text), (_, _, default) in zip(got, expected):
            if text == "..." and default is not None:
                continue
            self.assertEqual(text, default, f"{about}: {name}")

    def check_class(self, stub, found):
        members = {}
        for node in stub.body:
            if isinstance(node, ast.FunctionDef):
                members.setdefault(node.name, []).append(node)
        public = {name for name in {*dir(found), *inspect.get_annotations(found)} if not name.startswith("_")}
        fields = {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
        self.assertEqual({name for name in {*members, *fields} if not name.startswith("_")}, public, stub.name)
        for name, nodes in members.items():
            member = inspect.getattr_static(found, name, None)
            if name == "__buffer__":  # by the C interface before Python 3.12
                continue
            self.assertIsNotNone(member, f"{stub.name}.{name}")
            is_property = any(ast.unparse(d) == "property" for d in nodes[0].decorator_list)
            self.assertEqual(is_property, not callable(member), f"{stub.name}.{name}")
            if not is_property and not name.startswith("__"):
                self.check_function(f"{stub.name}.{name}", nodes, member, is_method=True)

    def test_every_stub_agrees(self):
        checked = 0
        for path, name in modules():
            need = NEED.get(path.stem)
            if need and not importlib.util.find_spec(need):
                with self.subTest(module=name):
                    self.skipTest(f"{need} is not installed")
                continue
            module = importlib.import_module(name)
            functions, names = {}, set()
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.FunctionDef):
                    functions.setdefault(node.name, []).append(node)
                elif isinstance(node, ast.ClassDef):
                    names.add(node.name)
                    if not node.name.startswith("_"):
                        with self.subTest(module=name, name=node.name):
                            self.check_class(node, getattr(module, node.name))
                elif isinstance(node, ast.AnnAssign):
                    names.add(node.target.id)
                elif isinstance(node, ast.ImportFrom):
                    names.update(alias.asname for alias in node.names if alias.asname)
            for function, nodes in functions.items():
                with self.subTest(module=name, name=function):
                    self.check_function(f"{name}.{function}", nodes, getattr(module, function))
                    checked += 1
            with self.subTest(module=name):
                public = getattr(module, "__all__", ())
                self.assertLessEqual(set(public), {*functions, *names}, "the stub lacks these")
                lacking = [each for each in names if not each.startswith("_") and not hasattr(module, each)]
                self.assertEqual(lacking, [], "the module lacks these")
        self.assertGreater(checked, 100)

    def test_every_public_module_has_one(self):
        stubs = {path.with_suffix("") for path, _ in modules()}
        for path in SOURCE.rglob("*.py"):
            if not path.stem.startswith("_") or path.stem == "__init__":
                self.assertIn(path.with_suffix(""), stubs)
        self.assertTrue((SOURCE / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
