"""What the report of a turn tells of the acts since the one before it: what holds, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.host.notices.newswords import DUE, is_about, is_by_vote, is_counted, now_due
from pbem.host.people.ballots import ENDINGS, WORDS, Count, count, ending
from pbem.host.run.notes import Notes
from pbem.host.time.deadlines import asked_now
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.records import HOST, MODERATOR, Act

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
