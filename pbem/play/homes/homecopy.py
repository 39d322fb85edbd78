"""A home is moved: every file and every row of it into another, empty one; and two homes are compared."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from pbem.play.homes.home import SETTINGS, Home
from pbem.play.homes.saves import load_record
from pbem.store.closed import MARK, how_closed, refuse_closed
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.text.schemas.codec import dumps

FOLDERS: Final = ("orders", "templates", "mail/raw", "mail/shunted")
"""Where what belongs to a home lies besides its games."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy of a home holds.

    Attributes:
        games: How many games.
        files: How many files.
        rows: How many rows of the journal.
    """

    games: int
    files: int
    rows: int


def copy_home(source: Home, target: Home, each: Callable[[], None] = lambda: None) -> Copied:
    """Copy everything of a home into an empty one, each game while nobody can change it.

    The copy of a home that was closed is open. Until it was compared it is marked as not finished.

    Args:
        source: The home; it stays as it is.
        target: An empty home.
        each: Told after each game that was copied or compared.

    Raises:
        GateClosedError: Another program is at work on a game, and does not end.
        WrongInput: The homes differ afterwards: somebody changed the first one meanwhile.
    """
    closed = how_closed(source.store)
    if closed is not None and closed.is_copy:
        refuse_closed(source.store)
    target.store.lodge(MARK, dumps({"at": "", "why": "", "is_copy": True}).encode())
    target.store.is_being_copied = True
    files, rows, is_closed = 0, 0, closed is not None
    for name in _besides(source):
        target.store.lodge(name, source.store.read(name))
        files += 1
    for game in source.games():
        with contextlib.nullcontext() if is_closed else source.held(game, wait_seconds=WAIT_SECONDS):
            place = source.game(game)
            found = {name: (place / name).read_bytes() for name in place.below()}
            target.store.found(game, found)
            files += len(found)
        each()
    if source.has_journal:
        with source.journal() as old, target.journal() as new:
            rows = new.restore(old.every_row())
    if wrong := differences(source, target, each):
        raise WrongInput(
            f"the homes differ: {wrong[0]}.", "Copy while no command is at work; try a new home."
        )
    target.store.is_being_copied = False
    target.store.remove(MARK)
    return Copied(len(source.games()), files, rows)


def differences(source: Home, target: Home, each: Callable[[], None] = lambda: None) -> list[str]:
    """Return what two homes do not have in common, in words; nothing if one is a copy of the other.

    Args:
        source: A home.
        target: Another.
        each: Told after each game that was compared.
    """
    found = [f"{game} is in one of them" for game in sorted({*source.games()} ^ {*target.games()})]
    for game in sorted({*source.games()} & {*target.games()}):
        if _roots(source, game) != _roots(target, game):
            found.append(f"{game} has other turns")
        old, new = source.game(game), target.game(game)
        found += [
            f"games/{game}/{name} differs"
            for name in sorted({*old.below()} | {*new.below()})
            if _content(source, f"{old.path}/{name}") != _content(target, f"{new.path}/{name}")
        ]
        each()
    names = {*_besides(source)} | {*_besides(target)}
    found += [f"{name} differs" for name in sorted(names) if _content(source, name) != _content(target, name)]
    if source.has_journal or target.has_journal:
        with source.journal() as old_rows, target.journal() as new_rows:
            pairs = zip(old_rows.every_row(), new_rows.every_row(), strict=False)
            if any(one != other for one, other in pairs) or old_rows.count_rows() != new_rows.count_rows():
                found.append("the journals differ")
    return found


def _besides(home: Home) -> Iterator[str]:
    """Yield the names of all files of a home but for those of its games and its journal."""
    if home.store.kind(SETTINGS) == "file":
        yield SETTINGS
    for folder in FOLDERS:
        if home.store.kind(folder) == "folder":
            yield from (f"{folder}/{name}" for name in home.store.below(folder))


def _content(home: Home, name: str) -> bytes | None:
    return home.store.read(name) if home.store.kind(name) == "file" else None


def _roots(home: Home, game: str) -> list[object]:
    turns = home.turns(game)
    return [(number, load_record(turns.at(number))["root"]) for number in turns.numbers()]
