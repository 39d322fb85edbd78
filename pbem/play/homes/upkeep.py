"""A home is copied, compared, closed and reopened; and its moderator's own files are put into it."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from pbem.core.interface import Json
from pbem.play.config.schedule import moment_in_zone
from pbem.play.homes.home import SETTINGS, Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import load_record
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.memory import MemoryStore
from pbem.store.rests import MARK, home_display_name, read_closure, refuse_closed
from pbem.text.codec import dumps

FOLDERS: Final = ("orders", "templates", "mail/raw", "mail/shunted")
"""Where what belongs to a home lies besides its games."""


@dataclass(frozen=True, slots=True)
class HomeCopy:
    """What a copy of a home holds.

    Attributes:
        games: How many games.
        files: How many files.
        rows: How many rows of the journal.
    """

    games: int
    files: int
    rows: int


def copy_home(source: Home, target: Home, each: Callable[[], None] = lambda: None) -> HomeCopy:
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
    closed = read_closure(source.store)
    if closed is not None and closed.is_copy:
        refuse_closed(source.store)
    target.store.lodge(MARK, dumps({"at": "", "why": "", "is_copy": True}).encode())
    target.store.is_being_copied = True
    files, rows, is_closed = 0, 0, closed is not None
    for name in _other_files(source):
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
    return HomeCopy(len(source.games()), files, rows)


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
    names = {*_other_files(source)} | {*_other_files(target)}
    found += [f"{name} differs" for name in sorted(names) if _content(source, name) != _content(target, name)]
    if source.has_journal or target.has_journal:
        with source.journal() as old_rows, target.journal() as new_rows:
            pairs = zip(old_rows.every_row(), new_rows.every_row(), strict=False)
            if any(one != other for one, other in pairs) or old_rows.count_rows() != new_rows.count_rows():
                found.append("the journals differ")
    return found


def _other_files(home: Home) -> Iterator[str]:
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


def close_home(home: Home, why: str, now: datetime.datetime) -> None:
    """Close a home while no command is at work in it: from then on nothing is changed in it.

    Args:
        home: The home.
        why: Where it went, as all are told who try to change it.
        now: The moment.

    Raises:
        WrongInput: This is no home, or it is closed already.
        GateClosedError: Another program is at work in it, and does not end.
    """
    refuse_closed(home.store)
    with contextlib.ExitStack() as held:
        for game in home.games():
            held.enter_context(home.held(game, wait_seconds=WAIT_SECONDS))
        if home.has_journal:
            for name in ("mail/processing", "mail/sending"):
                held.enter_context(home.store.held(name, wait_seconds=WAIT_SECONDS))
        told: Json = {"at": moment_in_zone(now, home.zone() or "UTC"), "why": " ".join(why.split())}
        home.store.lodge(MARK, dumps(told).encode())


def reopen(home: Home) -> None:
    """Let a home that was closed be used again.

    Raises:
        WrongInput: It is not closed.
    """
    how = read_closure(home.store)
    if how is None:
        raise WrongInput(f"{home_display_name(home.store)} is not closed.")
    if how.is_copy:
        refuse_closed(home.store)
    home.store.remove(MARK)


_GAME: Final = re.compile(r"games/([^/]+)/game\.yaml")


def read_home_file(home: Home, name: str) -> bytes:
    """Return a file of a home.

    Raises:
        WrongInput: There is no such file.
    """
    try:
        return home.store.read(name)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, ValueError):
        hint = "Names are those in a folder: home.yaml, games/GAME/game.yaml."
        raise WrongInput(f"there is no file {name} in {home}.", hint) from None


def write_home_file(home: Home, name: str, data: bytes) -> None:
    """Put a file of the moderator's into a home, in place of the one that was there.

    Args:
        home: The home.
        name: `home.yaml`, `games/GAME/game.yaml`, or a template: `templates/…`.
        data: Its content.

    Raises:
        WrongInput: It is no such file, or its content is wrong; nothing was changed.
        GateClosedError: The game is held by another program.
    """
    parts, game = name.split("/"), _GAME.fullmatch(name)
    is_template = parts[0] == "templates" and len(parts) > 2 and not {"", ".", ".."} & set(parts)
    if name != SETTINGS and not game and not is_template:
        hint = "Yours are home.yaml, games/GAME/game.yaml and templates/…; all else is the program's."
        raise WrongInput(f"{name} is no file of the moderator's.", hint)
    tried = Home(MemoryStore({name: data}, behind=home.store))
    if game:
        home.game(game[1])
        assert SavedGame(tried, game[1]).table, "it can be read"
        with home.held(game[1], wait_seconds=WAIT_SECONDS):
            home.store.lodge(name, data)
        return
    tried.zone()
    home.store.lodge(name, data)
