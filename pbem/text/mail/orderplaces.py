"""The places of an order as words can name them: fields, what is known to stand in each, and their shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.core.interface import Json, Menu
from pbem.text.codec import fields_of

Path = tuple[str, ...]
Thing = str | int


@dataclass(frozen=True)
class Spot:
    """A place of an order.

    Attributes:
        path: Its fields, from the order down; at most two.
        schema: Its own schema.
        things: What is known to stand there, alone or in a list.
        is_listed: Lists are known to stand there, and not only one thing.
    """

    path: Path
    schema: Mapping[str, Json] = field(default_factory=dict)
    things: frozenset[Thing] = frozenset()
    is_listed: bool = False

    @property
    def is_true(self) -> bool:
        """Tell whether it may be told without a thing: `skip` for `skip: true`."""
        kinds = self.schema.get("type")
        return self.schema.get("const") is True or "boolean" in (
            kinds if isinstance(kinds, list) else [kinds]
        )


def spots_of(menus: Sequence[Menu], schema: Mapping[str, Json]) -> tuple[Spot, ...]:
    """Return the places of an order, in the order of its schema.

    Args:
        menus: What may stand in each place now, and whole orders.
        schema: The schema of the order.
    """
    found: dict[Path, set[Thing]] = {}
    listed = set[Path]()
    for path, value in _entries(menus):
        found.setdefault(path, set()).update(_things_in(value))
        listed |= {path} if isinstance(value, list) else set()
    schemas = {path: one for path, one in _schemas(schema) if path[:1] and len(path) <= 2}
    inner = {path[:1] for path in schemas if len(path) > 1}
    return tuple(
        Spot(path, one, frozenset(found.get(path, ())), path in listed)
        for path, one in schemas.items()
        if path not in inner or Spot(path, one).is_true
    )


def order_of(said: Mapping[Path, Json]) -> dict[str, Json]:
    """Return the order that has some values at some places."""
    order: dict[str, Json] = {}
    for path, value in said.items():
        first, *below = path
        order[first] = {**fields_of(order.get(first)), below[0]: value} if below else value
    return order


def _entries(menus: Sequence[Menu]) -> Iterator[tuple[Path, Json]]:
    """Yield the places of menus and of the whole orders in them, with each entry."""
    for menu in menus:
        for item in menu.items:
            for path in menu.paths:
                yield from _within(tuple(path.split(".")) if path else (), item.order)


def _within(path: Path, value: Json) -> Iterator[tuple[Path, Json]]:
    if isinstance(value, dict) and len(path) < 2:
        for name, one in value.items():
            yield from _within((*path, name), one)
    elif path:
        yield path, value


def _things_in(value: Json) -> Iterator[Thing]:
    if isinstance(value, list):
        for one in value:
            yield from _things_in(one)
    elif isinstance(value, str) or type(value) is int:
        yield value


def _schemas(schema: Mapping[str, Json]) -> Iterator[tuple[Path, Mapping[str, Json]]]:
    """Yield each field of an order, and each of a field that is an object, with its schema."""
    for name, one in fields_of(schema.get("properties")).items():
        top = fields_of(one)
        yield (name,), top
        for below, inner in _fields_below(top, fields_of(schema.get("$defs"))).items():
            yield (name, below), fields_of(inner)


def _fields_below(schema: Mapping[str, Json], shared: Mapping[str, Json]) -> dict[str, Json]:
    """Return the fields of a place that holds an object, or may hold one in place of a list."""
    ways: Sequence[Json] = (dict(schema), schema.get("then"), schema.get("else"))
    for way in map(fields_of, ways):
        name = str(way.get("$ref", "")).removeprefix("#/$defs/")
        if found := fields_of((fields_of(shared.get(name)) if name else way).get("properties")):
            return found
    return {}
