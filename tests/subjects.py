"""The shipped rules as the contract checks them, loaded once: to read their tables takes its time."""

from __future__ import annotations

from pbem.contract import Subject
from pbem.core.interface import Json
from pbem.play.config import templates
from pbem.play.config.registry import OURS
from tests.homes import PATCHED

_LOADED: dict[str, Subject] = {}


def subject(rules: str, seats: int | None = None, **options: Json) -> Subject:
    """Return what `pbem.play.config.templates.subject` does; it is a value, and nobody changes it.

    Rules of a test's own, and those that a test may change, are loaded each time.
    """
    if PATCHED or not (OURS / rules.replace("-", "_")).is_dir():
        return templates.subject(rules, seats, **options)
    asked = repr((rules, seats, sorted(options.items())))
    if asked not in _LOADED:
        _LOADED[asked] = templates.subject(rules, seats, **options)
    return _LOADED[asked]
