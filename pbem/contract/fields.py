"""Which fields of a state a seat cannot see, and whether redeals reach all of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.contract.subject import Checked, Subject
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.text.codec import Misshapen, decode, encode

Keys = tuple[str | int, ...]


class FieldWatch:
    """Changes each field of a state by hand: if no view of a seat shows it, redeals must change it too."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._hidden: set[str] = set()
        self._redealt: set[str] = set()
        self._values: dict[str, set[Any]] = {}

    @property
    def hides_something(self) -> bool:
        """Whether any redeal changed anything."""
        return bool(self._redealt)

    def watch(self, state: Any, dice: Dice) -> None:
        """Note what is hidden in a state, and what redeals of it change."""
        leaves = {keys: (path, value) for path, keys, value in _leaves(state, (), "")}
        for path, value in leaves.values():
            self._values.setdefault(path, set()).add(value)
        raw = encode(state)
        for seat in (*self._subject.seats, None):
            seen = self._subject.rules.view(state, seat)
            for keys, (path, value) in leaves.items():
                if path not in self._hidden and self._is_unseen(raw, keys, path, value, seat, seen):
                    self._hidden.add(path)
            other = self._subject.rules.redeal(state, seat, dice.apart("fields", seat or "spectator"))
            for path, keys, value in _leaves(other, (), ""):
                if leaves.get(keys, (path, value)) != (path, value):
                    self._redealt.add(path)

    def report(self, result: Checked) -> None:
        """Note every hidden field that no redeal changed and that is not listed as constant."""
        constants = self._subject.rules.constants
        for path in sorted(self._hidden - self._redealt - constants.keys()):
            result.breach(f"no view shows the field {path} to every seat, and no redeal changes it")
        for path in sorted(constants.keys() & self._redealt):
            result.breach(f"the field {path} is listed as constant, but redeals change it")

    def _is_unseen(self, raw: Json, keys: Keys, path: str, value: Any, seat: Any, seen: Any) -> bool:
        """Tell whether a seat's view stays the same when one field has another value."""
        for other in self._others(path, value):
            try:
                changed = decode(self._subject.rules.state, _with(raw, keys, other))
                return bool(self._subject.rules.view(changed, seat) == seen)
            except (Misshapen, ValueError, KeyError, IndexError, AssertionError):
                continue  # no such state can be, or none that these rules can look at
        return False

    def _others(self, path: str, value: Any) -> list[Any]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1, value - 1]
        return sorted((one for one in self._values[path] if one != value and isinstance(one, str)), key=str)


def _leaves(value: Any, keys: Keys, path: str) -> Iterator[tuple[str, Keys, Any]]:
    """Yield every plain value of a state: its path with * for keys and positions, its keys, the value."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            below = f"{path}.{field.name}" if path else field.name
            yield from _leaves(getattr(value, field.name), (*keys, field.name), below)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, (*keys, str(key)), f"{path}.*")
    elif isinstance(value, tuple | frozenset):
        items = sorted(value) if isinstance(value, frozenset) else value
        for number, item in enumerate(items):
            yield from _leaves(item, (*keys, number), f"{path}.*")
    elif isinstance(value, str | int | bool):
        yield path, keys, value


def _with(raw: Json, keys: Keys, value: Any) -> Json:
    """Return JSON with one value replaced."""
    if not keys:
        changed: Json = value
        return changed
    if isinstance(raw, dict):
        key = str(keys[0])
        return {**raw, key: _with(raw[key], keys[1:], value)}
    assert isinstance(raw, list) and isinstance(keys[0], int), "keys were taken from this very value"
    place = keys[0]
    return [*raw[:place], _with(raw[place], keys[1:], value), *raw[place + 1 :]]
