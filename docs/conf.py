"""Sphinx's configuration for Onefold's pages; `make docs` builds them."""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
BUILD = HERE.parent / os.environ.get("ONEFOLD_BUILD", "build/release")
sys.path[:0] = [str(HERE / "_ext"), str(BUILD / "python")]

project = "Onefold"
copyright = "the Onefold authors"
version = ".".join(re.findall(r"^#define OF_VERSION_\w+ +(\d+)", (HERE / "c/version.h").read_text(), re.MULTILINE))
release = version

extensions = ["myst_parser", "sphinx_design", "sphinx_copybutton", "sphinx.ext.autodoc"]
extensions += ["header_pages", "man_page", "docstrings", "repository_links"]  # of _ext
exclude_patterns = ["_ext", "plan.md"]
templates_path = []

primary_domain = None
add_function_parentheses = False
maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"
nitpicky = True
smartquotes = False  # what is quoted is often code
# Types of the C library, which has no pages to link to.
nitpick_ignore = [("c:identifier", name) for name in ("int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t",
                                                      "int8_t", "int16_t", "int32_t")]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the lists of parameters say it
autodoc_mock_imports = ["jax", "torch"]  # need not be there to be written about

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Onefold {version}"
html_copy_source = False
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
