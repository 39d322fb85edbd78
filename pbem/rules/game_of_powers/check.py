"""What is wrong with an order, as far as its owner can know: where, what was read, what would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.interface import Problem
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import Accept, Counter, Decline, Move, Place, Turn
from pbem.rules.game_of_powers.names import left_out, misnamed
from pbem.rules.game_of_powers.plan import Plan, plan_turn
from pbem.rules.game_of_powers.state import WAYS, Direction
from pbem.rules.game_of_powers.trading import check_accept, check_deal
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.ruled import out_of_play


def check_move(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return what is wrong with a move if its owner were asked now, or nothing."""
    return judge(facts, view, move)[0]


def judge(facts: Facts, view: View, move: Move) -> tuple[tuple[Problem, ...], Plan | None]:
    """Return what is wrong with a move if its owner were asked now, and a turn's plan.

    There is no plan (None) of a turn with something wrong in it that shows without planning it.
    """
    if problems := _out_of_place(facts, view, move):
        return problems, None
    match move:
        case Place():
            return _check_place(facts, move), None
        case Turn():
            plan = plan_turn(facts, view, move)
            return tuple(plan.problems), plan
        case Accept():
            return check_accept(facts, view, move), None
        case Decline():
            return (), None
        case Counter(deal):
            assert view.trade is not None, "there is an offer on the table"
            return check_deal(facts, view, view.trade.by, deal, view.tokens, view.hand, ("counter",)), None


def _out_of_place(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return what is wrong with a move without a look at the board: who gives it, its names, its kind."""
    if view.me is None or view.kind == "over":
        return out_of_play(is_over=view.kind == "over")
    if problems := tuple(misnamed(facts, view.rivals(), move)):
        return problems
    if problems := (*left_out(view, move), *_never(facts, move)):
        return problems
    if not _is_asked(view, move):
        what, instead = _WHAT.get(type(move), "this order answers an offer"), _INSTEAD[kind_for(view)]
        text = f"{what}, and {_asked(view)}"
        return (Problem((), text, instead, elsewhere=True, lasting=_is_placed(view, move)),)
    return ()


def _never(facts: Facts, move: Move) -> tuple[Problem, ...]:
    """Return what no turn can mend: a bow to no neighbour, and one card returned twice."""
    match move:
        case Place() if problems := _check_place(facts, move):
            return problems
        case Turn(reverse=card, extra=again) if card is not None and card == again:
            text = f"{facts.title(card)} cannot both turn the ship and take it further"
            hint = "Name another card, or leave one of the two out."
            return (Problem(("extra",), text, hint, lasting=True),)
    return ()


def _is_placed(view: View, move: Move) -> bool:
    """Tell whether a ship would be placed a second time."""
    return isinstance(move, Place) and view.own.city is not None


def kind_for(view: View) -> str:
    """Return what the owner of a view is asked for now or, if another seat is, will be asked next."""
    if view.asked == view.me:
        return view.kind
    return "start city" if view.own.city is None else "move"


def _is_asked(view: View, move: Move) -> bool:
    """Tell whether a move is of the kind that its owner is asked for."""
    return kind_for(view) in _ANSWERS_TO[type(move)]


def _asked(view: View) -> str:
    otherwise = "no offer waits for you" if view.own.city is not None else "it is not your turn"
    return _ASKED.get(kind_for(view), otherwise)


_ANSWERS_TO: Final[Mapping[type[Move], tuple[str, ...]]] = {
    Place: ("start city",),
    Turn: ("move",),
    Counter: ("trade",),
    Accept: ("trade", "counter"),
    Decline: ("trade", "counter"),
}
"""The kinds of asks at which there is such an order."""

_WHAT: Final[Mapping[type[Move], str]] = {
    Place: "this order places your ship",
    Turn: "this order is a turn",
    Counter: "this is a counter-offer",
}

_ASKED: Final = {
    "start city": "your ship is not placed yet",
    "trade": "you are asked to answer an offer",
    "counter": "you are asked to answer a counter-offer",
}

_INSTEAD: Final = {
    "start city": "Write {place: CITY, facing: clockwise}.",
    "move": "Write {sail: CITY, take_tokens: [any, any]} or another turn.",
    "trade": "Write {accept: true}, {decline: true} or {counter: {give: [...], want: [...]}}.",
    "counter": "Write {accept: true} or {decline: true}.",
}


def _check_place(facts: Facts, move: Place) -> tuple[Problem, ...]:
    """Check where a ship is placed, and which way it points.

    Source: rulebook, "Game setup", 6.
    """
    if heading(facts, move) is None:
        one, other = (facts.ahead(move.city, way) for way in WAYS)
        text = f"{move.facing!r} is neither a direction nor a city next to {facts.cities[move.city].name}"
        hint = f"Write clockwise ({one}) or anticlockwise ({other})."
        return (Problem(("facing",), text, hint, lasting=True),)
    return ()


def heading(facts: Facts, move: Place) -> Direction | None:
    """Return the direction in which a ship is placed, or None if it is none."""
    return next((way for way in WAYS if move.facing in (way, facts.ahead(move.city, way))), None)
