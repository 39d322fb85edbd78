"""How the site of these documents is built: `make site`, by Sphinx with MyST and the theme Furo."""

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
html_static_path = ["site"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
