"""The scripts of a form page: short as they are made beforehand, or as written where a home changes them."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import Environment

PARTS: Final = (
    "yaml", "pasted", "words", "schema", "dom", "model", "fields", "conditions", "board", "past",
)  # fmt: skip
"""The scripts that all games share, in their order; behind them comes the game's own, and then `page`."""

PLANNED: Final = ("domains", "ready", "tree")
"""The scripts for lines for later; pages without ready lines leave them out.

The last one is also left out where the game's own script lists no moves of a position.
"""

_MOVES: Final = re.compile(r"\breturn \{[^}]*\bmoves\b")

SHORT: Final = "form.min.js"
"""Scripts without what only people read: a line that names the sources, and a line for each script."""


def script_of(environment: Environment, rules: str, *, is_planned: bool = True) -> str:
    """Return the script of the form pages of some rules, in few bytes.

    Args:
        environment: Where the scripts are found.
        rules: The name of the rules.
        is_planned: The page has lines that the rules have ready.
    """
    shared = tuple(source(environment, f"common/form/{name}.js") for name in (*PARTS, *PLANNED, "page"))
    *parts, domains, ready, tree, page = _short(environment, f"common/form/{SHORT}", shared)
    own = _own(environment, f"{rules}/form.js")
    game = _short(environment, f"{rules}/{SHORT}", (own,)) if own else ()
    planned = [domains, ready, *([tree] if _MOVES.search(own) else ())] if is_planned else []
    script = [*parts, *game, *planned, page]
    return "\n".join(script)


def source(environment: Environment, name: str) -> str:
    """Return a file beside the templates as it stands there."""
    assert environment.loader is not None, "report templates are always loaded from somewhere"
    return environment.loader.get_source(environment, name)[0]


def lean(script: str) -> str:
    """Return a script of ours without indentation and comments; none of its texts has several lines."""
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def head(scripts: tuple[str, ...]) -> str:
    """Return the first line of short scripts, which tells what they were made from."""
    return f"// Made by `make scripts` from {hashlib.sha256(chr(0).join(scripts).encode()).hexdigest()}"


def _short(environment: Environment, name: str, scripts: tuple[str, ...]) -> list[str]:
    """Return scripts as they were made short; as written where that was made from others."""
    first, *rest = _own(environment, name).splitlines() or [""]
    return rest if first == head(scripts) else [lean(one) for one in scripts]


def _own(environment: Environment, name: str) -> str:
    """Return a file that some rules have; "" if they do not."""
    from jinja2 import TemplateNotFound

    try:
        return source(environment, name)
    except TemplateNotFound:
        return ""
