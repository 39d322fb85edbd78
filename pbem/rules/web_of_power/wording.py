"""Orders and facts in words, and orders that fit a position as examples for the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from pbem.core.interface import Choices, Draft, Json
from pbem.core.wording import Wording, sentence_list
from pbem.rules.kit.words import in_turn
from pbem.rules.web_of_power.conditions import conditions
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import read_move
from pbem.rules.web_of_power.placing import Said
from pbem.rules.web_of_power.state import ADVISOR, ANY, CLOISTER, MATCH, PILE, SEATS, Plan
from pbem.rules.web_of_power.view import FREE, View

FACT_WORDS: Final[Mapping[str, str]] = {
    "to_move": "the seat on turn",
    "half": "the half being played",
    "closing": "the last turns are being played",
    "hand": "your hand",
    "held.*": "the number of cards {0} that you hold",
    "face_up": "the open cards",
    "pile": "the number of cards in the pile",
    "sites.*": "the owner of {0}",
    "free.*": "the number of free sites in {0}",
    "room.*": "the number of advisors that {0} still takes",
    "leads.*": "the seats that lead in {0}",
    "cloisters.*.*": "the number of cloisters in {0} of {1}",
    "advisors.*.*": "the number of advisors in {0} of {1}",
    "worth.*.*": "the points in {0} of {1}",
    "players.*.points": "the points of {0}",
    "players.*.now": "the points, if the game ended now, of {0}",
    "lost_lead": "you had or shared most cloisters of a country after your last turn, and no longer do",
    "lost": "the countries in which you lost the lead",
    "news": "the countries in which others placed pieces since your last turn",
}

_WORDS: Final[Mapping[str, str]] = {
    ADVISOR: Said.SENT,
    CLOISTER: "a cloister on any free site",
    ANY: "any country",
    MATCH: "an open card of a type that you hold",
    PILE: "the top card of the pile",
    FREE: "nobody",
}

STANDING: Final[Json] = {
    "place": [
        {"country": ANY, "pieces": [CLOISTER, ADVISOR]},
        {"country": ANY, "pieces": [CLOISTER]},
    ],
    "discard": ANY,
    "draw": [[MATCH, PILE]],
}


def wording(facts: Facts) -> Wording:
    """Return how this game says orders, facts and names."""
    return Wording(
        FACT_WORDS, facts.titles, partial(order_words, facts), partial(name_words, facts), conditions(facts)
    )


def said(facts: Facts, path: str, wanted: Json) -> str:
    """Return what a condition wants at a path, as a clause: "the owner of Mainz is nobody"."""
    return Wording(FACT_WORDS, name=partial(name_words, facts)).condition({path: wanted})


def order_words(facts: Facts, order: Json) -> str:
    """Return an order as a sentence has it: "place a cloister on Mainz in Franken, and draw the top card"."""
    move = read_move(facts, order)
    parts = [in_turn(_plan_words(facts, plan) for plan in move.plans)] if move.plans else []
    if any(ANY in plan.countries for plan in move.plans):
        first, *_, last = facts.lands
        way = f"the first that is possible from {facts.titles[first]} to {facts.titles[last]}"
        parts.append(f"any country is {way}, even where two cards of one type must pay as a joker")
    if move.discard:
        thrown = in_turn(
            "the card that you hold fewest of" if one == ANY else name_words(facts, one)
            for one in move.discard
        )
        parts.append(f"{'if none of that is possible, ' * bool(parts)}throw away {thrown}")
    if move.draw:
        entries = [in_turn(name_words(facts, one) for one in entry) for entry in move.draw]
        each = "for each missing card " if len(entries) == 1 else ""
        parts.append(f"draw {each}{', then '.join(entries)}")
    return "; ".join(parts)


def name_words(facts: Facts, name: str) -> str:
    """Return a name as the map has it; seats with a capital letter."""
    return facts.titles.get(name) or _WORDS.get(name) or (name.capitalize() if name in SEATS else name)


def draft(facts: Facts, view: View, choices: Choices) -> Draft:
    """Return an order for now, and a cloister at a later turn on a site that the hand can pay for."""
    if view.me is None:
        return Draft()
    now, stop = next(choices.whole(), None), {"lost_lead": True}
    shown = (
        site for card in view.hand for country in facts.shows[card] for site in facts.lands[country].sites
    )
    free = (site for site in shown if view.sites[site] == FREE and site not in str(now))
    if (site := next(free, None)) is None:
        return Draft(now, keep=STANDING, stop_if=stop)
    order: Json = {"place": {"country": facts.home[site], "pieces": [site]}}
    return Draft(now, {f"sites.{site}": FREE}, order, STANDING, stop)


def _plan_words(facts: Facts, plan: Plan) -> str:
    is_one = len(plan.pieces) == 1
    pieces = sentence_list(_piece_words(facts, words, is_one=is_one) for words in plan.pieces)
    where = f" in {in_turn(name_words(facts, one) for one in plan.countries)}" if plan.countries else ""
    paid = f", for {sentence_list(name_words(facts, card) for card in plan.pay)}" if plan.pay else ""
    return f"place {pieces}{where}{paid}"


def _piece_words(facts: Facts, words: Sequence[str], *, is_one: bool) -> str:
    """Return a piece with its alternatives, in brackets where others stand beside it."""
    first, *others = (_piece(facts, word) for word in words)
    if is_one or not others:
        return in_turn((first, *others))
    return f"{first} (else {in_turn(others)})"


def _piece(facts: Facts, word: str) -> str:
    return name_words(facts, word) if word in _WORDS else Said.BUILT.format(name_words(facts, word))
