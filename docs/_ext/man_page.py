"""Makes a page of the command's manual page, which is a document like any other: what stands here reads the suffix .1,
with the few macros of man(7) that the manual uses."""

import re

import house_form
from docutils.statemachine import StringList
from sphinx.parsers import RSTParser

ARGUMENT = re.compile(r'"([^"]*)"|((?:\\.|[^\s\\])+)')
FONT = re.compile(r"\\f([BIRP])")
MARKUP = {"B": "**", "I": "*", "R": ""}
IGNORED = {".TH", ".RS", ".RE"}


def plain(text):
    return text.replace("\\-", "-").replace("\\ ", " ")


def runs(line):
    """A line as pieces of text in one font each: (font, text)."""
    macro, _, rest = line.partition(" ")
    if not macro.startswith("."):
        return switched(line, "R")
    arguments = [quoted or word for quoted, word in ARGUMENT.findall(rest)]
    fonts = macro[1:]
    if not set(fonts) <= set("BIR"):
        raise ValueError(f"what is the macro {macro}?")
    if len(fonts) == 1:
        return switched(" ".join(arguments), fonts)
    return [run for i, word in enumerate(arguments) for run in switched(word, fonts[i % 2])]


def switched(text, font):
    first, *others = FONT.split(text)
    result = [(font, first)]
    for new_font, part in zip(others[::2], others[1::2]):
        result.append((font if new_font == "P" else new_font, part))
    return [(font, plain(part)) for font, part in result if part]


def inline(pieces):
    """Pieces of text as one line of reStructuredText."""
    result = "\\ "
    for font, text in pieces:
        core, mark = house_form.escape(text.strip()), MARKUP[font]
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :] if core else ""
        result += f"{before}\\ {mark}{core}{mark}\\ {after}" if mark and core else house_form.escape(text)
    return result


class Writer:
    """Takes the lines of a manual one by one; `lines` are those of the page."""

    def __init__(self):
        self.lines = ["The command", "===========", ""]
        self.paragraph = [[]]  # pieces of text, a list for each line that .br ends
        self.indent = ""
        self.is_term = self.is_code = False

    def finish(self):
        parts = [inline(part) for part in self.paragraph if part]
        begin = "| " if len(parts) > 1 else ""
        self.lines += [self.indent + begin + part for part in parts] + [""]
        self.paragraph = [[]]

    def heading(self, title, line):
        self.finish()
        self.indent = ""
        self.lines += [title, line * len(title), ""]

    def take(self, line):
        macro, _, rest = line.partition(" ")
        if macro == ".EE":
            self.is_code = False
            self.lines.append("")
        elif self.is_code:
            self.lines.append(f"{self.indent}   {plain(line)}")
        elif macro == ".SH":
            self.heading(rest.capitalize(), "-")
        elif macro == ".SS":
            self.heading(rest, "~")
        elif macro in (".TP", ".PP"):
            self.finish()
            self.indent, self.is_term = "", macro == ".TP"
        elif macro == ".EX":
            self.finish()
            self.is_code = True
            self.lines += [f"{self.indent}.. code-block:: text", ""]
        elif macro == ".br":
            self.paragraph.append([])
        elif self.is_term:
            self.lines.append(inline(runs(line)))
            self.indent, self.is_term = "   ", False
        elif macro not in IGNORED:
            self.paragraph[-1] += ([("R", " ")] if self.paragraph[-1] else []) + runs(line)


class ManualParser(RSTParser):
    """Parses a manual page by way of reStructuredText."""

    supported = ("man_page",)

    def parse(self, inputstring, document):
        for source in (__file__, house_form.__file__):
            document.settings.env.note_dependency(source)
        text = inputstring if isinstance(inputstring, str) else "\n".join(inputstring)
        writer = Writer()
        for line in text.splitlines():
            writer.take(line)
        writer.finish()
        super().parse(StringList(writer.lines, document["source"]), document)


def setup(app):
    app.add_source_suffix(".1", "man_page")
    app.add_source_parser(ManualParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
