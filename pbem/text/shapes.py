"""Schemas taken apart: which forms a value may have, and which fields it may hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.interface import Json
from pbem.text.schema import Schema

_DEEPEST: Final = 8
_SAYS_MORE: Final = ("enum", "const", "pattern")

Form = Mapping[str, Any]


@dataclass(frozen=True)
class Shape:
    """What a schema lets through at one place.

    Attributes:
        form: The schema of the place.
        root: The whole schema, whose definitions it may name.
    """

    form: Form
    root: Form

    def takes(self, value: Json) -> bool:
        """Tell whether a value fits."""
        whole = {**self.form, "$defs": self.root["$defs"]} if "$defs" in self.root else self.form
        return Schema(whole).takes(value)

    def forms(self) -> list[Form]:
        """Return the forms that a value may have, each without the branches of the schema."""
        return list(_flat(self.form, self.root, 0))

    def kinds(self) -> set[str]:
        """Return the kinds of values that may fit; none is named where the schema says nothing."""
        return {kind for form in self.forms() for kind in _kinds(form)}

    def fields(self) -> dict[str, Shape]:
        """Return the fields that an object may have here."""
        found: dict[str, Shape] = {}
        for form in self.forms():
            for name, below in form.get("properties", {}).items():
                if isinstance(below, Mapping):
                    found.setdefault(name, Shape(below, self.root))
        return found

    def required(self) -> tuple[str, ...]:
        """Return the fields that an object must have here, in their order."""
        return tuple(name for form in self.forms() for name in form.get("required", ()))

    def items(self) -> Shape | None:
        """Return what the entries of a list are here, or None if it is no list."""
        for form in self.forms():
            if isinstance(below := form.get("items"), Mapping):
                return Shape(below, self.root)
        return None

    def words(self) -> list[Json]:
        """Return the values that are listed one by one, if that is all that fits."""
        return [
            word
            for form in self.forms()
            for word in (form.get("enum") or [form[k] for k in ("const",) if k in form])
        ]

    def around(self, name: str) -> str:
        """Return the one field of an object here inside which a name is a field; "" if none is or several."""
        found = [
            field
            for field, below in self.fields().items()
            if name in below.fields() or ((items := below.items()) and name in items.fields())
        ]
        return found[0] if len(found) == 1 else ""

    @property
    def is_telling(self) -> bool:
        """Whether what fits can be told by itself: a card of a list, a square; not just any text."""
        return any(key in form for form in self.forms() for key in _SAYS_MORE)


def _flat(form: Form, root: Form, depth: int) -> Iterator[Form]:
    if depth > _DEEPEST:
        return
    if isinstance(name := form.get("$ref"), str):
        below = root.get("$defs", {}).get(name.rpartition("/")[2])
        if isinstance(below, Mapping):
            yield from _flat(below, root, depth + 1)
    yield form
    for branch in ("then", "else"):
        if isinstance(below := form.get(branch), Mapping):
            yield from _flat(below, root, depth + 1)
    for branch in ("anyOf", "oneOf", "allOf"):
        for below in form.get(branch, ()):
            if isinstance(below, Mapping) and ("properties" in below or "type" in below or "enum" in below):
                yield from _flat(below, root, depth + 1)


def _kinds(form: Form) -> list[str]:
    if "type" in form:
        kinds = form["type"]
        return [kinds] if isinstance(kinds, str) else list(kinds)
    if "enum" in form or "const" in form:
        return ["listed"]
    return ["array"] if "items" in form else ["object"] if "properties" in form else []
