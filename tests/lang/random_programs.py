"""Random programs of the kernel language, each with its tree as Python's own parser sees it.

    random_programs.py valid COUNT      programs that the language has
    random_programs.py broken COUNT     the same with some tokens changed; "!" for a tree where Python refuses one,
                                        or it has what the language has not

Each is written as a line of two sizes in bytes, the program, and the tree (ast.h, of__node_print).
"""

import ast
import random
import sys
import warnings

BINARY = dict(zip("Add Sub Mult MatMult Div FloorDiv Mod Pow BitOr BitXor BitAnd LShift RShift".split(),
                  "+ - * @ / // % ** | ^ & << >>".split()))
COMPARISONS = {"Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!="}
UNARY = {"USub": "-", "UAdd": "+", "Invert": "~", "Not": "not"}
NAMES = "a b c x y out i j k n match case type _ __x1 e1 E2 pi range_ ndindex Kernel".split()
NUMBERS = ("0 1 2 7 0x1F 0o17 0b101 1_000 00 18446744073709551615 0.5 1. .25 1e3 1.5E-7 1e400 5e-324 123456789.125 "
           "0.1 1_0.0_1e1_0 1e22 1e16 1e-5 True False").split()


# ---- Programs as text ----

def choose(*options):
    return random.choice(options)


def items(make, least, most, depth):
    return ", ".join(make(depth) for _ in range(random.randint(least, most)))


def primary(depth):
    if depth <= 0:
        return choose(random.choice(NAMES), random.choice(NAMES), random.choice(NUMBERS))
    base = choose(random.choice(NAMES), f"({expression(depth - 1)})", primary(depth - 1))
    if base in NUMBERS:
        base = f"({base})"
    comma = choose("", "", ",")
    return choose(
        base,
        f"{base}.{random.choice(NAMES)}",
        f"{base}({items(expression, 0, 3, depth - 1)})",
        f"{base}({items(expression, 1, 3, depth - 1)}{comma})",
        f"{base}[{items(expression, 1, 3, depth - 1)}{comma}]",
        f"{base}[()]",
        f"({items(expression, 2, 3, depth - 1)}{comma})",
        f"({expression(depth - 1)},)",
        "()",
    )


def expression(depth):
    """Without brackets of its own, so that precedence decides."""
    if depth <= 0 or random.random() < 0.2:
        return primary(depth)
    left, right = expression(depth - 1), expression(depth - 1)
    return choose(
        f"{left} {random.choice(list(BINARY.values()))} {right}",
        f"{left}{random.choice(list(BINARY.values()))} {right}",
        f"{left} {random.choice(list(COMPARISONS.values()))} {right}",
        f"{left} {choose('and', 'or')} {right}",
        f"{left} if {right} else {expression(depth - 1)}",
        f"{choose('-', '+', '~', 'not ', '- ')}{right}",
    )


def arithmetic(depth):
    """Nothing that `not` after an operator could spoil: that is no Python."""
    while True:
        text = expression(depth)
        try:
            ast.parse(f"({text})")
            return text
        except SyntaxError:
            continue


def target(depth):
    return choose(
        random.choice(NAMES),
        f"{random.choice(NAMES)}[{arithmetic(depth - 1)}]",
        f"{random.choice(NAMES)}[{arithmetic(0)}, {arithmetic(0)}].{random.choice(NAMES)}",
    )


def simple(in_loop):
    value = arithmetic(random.randint(0, 3))
    if in_loop and random.random() < 0.15:
        return choose("break", "continue")
    return choose(
        f"{target(2)} = {value}",
        f"{target(1)} = {target(1)} = {value}, {arithmetic(1)}",
        f"{target(1)}, ({target(1)}, {target(1)}), = {value}",
        f"{target(2)} {random.choice(list(BINARY.values()))}= {value}",
        value,
        "pass",
        f"return {value}",
        f"return {value},",
        "return",
    )


def loop_head():
    names = random.sample(NAMES, 3)
    count = random.randint(1, 3)
    indices = ", ".join(names[:count])
    arguments = ", ".join(arithmetic(1) for _ in range(count))
    return choose(
        f"for {names[0]} in range({arguments})",
        f"for {names[0]} in tack.ndindex({arguments})",
        f"for {indices if count > 1 else indices + ','} in ndindex({arguments})",
        f"for ({indices},) in ndindex({arguments})",
        f"while {arithmetic(2)}",
    )


