"""Trade: offers, counter-offers, and what becomes of them (rulebook, "Possibilities", TRADE)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.rules.game_of_powers.facts import Facts, total
from pbem.rules.game_of_powers.offers import Accept
from pbem.rules.game_of_powers.orders import wants_in_words
from pbem.rules.game_of_powers.state import Card, Deal, Tokens, Wish
from pbem.rules.game_of_powers.view import View

Place = tuple[str | int, ...]


def assign(facts: Facts, wishes: Sequence[Wish], cards: Sequence[Card]) -> tuple[Card, ...] | None:
    """Return a card for each wish, cheap ones before dear ones, or None if the wishes cannot all be met."""
    if not wishes:
        return ()
    for card in facts.cheapest(cards):
        if facts.fits(card, wishes[0]):
            rest = assign(facts, wishes[1:], [one for one in cards if one != card])
            if rest is not None:
                return (card, *rest)
    return None


def has(tokens: Tokens, needed: Tokens) -> bool:
    """Tell whether there are so many tokens of each type."""
    return all(tokens.get(one, 0) >= count for one, count in needed.items())


def handed_over(facts: Facts, deal: Deal, tokens: Tokens, cards: Sequence[Card]) -> tuple[Card, ...] | None:
    """Return the cards that meet what a deal wants, from what the other side can give, or None."""
    return assign(facts, deal.want.cards, cards) if has(tokens, deal.want.tokens) else None


def meets(facts: Facts, deal: Deal, terms: Deal, cards: Sequence[Card]) -> tuple[Card, ...] | None:
    """Return the cards to hand over if a deal of the other side keeps to terms, or None.

    Args:
        facts: The cards.
        deal: What the other side offers, as it sees it.
        terms: What may be given for it at most, and must be got at least.
        cards: The cards of the hand; only those that the terms name are handed over.
    """
    is_enough = has(deal.give.tokens, terms.want.tokens)
    if not is_enough or assign(facts, terms.want.cards, deal.give.cards) is None:
        return None
    allowed = [card for card in cards if card in terms.give.cards]
    return handed_over(facts, deal, terms.give.tokens, allowed)


def within_limits(facts: Facts, tokens: int, cards: int) -> bool:
    """Tell whether a seat may hold so many tokens and cards.

    Source: rulebook, "Action", TAKE TOKENS and TAKE CARDS; the limits hold for a trade too (ruling).
    """
    return tokens <= facts.token_limit and cards <= facts.hand_limit


def check_deal(
    facts: Facts, view: View, partner: Seat, deal: Deal, tokens: Tokens, hand: Sequence[Card], at: Place
) -> tuple[Problem, ...]:
    """Return what is wrong with a deal that a seat puts to another, as far as it can know.

    Args:
        facts: The cards.
        view: The view of the seat that makes the offer.
        partner: The seat that it is made to.
        deal: The deal.
        tokens: The tokens of the seat when the offer is made.
        hand: Its cards then.
        at: Where the deal stands in the order.

    Source: rulebook, "Possibilities", TRADE: cards or tokens in hand, no task tokens or played cards.
    """
    not_owned = _not_owned(facts, deal, tokens, hand, at)
    if problems := (*not_owned, *_not_to_be_had(facts, view, partner, deal, at)):
        return problems
    gives, wants = len(deal.give.cards), len(deal.want.cards)
    given, wanted = total(deal.give.tokens), total(deal.want.tokens)
    too_many = f"would hold more than {facts.token_limit} tokens or {facts.hand_limit} cards"
    if not within_limits(facts, total(tokens) - given + wanted, len(hand) - gives + wants):
        return (Problem((*at, "want"), f"after it you {too_many}"),)
    other = view.players[partner]
    if not within_limits(facts, other.held - wanted + given, other.hand - wants + gives):
        return (Problem((*at, "give"), f"after it {partner.capitalize()} {too_many}"),)
    return ()


def _not_owned(
    facts: Facts, deal: Deal, tokens: Tokens, hand: Sequence[Card], at: Place
) -> tuple[Problem, ...]:
    """Return what is given and cannot be."""
    problems = []
    if not has(tokens, deal.give.tokens):
        have = ", ".join(facts.tokens_in_words(tokens)) or "no token"
        asked = ", ".join(facts.tokens_in_words(deal.give.tokens))
        problems.append(Problem((*at, "give"), f"you cannot give {asked}: you hold {have} then"))
    for card in deal.give.cards:
        if card not in hand or deal.give.cards.count(card) > 1:
            held = ", ".join(facts.title(one) for one in hand) or "none"
            what = "is named twice" if card in hand else "is not in your hand then"
            problems.append(Problem((*at, "give"), f"{facts.title(card)} {what}", f"You hold {held}."))
            break
    return tuple(problems)


def _not_to_be_had(facts: Facts, view: View, partner: Seat, deal: Deal, at: Place) -> tuple[Problem, ...]:
    """Return what is wanted and cannot be had from the partner, as far as the seat knows."""
    other, place = view.players[partner], (*at, "want")
    for wish in deal.want.cards:
        if wish.card and _is_elsewhere(view, partner, wish.card):
            return (Problem(place, f"{facts.title(wish.card)} is not in the hand of {partner.capitalize()}"),)
    if not has(other.tokens, deal.want.tokens):
        who = partner.capitalize()
        have = ", ".join(facts.tokens_in_words(other.tokens)) or "no token"
        asked = ", ".join(facts.tokens_in_words(deal.want.tokens))
        return (Problem(place, f"{who} cannot give {asked}", f"{who} holds {have}."),)
    if len(deal.want.cards) > other.hand:
        return (Problem(place, f"{partner.capitalize()} holds {other.hand} cards only"),)
    return ()


def _is_elsewhere(view: View, partner: Seat, card: Card) -> bool:
    """Tell whether a card is known to be somewhere else than in the partner's hand."""
    open_cards = (one for cards in view.fields.values() for one in cards)
    played = (one for side in view.players.values() for one in side.played)
    known = (one for seat, side in view.players.items() if seat != partner for one in side.known)
    return card in (*open_cards, *played, *known, *view.hand, *view.under, *view.box)


def check_accept(facts: Facts, view: View, answer: Accept) -> tuple[Problem, ...]:
    """Return why the owner of a view cannot accept what is on the table, or not on these terms.

    The limits of both were looked at when the offer was made, for how much each holds is open.

    Source: rulebook, "Possibilities", TRADE: should both come to an agreement.
    """
    if answer.terms is not None and cards_to_give(facts, view, answer) is None:
        return (Problem(("accept",), f"the offer does not keep to your terms: {describe(facts, view)}"),)
    if cards_to_give(facts, view, Accept(None)) is None:
        text = f"you do not have what is wanted: {', '.join(wants_in_words(facts, view.table.deal.want))}"
        return (Problem(("accept",), text, "Decline it, or counter."),)
    return ()


def describe(facts: Facts, view: View) -> str:
    """Return the offer on the table in words, for the one who answers it."""
    table = view.table
    gets = ", ".join((*facts.tokens_in_words(table.gets), *table.gets_cards))
    gives = ", ".join((*facts.tokens_in_words(table.gives), *table.gives_cards))
    return f"you get {gets} for {gives}"


def cards_to_give(facts: Facts, view: View, answer: Accept) -> tuple[Card, ...] | None:
    """Return the cards that an acceptance hands over: of those that fit, the ones with the fewest points.

    Returns:
        The cards; None if the offer cannot be accepted.
    """
    deal = view.table.deal
    if answer.terms is not None:
        return meets(facts, deal, answer.terms, view.hand)
    return handed_over(facts, deal, view.tokens, view.hand)
