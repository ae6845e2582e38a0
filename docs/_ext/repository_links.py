"""Makes plain text of links that lead out of docs/ to pages or folders: where pages are read, there is no repository to
look into. A link to any other file offers that file."""

import pathlib

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform


class OutwardLinks(SphinxTransform):
    default_priority = 5

    def apply(self):
        folder = pathlib.Path(self.env.doc2path(self.env.docname)).parent
        for link in list(self.document.findall(addnodes.pending_xref)):
            target = link["reftarget"]
            is_page = link.get("refdomain") == "doc" and target.startswith("/")  # not below docs/
            is_folder = link["reftype"] == "myst" and (folder / target).is_dir()
            if is_page or is_folder:
                link.replace_self(nodes.inline("", "", *link.children))


def setup(app):
    app.add_transform(OutwardLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
