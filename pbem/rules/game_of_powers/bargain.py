"""The trade of a turn as it is carried out: proposed, answered, countered and made (rulebook, TRADE)."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.events import ALL, Seat, only
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.course import Voyage
from pbem.rules.game_of_powers.facts import minus, plus
from pbem.rules.game_of_powers.hands import gain, lose, show
from pbem.rules.game_of_powers.offers import Accept, Answer, Counter, Decline, Proposal
from pbem.rules.game_of_powers.orders import lot_in_words, wants_in_words
from pbem.rules.game_of_powers.state import Card, Deal, Offer, Tokens
from pbem.rules.game_of_powers.trading import handed_over, meets


def propose(voyage: Voyage, proposal: Proposal) -> None:
    """Put an offer to its partner, who has to answer; all learn that there is one.

    Source: rulebook, "Possibilities", TRADE.
    """
    mover, partner = voyage.seat, proposal.partner
    voyage.tell(events.TradeProposed(seat=mover, partner=partner, to=ALL))
    _tell_deal(voyage, mover, partner, proposal.deal, is_counter=False)
    voyage.put(mover, show(voyage.player, partner, proposal.deal.give.cards))
    voyage.alter(offer=Offer(partner, proposal.deal, proposal.accepts, None))


def answer(voyage: Voyage, reply: Answer, cards: tuple[Card, ...]) -> None:
    """Carry out what is answered to the offer on the table; unless it is countered, the turn is over.

    Args:
        voyage: The step.
        reply: The answer; it is legal.
        cards: The cards that an acceptance hands over.

    Source: rulebook, "Possibilities", TRADE; silence declines, and there is one counter-offer (ruling).
    """
    offer = voyage.now.offer
    assert offer is not None, "there is an offer on the table"
    mover, partner = voyage.seat, offer.partner
    by, other = (mover, partner) if offer.counter is None else (partner, mover)
    deal = offer.counter if offer.counter is not None else offer.deal
    match reply:
        case Decline():
            voyage.tell(events.TradeDeclined(seat=other, partner=by, to=ALL))
        case Accept():
            _exchange(voyage, by, other, deal, cards)
        case Counter(countered):
            if _counter(voyage, offer, countered):
                return
    voyage.alter(offer=None)
    voyage.pass_on()


def _counter(voyage: Voyage, offer: Offer, deal: Deal) -> bool:
    """Put a counter-offer to the mover; return whether it has to be asked, or has accepted it before."""
    mover, partner = voyage.seat, offer.partner
    voyage.tell(events.TradeCountered(seat=partner, partner=mover, to=ALL))
    _tell_deal(voyage, partner, mover, deal, is_counter=True)
    voyage.put(partner, show(voyage.players[partner], mover, deal.give.cards))
    for terms in offer.accepts:
        cards = meets(voyage.facts, deal, terms, voyage.player.hand)
        if cards is not None and handed_over(voyage.facts, deal, voyage.player.tokens, cards) is not None:
            _exchange(voyage, partner, mover, deal, cards)
            return False
    voyage.alter(offer=replace(offer, counter=deal))
    return True


def _exchange(voyage: Voyage, by: Seat, other: Seat, deal: Deal, cards: tuple[Card, ...]) -> None:
    """Let things change hands; the cards are shown to all.

    Args:
        voyage: The step.
        by: The seat that made the deal.
        other: The seat that accepts it.
        deal: The deal, as its maker sees it.
        cards: The cards that the other seat hands over.
    """
    facts = voyage.facts
    given = lot_in_words(facts, deal.give)
    got = (*facts.in_words(deal.want.tokens), *(facts.title(card) for card in cards))
    _hand_over(voyage, by, other, deal.give.tokens, deal.give.cards)
    _hand_over(voyage, other, by, deal.want.tokens, cards)
    mover_gave, mover_got = (given, got) if by == voyage.seat else (got, given)
    partner = other if by == voyage.seat else by
    voyage.change(partner, traded=True)
    voyage.tell(events.TradeMade(seat=voyage.seat, partner=partner, gave=mover_gave, got=mover_got, to=ALL))


def _hand_over(voyage: Voyage, giver: Seat, getter: Seat, tokens: Tokens, cards: tuple[Card, ...]) -> None:
    """Move tokens and cards from one seat to another; all have seen the cards then."""
    players = voyage.players
    mine, yours = lose(players[giver], cards), gain(players[getter], cards)
    voyage.put(giver, replace(mine, tokens=minus(mine.tokens, tokens)))
    voyage.put(getter, replace(yours, tokens=plus(yours.tokens, tokens)))


def _tell_deal(voyage: Voyage, seat: Seat, partner: Seat, deal: Deal, *, is_counter: bool) -> None:
    """Tell the two what is in an offer."""
    both, give = only(seat, partner), lot_in_words(voyage.facts, deal.give)
    want = wants_in_words(voyage.facts, deal.want)
    voyage.tell(
        events.TradeOffered(seat=seat, partner=partner, give=give, want=want, is_counter=is_counter, to=both)
    )
