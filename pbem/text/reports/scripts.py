"""The scripts of a form page: as they were bundled, and a game's own as written where a home changes it."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import Environment

PLANNED: Final = ("domains", "ready", "position", "tree")
"""The parts for lines for later, each a row of the bundle; pages without ready lines leave them out.

The last two are also left out where the game's own script lists no moves of a position.
"""

LOADER: Final = "load"
"""What unpacks a page: the last rows of the bundle, short ones, as they stand in the page and its mail."""

BUNDLE: Final = "form.min.js"
"""What is made of scripts: a line that names the sources, and a line for each script."""

SEAL: Final = "common/form/seal.js"
"""What makes luck words and their seal; few pages have it, so that it is in no bundle."""

_MOVES: Final = re.compile(r"\breturn \{[^}]*\bmoves\b")
_IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "[^"]*/kit\.js";$', re.MULTILINE)
_OTHER: Final = re.compile(r"^import\b.*", re.MULTILINE)
_DEFAULT: Final = re.compile(r"^export default ", re.MULTILINE)
_TYPES: Final = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
"""Comments with types (JSDoc) that fill whole lines; those within a line stand before an expression."""


def script_of(
    environment: Environment, rules: str, *, is_planned: bool = True, is_sealed: bool = False
) -> str:
    """Return the script of the form pages of some rules.

    Args:
        environment: Where the scripts are found.
        rules: The name of the rules.
        is_planned: The page has lines that the rules have ready.
        is_sealed: The page asks for a seal of luck words.
    """
    shared, domains, ready, position, tree, *_ = _bundled(environment)
    own = _own(environment, f"{rules}/form.js")
    planned = [domains, ready, *([position, tree] if _MOVES.search(own) else ())] if is_planned else []
    game = [_short(environment, rules, own)] if own else []
    seal = [lean(beside(source(environment, SEAL)))] if is_sealed else []
    return "\n".join([shared, *game, *planned, *seal, "pbem.start();"])


def loader_of(environment: Environment) -> str:
    """Return the script that unpacks a page."""
    return "\n".join(_bundled(environment)[1 + len(PLANNED) :])


def _bundled(environment: Environment) -> list[str]:
    """Return the rows of the bundle: what all pages share, the parts for lines for later, and the loader."""
    return source(environment, f"common/form/{BUNDLE}").splitlines()[1:]


def source(environment: Environment, name: str) -> str:
    """Return a file beside the templates as it stands there."""
    assert environment.loader is not None, "report templates are always loaded from somewhere"
    return environment.loader.get_source(environment, name)[0]


def lean(script: str) -> str:
    """Return a script of ours without indentation and comments; none of its texts has several lines."""
    lines = (line.strip() for line in _TYPES.sub("", script).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def beside(module: str) -> str:
    """Return a module that imports from the kit alone as a script beside the bundle, where `pbem` is the kit.

    What it exports as its default, the game's own functions, is left in `pbem.rules`.

    Raises:
        TemplateRuntimeError: It imports something else, which no page has.
    """
    bound = _IMPORT.sub(r"const \1 = pbem;", module)
    if other := _OTHER.search(bound):
        from jinja2 import TemplateRuntimeError

        raise TemplateRuntimeError(
            f'form.js has "{other[0]}": it imports {{names}} from kit.js, and nothing else'
        )
    return f"(() => {{\n{_DEFAULT.sub('pbem.rules = ', bound)}}})();\n"


def head(scripts: tuple[str, ...]) -> str:
    """Return the first line of a bundle, which tells what it was made from."""
    return f"// Made by `make scripts` from {hashlib.sha256(chr(0).join(scripts).encode()).hexdigest()}"


def _short(environment: Environment, rules: str, own: str) -> str:
    """Return a game's own script as it was made short; as written where that was made from another."""
    first, *rest = _own(environment, f"{rules}/{BUNDLE}").splitlines() or [""]
    return rest[0] if first == head((own,)) else lean(beside(own))


def _own(environment: Environment, name: str) -> str:
    """Return a file that some rules have; "" if they do not."""
    from jinja2 import TemplateNotFound

    try:
        return source(environment, name)
    except TemplateNotFound:
        return ""
