"""What is wrong with an order, as far as its owner can know: where, what was read, what would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.core.remedies import Advice
from pbem.core.wording import did_you_mean
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import ANY, Move, Place, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline, Proposal
from pbem.rules.game_of_powers.orders import wish_in_words
from pbem.rules.game_of_powers.plan import Plan, plan_turn
from pbem.rules.game_of_powers.state import WAYS, Card, Deal, Wish
from pbem.rules.game_of_powers.trading import check_accept, check_deal
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.ruled import out_of_play
from pbem.rules.kit.words import leave_out, unknown


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
        case Turn():
            plan = plan_turn(facts, view, move)
            return tuple(plan.problems), plan
        case Accept():
            return check_accept(facts, view, move), None
        case Place() | Decline():
            return (), None
        case Counter(deal):
            return check_deal(facts, view, view.table.by, deal, view.tokens, view.hand, ("counter",)), None


def _out_of_place(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return what is wrong with a move without a look at the board: who gives it, its names, its kind."""
    if view.me is None or view.kind == "over":
        return out_of_play(is_over=view.kind == "over")
    if problems := tuple(misnamed(facts, view.rivals(), move)):
        return problems
    if problems := (*left_out(view, move), *_never(facts, move)):
        return problems
    kind, is_placed = kind_for(view), view.own.city is not None
    if kind in _ANSWERS_TO[type(move)]:
        return ()
    otherwise = "no offer waits for you" if is_placed else "it is not your turn"
    text = f"{_WHAT.get(type(move), 'this order answers an offer')}, and {_ASKED.get(kind, otherwise)}"
    is_again = isinstance(move, Place) and is_placed
    return (Problem((), text, _INSTEAD[kind], elsewhere=True, lasting=is_again),)


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


def kind_for(view: View) -> str:
    """Return what the owner of a view is asked for now or, if another seat is, will be asked next."""
    if view.asked == view.me:
        return view.kind
    return "start city" if view.own.city is None else "move"


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
    if facts.heading(move.city, move.facing) is None:
        one, other = (facts.cities[facts.ahead(move.city, way)].name for way in WAYS)
        text = f"{move.facing!r} is neither a direction nor a city next to {facts.cities[move.city].name}"
        hint = f"Write clockwise ({one}) or anticlockwise ({other})."
        return (Problem(("facing",), text, hint, lasting=True),)
    return ()


Path = tuple[str | int, ...]


def left_out(view: View, move: Move) -> Iterator[Problem]:
    """Yield a problem for what this game is played without; older lines are played for the rest of them."""
    match move:
        case Turn(claim=claim, trade=trade):
            if claim and not view.tasks:
                yield _without("tasks", ("claim",), leave_out("claim"))
            if trade is not None and not view.may_trade:
                yield _without("trade", ("trade",), leave_out("trade"))
        case Accept() | Decline() | Counter():
            if not view.may_trade:
                yield _without("trade", (), Advice("Leave the line out."))


def _without(what: str, path: Path, advice: Advice) -> Problem:
    return Problem(path, f"this game is played without {what}", *advice, bearable=bool(path), lasting=True)


def misnamed_before_deal(
    facts: Facts, move: Move, seat: Seat, seats: tuple[Seat, ...]
) -> tuple[Problem, ...]:
    """Return what is wrong with the names in a move, and with its direction, wherever the ships are."""
    rivals = [one for one in seats if one != seat]
    return tuple(misnamed(facts, rivals, move)) or _never(facts, move)


def misnamed(facts: Facts, seats: Sequence[Seat], move: Move) -> Iterator[Problem]:
    """Yield a problem for every name in a move that no city, card, token, task or seat has."""
    match move:
        case Place():
            yield from unknown(("place",), "city", move.city, facts.ring, facts.names)
        case Turn():
            yield from _in_turn(facts, seats, move)
        case Accept(None) | Decline():
            return
        case Accept(Deal() as terms):
            yield from _in_deal(facts, terms, ("accept",))
        case Counter(deal):
            yield from _in_deal(facts, deal, ("counter",))


def _in_turn(facts: Facts, seats: Sequence[Seat], turn: Turn) -> Iterator[Problem]:
    if isinstance(turn.sail, str):
        yield from unknown(("sail",), "city", turn.sail, facts.ring, facts.names)
    for name, card in turn.returned.items():
        yield from _unknown_card(facts, (name,), card)
    match turn.action:
        case TakeTokens(types):
            for place, one in enumerate(types):
                yield from unknown(("take_tokens", place), "type of token", one, (*facts.types, ANY))
        case TakeCards(wishes):
            for place, wish in enumerate(wishes):
                yield from _in_wish(facts, wish, ("take_cards", place))
        case PlayCards(cards):
            for place, card in enumerate(cards):
                yield from _unknown_card(facts, ("play_cards", place), card)
    for place, task in enumerate(turn.claim):
        path: Path = ("claim", place) if len(turn.claim) > 1 else ("claim",)
        yield from unknown(path, "task", task, tuple(facts.tasks), facts.names)
    if turn.trade is not None:
        yield from _in_proposal(facts, seats, turn.trade)


def _in_proposal(facts: Facts, seats: Sequence[Seat], trade: Proposal) -> Iterator[Problem]:
    yield from unknown(("trade", "with"), "other seat", trade.partner, seats)
    yield from _in_deal(facts, trade.deal, ("trade",))
    for number, terms in enumerate(trade.accepts):
        yield from _in_deal(facts, terms, ("trade", "counters", number))


def _in_deal(facts: Facts, deal: Deal, path: Path) -> Iterator[Problem]:
    for card in deal.give.cards:
        yield from _unknown_card(facts, (*path, "give"), card)
    for wish in deal.want.cards:
        yield from _in_wish(facts, wish, (*path, "want"))


def _in_wish(facts: Facts, wish: Wish, path: Path) -> Iterator[Problem]:
    kind = wish.category
    found = [
        *(_unknown_card(facts, path, wish.card) if wish.card else ()),
        *(unknown((*path, "site"), "site", wish.site, facts.sites) if wish.site else ()),
        *(unknown((*path, "category"), "category", kind, facts.categories) if kind else ()),
        *(unknown((*path, "token"), "type of token", wish.token, facts.types) if wish.token else ()),
    ]
    named = (wish.card,) if wish.card else facts.cards
    if not found and not any(facts.fits(card, wish) for card in named):
        found.append(Problem(path, f"there is no such card: {wish_in_words(facts, wish)}", lasting=True))
    yield from found


def _unknown_card(facts: Facts, path: Path, card: Card) -> Iterator[Problem]:
    if card not in facts.cards:
        named = {face.name: number for number, face in facts.cards.items()}
        titles = {name: facts.title(number) for name, number in named.items()}
        advice = did_you_mean(card, named, titles) or Advice("Write its number or its name.")
        what = "nothing that can be traded" if path[-1] in ("give", "want") else "no card"
        yield Problem(path, f"{str(card)!r} is {what}", *advice, lasting=True)
