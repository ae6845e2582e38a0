"""Turns comments in the form of Onefold's headers into reStructuredText.

A comment holds, in this order: a sentence; the loop that the function equals, indented; a list of parameters, aligned
in columns; sentences on the bits, the cost and the errors. Here is what becomes of each:

    Sums.                                           a paragraph

        for (i = 0; ...) sum += x[i];               a code block

    x     any type; only read.                      the field "Parameters"
    out   receives the sum.

    Bits: contract 3. Cost: one pass.               the fields "Bits" and "Cost"
    OF_ERR_VALUE: no element. OF_ERR_MEMORY.        the field "Errors"
"""

import re
from dataclasses import dataclass, field

from pygments.lexers.c_cpp import CLexer
from pygments.token import Error

PARAMETER = re.compile(r"([a-z]\w*(?:, [a-z]\w*)*) {2,}(\S.*)")
NOTE = re.compile(r"(Bits|Cost(?: and memory)?)(?: \((contract \d+)\))?: ")
STATUS = re.compile(r"(OF_ERR_\w+(?:, OF_ERR_\w+)*)(?:(?: also)?:\s*|(?=\.(?:\s|$))|\s+(?=too\b))")
# Sentences that end in these are not ended by their full stop.
SENTENCE_END = re.compile(r"(?<=[.;])\s+(?=(?:Bits|Cost|OF_ERR_\w+|Errors as|Others? as)\b)")

CONTRACT = r"(?:[Cc]ontract|contract's rules \(section|docs/contract\.md, section) \d+(?:(?:, | to | and )\d+)*"
LINKS = re.compile(
    r"(?P<literal>`[^`]+`)"
    r"|(?P<page>docs/(?P<page_name>\w+)\.md(?!, section))"
    rf"|(?P<contract>{CONTRACT})"
    r"|(?P<header>\b(?P<header_name>\w+)\.(?:h|def)\b)"
    r"|(?P<name>\b(?:of_|OF_)\w*[A-Za-z0-9])"
)
NUMBER = re.compile(r"(\d+)")


@dataclass
class Comment:
    """A comment taken apart."""

    body: list = field(default_factory=list)  # ("text" or "code", lines)
    parameters: list = field(default_factory=list)  # (names, text)
    notes: list = field(default_factory=list)  # ("Bits" or "Cost", text)
    errors: list = field(default_factory=list)  # (statuses or "", text)


class Names:
    """What the words of a comment may be linked to."""

    def __init__(self, pages, unlinked):
        self.pages = pages
        self.unlinked = unlinked  # names that have no place of their own


def strip(text):
    """The lines of a C comment without its delimiters."""
    text = re.sub(r"^/\*+", "", text)
    text = re.sub(r"\s*\*/$", "", text)
    lines = [re.sub(r"^\s*\* ?", "", line) if number else line.strip() for number, line in enumerate(text.split("\n"))]
    while lines and not lines[0].strip():
        del lines[0]
    return [line.rstrip() for line in lines]


def parse(lines):
    """Takes the lines of a comment apart."""
    comment, chunk, kind, names = Comment(), [], None, ""

    def begin(next_kind):
        nonlocal kind
        if kind == "text":
            sort_sentences(comment, " ".join(chunk))
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


def sort_sentences(comment, text):
    """Sorts the sentences of a paragraph into text, notes and errors."""
    for part in SENTENCE_END.split(text):
        note, status = NOTE.match(part), STATUS.match(part)
        if note:
            section = f"{note.group(2)}: " if note.group(2) else ""
            comment.notes.append((note.group(1), section + part[note.end() :]))
        elif status:
            rest = part[status.end() :]
            comment.errors.append((status.group(1), "" if rest.startswith(".") else rest))
            if rest.startswith(". "):
                comment.errors.append(("", rest[2:]))
        elif re.match(r"(?:Errors|Others?) as ", part):
            comment.errors.append(("", re.sub("^Errors as|;$", lambda found: "As" if found.start() == 0 else ".", part)))
        else:
            comment.body.append(("text", [part]))


def escape(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def inline(text, names):
    """A comment's text as one line of reStructuredText, its names and pages linked."""
    result, position = ["\\ "], 0
    for match in LINKS.finditer(text):
        result += [escape(text[position : match.start()]), link(match, names)]
        position = match.end()
    return "".join([*result, escape(text[position:])])


def link(match, names):
    text = match.group()
    if match["literal"]:
        return f"\\ ``{text.strip('`')}``\\ "
    if match["contract"]:
        return NUMBER.sub(r"\\ :ref:`\1 <contract-\1>`\\ ", re.sub("^docs/contract.md, section", "contract", text))
    if match["page"]:
        return f"\\ :doc:`the {match['page_name']} </{match['page_name']}>`\\ "
    if match["header"]:
        page = f"c/{match['header_name']}"
        return f"\\ :doc:`{text} </{page}>`\\ " if page in names.pages else escape(text)
    return f"\\ ``{text}``\\ " if text in names.unlinked else f"\\ {reference(text)}\\ "


def reference(name):
    return f":c:type:`{name}`"


def indent(lines, by="   "):
    return [by + line if line else "" for line in lines]


def code_block(lines):
    while lines and not lines[-1]:
        lines = lines[:-1]
    is_c = all(token is not Error for token, _ in CLexer().get_tokens("\n".join(lines)))
    return [f".. code-block:: {'c' if is_c else 'text'}", "", *indent(lines), ""]


def render(lines, names):
    """A comment's lines as lines of reStructuredText."""
    comment, result = parse(lines), []
    for kind, content in comment.body:
        result += code_block(content) if kind == "code" else [inline(" ".join(content), names), ""]
    if comment.parameters:
        result += [":Parameters:"]
        for parameter, text in comment.parameters:
            words = ", ".join(f"**{word}**" for word in parameter.split(", "))
            result += [f"   * {words} – {inline(text, names)}"]
    for label, text in comment.notes:
        result += [f":{label}: {inline(capitalize(text), names)}"]
    if comment.errors:
        result += [":Errors:"]
        for statuses, text in comment.errors:
            words = ", ".join(reference(status) for status in statuses.split(", ") if status)
            result += [f"   * {words}{' – ' if words and text else ''}{inline(text, names) if text else ''}"]
    return [*result, ""]


def capitalize(text):
    return text[:1].upper() + text[1:]
