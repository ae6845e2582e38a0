"""Reads Onefold's public headers: their declarations by libclang, their comments from the text.

Declarations come as a compiler sees them, so that functions and enumerators which a .def list stamps out are found like
any other. (hawkmoth, which does the like, sees none of these, nor comments that stand behind a member or begin with a
plain slash and star.)
"""

import bisect
import os
import re
import subprocess
from dataclasses import dataclass, field

from clang.cindex import CursorKind, Index, TranslationUnit, TypeKind

DIRECTIVES = {
    CursorKind.FUNCTION_DECL: "function",
    CursorKind.STRUCT_DECL: "struct",
    CursorKind.UNION_DECL: "union",
    CursorKind.ENUM_DECL: "enum",
    CursorKind.ENUM_CONSTANT_DECL: "enumerator",
    CursorKind.FIELD_DECL: "member",
    CursorKind.TYPEDEF_DECL: "type",
}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SECTION = re.compile(r"/\* ---- (.*) ---- \*/")
MACRO = re.compile(r"^ *#define (OF_\w+(?:\([^)]*\))?)[ \t]*((?:\\\n|.)*)$", re.MULTILINE)
UNDEFINED = re.compile(r"^ *#undef (\w+)", re.MULTILINE)
LIST = re.compile(r"^ *#include <onefold/(\w+\.def)>", re.MULTILINE)
ROW = re.compile(r"^(OF_\w+)\(((?:[^()\"]|\"[^\"]*\")*)\)$", re.MULTILINE)
CELL = re.compile(r"\s*(\"[^\"]*\"|[^,]*)(?:,|$)")


@dataclass
class Item:
    """A declaration, or the title of a section."""

    kind: str  # a directive of Sphinx's C domain, or "section"
    signatures: list
    line: int
    last_line: int
    comment: str = ""
    value: str = ""
    row: list = field(default_factory=list)  # of the .def list that it was made from
    members: list = field(default_factory=list)


class Source:
    """A header's text, with the places of its comments."""

    def __init__(self, path):
        self.path, self.text = path, path.read_text()
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.comments = list(COMMENT.finditer(self.text))

    def line(self, offset):
        return bisect.bisect_right(self.starts, offset)

    def stands_alone(self, comment):
        return not self.text[self.starts[self.line(comment.start()) - 1] : comment.start()].strip()

    def comment_before(self, line):
        """The comment on the lines just above a line."""
        for comment in self.comments:
            if self.line(comment.end()) == line - 1 and self.stands_alone(comment):
                return "" if SECTION.match(comment.group()) else comment.group()
        return ""

    def comment_behind(self, line):
        """The comment that begins behind what stands on a line."""
        for comment in self.comments:
            if self.line(comment.start()) == line and not self.stands_alone(comment):
                return comment.group()
        return ""

    def last_comment_between(self, first, last):
        """The last comment of its own lines that begins after one line and ends before another."""
        found = ""
        for comment in self.comments:
            inside = first < self.line(comment.start()) and self.line(comment.end()) < last
            if inside and self.stands_alone(comment):
                found = comment.group()
        return found


def rows(text):
    """The rows of a .def list: for each its line, its macro and its cells."""
    for match in ROW.finditer(text):
        cells = [cell.strip('" \n') for cell in CELL.findall(match.group(2)) if cell]
        yield text.count("\n", 0, match.start()) + 1, match.group(1), cells


def parse(include):
    """The headers' translation unit: what a C program sees that includes everything."""
    compiler = os.environ.get("CC", "cc")
    builtin = subprocess.run([compiler, "-print-file-name=include"], check=True, capture_output=True, text=True)
    unit = Index.create().parse(
        str(include / "onefold/onefold.h"),
        args=["-xc", "-std=c17", f"-I{include}", f"-isystem{builtin.stdout.strip()}"],
        options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
    )
    problems = [str(problem) for problem in unit.diagnostics]
    if problems:
        raise ValueError("\n".join(problems))
    return unit


