"""What somebody must know who is invited to a game or asks for a seat: facts, and words made from them."""

from __future__ import annotations

from typing import Any

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.schedule import Span, span_in_words
from pbem.play.config.templates import template_faults
from pbem.play.homes.saved import SavedGame

_AT_ONCE = Span(0)


def welcome_of(saved: SavedGame, seat: Seat | None = None) -> dict[str, Json]:
    """Return what an invitation says besides what every report says.

    Args:
        saved: The game.
        seat: Who is invited; None for somebody who has no seat yet.

    Returns:
        host: Who hosts the game; "" if nobody is named.
        silent: What answers for the seat at a deadline: wait, hold, random or greedy.
        per_week: How many deadlines a week the schedule has; 0 without one.
        early: When a turn that all have answered may run: "always", "never", or so long after the last.
        options: The options of the game in force.
        asks_more: The start form asks for something besides luck words.
    """
    schedule, table = saved.table.schedule, saved.table
    early = schedule.early
    words = "never" if early is None else "always" if early == _AT_ONCE else span_in_words(early)
    return {
        "host": str(saved.home.settings().get("moderator", "")),
        "silent": table.silent[seat] if seat is not None else "",
        "per_week": len(schedule.days),
        "early": words,
        "options": dict(saved.start.options),
        "asks_more": bool(saved.system.questions),
    }


def what_it_is(saved: SavedGame) -> str:
    """Return in one sentence what a game is, for how many, and who hosts it.

    Raises:
        WrongInput: A template fails.
    """
    with template_faults():
        invite: Any = saved.environment.get_template("common/welcome.txt.j2").module
        words: Any = saved.environment.get_template(f"{saved.start.rules}/words.txt.j2").module
        text = invite.what(saved.name, words.title(), len(saved.start.seats), welcome_of(saved))
    return " ".join(str(text).split())


def introduction(saved: SavedGame) -> str:
    """Return in one paragraph what a game is, for how many, who hosts it and how long it lasts.

    Raises:
        WrongInput: A template fails.
    """
    holders = ((seat, saved.players.holder(seat)) for seat in saved.start.seats)
    players: list[Json] = [{"seat": str(seat), "name": name} for seat, name in holders]
    facts = {
        "game": saved.name,
        "rules": saved.start.rules,
        "players": players,
        "welcome": welcome_of(saved),
    }
    with template_faults():
        text = saved.environment.get_template("common/introduction.txt.j2").render(facts)
    return " ".join(text.split())
