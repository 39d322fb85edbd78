"""The words of notices: a template for each kind makes title and text of its facts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import players, to_player
from pbem.play.config.templates import mail_templates, template_faults
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.records import Kind, Telling, kind_of
from pbem.text.reports.layout import joined


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
    with template_faults():
        page = mail_templates(home.templates).get_template(f"mail/{template}.txt.j2")
        return joined(page.render(facts))


def notice_words(home: Home, kind: str, facts: Mapping[str, Json]) -> Words:
    """Return the words of a notice; the first paragraph of its template is the title.

    Args:
        home: The home.
        kind: Its kind, one of `records.KINDS`.
        facts: What is told, more than the journal keeps: it is for one reader.
    """
    title, _, text = written(home, f"notices/{kind}", facts).partition("\n\n")
    return Words(title, text)


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
