"""The reports of a turn that is about to be committed; and what somebody is told who is invited to a game."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Container, Mapping
from typing import Any

from pbem.core.book import Orders
from pbem.core.events import Recorded, Seat, visible
from pbem.core.interface import Ask, Json, Label, Outcome
from pbem.core.labels import next_label
from pbem.core.opening import Opened
from pbem.core.statements import is_met
from pbem.core.turn import Policy, taken_over
from pbem.play.config.schedule import Span, span_in_words
from pbem.play.config.templates import template_faults
from pbem.play.homes import saves
from pbem.play.homes.players import Called, Players
from pbem.play.homes.saved import GamePosition, SavedGame
from pbem.play.homes.saves import SPECTATOR
from pbem.play.submissions.gate import SILENCE, when_silent
from pbem.play.submissions.seatkeys import holder_secret
from pbem.text.mail.keys import accepts, marker
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.plots import extended
from pbem.text.reports.report import Report

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


def reports_of(
    saved: SavedGame,
    turn: int,
    position: GamePosition,
    orders: Mapping[Seat, Orders],
    events: tuple[Recorded, ...],
    deadline: datetime.datetime | None,
    origins: Mapping[str, Json],
    called: Called,
    policy: Policy,
    sent: Container[Seat] = frozenset(),
) -> dict[str, Report]:
    """Return the reports of a turn that is about to be committed: every seat's, and the spectator's.

    Args:
        saved: The game, before the turn.
        turn: The turn's number.
        position: The game after it.
        orders: What it left over.
        events: What happened.
        deadline: When the orders that it asks for will be due, or None.
        origins: Where the luck words came from, if it took any.
        called: What players are called whom position and events name by numbers.
        policy: Which seats bots play, and whose players were away with notice, as its record has it.
        sent: Seats of which it took new orders.

    Raises:
        WrongInput: A template fails.
    """
    made: dict[str, Report] = {}
    events = called.events(events)
    players = Players(saved, position, called, saved.secret)
    ask, history = saved.asked_at(position), history_of(saved, turn, position)
    own_templates = bool(saved.home.templates.below())  # what fails there stops the run, not a mail
    bots = frozenset([*policy.bots, *taken_over(position.attendance, policy.misses)])
    is_mailed = bool(saved.home.mail_section())
    for seat in (*saved.start.seats, None):
        own = orders.get(seat, Orders()) if seat is not None else Orders()
        frame = _frame(saved, turn, position, players, seat, own, deadline, history)
        frame = frame._replace(
            by_mail=is_mailed and frame.by_mail, origins=origins, is_away=seat in policy.excused, bots=bots
        )
        if seat is not None and turn and seat not in sent:
            frame = frame._replace(over=_lapsed_lines(saved, seat))
        view = saved.view(position.game, seat)
        told = facts(saved.opening, frame, view, ask, visible(events, seat))
        report = made[seat or SPECTATOR] = Report(saved.environment, told)
        with template_faults():
            report.kept()
            if own_templates:
                report.files()
    return made


def _frame(
    saved: SavedGame,
    turn: int,
    position: GamePosition,
    players: Players,
    seat: Seat | None,
    orders: Orders,
    deadline: datetime.datetime | None,
    history: Mapping[str, Json],
) -> Frame:
    """Return what a reader's report needs besides view and events."""
    table = saved.table
    return Frame(
        game=saved.name,
        rules=saved.start.rules,
        turn=turn,
        seat=seat,
        players={one: players.holder(one) for one in table.players},
        deadline=table.spelled(deadline, seat) if deadline else "",
        commitment=saved.start.commitment,
        key_asked=table.key,
        new_key=_new_key(saved, players, seat) if turn else "",
        own_tables=saved.start.own_tables,
        marker=_marker(saved, position, seat),
        asked=position.asked,
        orders=orders._replace(press=()),
        history=history,
        silence=when_silent(saved, position, seat) if seat is not None else SILENCE["wait"],
        press=table.press.deliver != "off",
        by_mail=seat is not None and _has_address(saved, players, seat),
        welcome=welcome_of(saved, seat) if seat is not None and not turn else {},
    )


def _lapsed_lines(saved: SavedGame, seat: Seat) -> frozenset[int]:
    """Return which lines the last report told as over: those for its own ask that did not fit it."""
    ask = saved.ask
    if not isinstance(ask, Ask) or seat not in ask.seats | ask.optional:
        return frozenset()
    left = saved.pending.get(seat, Orders()).lines
    lines = [line for line in left if line.at == ask.label and line.when]
    view = saved.view(saved.position.game, seat) if lines else None
    return frozenset(line.number for line in lines if not is_met(saved.opening, line.when, view, seat))


def _has_address(saved: SavedGame, players: Players, seat: Seat) -> bool:
    """Tell whether a seat's reports can go out by mail: who takes a free seat does so by mail."""
    return bool(players.address(seat)) or seat in saved.table.free


def history_of(saved: SavedGame, turn: int, position: GamePosition) -> dict[str, Json]:
    """Return what is public turn by turn: the spectator's last report holds it, and this turn is added.

    It begins with the first turn after the deal that was run by a version that keeps it.
    """
    assert saved.system.system is not None, "find returns no broken rules"
    plots = saved.system.system.plots
    if not plots or not turn:
        return {}
    last = saved.turns.at(turn - 1) / "reports" / SPECTATOR / "report.json"
    before = saves.read_json(last).get("history") if last.exists() else None
    if not isinstance(position.game, Opened):
        return extended(before, turn, {})
    seen = saved.view(position.game, None)
    return extended(before, turn, {title: dict(count(seen)) for title, count in plots.items()})


def _new_key(saved: SavedGame, players: Players, seat: Seat | None) -> str:
    """Return the key of a standby who takes a seat over in this turn, or ""."""
    if seat is None or not saved.table.key:
        return ""
    return players.key(seat) if seat in players.taken_since(saved.position.attendance) else ""


def is_form_of(saved: SavedGame, seat: Seat) -> Callable[[str], bool]:
    """Return what tells the first line of a seat's form for what it is asked next from any other line."""
    labels = _next_labels(saved, saved.position, seat)
    secrets = (saved.secret.seed, holder_secret(saved, seat))
    return lambda line: any(accepts(saved.name, seat, labels, one)(line) for one in secrets)


def form_of(saved: SavedGame, seat: Seat) -> str:
    """Return the form of a seat's newest report, as it stands there; "" if the game is over."""
    form = saved.turns.at(saved.turn) / "reports" / seat / "orders.yaml"
    return form.read_text() if form.exists() else ""


def _marker(saved: SavedGame, position: GamePosition, seat: Seat | None) -> str:
    """Return the first line of a seat's form; "" if it gets none."""
    labels = _next_labels(saved, position, seat) if seat is not None else ()
    return marker(saved.name, str(seat), labels[0], saved.secret.seed) if labels else ""


def _next_labels(saved: SavedGame, position: GamePosition, seat: Seat) -> tuple[Label, ...]:
    """Return the one label that a seat's form is for; none when the game is over."""
    ask = saved.opening.ask(position.game)
    label = "" if isinstance(ask, Outcome) else next_label(ask, position.asked, seat)
    return (Label(label),) if label else ()
