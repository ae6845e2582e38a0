"""Renders the package's docstrings, which have the form of the headers' comments."""

import inspect
import re

import house_form
import onefold


class Python(house_form.Dialect):
    """Docstrings of a module. Names are those of the package with `onefold` before them, and of the module after "as for"."""

    error = r"[A-Z]\w*Error"
    name = r"onefold(?:\.\w+)*\.\w*[a-z0-9]|(?<=[Aa]s for )[a-z]\w*"
    language = "python"

    def __init__(self, pages, module):
        super().__init__(pages)
        self.module = module

    def reference(self, text):
        if re.fullmatch(self.error, text):
            return f":py:exc:`{text}`"
        if not re.fullmatch(r"[\w.]+", text):
            return None
        paths = [text] if text.startswith("onefold.") else [f"{self.module}.{text}", f"onefold.{text}"]
        found = next(filter(find, paths), None)
        return f":py:obj:`{text} <{found}>`" if found else None


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
    if what == "module" and name.count(".") > 1:  # the heading above says what the first sentence does
        text = text.partition("\n\n")[2] or text
    module = name if what == "module" else name.rpartition(".")[0]
    lines[:] = house_form.render(text.split("\n"), Python(app.env.found_docs, module))


def setup(app):
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
