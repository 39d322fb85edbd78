"""What is wrong with an order, as far as its owner can know: where, what was read, what would do."""

from __future__ import annotations

from pbem.core.interface import Problem
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import Accept, Counter, Decline, Move, Place, Turn
from pbem.rules.game_of_powers.names import left_out, misnamed
from pbem.rules.game_of_powers.plan import Plan, plan_turn
from pbem.rules.game_of_powers.state import ANTICLOCKWISE, CLOCKWISE, Direction
from pbem.rules.game_of_powers.trading import check_accept, check_deal
from pbem.rules.game_of_powers.view import View


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
    if view.kind == "over":
        return (Problem((), "the game is over"),)
    if view.me is None:
        return (Problem((), "a spectator gives no orders"),)
    if problems := tuple(misnamed(facts, view.rivals(), move)):
        return problems
    if problems := (*left_out(view, move), *_never(facts, move)):
        return problems
    if not _is_asked(view, move):
        return (
            Problem(
                (),
                f"{_what(move)}, and {_asked(view)}",
                _instead(view),
                elsewhere=True,
                lasting=_is_placed(view, move),
            ),
        )
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
    match move:
        case Place():
            return kind_for(view) == "start city"
        case Turn():
            return kind_for(view) == "move"
        case Counter():
            return kind_for(view) == "trade"
        case _:
            return kind_for(view) in ("trade", "counter")


def _what(move: Move) -> str:
    match move:
        case Place():
            return "this order places your ship"
        case Turn():
            return "this order is a turn"
        case Counter():
            return "this is a counter-offer"
        case _:
            return "this order answers an offer"


def _asked(view: View) -> str:
    match kind_for(view):
        case "start city":
            return "your ship is not placed yet"
        case "trade":
            return "you are asked to answer an offer"
        case "counter":
            return "you are asked to answer a counter-offer"
        case _:
            return "no offer waits for you" if view.own.city is not None else "it is not your turn"


def _instead(view: View) -> str:
    match kind_for(view):
        case "start city":
            return "Write {place: CITY, facing: clockwise}."
        case "trade":
            return "Write {accept: true}, {decline: true} or {counter: {give: [...], want: [...]}}."
        case "counter":
            return "Write {accept: true} or {decline: true}."
        case _:
            return "Write {sail: CITY, take_tokens: [any, any]} or another turn."


def _check_place(facts: Facts, move: Place) -> tuple[Problem, ...]:
    """Check where a ship is placed, and which way it points.

    Source: rulebook, "Game setup", 6.
    """
    if heading(facts, move) is None:
        ways = [facts.ahead(move.city, way) for way in (CLOCKWISE, ANTICLOCKWISE)]
        text = f"{move.facing!r} is neither a direction nor a city next to {facts.cities[move.city].name}"
        return (
            Problem(
                ("facing",), text, f"Write clockwise ({ways[0]}) or anticlockwise ({ways[1]}).", lasting=True
            ),
        )
    return ()


def heading(facts: Facts, move: Place) -> Direction | None:
    """Return the direction in which a ship is placed, or None if it is none."""
    ways: tuple[Direction, Direction] = (CLOCKWISE, ANTICLOCKWISE)
    for way in ways:
        if move.facing in (way, facts.ahead(move.city, way)):
            return way
    return None
