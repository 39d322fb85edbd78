"""The words of notices: a template for each kind makes title and text of its facts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.publicacts import WORDS
from pbem.host.notices.queue import players, to_player
from pbem.play.config.gamefile import Absence, Table
from pbem.play.config.templates import mail_words
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.records import Act, Kind, Telling, iso, kind_of, read_facts
from pbem.text.reports.layout import joined

Moment = datetime.datetime

_MOMENTS: Final = ("start", "end", "due")
"""Facts that are moments."""


class Words(NamedTuple):
    """A notice in words.

    Attributes:
        title: Its subject, without the game.
        text: A line for each paragraph, and for each item of a list.
    """

    title: str
    text: str


def written(home: Home, template: str, facts: Mapping[str, Json]) -> str:
    """Return what a template of mails makes of facts, a line for each paragraph.

    Args:
        home: The home, which may have changed it.
        template: Its path in `templates/mail`, without its ending.
        facts: What it is made of.

    Raises:
        WrongInput: It fails.
    """
    return joined(mail_words(home.templates, template, facts))


def notice_words(home: Home, kind: str, facts: Mapping[str, Json]) -> Words:
    """Return the words of a notice; the first paragraph of its template is the title.

    Args:
        home: The home.
        kind: Its kind, one of `records.KINDS`.
        facts: What is told, more than the journal keeps: it is for one reader.
    """
    title, _, text = written(home, f"notices/{kind}", facts).partition("\n\n")
    return Words(title, text)


def act_words(home: Home, act: Act, table: Table | None, **instead: Json) -> str:
    """Return an act in the words of the template of its kind; of an older pbem's act, those that it noted.

    Args:
        home: The home.
        act: The act.
        table: The table of its game, whose zone its moments are told in; None if it is damaged.
        instead: What is told in place of some of its facts, or besides.
    """
    if act.detail:
        return act.detail
    told: dict[str, Json] = {"over": False, "game": act.game, **read_facts(act.facts), **instead}
    if "vote" in told:
        told["what"] = WORDS[str(told["vote"])]
    zone = table.deadline.tzinfo if table is not None and table.deadline is not None else datetime.UTC
    moments = {
        name: Moment.fromisoformat(str(told[name])).astimezone(zone) for name in _MOMENTS if told.get(name)
    }
    if told["kind"] == "absence-noted" and table is not None:
        seat = Seat(str(read_facts(act.facts)["seat"]))
        told["away"] = Absence(moments["start"], moments["end"]).told_to_host(table, seat)
    told |= {name: table.spelled_to_all(one) if table else iso(one) for name, one in moments.items()}
    return written(home, f"acts/{told['kind']}", told)


def notify(
    saved: SavedGame,
    now: datetime.datetime,
    about: str,
    facts: str,
    told: Callable[[Seat], Mapping[str, Json]],
    *,
    kind: Kind = "notice",
) -> tuple[Telling, ...]:
    """Return what every player of a game is told, in the words of the template of its kind.

    Args:
        saved: The game.
        now: The moment.
        about: What it is about: the same is never told twice.
        facts: What the journal keeps of it, from `facts_of`.
        told: What one player is told, from which the words are made.
        kind: Of which mails it is one.
    """

    def one(seat: Seat) -> tuple[Telling, ...]:
        words = notice_words(saved.home, kind_of(facts), told(seat))
        return to_player(saved, now, seat, kind, about, words.title, words.text, facts=facts)

    return tuple(telling for seat in players(saved) for telling in one(seat))
