"""Placing pieces with cards: what a placement costs, and whether the map takes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from pbem.core.events import Seat
from pbem.rules.kit.ranking import without
from pbem.rules.kit.words import count
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.scoring import find_groups
from pbem.rules.web_of_power.state import ADVISOR, CLOISTER, Card, Country, Site

Cards: TypeAlias = tuple[Card, ...]


class Said:
    """Sentences with `{}` for names, which the form page says too: each by its name in small letters."""

    ELSEWHERE: Final = "{} lies in {}, not in {}"
    UNFIT: Final = "{} cannot pay for {} in {}"
    LACKING: Final = "{} is not in your hand"
    NEITHER: Final = "neither {} is in your hand"
    PAID: Final = "You pay {} for {} in {}."
    BUILT: Final = "a cloister on {}"
    SENT: Final = "an advisor"
    THROWN: Final = "You place no piece and throw {} away."
    NONE: Final = "None of the placements is possible as things stand."
    FIRST: Final = "As things stand, the first placement that is possible is this:"
    SEVERAL: Final = "none of {} countries is possible: {}"
    FURTHER: Final = "; and so on for {} more"


class Obstacle(NamedTuple):
    """Why something cannot be placed.

    Attributes:
        text: What is in the way.
        piece: Which piece, from 0; None for the placement as a whole.
        hint: What would do; may be empty.
    """

    text: str
    piece: int | None = None
    hint: str = ""


def payments(facts: Facts, hand: Cards, country: Country, pieces: int) -> tuple[Cards, ...]:
    """Return the ways to pay for so many pieces in a country with the cards of a hand, fewest cards first.

    A piece costs one card that shows the country, or two of one type as a joker; those may show it too.

    Source: rulebook, "Course of the game", the 3-2-1 rule.
    """
    limits, own = facts.limits, facts.lands[country].card
    if pieces > limits.pieces:
        return ()
    found: dict[Cards, None] = {}
    for jokers in range(pieces + 1):
        single = pieces - jokers
        if hand.count(own) < single or single + jokers * limits.joker > limits.cards:
            continue
        left = without(hand, (own,) * single)
        for pairs in _jokers(facts, left, jokers):
            found[facts.in_order((own,) * single + pairs)] = None
    return tuple(sorted(found, key=len))


def _jokers(facts: Facts, hand: Cards, number: int) -> Iterator[Cards]:
    """Yield the cards of so many jokers, each made of cards of one type."""
    if number == 0:
        yield ()
        return
    size = facts.limits.joker
    for card in facts.in_order(set(hand)):
        if hand.count(card) >= size:
            pair = (card,) * size
            for rest in _jokers(facts, without(hand, pair), number - 1):
                yield (*pair, *rest)


def why_unpaid(
    facts: Facts, hand: Cards, country: Country, pieces: int, pay: tuple[str, ...] | None = None
) -> str:
    """Say why a placement cannot be paid for.

    Args:
        facts: The facts of the game.
        hand: The cards of the seat.
        country: Where the pieces are placed.
        pieces: How many.
        pay: The cards named, if any are.
    """
    if pay is None:
        limits, own = facts.limits, facts.lands[country].card
        each = f"a card {facts.titles[own]}, or {limits.joker} of one type as a joker"
        each += f", for each; {limits.cards} cards at most" if pieces > 1 else ""
        return f"you cannot pay for {count(pieces, 'piece')} in {facts.titles[country]} ({each})"
    for number, card in enumerate(map(Card, pay)):
        if hand.count(card) <= pay[:number].count(card):
            return say_short(facts, hand, card)
    cards = " and ".join(facts.titles[card] for card in pay)
    return Said.UNFIT.format(cards, count(pieces, "piece"), facts.titles[country])


def say_short(facts: Facts, hand: Cards, card: Card) -> str:
    """Say that a hand has no more of a type of card, or none at all."""
    held = hand.count(card)
    if not held:
        return Said.LACKING.format(facts.titles[card])
    return f"you hold {facts.titles[card]} {_times(held)}, and `pay` names it more often"


def fit_pieces(
    board: Board, seat: Seat, country: Country, wanted: tuple[tuple[str, ...], ...]
) -> tuple[str, ...] | Obstacle:
    """Return the pieces that a seat places in a country, each a site or `advisor`, or what is in the way.

    Args:
        board: The map before it.
        seat: Whose pieces they are.
        country: Where; a site elsewhere is passed over.
        wanted: For each piece what it may be: sites, `cloister` or `advisor`; the first that is possible is.

    Source: rulebook, "Placing pieces".
    """
    if (limit := why_too_many(board, country, len(wanted))) is not None:
        return limit
    pieces: tuple[str, ...] = ()
    for words in wanted:
        found = _fit_piece(board, seat, country, words, pieces)
        if isinstance(found, Obstacle):
            return found
        pieces = (*pieces, found)
        if len(pieces) < len(wanted):
            board = board.with_piece(seat, country, found)
    return pieces


def why_too_many(board: Board, country: Country, number: int) -> Obstacle | None:
    """Say why a turn cannot place so many pieces in a country, or return None.

    Source: rulebook, "Course of the game" and "Placing pieces": two at most, one in an empty country.
    """
    limits = board.facts.limits
    if number > limits.pieces:
        return Obstacle(f"a turn places {limits.pieces} pieces at most, not {number}", limits.pieces)
    if number > limits.in_empty_country and board.is_empty(country):
        most, name = limits.in_empty_country, board.facts.titles[country]
        text = f"no piece stands in {name} yet, so a turn places {most} there, not {number}"
        return Obstacle(text, most, "Leave out the other piece.")
    return None


def _fit_piece(
    board: Board, seat: Seat, country: Country, words: tuple[str, ...], before: tuple[str, ...]
) -> str | Obstacle:
    """Return the first of some words that is possible, as a site or `advisor`; else what is in the way.

    Args:
        board: The map with the pieces of the same turn on it.
        seat: Whose piece it is.
        country: Where.
        words: What it may be.
        before: The pieces that the same turn has placed there.
    """
    obstacles = []
    for word in words:
        site = cloister_site(board, seat, country) if word == CLOISTER else None
        piece = site or word
        if piece in before and piece != ADVISOR:
            text = f"you place a cloister on {board.facts.titles[piece]} already"
        elif piece == ADVISOR:
            text = _why_no_advisor(board, seat, country, before.count(ADVISOR))
        else:
            text = _why_no_cloister(board, seat, country, piece)
        if not text:
            return piece
        obstacles.append(text)
    free = ", ".join(board.facts.titles[site] for site in board.free_sites(country))
    is_site = any(word != ADVISOR for word in words)
    helps = free and is_site and board.cloisters_left(seat)
    hint = f"Free in {board.facts.titles[country]}: {free}." if helps else ""
    return Obstacle("; ".join(obstacles), len(before), hint)


def _why_no_cloister(board: Board, seat: Seat, country: Country, site: str) -> str:
    """Say why a seat cannot build on a site, or in a country if `site` is no site, or return "".

    Source: rulebook, "Cloisters".
    """
    home = board.facts.home.get(Site(site))
    names = board.facts.titles
    if home is not None and home != country:
        return Said.ELSEWHERE.format(names[site], names[home], names[country])
    if not board.cloisters_left(seat):
        return "you have no cloister left"
    if home is None:
        return f"all sites in {names[country]} are taken"
    owner = board.cloisters.get(Site(site))
    return "" if owner is None else f"a cloister of {owner.capitalize()} stands on {names[site]}"


def _why_no_advisor(board: Board, seat: Seat, country: Country, ordered: int) -> str:
    """Say why a country takes no advisor of a seat, or return ""; so many on the map are of this order.

    Source: rulebook, "Advisors"; the limit counts piece by piece, so a cloister placed before can raise it.
    """
    name = board.facts.titles[country]
    if board.is_empty(country):
        return f"no piece stands in {name} yet, and the first must be a cloister"
    if not board.advisors_left(seat):
        return "you have no advisor left"
    if board.advisor_room(country):
        return ""
    there = sum(board.advisors_in(country).values()) - ordered
    more = f" and takes {ordered} of this order" if ordered else " already"
    has = f"{name} has {count(there, 'advisor')}{more}"
    return f"{has}, and takes no more than the most cloisters that a seat has there"


def cloister_site(board: Board, seat: Seat, country: Country) -> Site | None:
    """Return the free site that suits a seat best when it asks for any: where its longest row of roads grows.

    It is the site that makes the seat's largest group of joined cloisters, then the first on the map.
    """
    own = board.sites_of(seat)

    def joined(site: Site) -> int:
        return len(*find_groups(board.facts, (*own, site), (site,)))

    return max(board.free_sites(country), key=joined, default=None)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
