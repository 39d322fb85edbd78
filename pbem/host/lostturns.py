"""Turns that were mailed or made, and are gone: which they are, and what is told of them everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.host.reported import REPORTED
from pbem.play.home import Home
from pbem.play.integrity import Finding
from pbem.play.made import gone_turns
from pbem.play.saved import SavedGame
from pbem.play.turns import Turns
from pbem.store.errors import JournalRefused
from pbem.store.journal import Journal

if TYPE_CHECKING:
    from pbem.play.verify import Verified

PUT_BACK: Final = "put it back from a copy"


def ways_out(game: str, home_words: str = "") -> str:
    """Return both ways out of a lost turn, in a clause.

    Args:
        game: The id of the game.
        home_words: What names the home in a command; "" if nothing need.
    """
    return f"{PUT_BACK}, or make it again: {f'pbem run {game} --override lost {home_words}'.strip()}"


def lost_turns(turns: Turns, db: Journal) -> tuple[int, ...]:
    """Return the turns that were mailed and are not here, nor were they taken back: somebody removed them."""
    notes = db.notes(turns.game, REPORTED)
    mailed = {int(key.removeprefix(REPORTED)): int(revision) for key, revision in notes.items()}
    newest = turns.newest() if mailed else 0
    later = (turn for turn in mailed if turn > newest)
    return tuple(sorted(turn for turn in later if turns.revision(turn) <= mailed[turn]))


def lost_findings(home: Home, game: str) -> Iterator[Finding]:
    """Name the turns that were mailed, or made in a home without mail, and whose folders are gone.

    Raises:
        JournalRefused: The journal is damaged.
    """
    turns = home.turns(game)
    if home.has_journal:
        with home.journal() as db:
            mailed = lost_turns(turns, db)
        yield from (_finding(turn, "mailed") for turn in mailed)
    yield from (_finding(turn, "made") for turn in gone_turns(turns))


def _finding(turn: int, how: str) -> Finding:
    return Finding(f"turns/{turn:04d}", f"it was {how}, and is not here")


def lost_in_words(home: Home, game: str) -> list[str]:
    """Return which turns of a game are lost, with the ways out, a line each; of a damaged journal no mails.

    Raises:
        WrongInput: The game is damaged.
    """
    try:
        found = [*lost_findings(home, game)]
    except JournalRefused:
        found = [*lost_findings(home.without_journal(), game)]
    return [f"{game}/{one.place}: {one.text}; {ways_out(game)}" for one in found]


def with_lost(home: Home, game: str, found: Verified) -> Verified:
    """Return what verification found, and the turns that were mailed or made and are gone besides."""

    def told(lost: Iterable[Finding]) -> list[Finding]:
        return [one._replace(text=f"{one.text}; {ways_out(game)}") for one in lost]

    try:
        return replace(found, findings=(*found.findings, *told(lost_findings(home, game))))
    except JournalRefused:
        unknown = "whether a turn that was mailed is gone is not known: the journal cannot be read"
        gone = told(lost_findings(home.without_journal(), game))
        return replace(found, findings=(*found.findings, *gone), notes=(*found.notes, unknown))


def is_next_lost(saved: SavedGame) -> bool:
    """Tell whether the next turn of a game is one that is lost."""
    next_turn = _finding(saved.turn + 1, "").place
    return any(one.place == next_turn for one in lost_findings(saved.home, saved.name))


def is_to_run_again(saved: SavedGame) -> bool:
    """Tell whether the next turn was taken back, and was not made since; one that was and is gone is lost."""
    return saved.turn + 1 in saved.again and not is_next_lost(saved)
