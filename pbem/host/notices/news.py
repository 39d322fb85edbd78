"""News for reports and the digest: which acts hold since the last report, and what came about by itself."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.notices.questions import SETTLED
from pbem.host.notices.queue import act_words
from pbem.host.run.notes import (
    ENDINGS,
    VOTE_NAMES,
    Count,
    Notes,
    ending,
    read_notes,
    vote_count,
)
from pbem.host.time.deadlines import asked_now, deadline_in_force
from pbem.play.config.gamefile import seated
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.records import HOST, MODERATOR, Act, iso, kind_of, read_facts

if TYPE_CHECKING:
    from pbem.store.journal import Journal

MOVED: Final = "deadline-moved"
PAUSED: Final = "game-paused"


def in_force(saved: SavedGame, notes: Notes, acts: Sequence[Act]) -> list[tuple[Act, str]]:
    """Return those acts that tell something which holds as the next turn is made, each with its words.

    A deadline that a later act moved again is left out. So is a vote that was taken back; of one that was not
    carried it is said that it is over.

    Args:
        saved: The game before that turn.
        notes: What is noted of it.
        acts: Its public acts since the newest turn, in order.
    """
    words = {number: _told(saved, act) for number, act in enumerate(acts)}
    facts = [read_facts(act.facts) for act in acts]
    dated = [number for number, one in enumerate(facts) if one.get("due") is not None]
    moved = [number for number in dated if facts[number]["kind"] == MOVED]
    for number in dated[:-1]:
        words[number] = "" if number in moved else _told(saved, acts[number], due="")
    outcome = ending(saved, notes)
    for number in moved:
        if facts[number]["label"] != asked_now(saved):
            words[number] = ""
    for kind in VOTE_NAMES:
        if outcome is None or outcome.reason != ENDINGS.get(kind):
            words |= dict(_votes(saved, acts, vote_count(saved, notes, kind)))
    return [(act, words[number]) for number, act in enumerate(acts) if words[number]]


def _votes(saved: SavedGame, acts: Sequence[Act], found: Count) -> Iterator[tuple[int, str]]:
    """Yield what is told of votes for one thing that does not come true now, by the numbers of the acts."""
    kind, ayes = found.kind, found.ayes
    facts = [read_facts(act.facts) for act in acts]
    votes = [number for number, one in enumerate(facts) if one.get("vote") == kind]
    made = [number for number, act in enumerate(acts) if _is_made_by(act, kind)]
    open_from = max(made, default=-1)
    last = {acts[number].who: number for number in votes if facts[number]["kind"] != "vote-carried"}
    for number in votes:
        act = acts[number]
        if number < open_from:
            yield number, "" if act.who == HOST else _told(saved, act)
        else:
            is_told = last.get(act.who) == number and (act.who in ayes or (act.who == HOST and bool(ayes)))
            yield number, _told(saved, act, over=True) if is_told else ""


def _is_made_by(act: Act, vote: str) -> bool:
    """Tell whether an act is a pause or a new deadline that a vote for it made, as soon as it was carried."""
    facts = read_facts(act.facts)
    if vote == "pause":
        return act.who == HOST and facts["kind"] == PAUSED
    return vote == "extension" and facts["kind"] == MOVED and facts.get("why") == "vote"


def _told(saved: SavedGame, act: Act, **instead: Json) -> str:
    """Return an act as reports tell it; whose it was is said unless it was the moderator's."""
    whose = {MODERATOR: "", HOST: "The host: "}.get(act.who, "The players: ")
    return f"{whose}{act_words(saved.home, act, saved.table, **instead)}"


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
    for act in acts:
        if act.act == "answer":
            words = act_words(home, act, saved.table)
            yield PlayersNews(f"{game}: your answer went out", f"{game}: {words}")
    if isinstance(saved.ask, Outcome) or notes.cancelled is not None:
        return
    by_host = [act for act in acts if act.who == HOST]
    pause = notes.paused if now is None else notes.pause_at(now)
    by_vote = [act for act in by_host if _is_made_by(act, "pause")]
    if pause is not None and by_vote:
        words = act_words(home, by_vote[-1], saved.table).rstrip(".")
        yield PlayersNews(f"{game}: paused by a vote", f"{game}: {words}; end it: pbem resume {game}")
    due = deadline_in_force(saved, notes)
    if due is not None:
        yield from _deadline_news(saved, due, by_host)
    if (outcome := ending(saved, notes)) is not None and any(act.act == "vote" for act in acts):
        yield PlayersNews(f"{game}: ends by a vote", f"{game}: {outcome.reason}: it ends with the next run")
    answers = [read_facts(act.facts)["name"] for act in acts if act.act == "answer" and act.facts]
    for act in acts:
        if act.act == SETTLED and (name := read_facts(act.facts).get("name")) not in answers:
            line = f"{game}: {act_words(home, act, saved.table)}"
            yield PlayersNews(f"{game}: mail {name} is settled", line)
    yield from _absence_news(saved, notes, [act for act in acts if act.act == "away"], now)


def _deadline_news(saved: SavedGame, due: Moment, by_host: Sequence[Act]) -> Iterator[PlayersNews]:
    """Yield that the deadline in force was moved by a vote, or because somebody is away."""
    holds: dict[str, Json] = {"kind": MOVED, "label": asked_now(saved), "due": iso(due)}
    moved = [act for act in by_host if holds.items() <= read_facts(act.facts).items()]
    for act in moved[-1:]:
        line = f"{saved.name}: {act_words(saved.home, act, saved.table)}"
        yield PlayersNews(f"{saved.name}: the deadline was moved", line)


def _absence_news(
    saved: SavedGame, notes: Notes, acts: Sequence[Act], now: Moment | None
) -> Iterator[PlayersNews]:
    """Yield who will be away, or is back; absences that are over or were taken back again are left out."""
    for seat in dict.fromkeys(Seat(act.who) for act in acts):
        named = seated(seat, saved.players.holder(seat))
        told = [
            (act_words(saved.home, act, saved.table, seat=named), kind_of(act.facts) == "absence-ended")
            for act in acts
            if act.who == seat
        ]
        ends = [number for number, (_, is_end) in enumerate(told, 1) if is_end]
        since = told[ends[-1] :] if ends else told
        is_ahead = any(now is None or one.end > now for one in notes.away.get(seat, ()))
        news = since if is_ahead else told if len(told) == 1 and ends else []
        for words, is_end in dict.fromkeys(news):
            brief = f"{saved.name}: {seat} is {'back' if is_end else 'away'}"
            yield PlayersNews(brief, f"{saved.name}: {words}")