class Headers:
    """All headers of a folder, read once."""

    def __init__(self, include):
        self.folder = include / "onefold"
        self.sources = {path.name: Source(path) for path in sorted(self.folder.glob("*.h"))}
        self.lists = {path.name: path.read_text() for path in sorted(self.folder.glob("*.def"))}
        self.rows = {name: {line: cells for line, _, cells in rows(text)} for name, text in self.lists.items()}
        self.items = {name: [] for name in self.sources}
        self.temporary = set()
        for text in [*(source.text for source in self.sources.values()), *self.lists.values()]:
            self.temporary.update(UNDEFINED.findall(text))
        self.read_declarations(parse(include))
        for name, source in self.sources.items():
            self.read_macros(name, source)
            self.read_sections(name, source)
            self.items[name] = share_comments(sorted(self.items[name], key=lambda item: item.line))

    def read_declarations(self, unit):
        header, previous = None, 0
        for cursor in unit.cursor.get_children():
            name = self.file_of(cursor)
            if name is None or cursor.kind not in DIRECTIVES:
                continue
            if name.endswith(".def"):  # stamped out by the header that came last
                item = self.stamped(cursor, name, header, previous)
            else:
                if name != header:
                    header, previous = name, 0
                item = self.declared(cursor, self.sources[header])
                previous = item.last_line if item else previous
            if item:
                self.items[header].append(item)

    def file_of(self, cursor):
        path = cursor.location.file and os.path.realpath(cursor.location.file.name)
        if path and os.path.dirname(path) == os.path.realpath(self.folder):
            return os.path.basename(path)
        return None

    def stamped(self, cursor, name, header, previous):
        source = self.sources[header]
        places = [source.line(place.start(1)) for place in LIST.finditer(source.text) if place.group(1) == name]
        line = next(place for place in places if place > previous)
        item = self.item(cursor, line, line)
        item.row = self.rows[name][cursor.location.line]
        item.comment = source.last_comment_between(previous, line)
        return item

    def declared(self, cursor, source):
        first, last = cursor.extent.start.line, cursor.extent.end.line
        if cursor.kind == CursorKind.TYPEDEF_DECL:
            target = cursor.underlying_typedef_type
            if target.kind != TypeKind.POINTER:  # the second name of a struct or an enum
                return None
        item = self.item(cursor, first, last)
        item.comment = source.comment_before(first) or source.comment_behind(last)
        item.members = [self.member(child, source) for child in cursor.get_children() if is_member(child)]
        return item

    def member(self, cursor, source):
        name = self.file_of(cursor)
        item = self.item(cursor, cursor.extent.start.line, cursor.extent.end.line)
        if name.endswith(".def"):
            item.row = self.rows[name][cursor.location.line]
            return item
        item.comment = source.comment_behind(item.last_line) or source.comment_before(item.line)
        union = cursor.type.get_declaration() if cursor.kind == CursorKind.FIELD_DECL else None
        if union is not None and union.kind == CursorKind.UNION_DECL:
            item.kind, item.signatures = "union", [cursor.spelling]
            item.members = [self.member(child, source) for child in union.get_children() if is_member(child)]
        elif cursor.kind == CursorKind.FIELD_DECL and cursor.type.kind == TypeKind.CONSTANTARRAY:
            text = source.text[cursor.extent.start.offset : cursor.extent.end.offset]
            item.signatures = [" ".join(text.split())]  # with the size's name
        return item

    def item(self, cursor, line, last_line):
        kind, name = DIRECTIVES[cursor.kind], cursor.spelling
        if cursor.is_anonymous() or not name:
            name = f"@{kind}_{cursor.location.line}"
        return Item(kind, [signature(cursor, name)], line, last_line)

    def read_macros(self, name, source):
        known = set(self.temporary)
        for macro in MACRO.finditer(source.text):
            text, value = macro.groups()
            word = text.partition("(")[0]
            if word in known:
                continue
            known.add(word)
            first, last = source.line(macro.start()), source.line(macro.end())
            item = Item("macro", [text], first, last, source.comment_before(first))
            item.value = value if re.fullmatch(r"\d+", value) else ""
            self.items[name].append(item)

    def read_sections(self, name, source):
        for comment in source.comments:
            title = SECTION.match(comment.group())
            if title:
                line = source.line(comment.start())
                self.items[name].append(Item("section", [title.group(1)], line, line))

    def introduction(self, name):
        """The comment at a header's or list's head."""
        text = self.lists.get(name) or self.sources[name].text
        return COMMENT.match(text).group()


def is_member(cursor):
    return cursor.kind in (CursorKind.FIELD_DECL, CursorKind.ENUM_CONSTANT_DECL)


def signature(cursor, name):
    if cursor.kind == CursorKind.FUNCTION_DECL:
        parameters = [declare(argument.type.spelling, argument.spelling) for argument in cursor.get_arguments()]
        return f"{declare(cursor.result_type.spelling, name)}({', '.join(parameters) or 'void'})"
    if cursor.kind == CursorKind.TYPEDEF_DECL:
        function = cursor.underlying_typedef_type.get_pointee()
        parameters = [declare(child.type.spelling, child.spelling) for child in cursor.get_children()]
        return f"{function.get_result().spelling} (*{name})({', '.join(parameters)})"
    if cursor.kind == CursorKind.FIELD_DECL:
        return declare(cursor.type.spelling, name)
    if cursor.kind == CursorKind.ENUM_CONSTANT_DECL:
        return f"{name} = {cursor.enum_value}"
    return name


def declare(type_name, name):
    type_name = re.sub(r"\b_Bool\b", "bool", type_name)
    return f"{type_name}{'' if type_name.endswith('*') else ' '}{name}"


def share_comments(items):
    """Joins each item without a comment of its own to one of its kind on the line above it, and members on one line."""
    result = []
    for item in items:
        item.members = share_comments(item.members)
        if result and continues(result[-1], item):
            above = result[-1]
            above.signatures += item.signatures
            above.last_line, above.value = item.last_line, ""
        else:
            result.append(item)
    return result


def continues(above, item):
    if item.kind != above.kind or item.row or item.members:
        return False
    if item.kind in ("member", "enumerator"):
        return item.line == above.line
    return not item.comment and item.line == above.last_line + 1
