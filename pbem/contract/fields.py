"""Which fields of a state a seat cannot see, and whether redeals reach all of them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pbem.contract.subject import Checked, Looks, Subject
from pbem.core.dice import Dice

Keys = tuple[Any, ...]
Leaf = tuple[Keys, Any]

TRIED = 2
"""So many values of a field are changed in a position that is watched."""
ENOUGH = 100
"""So many redeals of positions that have a field must leave it before none is said to change it."""


class FieldWatch:
    """Changes fields of a state by hand: if a seat's view stays the same, redeals must change them too."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._hidden: dict[str, str] = {}
        self._redealt: set[str] = set()
        self._redeals: Counter[str] = Counter()
        self._values: dict[str, set[Any]] = {}
        self._state: Any = None
        self._paths: set[str] = set()

    @property
    def hides_something(self) -> bool:
        """Whether any redeal changed anything."""
        return bool(self._redealt)

    def watch(self, looks: Looks, dice: Dice) -> None:
        """Find out which fields are hidden in a position; a few values of each are tried."""
        state = looks.state
        leaves: dict[str, list[Leaf]] = {}
        for path, keys, value in _leaves(state, (), ""):
            leaves.setdefault(path, []).append((keys, value))
            self._values.setdefault(path, set()).add(value)
        seen: dict[Any, Any] = {seat: looks.view(seat) for seat in (None, *self._subject.seats)}
        for path, found in leaves.items():
            for number in range(0 if path in self._hidden else min(TRIED, len(found))):
                keys, value = dice.pick(found, f"field/{path}", number)
                if told := self._hidden_from(state, path, keys, value, seen):
                    self._hidden[path] = told
                    break

    def compare(self, state: Any, other: Any) -> None:
        """Note which fields a redeal changed."""
        if state is not self._state:
            self._state, self._paths = state, {path for path, _, _ in _leaves(state, (), "")}
        self._redeals.update(self._paths)
        self._redealt.update(_changed(state, other, ""))

    def report(self, result: Checked) -> None:
        """Note every hidden field that no redeal changed, among many, and that is not listed as constant."""
        constants = self._subject.rules.constants
        for path in sorted(self._hidden.keys() - self._redealt - constants.keys()):
            if self._redeals[path] >= ENOUGH:
                told = f"no view shows the field {path} to every seat, and no redeal changes it"
                result.breach("field-never-redealt", f"{told}: {self._hidden[path]}")
        for path in sorted(constants.keys() & self._redealt):
            result.breach("field-redealt", f"the field {path} is listed as constant, but redeals change it")

    def _hidden_from(self, state: Any, path: str, keys: Keys, value: Any, seen: Mapping[Any, Any]) -> str:
        """Say whose view stays the same when one field has another value, and which entry it was; or ""."""
        for other in self._others(path, value):
            try:
                changed = _with(state, keys, other)
                for seat, view in seen.items():
                    if self._subject.rules.view(changed, seat) == view:
                        what = f"with {'.'.join(map(str, keys))} {other} in place of {value}"
                        return f"{what}, {seat or 'the spectator'} sees the same"
            except (ValueError, KeyError, IndexError, AssertionError):
                continue  # no such state can be, or none that these rules can look at
            else:
                return ""
        return ""

    def _others(self, path: str, value: Any) -> list[Any]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1, value - 1]
        return sorted((one for one in self._values[path] if one != value and isinstance(one, str)), key=str)


def _leaves(value: Any, keys: Keys, path: str) -> Iterator[tuple[str, Keys, Any]]:
    """Yield every plain value of a state: its path with * for keys and positions, its keys, the value."""
    if isinstance(value, str | int):
        yield path, keys, value
    else:
        for key, below, item in _parts(value, path):
            yield from _leaves(item, (*keys, key), below)


def _changed(value: Any, other: Any, path: str) -> Iterator[str]:
    """Yield the path of every plain value that another state has otherwise in the same place."""
    if value == other:
        return
    if isinstance(value, str | int):
        yield path
    elif type(value) is type(other):
        others = {key: item for key, _, item in _parts(other, path)}
        for key, below, item in _parts(value, path):
            if key in others:
                yield from _changed(item, others[key], below)


def _parts(value: Any, path: str) -> Iterator[tuple[Any, str, Any]]:
    """Yield the parts of a value: key, path and item."""
    if names := _fields_of(value.__class__):
        for name in names:
            yield name, f"{path}.{name}" if path else name, getattr(value, name)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key, f"{path}.*", item
    elif isinstance(value, tuple | frozenset):
        for number, item in enumerate(sorted(value) if isinstance(value, frozenset) else value):
            yield number, f"{path}.*", item


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; nothing else has any."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


def _with(value: Any, keys: Keys, new: Any) -> Any:
    """Return a state with one plain value replaced."""
    if not keys:
        return new
    key = keys[0]
    if isinstance(value, Mapping):
        return {**value, key: _with(value[key], keys[1:], new)}
    if isinstance(value, tuple):
        return (*value[:key], _with(value[key], keys[1:], new), *value[key + 1 :])
    if isinstance(value, frozenset):
        return value - {sorted(value)[key]} | {new}
    return dataclasses.replace(value, **{key: _with(getattr(value, key), keys[1:], new)})
