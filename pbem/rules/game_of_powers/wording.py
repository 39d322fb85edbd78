"""Orders and facts in words, and orders that fit a position as examples for the form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from pbem.core.interface import Choices, Draft, Json
from pbem.core.wording import Wording, sentence_list
from pbem.rules.game_of_powers.conditions import conditions
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import ANY, Action, Place, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline, Proposal
from pbem.rules.game_of_powers.orders import deal_in_words, read_move, wish_in_words, write_move
from pbem.rules.game_of_powers.plan import plan_turn
from pbem.rules.game_of_powers.state import SEATS, Card, City, Deal, Wish
from pbem.rules.game_of_powers.view import View

FACT_WORDS: Final[Mapping[str, str]] = {
    "to_move": "the seat on turn",
    "kind": "what is asked",
    "hand": "your hand",
    "fields.*": "the open cards of section {0}",
    "tokens.*": "the number of your {0} tokens",
    "cities.*.tokens.*": "the number of {1} tokens at {0}",
    "cities.*.ships": "the ships at {0}",
    "tasks": "the tasks",
    "task_taken": "another has collected a task token since your last turn",
    "traded": "a trade was made with you since your last turn",
    "trade.by": "the seat that makes the offer",
    "trade.gets.*": "the number of {0} tokens that you would get",
    "trade.gives.*": "the number of {0} tokens that you would give",
    "trade.gets_cards": "the cards that you would get",
    "trade.gives_cards": "the cards that you would give",
    "pile": "the number of cards in the pile",
    "last_round": "the last round is being played",
    "players.*.city": "the city of {0}",
    "players.*.direction": "the direction of {0}",
    "players.*.tokens.*": "the number of {1} tokens of {0}",
    "players.*.held": "the number of tokens of {0}",
    "players.*.hand": "the number of cards in the hand of {0}",
    "players.*.known": "the known cards of {0}",
    "players.*.played": "the played cards of {0}",
    "players.*.sites.*": "the number of cards that {0} has played from {1}",
    "players.*.categories.*": "the number of {1} cards that {0} has played",
    "players.*.points": "the points of {0}",
    "players.*.tasks": "the task tokens of {0}",
    "players.*.lacking.*": "the number of cards that {0} lacks for {1}",
}


RETURNED_TO: Final[Mapping[str, str]] = {"reverse": "turn round", "extra": "sail further"}
"""What cards are returned to do, by the field of the order."""


def wording(facts: Facts) -> Wording:
    """Return how this game says orders, facts and names."""
    order, name = partial(order_words, facts), partial(name_words, facts)
    return Wording(FACT_WORDS, facts.names, order, name, conditions(facts))


def order_words(facts: Facts, order: Json) -> str:
    """Return an order as a sentence has it: "sail to Owidz and take 2 tokens: military, any"."""
    move = read_move(facts, order)
    match move:
        case Place(city, facing):
            bow = f", its bow {name_words(facts, facing)}" if facing else ""
            return f"start at {name_words(facts, city)}{bow}"
        case Turn():
            return "; ".join(_turn(facts, move))
        case Accept(terms):
            condition = f" if {_deal(facts, terms, 'at most')}" if terms is not None else ""
            return f"accept the offer{condition}"
        case Decline():
            return "decline the offer"
        case Counter(deal):
            return f"answer the offer with another: {_deal(facts, deal)}"


def name_words(facts: Facts, name: str) -> str:
    """Return a name as reports write it; a seat with a capital letter, a card with its title."""
    if name in facts.cards:
        return facts.title(Card(name))
    return facts.names.get(name) or (name.capitalize() if name in SEATS else name)


def draft(facts: Facts, view: View, choices: Choices) -> Draft:
    """Return an order for now, and one for the turn after it: a space further, if there are tokens."""
    if view.me is None:
        return Draft()
    now = next(choices.whole(), None)
    city = _stands(facts, view, now)
    keep: Json = write_move(Decline()) if view.may_trade else _on(facts)
    stop: Mapping[str, Json] = {"last_round": True}
    if city is None:
        return Draft(now, {}, _on(facts), keep, stop)
    ahead = facts.ahead(city, view.own.direction)
    when: dict[str, Json] = {f"cities.{ahead}.tokens.{facts.types[0]}": {"at_least": 1}}
    return Draft(now, when, _on(facts), keep, stop)


def _on(facts: Facts) -> Json:
    """Return the order to sail a space ahead and take what tokens there are."""
    return write_move(Turn(1, action=TakeTokens.any(facts.taken_tokens)))


def _stands(facts: Facts, view: View, now: Json) -> City | None:
    """Return where the viewer's ship is after an order for now; None if it is nowhere yet."""
    move = read_move(facts, now) if now is not None else None
    if isinstance(move, Place):
        return move.city
    return plan_turn(facts, view, move).course.city if isinstance(move, Turn) else view.own.city


def _turn(facts: Facts, turn: Turn) -> Iterable[str]:
    for use, card in turn.returned.items():
        yield f"return {name_words(facts, card)} to {RETURNED_TO[use]}"
    spaces = f"{turn.sail} space{'s' * (turn.sail != 1)} ahead" if isinstance(turn.sail, int) else ""
    yield f"sail {spaces or 'to ' + name_words(facts, str(turn.sail))}"
    if turn.action is not None:
        yield _action(facts, turn.action)
    if turn.claim:
        yield f"claim {', else '.join(name_words(facts, one) for one in turn.claim)}"
    if turn.trade is not None:
        yield from _trade(facts, turn.trade)


def _action(facts: Facts, action: Action) -> str:
    match action:
        case TakeTokens(types):
            told = ("one that you hold least of" if one == ANY else one for one in types)
            return f"take tokens: {', then '.join(told)}"
        case TakeCards(wishes):
            any_card = "the best card left"
            wanted = (any_card if wish == Wish() else wish_in_words(facts, wish) for wish in wishes)
            return f"take cards: {', then '.join(wanted)}"
        case PlayCards(cards):
            return f"play {sentence_list(name_words(facts, card) for card in cards)}"


def _trade(facts: Facts, offer: Proposal) -> Iterable[str]:
    yield f"offer {name_words(facts, offer.partner)} a trade: {_deal(facts, offer.deal)}"
    for terms in offer.accepts:
        yield f"accept a counter-offer if {_deal(facts, terms, 'at most')}"


def _deal(facts: Facts, deal: Deal, most: str = "") -> str:
    give, want = map(sentence_list, deal_in_words(facts, deal))
    return f"you give {most + ' ' if most else ''}{give} and get {'at least ' if most else ''}{want}"
