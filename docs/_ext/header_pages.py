"""Makes a page of each public header, and of each .def list, from its declarations and comments.

The headers are documents like any other: docs/c leads to include/onefold, and what stands here reads the suffixes .h
and .def. So nothing is generated and kept, and a new header has a page without being registered.
"""

import functools
import pathlib
import re

import headers
import house_form
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.parsers import RSTParser
from sphinx.transforms import SphinxTransform

HERE = pathlib.Path(__file__).parent
INCLUDE = HERE.parents[1] / "include"
SECTION_NUMBER = re.compile(r"(\d+)\. ")


@functools.cache
def read_headers():
    return headers.Headers(INCLUDE)


class C(house_form.Dialect):
    """Comments in headers. Their names are those of functions, types, macros and enumerators."""

    error = r"OF_ERR_\w+"
    name = r"(?:of_|OF_)\w*[A-Za-z0-9]"
    language = "c"

    def __init__(self, pages, unlinked):
        super().__init__(pages)
        self.unlinked = unlinked  # macros that no program sees

    def reference(self, text):
        is_name = re.fullmatch(self.name, text) and text not in self.unlinked
        return f":c:type:`{text}`" if is_name else None


class HeaderParser(RSTParser):
    """Parses a header or a list by way of reStructuredText."""

    supported = ("c_header",)

    def parse(self, inputstring, document):
        path = pathlib.Path(document["source"])
        env = document.settings.env
        dialect = C(env.found_docs, read_headers().temporary)
        page = list_page if path.suffix == ".def" else header_page
        for source in [INCLUDE / "onefold" / path.name, *HERE.glob("h*.py")]:
            env.note_dependency(str(source))  # a page is made anew when one of these changes
        super().parse(StringList(page(path.name, dialect), str(path)), document)


def head(name, dialect):
    """The title and the introduction. The title is what the introduction says before its first colon or full stop."""
    lines = house_form.strip(read_headers().introduction(name))
    end = lines.index("") if "" in lines else len(lines)
    title, _, rest = re.split(r"([:.])(?:\s|$)", " ".join(lines[:end]), maxsplit=1)
    text = f"{title} ({name})"
    lines = [house_form.capitalize(rest), *lines[end:]]
    return [house_form.escape(text), "=" * 2 * len(text), "", *house_form.render(lines, dialect)]


def header_page(name, dialect):
    lines = head(name, dialect)
    lines += [".. code-block:: c", "", f"   #include <onefold/{name}>", ""]
    shared = ""
    for item in read_headers().items[name]:
        if item.kind == "section":
            lines += [item.signatures[0], "-" * len(item.signatures[0]), ""]
        elif item.row and item.comment != shared:  # one comment for all that a list stamps out
            lines += house_form.render(house_form.strip(item.comment), dialect)
        shared = item.comment if item.row else ""
        lines += item_lines(item, dialect)
    return lines


def item_lines(item, dialect):
    if item.kind == "section":
        return []
    first, *others = item.signatures
    directive = f".. c:{item.kind}:: "
    lines = [directive + first, *(" " * len(directive) + other for other in others), ""]
    body = []
    if item.row:
        body += [row_text(item), ""]
    elif item.comment and item.kind in ("member", "enumerator"):
        text = " ".join(line.strip() for line in house_form.strip(item.comment))
        body += [house_form.inline(text, dialect), ""]
    elif item.comment:
        body += house_form.render(house_form.strip(item.comment), dialect)
    if item.value:
        body += [f":Value: {item.value}", ""]
    for member in item.members:
        body += item_lines(member, dialect)
    return lines + house_form.indent(body)


def row_text(item):
    """What a row of a list says: its last cell is the meaning, unless it is the list of element types."""
    if len(item.row) == 6:
        _, name, storage, _, _, size = item.row
        return f"``{name}``: {size} byte{'s' if size != '1' else ''}, stored as ``{storage}``."
    return house_form.escape(house_form.capitalize(item.row[-1])) + "."


def list_page(name, dialect):
    lines = head(name, dialect)
    rows = [[macro, *cells] for _, macro, cells in headers.rows(read_headers().lists[name])]
    columns = re.search(r"\b[A-Z_]+\(([^)]*)\)", read_headers().introduction(name)).group(1).split(",")
    lines += [".. list-table::", "   :header-rows: 1", ""]
    for row in [["macro", *columns], *rows]:
        for number, cell in enumerate(row):
            lines.append(f"   {' ' if number else '*'} - {house_form.escape(cell.strip())}")
    return [*lines, ""]


class ContractSections(SphinxTransform):
    """Gives each section of the contract a label, contract-1 and so on, that comments can refer to."""

    default_priority = 800  # before the domains collect labels

    def apply(self):
        if self.env.docname != "contract":
            return
        for section in self.document.findall(nodes.section):
            number = SECTION_NUMBER.match(section[0].astext())
            if number:
                name = f"contract-{number.group(1)}"
                section["names"].append(name)
                self.document.nameids[name] = section["ids"][0]
                self.document.nametypes[name] = True


def setup(app):
    app.add_source_suffix(".h", "c_header")
    app.add_source_suffix(".def", "c_header")
    app.add_source_parser(HeaderParser)
    app.add_transform(ContractSections)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