def statements(depth, indent, in_loop):
    step = choose(" ", "    ", "\t")
    lines = []

    def block(head, inner_loop):
        if random.random() < 0.2:
            return [f"{indent}{head}: {simple(inner_loop)}"]
        return [f"{indent}{head}:{choose('', '  # why', ' ')}"] + statements(depth - 1, indent + step, inner_loop)

    for _ in range(random.randint(1, 3)):
        kind = random.random() if depth > 0 else 0
        if kind < 0.5:
            parts = [simple(in_loop) for _ in range(random.randint(1, 2))]
            lines.append(indent + choose("; ", ";").join(parts) + choose("", "", ";", "  # \u00e9\u20ac"))
        elif kind < 0.75:
            lines += block(loop_head(), True)
        else:
            lines += block(f"if {arithmetic(2)}", in_loop)
            for _ in range(random.randint(0, 2)):
                lines += block(f"elif {arithmetic(1)}", in_loop)
            if random.random() < 0.5:
                lines += block("else", in_loop)
        if random.random() < 0.1:
            lines.append(choose("", "   ", "\t# nothing", "# nothing", "\f"))
    return lines


def function(number):
    names = random.sample(NAMES, random.randint(0, 3))
    parameters = [name + choose("", "", ": f32", ": tack.vec3(f64)") for name in names]
    text = ", ".join(parameters) + choose("", "," if parameters else "")
    lines = [choose("", "@kernel", "@onefold.func")] if random.random() < 0.4 else []
    lines.append(f"def f{number}({text}){choose('', '', ' -> f64', ' -> (i32, f32)')}:")
    indent = choose(" ", "    ", "\t")
    if random.random() < 0.3:
        lines.append(indent + choose('"""About\n  it. \\""""', "'one' \"two\"", "r'\\'';"))
    return [line for line in lines if line] + statements(2, indent, False)


def spread(text):
    """Breaks lines where Python allows it: within brackets, and after a backslash."""
    out, depth, in_comment = [], 0, False
    for character in text:
        out.append(character)
        depth += (character in "([") - (character in ")]")
        if character in "([," and depth > 0 and random.random() < 0.05:
            out.append(choose("\n", "\n\t ", "  # (\n", "\\\n", " "))
    return "".join(out)


def program():
    lines = ['"""A text."""'] if random.random() < 0.1 else []
    for number in range(random.randint(1, 3)):
        lines += function(number)
    text = "\n".join(lines) + choose("\n", "", "\n\n")
    if '"""' not in text and "'" not in text and "#" not in text:
        text = spread(text)
    return text.replace("\n", choose("\n", "\n", "\r\n", "\r"))


PIECES = NAMES + NUMBERS + list(BINARY.values()) + list(COMPARISONS.values()) + (
    "( ) [ ] { } , : ; . = := -> += ... 'a' f'' not and or if else elif for in while is def return lambda None \n "
    "\t \\ # $ ! @ ~ 1j 0x 1_ * ** range class import").split(" ")


def broken(text):
    """Some changes of a token's size."""
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(text) + 1)
        end = min(len(text), place + choose(0, 0, 1, 2, 5))
        text = text[:place] + choose("", random.choice(PIECES), f" {random.choice(PIECES)} ") + text[end:]
    return text


# ---- Trees ----

def listed(nodes):
    return "[" + " ".join(map(tree, nodes)) + "]"


def body_of(node):
    statements = node.body
    if statements and isinstance(statements[0], ast.Expr) and isinstance(statements[0].value, ast.Constant) \
            and isinstance(statements[0].value.value, str):
        statements = statements[1:]
    return listed(statements)


def tree_of_if(node):
    clauses, otherwise = [], [node]
    while len(otherwise) == 1 and isinstance(otherwise[0], ast.If) and otherwise[0].col_offset == node.col_offset:
        clause = otherwise[0]
        clauses.append(f"(clause {tree(clause.test)} {listed(clause.body)})")
        otherwise = clause.orelse
    return f"(if [{' '.join(clauses)}] {listed(otherwise)})"


