"""What came about in games without their moderator at the keyboard: for the digest, as long as it holds."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.notices.newswords import is_by_vote, now_due, paused_by
from pbem.host.notices.questions import SETTLED
from pbem.host.people.ballots import ending
from pbem.host.run.notes import Notes, read_notes
from pbem.host.time.deadlines import asked_now, deadline_in_force
from pbem.host.time.pauses import Pause
from pbem.play.config.gamefile import seated
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journals.journal import Journal
from pbem.store.journals.records import HOST, Act

Moment = datetime.datetime


class PlayersNews(NamedTuple):
    """Something that players brought about.

    Attributes:
        brief: A few words for a subject.
        line: It in a line.
    """

    brief: str
    line: str


def players_news(home: Home, db: Journal, after: int, now: Moment | None) -> list[PlayersNews]:
    """Return what players brought about: a pause or a deadline by a vote, an end, absences, orders put right.

    Answers that the moderator mailed, and the host sent on, are told too. Who voted is never told.

    Args:
        home: The home.
        db: Its journal.
        after: The number of the last act that was told of.
        now: The moment, which tells whether a pause holds; None for one that was not taken back.
    """
    games: dict[str, list[Act]] = {}
    for act in db.acts_of_others(after):
        if act.act in ("pause", "extend", "vote", "away", "answer", SETTLED):
            games.setdefault(act.game, []).append(act)
    return [one for game, acts in games.items() for one in _of_game(home, db, game, acts, now)]


def _of_game(
    home: Home, db: Journal, game: str, acts: Sequence[Act], now: Moment | None
) -> Iterator[PlayersNews]:
    try:
        saved = SavedGame(home, game)
        notes = read_notes(db, home, game)
    except WrongInput:  # whom it waits for cannot be told either, and that is said
        return
    answered = [act.detail for act in acts if act.act == "answer"]
    for detail in answered:
        yield PlayersNews(f"{game}: your answer went out", f"{game}: your answer to {detail} went out")
    if isinstance(saved.ask, Outcome) or notes.cancelled is not None:
        return
    by_host = [act for act in acts if act.who == HOST]
    pause = notes.paused if now is None else notes.pause_at(now)
    if pause is not None and any(act.act == "pause" and is_by_vote(act.detail) for act in by_host):
        yield _pause(saved, pause)
    due = deadline_in_force(saved, notes)
    holds = f"{now_due(asked_now(saved))} {saved.table.spelled_to_all(due)}" if due else ""
    moved = [act.detail for act in by_host if act.act == "extend" and holds and act.detail.startswith(holds)]
    for detail in moved[-1:]:
        by = " by the players' vote" if is_by_vote(detail) else ""
        line = f"{game}: the deadline was moved{by}: {holds if by else detail}"
        yield PlayersNews(f"{game}: the deadline was moved", line)
    if (outcome := ending(saved, notes)) is not None and any(act.act == "vote" for act in acts):
        yield PlayersNews(f"{game}: ends by a vote", f"{game}: {outcome.reason}: it ends with the next run")
    for act in acts:
        number = act.detail.partition(" from ")[0]
        if act.act == SETTLED and not any(one.startswith(f"{number} of ") for one in answered):
            line = f"{game}: {act.detail} needs no answer any more: good orders came"
            yield PlayersNews(f"{game}: {act.detail} is settled", line)
    yield from _away(saved, notes, [act for act in acts if act.act == "away"], now)


def _pause(saved: SavedGame, pause: Pause) -> PlayersNews:
    line = f"{saved.name}: paused {paused_by(pause.why)}; it goes on with: pbem resume {saved.name}"
    return PlayersNews(f"{saved.name}: paused by a vote", line)


def _away(saved: SavedGame, notes: Notes, acts: Sequence[Act], now: Moment | None) -> Iterator[PlayersNews]:
    """Yield who will be away, or is back; absences that are over or were taken back again are left out."""
    for seat in dict.fromkeys(Seat(act.who) for act in acts):
        back = f"{seat} is back"
        told = [act.detail for act in acts if act.who == seat]
        since = told[len(told) - told[::-1].index(back) :] if back in told else told
        is_ahead = any(now is None or one.end > now for one in notes.away.get(seat, ()))
        news = since if is_ahead else [back] if told == [back] else []
        for detail in dict.fromkeys(news):
            words = detail.removeprefix(f"{seat} ")
            brief = f"{saved.name}: {seat} is {'back' if detail == back else 'away'}"
            yield PlayersNews(brief, f"{saved.name}: {seated(seat, saved.players.holder(seat))} {words}")
