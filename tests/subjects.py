"""The installed rules as the contract checks them, loaded once: to read their tables takes its time."""

from __future__ import annotations

from pbem.contract import Subject
from pbem.core.interface import Json
from pbem.play import templates

_LOADED: dict[str, Subject] = {}


def subject(rules: str, seats: int | None = None, **options: Json) -> Subject:
    """Return what `pbem.play.templates.subject` does; it is a value, and nobody changes it."""
    asked = repr((rules, seats, sorted(options.items())))
    if asked not in _LOADED:
        _LOADED[asked] = templates.subject(rules, seats, **options)
    return _LOADED[asked]
