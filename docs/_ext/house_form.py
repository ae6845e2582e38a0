"""Turns comments in Onefold's form, of headers and of docstrings, into reStructuredText.

A comment holds, in this order: a sentence; the loop that the function equals, indented; a list of parameters, aligned
in columns; sentences on the bits, the cost and the errors. Here is what becomes of each:

    Sums.                                           a paragraph

        for (i = 0; ...) sum += x[i];               a code block

    x     any type; only read.                      the field "Parameters"
    out   receives the sum.

    Bits: contract 3. Cost: one pass.               the fields "Bits" and "Cost"
    OF_ERR_VALUE: no element. OF_ERR_MEMORY.        the field "Errors"

What a name is and how it is linked depends on the language, which is what a Dialect tells.
"""

import re
from dataclasses import dataclass, field

from pygments.lexers import get_lexer_by_name
from pygments.token import Error

PARAMETER = re.compile(r"([a-z]\w*(?:, [a-z]\w*)*) {2,}(\S.*)")
NOTE = re.compile(r"(Bits|Cost(?: and memory)?)(?: \((contract \d+)\))?: ")
CONTRACT = r"(?:[Cc]ontract|contract's rules \(section|docs/contract\.md, section) \d+(?:(?:, | to | and )\d+)*"
ASIDE = "Others? as|Other arguments|All else|Nothing is|Returns"  # begins a sentence that is of no error before it
NUMBER = re.compile(r"(\d+)")


class Dialect:
    """How comments of one language are read. `error` matches the name of an error, `name` what may be linked."""

    error = name = language = ""

    def reference(self, text):
        """A name, or what stands between backticks, as a link in reStructuredText; None where it leads nowhere."""
        raise NotImplementedError

    def __init__(self, pages):
        self.pages = pages
        self.errors = re.compile(
            rf"((?:{self.error})(?:, (?:{self.error}))*)(?:(?: also)?:\s*|(?=\.(?:\s|$))|\s+(?=too\b))"
        )
        self.sentence_end = re.compile(rf"(?<=[.;])\s+(?=(?:Bits|Cost|{self.error}|Errors as|{ASIDE})\b)")
        self.links = re.compile(
            r"(?P<literal>`[^`]+`)"
            r"|(?P<page>docs/(?P<page_name>\w+)\.md(?!, section))"
            rf"|(?P<contract>{CONTRACT})"
            r"|(?P<header>\b(?P<header_name>\w+)\.(?:h|def)\b)"
            rf"|(?P<name>\b(?:{self.name})\b)"
        )


@dataclass
class Comment:
    """A comment taken apart."""

    body: list = field(default_factory=list)  # ("text" or "code", lines)
    parameters: list = field(default_factory=list)  # (names, text)
    notes: list = field(default_factory=list)  # ("Bits" or "Cost", text)
    errors: list = field(default_factory=list)  # (statuses or "", text)


def strip(text):
    """The lines of a C comment without its delimiters."""
    text = re.sub(r"^/\*+", "", text)
    text = re.sub(r"\s*\*/$", "", text)
    lines = [re.sub(r"^\s*\* ?", "", line) if number else line.strip() for number, line in enumerate(text.split("\n"))]
    while lines and not lines[0].strip():
        del lines[0]
    return [line.rstrip() for line in lines]


def parse(lines, dialect):
    """Takes the lines of a comment apart."""
    comment, chunk, kind, names = Comment(), [], None, ""

    def begin(next_kind):
        nonlocal kind
        if kind == "text":
            sort_sentences(comment, " ".join(chunk), dialect)
        elif kind == "code":
            comment.body.append((kind, chunk[:]))
        elif kind == "parameter":
            comment.parameters.append((names, " ".join(chunk)))
        chunk.clear()
        kind = next_kind

    for line in lines:
        parameter = PARAMETER.fullmatch(line)
        if parameter:
            begin("parameter")
            names, first = parameter.groups()
            chunk.append(first)
        elif kind == "parameter" and line.startswith("  "):
            chunk.append(line.strip())
        elif line.startswith("    ") or (kind == "code" and not line):
            if kind != "code":
                begin("code")
            chunk.append(line[4:])
        elif not line:
            begin(None)
        else:
            if kind != "text":
                begin("text")
            chunk.append(line)
    begin(None)
    return comment


def sort_sentences(comment, text, dialect):
    """Sorts the sentences of a paragraph into text, notes and errors."""
    for part in dialect.sentence_end.split(text):
        note, status = NOTE.match(part), dialect.errors.match(part)
        if note:
            section = f"{note.group(2)}: " if note.group(2) else ""
            comment.notes.append((note.group(1), section + part[note.end() :]))
        elif status:
            rest = part[status.end() :]
            comment.errors.append((status.group(1), "" if rest.startswith(".") else rest))
            if rest.startswith(". "):
                comment.errors.append(("", rest[2:]))
        elif re.match(r"(?:Errors|Others?) as |Nothing is ", part):
            comment.errors.append(("", re.sub("^Errors as|;$", lambda found: "As" if found.start() == 0 else ".", part)))
        else:
            comment.body.append(("text", [part]))


def escape(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def inline(text, dialect):
    """A comment's text as one line of reStructuredText, its names and pages linked."""
    result, position = ["\\ "], 0
    for match in dialect.links.finditer(text):
        result += [escape(text[position : match.start()]), link(match, dialect)]
        position = match.end()
    return "".join([*result, escape(text[position:])])


def link(match, dialect):
    text = match.group()
    if match["literal"]:
        word = text.strip("`")
        return f"\\ {dialect.reference(word) or f'``{word}``'}\\ "
    if match["name"]:
        found = dialect.reference(text)
        return f"\\ {found}\\ " if found else escape(text)
    if match["contract"]:
        return NUMBER.sub(r"\\ :ref:`\1 <contract-\1>`\\ ", re.sub("^docs/contract.md, section", "contract", text))
    if match["page"]:
        return f"\\ :doc:`the {match['page_name']} </{match['page_name']}>`\\ "
    page = f"c/{match['header_name']}"
    return f"\\ :doc:`{text} </{page}>`\\ " if page in dialect.pages else escape(text)


def indent(lines, by="   "):
    return [by + line if line else "" for line in lines]


def code_block(lines, language):
    """What is not quite the language, as the loops in comments may be, is shown without colours."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    if lines[0].startswith(">>> "):
        language = "pycon"
    tokens = get_lexer_by_name(language).get_tokens("\n".join(lines))
    shown = "text" if any(token is Error for token, _ in tokens) else language
    return [f".. code-block:: {shown}", "", *indent(lines), ""]


def render(lines, dialect):
    """A comment's lines as lines of reStructuredText."""
    comment, result = parse(lines, dialect), []
    for kind, content in comment.body:
        if kind == "code":
            result += code_block(content, dialect.language)
        else:
            result += [inline(" ".join(content), dialect), ""]
    if comment.parameters:
        result += [":Parameters:"]
        for parameter, text in comment.parameters:
            words = ", ".join(f"**{word}**" for word in parameter.split(", "))
            result += [f"   * {words} – {inline(text, dialect)}"]
    for label, text in comment.notes:
        result += [f":{label}: {inline(capitalize(text), dialect)}"]
    if comment.errors:
        result += [":Errors:"]
        for errors, text in comment.errors:
            words = ", ".join(dialect.reference(error) for error in errors.split(", ") if error)
            result += [f"   * {words}{' – ' if words and text else ''}{inline(text, dialect) if text else ''}"]
    return [*result, ""]


def capitalize(text):
    return text[:1].upper() + text[1:]
