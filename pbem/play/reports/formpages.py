"""The order form as a page, of a turn that was committed: what it needs is gathered here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pbem.core.conditions import records
from pbem.core.engine.opening import Opening, StartView
from pbem.core.events import Seat
from pbem.core.foresight import horizon_of
from pbem.core.interface import Ask, Json, Outcome, Problem, System
from pbem.core.labels import OPEN, is_beyond, labels_ahead
from pbem.play.config.templates import template_faults
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports import reading
from pbem.play.reports.pages import page_of_report
from pbem.play.submissions.formowner import own_marker
from pbem.text.reports.formpage import Material, form_page
from pbem.text.reports.report import BOARD
from pbem.text.schemas.envelope import full_schema, start_schema

if TYPE_CHECKING:
    from jinja2 import Environment

    from pbem.play.config.registry import Installed

OWN: Final = 4
"""So many own asks of a seat a page offers labels of."""


def printed_page(home: Home, game: str, seat: str, due: str = "") -> str:
    """Return the form page of a seat for the newest turn; it knows no address, for that holds a secret.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: There is no such seat, or nothing more can be ordered.
    """
    reading.report(home, game, seat, name="orders.yaml")
    return page_of(SavedGame(home, game), Seat(seat), due=due)


def page_of(saved: SavedGame, seat: Seat, address: str = "", due: str = "") -> str:
    """Return the form page of a seat, made from its committed report.

    Args:
        saved: The game at the turn of the report.
        seat: A seat that has a form.
        address: Where its orders are mailed to; "" for nowhere.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    folder = saved.turns.at(saved.turn) / "reports" / seat
    facts = saves.read_json(folder / "report.json")
    facts = {**facts, "key_asked": saved.table.key, **({"deadline": due} if due else {})}
    if mine := own_marker(saved, seat, str(facts.get("marker", ""))):
        facts = {**facts, "marker": mine}
    picture = page_of_report(saved, saved.turn, seat, BOARD)
    labels = _labels(saved, seat)
    game = saved.position.game
    with template_faults():
        return drawn_page(
            saved.system,
            saved.environment,
            saved.opening,
            saved.ask,
            game,
            seat,
            facts,
            picture=picture,
            labels=labels,
            address=address,
        )


def drawn_page(
    system: Installed,
    environment: Environment,
    opening: Opening[Any, Any, Any],
    ask: Ask | Outcome,
    game: Any,
    seat: Seat,
    facts: Mapping[str, Json],
    *,
    picture: str = "",
    labels: tuple[str, ...] = (),
    address: str = "",
) -> str:
    """Return the form page of a seat of any game.

    Args:
        system: What is installed of the rules.
        environment: The report templates.
        opening: The rules with their opening.
        ask: Whom the game asks now.
        game: The game as it stands; only its view for the seat is read.
        seat: The seat.
        facts: The facts of its report.
        picture: Its board, or "".
        labels: The labels that its lines can be for.
        address: Where its orders are mailed to; "" for nowhere.
    """
    assert system.system is not None, "find returns no broken rules"
    start = (system.sealed_schema if opening.sealed_for else system.start_schema).schema
    if isinstance(ask, Ask) and ask.label == OPEN:
        start = start_schema({})
    schema = full_schema(system.move_schema.schema, start)
    forecasts, hints = likely(system.system, opening, ask, game, seat)
    view = opening.view(game, seat)
    horizon = opening.horizon_in(view)
    material = Material(
        picture,
        schema,
        forecasts,
        hints,
        address,
        opening.wording,
        records(view),
        labels,
        horizon.domains,
        horizon.last,
    )
    return form_page(environment, facts, material)


def _labels(saved: SavedGame, seat: Seat) -> tuple[str, ...]:
    """Return the labels that lines of a seat can be for."""
    if not isinstance(saved.ask, Ask):
        return ()
    words = saved.opening.horizon.follow_ups or {}
    found = labels_ahead(saved.ask, saved.position.asked, seat, saved.start.seats, words, own=OWN)
    last = horizon_of(saved.opening, saved.view(saved.position.game, seat)).last
    return tuple(label for label in found if not is_beyond(label, last))


def likely(
    system: System, rules: Opening[Any, Any, Any], ask: Ask | Outcome, game: Any, seat: Seat
) -> tuple[tuple[Json, ...], Json]:
    """Return what likely orders would come to, none for a seat not asked, and the rules' hints.

    Args:
        system: What is installed of the rules.
        rules: The rules with their opening.
        ask: Whom the game asks now.
        game: The game as it stands; only its view for the seat is read.
        seat: A seat of the game.
    """
    view = rules.view(game, seat)
    if not isinstance(ask, Ask) or isinstance(view, StartView):
        return (), None
    hints = system.hints(rules.rules, view)
    if seat not in ask.seats | ask.optional:
        return (), hints
    menus = (menu for menu in rules.choices(view).menus if "" in menu.paths)
    whole = [item.order for menu in menus for item in menu.items]
    tried: tuple[Json, ...] = tuple(
        _tried(rules, view, order) for order in (*whole, *system.trials(rules.rules, view))
    )
    return tried, hints


def _tried(rules: Opening[Any, Any, Any], view: Any, order: Json) -> Json:
    """Return an order with what is wrong with it, or what it will try."""
    move = rules.read(order)
    if problems := rules.check(view, move):
        return {"order": order, "problems": [_written(one) for one in problems]}
    return {"order": order, "lines": list[Json](rules.forecast(view, move).lines)}


def _written(problem: Problem) -> Json:
    """Return a problem as the page reads it; `bearable` stands only where it is true."""
    found: dict[str, Json] = {"path": list[Json](problem.path), "text": problem.text, "hint": problem.hint}
    return found | {"bearable": True} if problem.bearable else found
