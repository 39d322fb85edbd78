"""Homes that older versions saved, and what evenings look at in a home besides.

A folder of `tests/saves` is a home as an older version left it: its games and what was lodged. A journal that
an older version wrote is a dump of it, `journal-FORMAT.sql`.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pbem.archive.download import download
from pbem.archive.finished import Draw, read_turn_details
from pbem.archive.public import PublishPolicy, public_turn
from pbem.archive.verification import verify_file
from pbem.archive.verifier import Archive, files_of
from pbem.core.interface import Ask, Json, Outcome
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.integrity import Finding
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import load_record
from pbem.play.homes.verify import verify
from pbem.play.submissions.gate import read_lodged_orders
from pbem.store.connection import OpenDatabase, connect_memory
from tests.behaviour.slips import orders_as_data
from tests.homes import NOW, home_at, top
from tests.mail.homes import write_settings

SAVES: Final = Path(__file__).parents[1] / "saves"


def a_save(folder: Path, *, name: str, journal: int = 0) -> Home:
    """Return a home as an older version saved it.

    Args:
        folder: Where it is laid.
        name: The folder of the save.
        journal: The format of the journal in it; 0 if it has none, and no mail.
    """
    shutil.copytree(SAVES / name, folder / "home")
    home = home_at(folder / "home")
    if journal:
        write_settings(home, moderator="mod@pbem.test")
        (top(home) / "mail").mkdir(mode=0o700)
        dump = (SAVES / f"journal-{journal}.sql").read_text(encoding="utf-8")
        with contextlib.closing(sqlite3.connect(top(home) / "mail" / "mail.db")) as db:
            db.executescript(dump)
    return home


def finish(home: Home, game: str) -> None:
    """Let a game be played to its end by the bots that have all its seats."""
    while isinstance(SavedGame(home, game).ask, Ask):
        assert run(home, game, now=NOW).turn is not None


def _roots(home: Home, game: str) -> Json:
    """Return the root of each turn that stands."""
    turns = home.turns(game)
    return [str(load_record(turns.at(number))["root"]) for number in turns.numbers()]


def _version(home: Home, game: str) -> Json:
    """Return what version of the rules has made the newest turn."""
    return SavedGame(home, game).record["rules_version"]


def _orders(home: Home, game: str) -> Json:
    """Return the orders that stand, by seat: what is lodged, else what turns have left over."""
    found = read_lodged_orders(SavedGame(home, game)).orders
    return {str(seat): orders_as_data(orders) for seat, orders in found.items() if orders.lines}


def _verified(home: Home, game: str) -> Json:
    """Return what `pbem verify` finds."""
    found = verify(home, game)
    return {
        "turns": found.turns,
        "undone": found.undone,
        "recomputed": found.recomputed,
        "skipped": len(found.skipped),
        "findings": _places(found.findings),
    }


def _download(home: Home, game: str) -> Json:
    """Return what both verifiers find in the download of a game."""
    saved, allowed, names = SavedGame(home, game), PublishPolicy(), frozenset[str]()
    turns = [public_turn(saved, number, allowed, names) for number in saved.turns.numbers()]
    is_over = isinstance(saved.ask, Outcome)
    draws = partial(_draws, saved) if is_over else None
    with tempfile.NamedTemporaryFile() as packed:
        path = Path(packed.name)
        path.write_bytes(download(saved, turns, allowed, names, draws, is_whole=is_over))
        archive, (_, found) = Archive(files_of(path)), verify_file(path)
    alone: list[Json] = [file for file, _ in archive.findings()]
    return {
        "whole": archive.is_whole,
        "turns": found.turns,
        "recomputed": found.recomputed,
        "findings": _places(found.findings),
        "alone": alone,
    }


def _draws(saved: SavedGame, number: int) -> tuple[Sequence[Draw], str]:
    found = read_turn_details(saved, number, PublishPolicy(), frozenset())
    return found.draws, found.undrawn


def _places(findings: tuple[Finding, ...]) -> list[Json]:
    return [one.place for one in findings]


def _journal(home: Home, game: str) -> Json:
    """Return the rows of the journal, and whether its tables are those of a new one."""
    with home.journal() as db, contextlib.closing(connect_memory()) as fresh:
        tables = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
        notes: list[Json] = [key for (key,) in db.rows("SELECT key FROM game_notes WHERE game = ?", game)]
        return {
            "tables": "as new" if db.rows(tables) == OpenDatabase(fresh).rows(tables) else "others",
            "format": db.rows("PRAGMA user_version")[0][0],
            "acts": [[one.who, one.act, one.facts] for one in db.acts(game)],
            "intake": [
                [*row] for row in db.rows("SELECT recipient, state, verdict, rule FROM intake ORDER BY id")
            ],
            "outbox": [[*row] for row in db.rows("SELECT rcpt, kind, state FROM outbox ORDER BY id")],
            "tellings": [
                [*row] for row in db.rows("SELECT seat, kind, facts, written FROM tellings ORDER BY id")
            ],
            "notes": notes,
        }


LOOKS: Final[Mapping[str, Callable[[Home, str], Json]]] = {
    "roots": _roots,
    "version": _version,
    "orders": _orders,
    "verified": _verified,
    "download": _download,
    "journal": _journal,
}
"""What can be looked at in a game, each by its name."""
