"""Renders the package's docstrings, which have the form of the headers' comments."""

import inspect
import re

import house_form
import onefold


class Python(house_form.Dialect):
    """Docstrings. Their names are those of the package, with `onefold` before them, and what stands between backticks."""

    error = r"[A-Z]\w*Error"
    name = r"onefold(?:\.\w+)*\.\w*[a-z0-9]"
    language = "python"

    def link(self, text):
        path = text if text.startswith("onefold.") else f"onefold.{text}"
        if re.fullmatch(r"[\w.]+", text) and find(path):
            return f":py:obj:`{text} <{path}>`"
        return f":py:exc:`{text}`" if re.fullmatch(self.error, text) else f"``{text}``"


def find(path):
    """Whether the package has something of a dotted name."""
    thing = onefold
    for name in path.split(".")[1:]:
        if not hasattr(thing, name):
            return False
        thing = getattr(thing, name)
    return True


def process(app, what, name, thing, options, lines):
    for source in [onefold._core.__file__, __file__, house_form.__file__]:
        app.env.note_dependency(source)  # a page is made anew when one of these changes
    text = inspect.cleandoc("\n".join(lines))
    lines[:] = house_form.render(text.split("\n"), Python(app.env.found_docs))


def setup(app):
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
