"""How the site of these documents is built: `make site`, by Sphinx with MyST and the theme Furo."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from pbem import __version__

project = "pbem"
author = "pbem"
release = __version__
html_title = f"pbem {release}"
language = "en"

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
exclude_patterns = ["site"]
nitpicky = True
suppress_warnings = [
    "misc.highlighting_failure",  # examples have `...` where something was left out
    "myst.header",  # a page of cases begins with small headings
]

html_theme = "furo"
html_static_path = ["site/static"]
templates_path = ["site/templates"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_search_summary = False  # from disk no page can be read by another
html_use_index = False
html_domain_indices = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def captioned(text: str) -> str:
    """Return a page in which the name of a file in `~~~yaml red.yaml` is the caption of its block."""
    return re.sub(r"^~~~(\w+) (\S+)$", r"~~~{code-block} \1\n:caption: \2\n", text, flags=re.MULTILINE)


def name_files(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Show above each block of a file which one it is: a reader types the files from the page."""
    source[0] = captioned(source[0])


def make_parts(_app: Sphinx) -> None:
    """Make what pages include: the rules' paragraphs, the interface by its docstrings, all commands."""
    here = Path(__file__).parent.parent
    for name in ("make_coverage", "make_interface", "make_commands"):
        subprocess.run([sys.executable, "-m", f"tests.docs.{name}"], cwd=here, check=True)


def mend(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Tell screen readers the levels of headings in the navigation, and which corners of tables are empty."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')
    context["body"] = context.get("body", "").replace('<th class="head"><p></p></th>', "<td></td>")


def setup(app: Sphinx) -> None:
    """Make what pages include, name the files that they show, and put right what the theme leaves out."""
    app.connect("builder-inited", make_parts)
    app.connect("source-read", name_files)
    app.connect("html-page-context", mend, priority=900)