def tree_of_def(node):
    arguments = node.args
    assert not (arguments.posonlyargs or arguments.vararg or arguments.kwonlyargs or arguments.kwarg or arguments.defaults)
    assert len({argument.arg for argument in arguments.args}) == len(arguments.args)
    roles = {d.attr if isinstance(d, ast.Attribute) else d.id for d in node.decorator_list}
    assert roles <= {"kernel", "func"} and len(roles) < 2
    role = "".join(f"@{role} " for role in roles)
    parameters = " ".join(f"(parameter {a.arg} {tree(a.annotation)})" for a in arguments.args)
    return f"(def {role}{node.name} [{parameters}] {tree(node.returns)} {body_of(node)})"


def tree_of_constant(value):
    assert isinstance(value, (bool, float)) or type(value) is int and value < 2**64
    return repr(value)


def tree_of_call(node):
    assert not node.keywords
    return f"(call {tree(node.func)} {listed(node.args)})"


def tree_of_loop(node):
    assert not node.orelse
    return listed(node.body)


def links(node):
    return " ".join(f"(link {COMPARISONS[type(o).__name__]} {tree(v)})" for o, v in zip(node.ops, node.comparators))


def indices(node):
    return listed(node.elts if isinstance(node, ast.Tuple) else [node])


TREES = {
    type(None): lambda n: "-",
    ast.Module: lambda n: f"(module {body_of(n)})",
    ast.FunctionDef: tree_of_def,
    ast.Assign: lambda n: f"(assign {listed(n.targets)} {tree(n.value)})",
    ast.AugAssign: lambda n: f"(augment {BINARY[type(n.op).__name__]} {tree(n.target)} {tree(n.value)})",
    ast.Expr: lambda n: f"(discard {tree(n.value)})",
    ast.For: lambda n: f"(for {tree(n.target)} {tree(n.iter)} {tree_of_loop(n)})",
    ast.While: lambda n: f"(while {tree(n.test)} {tree_of_loop(n)})",
    ast.If: tree_of_if,
    ast.Return: lambda n: f"(return {tree(n.value)})",
    ast.Pass: lambda n: "(pass)",
    ast.Break: lambda n: "(break)",
    ast.Continue: lambda n: "(continue)",
    ast.Name: lambda n: n.id,
    ast.Constant: lambda n: tree_of_constant(n.value),
    ast.Tuple: lambda n: f"(tuple {listed(n.elts)})",
    ast.UnaryOp: lambda n: f"(unary {UNARY[type(n.op).__name__]} {tree(n.operand)})",
    ast.BinOp: lambda n: f"(binary {BINARY[type(n.op).__name__]} {tree(n.left)} {tree(n.right)})",
    ast.BoolOp: lambda n: f"({type(n.op).__name__.lower()} {listed(n.values)})",
    ast.Compare: lambda n: f"(compare {tree(n.left)} [{links(n)}])",
    ast.IfExp: lambda n: f"(conditional {tree(n.test)} {tree(n.body)} {tree(n.orelse)})",
    ast.Subscript: lambda n: f"(subscript {tree(n.value)} {indices(n.slice)})",
    ast.Attribute: lambda n: f"(attribute {n.attr} {tree(n.value)})",
    ast.Call: tree_of_call,
}


def tree(node):
    return TREES[type(node)](node)


def tree_or_refusal(text):
    try:
        compile(text, "text", "exec", dont_inherit=True)
        return tree(ast.parse(text))
    except (SyntaxError, ValueError, KeyError, AssertionError, AttributeError, MemoryError):
        return "!"


def main():
    warnings.simplefilter("ignore")
    mode, count = sys.argv[1], int(sys.argv[2])
    random.seed(20)
    for _ in range(count):
        text = program()
        if mode == "broken":
            text = broken(text)
        expected = tree_or_refusal(text)
        assert mode == "broken" or expected != "!", text
        parts = text.encode(), expected.encode()
        sys.stdout.buffer.write(b"%d %d\n" % tuple(map(len, parts)) + b"".join(parts))


main()
