"""What digests have told the moderator already, so that each piece of news is told once."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.store.errors import WrongInput

if TYPE_CHECKING:
    from pbem.play.homes.home import Home
    from pbem.play.turn.running import Ran
    from pbem.store.journals.journal import Journal

_TOLD: Final = "digested"
"""The key of the note that says it."""

_OWED: Final = "digest owed"
"""The key of the note of the games that a night job runs, each with its newest turn before."""


class AlreadyTold(NamedTuple):
    """How far digests have told.

    Attributes:
        mails: The number of the last mail taken in.
        came_back: The numbers of the mails that came back.
        acts: The number of the last act; earlier versions noted none.
    """

    mails: int = 0
    came_back: tuple[int, ...] = ()
    acts: int = 0


def already_told(db: Journal) -> AlreadyTold:
    """Return how far digests have told."""
    text = db.note("", _TOLD)
    try:
        mails, came_back, *acts = json.loads(text) if text else (0, [])
        return AlreadyTold(int(mails), tuple(came_back), int(acts[0]) if acts else 0)
    except (ValueError, TypeError):  # the row is damaged: better told twice than never again
        return AlreadyTold()


def to_note(db: Journal) -> str:
    """Return how far mails and acts have come: read it before a digest is gathered."""
    return json.dumps([db.last_processed(), [one.id for one in db.came_back()], db.last_act()])


def owe_digest(home: Home, db: Journal, games: Sequence[str]) -> None:
    """Note, before games are run, which turns a digest must tell of, should this program be killed."""
    if not games or not home.mail_section().get("moderator"):
        return
    owed: dict[str, int] = json.loads(db.note("", _OWED) or "{}")
    db.set_note("", _OWED, json.dumps({**{game: _newest(home, game) for game in games}, **owed}))


def turns_owed(home: Home, db: Journal, told: Container[str]) -> list[Ran]:
    """Return the newest turns that a night job made, and was killed before it told of them.

    Args:
        home: The home.
        db: Its journal.
        told: The games of which a turn is told anyway.
    """
    owed: dict[str, int] = json.loads(db.note("", _OWED) or "{}")
    late = [game for game, before in owed.items() if game not in told and _newest(home, game) > before]
    return [ran for game in late if (ran := _made(home, game)) is not None]


def _newest(home: Home, game: str) -> int:
    """Return the number of a game's newest turn; 0 of a game that is gone or damaged."""
    return max(home.store.turns(game), default=0) if home.has(game) else 0


def _made(home: Home, game: str) -> Ran | None:
    """Return a newest turn as its run told it, as far as it stands in the turn."""
    from pbem.core.interface import Label, Outcome  # few nights need it
    from pbem.play.homes.chain import short
    from pbem.play.homes.saved import SavedGame
    from pbem.play.homes.saves import objects
    from pbem.play.turn.running import Ran

    try:
        saved = SavedGame(home, game)
        labels = tuple(Label(str(one["label"])) for one in objects(saved.record["steps"]))
        outcome = saved.ask if isinstance(saved.ask, Outcome) else None
        label = "" if isinstance(saved.ask, Outcome) else saved.ask.label
        return Ran(game, saved.turn, labels, label, (), outcome, short(str(saved.record["root"])))
    except WrongInput:
        return None


def note_told(db: Journal, upto: str) -> None:
    """Note that everything was told up to where `to_note` has found the mails and acts."""
    db.set_note("", _TOLD, upto)
    note_nothing_owed(db)


def note_nothing_owed(db: Journal) -> None:
    """Note that no turn is left of which a digest must tell."""
    if db.note("", _OWED) is not None:
        db.set_note("", _OWED, None)
