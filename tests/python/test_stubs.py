"""The files of types beside the modules agree with them: the same names, parameters and defaults."""

import ast
import importlib
import inspect
import os
import pathlib
import unittest

import onefold

ROOT = pathlib.Path(onefold.__file__).parent
KINDS = inspect.Parameter


def stubs():
    """(a module, the syntax tree of its stub)"""
    for folder, _, files in os.walk(ROOT, followlinks=True):
        for path in (pathlib.Path(folder, file) for file in sorted(files) if file.endswith(".pyi")):
            name = ".".join(("onefold", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
            yield name, ast.parse(path.read_text())


def parameters(arguments):
    """(name, kind, default as text or None) of the parameters of a function in a syntax tree."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    for i, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
        kind = KINDS.POSITIONAL_ONLY if i < len(arguments.posonlyargs) else KINDS.POSITIONAL_OR_KEYWORD
        yield argument.arg, kind, default and ast.unparse(default)
    if arguments.vararg:
        yield arguments.vararg.arg, KINDS.VAR_POSITIONAL, None
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield argument.arg, KINDS.KEYWORD_ONLY, default and ast.unparse(default)
    if arguments.kwarg:
        yield arguments.kwarg.arg, KINDS.VAR_KEYWORD, None


def expected(function):
    for parameter in inspect.signature(function).parameters.values():
        default = None if parameter.default is KINDS.empty else repr(parameter.default)
        yield parameter.name, parameter.kind, default


def names_of(tree):
    """The names that a stub gives: of functions, classes, variables, and what it imports under its own name."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname for alias in node.names if alias.asname == alias.name)


class Stubs(unittest.TestCase):
    def test_there_are_some(self):
        self.assertGreater(len(list(stubs())), 5)

    def test_functions(self):
        for name, tree in stubs():
            module = importlib.import_module(name)
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    with self.subTest(function=f"{name}.{node.name}"):
                        self.assertEqual(list(parameters(node.args)), list(expected(getattr(module, node.name))))

    def test_names(self):
        for name, tree in stubs():
            module = importlib.import_module(name)
            given = set(names_of(tree))
            offered = getattr(module, "__all__", None)
            if offered is None:  # its own functions
                offered = [
                    key
                    for key, value in vars(module).items()
                    if inspect.isfunction(value) and value.__module__ == name and not key.startswith("_")
                ]
            with self.subTest(module=name):
                self.assertLessEqual(set(offered), given)
                self.assertEqual([each for each in given if not hasattr(module, each)], [])


if __name__ == "__main__":
    unittest.main()
