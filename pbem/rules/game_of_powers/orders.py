"""Orders as players write them, and as moves: `{sail: owidz, take_tokens: [military, any]}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TypeVar

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.game_of_powers.facts import Face, Facts, Harbour, Prerequisite
from pbem.rules.game_of_powers.moves import ANY, Action, Move, Place, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline, Proposal
from pbem.rules.game_of_powers.state import WAYS, Card, Category, City, Deal, Lot, Task, Token, Wants, Wish
from pbem.rules.kit.tables import Checked, as_list

T = TypeVar("T", bound=str)


def read_move(facts: Facts, order: Json) -> Move:
    """Return an order as a move; the order fits the orders schema. Unknown words stay as they are."""
    assert isinstance(order, dict), "the schema lets objects through only"
    match order:
        case {"place": city}:
            return Place(_city(facts, city), _facing(facts, order.get("facing")))
        case {"accept": dict(terms)}:
            return Accept(_deal(facts, terms))
        case {"accept": _}:
            return Accept(None)
        case {"counter": dict(deal)}:
            return Counter(_deal(facts, deal))
        case {"sail": _}:
            return _turn(facts, order)
    return Decline()


def _turn(facts: Facts, order: Checked) -> Turn:
    sail = order["sail"]
    return Turn(
        sail=sail if isinstance(sail, int) else _city(facts, sail),
        reverse=_card(facts, order["reverse"]) if "reverse" in order else None,
        extra=_card(facts, order["extra"]) if "extra" in order else None,
        action=_action(facts, order),
        claim=tuple(_task(facts, one) for one in as_list(order.get("claim", []))),
        trade=_proposal(facts, order["trade"]) if "trade" in order else None,
    )


def _action(facts: Facts, order: Checked) -> Action | None:
    match order:
        case {"take_tokens": str(one)}:
            token = Token(as_word(one))
            return TakeTokens((token,) * (facts.taken_tokens if token in (*facts.types, ANY) else 1))
        case {"take_tokens": list(types)}:
            return TakeTokens(tuple(Token(as_word(one)) for one in types))
        case {"take_cards": str(one) | int(one)}:
            wish = _wish(facts, one)
            return TakeCards((wish,) * (1 if wish.card else facts.taken_cards))
        case {"take_cards": list(wishes)}:
            return TakeCards(tuple(_wish(facts, one) for one in wishes))
        case {"play_cards": list(cards)}:
            return PlayCards(tuple(_card(facts, one) for one in cards))
    return None


def _proposal(facts: Facts, trade: Checked) -> Proposal:
    accepts = tuple(_deal(facts, one) for one in trade.get("counters", ()))
    return Proposal(Seat(as_word(trade["with"])), _deal(facts, trade), accepts)


def _deal(facts: Facts, deal: Checked) -> Deal:
    """Return both sides of a deal; in them a word that is a type of token is a token, and else a card."""
    give, want = deal["give"], deal["want"]
    return Deal(
        Lot(_tokens(facts, give), tuple(_card(facts, one) for one in give if not _is_token(facts, one))),
        Wants(_tokens(facts, want), tuple(_wish(facts, one) for one in want if not _is_token(facts, one))),
    )


def _tokens(facts: Facts, things: list[Json]) -> Mapping[Token, int]:
    return facts.count_tokens(Token(as_word(one)) for one in things if _is_token(facts, one))


def _is_token(facts: Facts, thing: Json) -> bool:
    return isinstance(thing, str) and as_word(thing) in facts.types


def _wish(facts: Facts, wish: Json) -> Wish:
    """Return a wish: any card, one of a site, a certain one, or one that has what is named."""
    if isinstance(wish, dict):
        score = wish.get("score")
        return Wish(
            site=_city(facts, wish.get("site", "")),
            category=Category(as_word(wish.get("category", ""))),
            token=Token(as_word(wish.get("token", ""))),
            score=score if isinstance(score, int) else 0,
        )
    if as_word(wish) == ANY:
        return Wish()
    city = _city(facts, wish)
    return Wish(site=city) if city in facts.sites else Wish(card=_card(facts, wish))


def _card(facts: Facts, text: Json) -> Card:
    """Return the number of a card that is written as its number or its name."""
    number = str(text).strip().lstrip("#")
    return Card(number if number in facts.cards else _named(facts.cards, text, number))


def _city(facts: Facts, text: Json) -> City:
    """Return the id of a city that is written as its id or its name."""
    return City(_named(facts.cities, text, as_word(text)))


def _task(facts: Facts, text: Json) -> Task:
    return Task(_named(facts.tasks, text, as_word(text)))


def _named(found: Mapping[T, Harbour | Face | Prerequisite], text: Json, otherwise: str) -> str:
    """Return the id of what has a name, however it is written, or something else."""
    word = as_word(text)
    return next((str(id) for id, one in found.items() if as_word(one.name) == word), otherwise)


def _facing(facts: Facts, text: Json) -> str:
    word = as_word(text)
    return word if word in WAYS else _city(facts, text)


def as_word(text: Json) -> str:
    """Return a word as ids are written: "Sorte Muld" is "sorte_muld"."""
    return "_".join(str(text).casefold().split())


def write_wish(wish: Wish) -> Json:
    """Return a wish as an order names it."""
    if wish.card:
        return int(wish.card) if wish.card.isdecimal() else wish.card
    parts: dict[str, Json] = {name: value for name, value in asdict(wish).items() if value}
    if list(parts) == ["site"]:
        return str(wish.site)
    return parts or ANY


def write_deal(deal: Deal) -> dict[str, Json]:
    """Return both sides of a deal as an order names them."""
    give: list[Json] = [*_spread(deal.give.tokens), *(int(card) for card in deal.give.cards)]
    want: list[Json] = [*_spread(deal.want.tokens), *(write_wish(wish) for wish in deal.want.cards)]
    return {"give": give, "want": want}


def write_move(move: Move) -> dict[str, Json]:
    """Return a move as an order."""
    match move:
        case Place(city, facing):
            return {"place": city, "facing": facing}
        case Turn():
            return _write_turn(move)
        case Accept(terms):
            return {"accept": True if terms is None else write_deal(terms)}
        case Decline():
            return {"decline": True}
        case Counter(deal):
            return {"counter": write_deal(deal)}


def _write_turn(turn: Turn) -> dict[str, Json]:
    order: dict[str, Json] = {"sail": turn.sail}
    order |= {name: int(card) for name, card in turn.returned.items()}
    match turn.action:
        case TakeTokens(types):
            order["take_tokens"] = [str(one) for one in types]
        case TakeCards(wishes):
            order["take_cards"] = [write_wish(wish) for wish in wishes]
        case PlayCards(cards):
            order["play_cards"] = [int(card) for card in cards]
    if turn.claim:
        order["claim"] = turn.claim[0] if len(turn.claim) == 1 else list[Json](turn.claim)
    if turn.trade is not None:
        trade: dict[str, Json] = {"with": turn.trade.partner, **write_deal(turn.trade.deal)}
        if turn.trade.accepts:
            trade["counters"] = [write_deal(one) for one in turn.trade.accepts]
        order["trade"] = trade
    return order


def _spread(tokens: Mapping[Token, int]) -> list[Json]:
    """Return each token by itself, as orders name them."""
    return [str(one) for one, count in tokens.items() for _ in range(count)]


def wish_in_words(facts: Facts, wish: Wish) -> str:
    """Return a wish in words: "a coins card from Owidz"."""
    if wish.card:
        return facts.title(wish.card) if wish.card in facts.cards else f"card {wish.card}"
    category = f" {wish.category}" if wish.category else ""
    origin = f" from {facts.cities[wish.site].name}" if wish.site in facts.cities else ""
    cost = f" that costs {wish.token} tokens" if wish.token else ""
    least = f" of {wish.score} point{'s' * (wish.score > 1)} or more" if wish.score else ""
    return f"any{category} card{origin}{cost}{least}"


def lot_in_words(facts: Facts, lot: Lot) -> tuple[str, ...]:
    """Return what is handed over, thing by thing, in words."""
    return (*facts.in_words(lot.tokens), *(facts.title(card) for card in lot.cards))


def wants_in_words(facts: Facts, wants: Wants) -> tuple[str, ...]:
    """Return what is wanted, thing by thing, in words."""
    return (*facts.in_words(wants.tokens), *(wish_in_words(facts, wish) for wish in wants.cards))


def deal_in_words(facts: Facts, deal: Deal) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is given and what is got as sentences have it: "1 military token", "Loom weight (9)"."""
    cards = (wish_in_words(facts, Wish(card=card)) for card in deal.give.cards)
    wishes = (wish_in_words(facts, wish) for wish in deal.want.cards)
    return (
        (*facts.tokens_in_words(deal.give.tokens), *cards),
        (*facts.tokens_in_words(deal.want.tokens), *wishes),
    )
