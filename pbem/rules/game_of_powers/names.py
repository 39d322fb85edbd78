"""Names in orders that nothing has: they are wrong whenever the order comes to be played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import (
    Accept,
    Counter,
    Decline,
    Move,
    Place,
    PlayCards,
    Proposal,
    TakeCards,
    TakeTokens,
    Turn,
)
from pbem.rules.game_of_powers.orders import ANY, wish_in_words
from pbem.rules.game_of_powers.state import Card, Deal, Wish
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.words import did_you_mean, unknown

Path = tuple[str | int, ...]


def left_out(view: View, move: Move) -> Iterator[Problem]:
    """Yield a problem for what this game is played without; older lines are played for the rest of them."""
    match move:
        case Turn(claim=claim, trade=trade):
            if claim and not view.tasks:
                yield _without("tasks", ("claim",), "Leave claim out.")
            if trade is not None and not view.may_trade:
                yield _without("trade", ("trade",), "Leave trade out.")
        case Accept() | Decline() | Counter():
            if not view.may_trade:
                yield _without("trade", (), "Leave the line out.")


def _without(what: str, path: Path, hint: str) -> Problem:
    return Problem(path, f"this game is played without {what}", hint, bearable=bool(path), lasting=True)


def misnamed(facts: Facts, seats: Sequence[Seat], move: Move) -> Iterator[Problem]:
    """Yield a problem for every name in a move that no city, card, token, task or seat has."""
    match move:
        case Place():
            yield from unknown(("place",), "city", move.city, facts.ring)
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
        yield from unknown(("sail",), "city", turn.sail, facts.ring)
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
        yield from unknown(path, "task", task, tuple(facts.tasks))
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
        hint = did_you_mean(card, named, titles) or "Write its number or its name."
        what = "nothing that can be traded" if path[-1] in ("give", "want") else "no card"
        yield Problem(path, f"{str(card)!r} is {what}", hint, lasting=True)
