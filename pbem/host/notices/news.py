"""News for reports and the digest: which acts hold since the last report, and what came about by itself."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.notices.publicacts import (
    DUE,
    ENDINGS,
    WORDS,
    Count,
    count,
    ending,
    is_about,
    is_by_vote,
    is_counted,
    now_due,
    paused_by,
)
from pbem.host.notices.questions import SETTLED
from pbem.host.run.notes import Notes, Pause, read_notes
from pbem.host.time.deadlines import asked_now, deadline_in_force
from pbem.play.config.gamefile import seated
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal
from pbem.store.records import HOST, MODERATOR, Act

_OVER: Final = " That vote is over."

_MADE: Final = {"pause": "pause", "extension": "extend"}
"""The act that a vote makes at once when it is carried, by what is voted for."""


def in_force(saved: SavedGame, notes: Notes, acts: Sequence[Act]) -> list[tuple[Act, str]]:
    """Return those acts that tell something which holds as the next turn is made, each with its words.

    A deadline that a later act moved again is left out. So is a vote that was taken back; of one that was not
    carried it is said that it is over.

    Args:
        saved: The game before that turn.
        notes: What is noted of it.
        acts: Its public acts since the newest turn, in order.
    """
    words = {number: _told(act) for number, act in enumerate(acts)}
    dated = [number for number, act in enumerate(acts) if act.act == "extend" or DUE in act.detail]
    for number in dated[:-1]:
        words[number] = "" if acts[number].act == "extend" else f"{words[number].partition(DUE)[0]}."
    asked, outcome = now_due(asked_now(saved)), ending(saved, notes)
    for number in dated:
        if acts[number].act == "extend" and not acts[number].detail.startswith(asked):
            words[number] = ""
    for kind in WORDS:
        if outcome is None or outcome.reason != ENDINGS.get(kind):
            words |= dict(_votes(acts, count(saved, notes, kind)))
    return [(act, words[number]) for number, act in enumerate(acts) if words[number]]


def told_before(told: str, before: Sequence[str]) -> str | None:
    """Return the words in which an act was told already; None if none of these are its."""

    def brief(text: str) -> str:
        return text.removesuffix(_OVER).partition(DUE)[0].removesuffix(".")

    return next((text for text in before if brief(text) == brief(told)), None)


def _votes(acts: Sequence[Act], found: Count) -> Iterator[tuple[int, str]]:
    """Yield what is told of votes for one thing that does not come true now, by the numbers of the acts."""
    kind, ayes = found.kind, found.ayes
    votes = [number for number, act in enumerate(acts) if act.act == "vote" and is_about(act.detail, kind)]
    made = [
        number for number, act in enumerate(acts) if act.act == _MADE.get(kind) and is_by_vote(act.detail)
    ]
    open_from = max(made, default=-1)
    last = {acts[number].who: number for number in votes if is_counted(acts[number].detail)}
    for number in votes:
        act = acts[number]
        if number < open_from:
            yield number, "" if act.who == HOST else _told(act)
        else:
            is_told = last.get(act.who) == number and (act.who in ayes or (act.who == HOST and bool(ayes)))
            yield number, f"{_told(act)}{_OVER}" if is_told else ""


def _told(act: Act) -> str:
    """Return an act as reports tell it; whose it was is said unless it was the moderator's."""
    whose = {MODERATOR: "", HOST: "The host: "}.get(act.who, "The players: ")
    return f"{whose}{act.detail}"


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
    yield from _absence_news(saved, notes, [act for act in acts if act.act == "away"], now)


def _pause(saved: SavedGame, pause: Pause) -> PlayersNews:
    line = f"{saved.name}: paused {paused_by(pause.why)}; it goes on with: pbem resume {saved.name}"
    return PlayersNews(f"{saved.name}: paused by a vote", line)


def _absence_news(
    saved: SavedGame, notes: Notes, acts: Sequence[Act], now: Moment | None
) -> Iterator[PlayersNews]:
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
