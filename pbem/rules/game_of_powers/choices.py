"""What may be ordered now: whole orders that work as they stand, and what may stand in each place of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from pbem.core.interface import Choice, Choices, Json, Menu
from pbem.rules.game_of_powers.actions import can_act, dear_first, due_cards, due_tokens, play_cards
from pbem.rules.game_of_powers.check import kind_for
from pbem.rules.game_of_powers.facts import Facts, total
from pbem.rules.game_of_powers.moves import ANY, Action, Place, PlayCards, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline
from pbem.rules.game_of_powers.orders import write_move
from pbem.rules.game_of_powers.sailing import Course, courses
from pbem.rules.game_of_powers.state import CLOCKWISE, WAYS, Card, City, Deal, Lot, Wants, Wish
from pbem.rules.game_of_powers.tasks import claimable, missing
from pbem.rules.game_of_powers.trading import check_accept, check_deal, describe
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.words import count, listing

COUNTERS = 4
"""So many counter-offers are listed as examples."""


def list_choices(facts: Facts, view: View) -> Choices:
    """Return whole orders that are legal, and the entries of each place; nothing if the seat is not asked.

    Whether declining an offer is the only answer depends on the hand, and so it is never said to be.
    """
    if view.me is None or view.asked != view.me:
        return Choices(())
    if view.kind == "start city":
        title = "Where your ship starts, and which way it points"
        return Choices((Menu(("",), title, tuple(_starts(facts, view))),))
    if view.kind != "move":
        return Choices((Menu(("",), "Your answer", tuple(_answers(facts, view))),))
    ways = list_ways(facts, view)
    menus = (
        Menu(("",), "Turns that work as they stand", tuple(_turns(facts, view, ways))),
        Menu(("sail",), "Where you can sail, and what it takes", tuple(_harbours(facts, view, ways))),
        Menu(("reverse", "extra"), "Cards to turn round, or to sail further", tuple(_sailing(facts, view))),
        Menu(("take_tokens",), "Tokens, where you can be without a card", tuple(_tokens(facts, view, ways))),
        Menu(("take_cards",), "Cards, where you can be without a card", tuple(_cards(facts, view, ways))),
        Menu(("play_cards",), "Cards to play", tuple(_plays(facts, view))),
        Menu(("claim",), "Tasks", tuple(_tasks(facts, view))),
        Menu(("trade.with",), "Ships that you can meet", tuple(_partners(facts, view, ways))),
    )
    return Choices(tuple(menu for menu in menus if menu.items))


def gladly(facts: Facts, view: View, city: str) -> tuple[Card, ...]:
    """Return the cards of the hand as they are given away to sail to a city.

    Those of the fewest points come first, and last those that can be played there.
    """
    return tuple(sorted(facts.cheapest(view.hand), key=lambda card: facts.cards[card].site == city))


def list_ways(facts: Facts, view: View) -> tuple[Course, ...]:
    """Return a way ahead and one turned round to each city that can be reached, first those ahead.

    Each takes the cards that are given away first.
    """
    found = [
        course
        for city in facts.ring
        for course in courses(facts, view, gladly(facts, view, city))
        if course.city == city
    ]
    return tuple(sorted(found, key=lambda course: (course.reverse is not None, course.spaces)))


def _starts(facts: Facts, view: View) -> Iterator[Choice]:
    for city, port in view.cities.items():
        for way in WAYS:
            ahead = facts.cities[facts.ahead(city, way)].name
            yield Choice(write_move(Place(city, way)), f"{port.section}; ahead lies {ahead}")


def _turns(facts: Facts, view: View, ways: Iterable[Course]) -> Iterator[Choice]:
    """Yield whole turns: every action at each city in reach, and what can be played for a card or two."""
    seen: set[str] = set()
    for course in ways:
        if course.cards and course.city in seen:
            continue
        seen.add(course.city)
        played, _, _ = play_cards(facts, view, course, dear_first(facts, course, view.hand))
        if played:
            points = facts.points_of(played)
            note = f"{count(len(played), 'card')}, {count(points, 'point')}"
            yield _turn(course, PlayCards(played), note)
        if course.cards:
            continue
        if due := due_tokens(facts, view, course.city):
            note = f"token{'s' if due > 1 else ''} you hold least of"
            yield _turn(course, TakeTokens.any(due), note)
        if due := due_cards(facts, view, course):
            section = view.cities[course.city].section
            best = facts.best_first(view.fields[section])[:due]
            worth = [facts.cards[card].score for card in best]
            note = f"{listing(worth)} point{'' if worth == [1] else 's'}, {section}"
            yield _turn(course, TakeCards.of(best), note)
        if not can_act(facts, view, course):
            yield _turn(course, None, "nothing can be done there")


def _turn(course: Course, action: Action | None, note: str) -> Choice:
    return Choice(write_move(course.turn(action)), note)


def _harbours(facts: Facts, view: View, ways: Iterable[Course]) -> Iterator[Choice]:
    nearest: dict[City, Course] = {}
    for course in ways:
        nearest.setdefault(course.city, course)
    for course in nearest.values():
        port = view.cities[course.city]
        takes = [f"{use}: {card}" for use, card in course.returned.items()]
        tokens = ", ".join(facts.in_words(port.tokens)) or "no token"
        how = f" with {', '.join(takes)}" if takes else ""
        yield Choice(course.city, f"{count(course.spaces, 'space')}{how}; {port.section}; {tokens}")


def _sailing(facts: Facts, view: View) -> Iterator[Choice]:
    for card in facts.cheapest(view.hand):
        further = facts.free_spaces + facts.cards[card].score
        yield Choice(int(card), f"{facts.cards[card].name}; as extra, up to {further} spaces")


def _tokens(facts: Facts, view: View, ways: Iterable[Course]) -> Iterator[Choice]:
    ports = [view.cities[course.city] for course in ways if not course.cards]
    for one in facts.types:
        places = [f"{port.tokens[one]} at {port.name}" for port in ports if port.tokens[one]]
        if places:
            yield Choice(one, f"{', '.join(places)}; you hold {view.tokens[one]}")
    if any(total(port.tokens) for port in ports):
        yield Choice(ANY, "one of those you hold least of")


def _cards(facts: Facts, view: View, ways: Iterable[Course]) -> Iterator[Choice]:
    sections = [view.cities[course.city].section for course in ways if not course.cards]
    for section in dict.fromkeys(sections):
        for card in view.fields[section]:
            face = facts.cards[card]
            site = facts.cities[face.site].name
            note = f"{section}: {face.name}, {site}, {face.category}, {face.token}, {face.score}"
            yield Choice(int(card), note)
    if sections:
        example: Json = {"category": facts.categories[0], "score": 3}
        yield Choice(example, "the best that fits, if one does; any is the best of all")


def _plays(facts: Facts, view: View) -> Iterator[Choice]:
    for card in view.hand:
        face = facts.cards[card]
        name, site = face.name, facts.cities[face.site].name
        have = f"{facts.first_card} or {facts.next_cards} {face.token}, you hold {view.tokens[face.token]}"
        yield Choice(int(card), f"{name}, at {site} for {have}; {count(face.score, 'point')}")


def _tasks(facts: Facts, view: View) -> Iterator[Choice]:
    can = claimable(facts, view, view.own.played)
    for task, values in view.tasks.items():
        if values and task not in view.own.tasks:
            lacking = missing(facts, facts.tasks[task], view.own.played)
            standing = "now" if task in can else f"{count(lacking, 'card')} short"
            yield Choice(task, f"{facts.tasks[task].name}: {values[0]} points, {standing}")


def _partners(facts: Facts, view: View, ways: Iterable[Course]) -> Iterator[Choice]:
    if not view.may_trade:
        return
    reach = dict.fromkeys(course.city for course in ways)
    for seat in view.rivals():
        side = view.players[seat]
        if side.city in reach:
            tokens = ", ".join(facts.in_words(side.tokens)) or "no token"
            name = facts.cities[side.city].name
            yield Choice(seat, f"at {name}; {count(side.hand, 'card')}; {tokens}")


def _answers(facts: Facts, view: View) -> Iterator[Choice]:
    if not check_accept(facts, view, Accept(None)):
        yield Choice(write_move(Accept(None)), describe(facts, view))
    yield Choice(write_move(Decline()), "nothing changes hands; so does silence")
    if view.kind == "trade":
        for deal in islice(_counters(facts, view), COUNTERS):
            yield Choice(write_move(Counter(deal)), "another offer")


def _counters(facts: Facts, view: View) -> Iterator[Deal]:
    """Yield counter-offers of one thing for one thing, tokens first."""
    other, nothing = view.table.by, facts.no_tokens()
    lots = [Lot({**nothing, one: 1}, ()) for one in facts.types if view.tokens[one]]
    lots += [Lot(nothing, (card,)) for card in view.hand]
    wants = [Wants({**nothing, one: 1}, ()) for one in facts.types if view.players[other].tokens[one]]
    wants += [Wants(nothing, (Wish(),))] if view.players[other].hand else []
    for lot, want in product(lots, wants):
        deal = Deal(lot, want)
        is_idle = lot.tokens == want.tokens and not lot.cards and not want.cards
        if not is_idle and not check_deal(facts, view, other, deal, view.tokens, view.hand, ()):
            yield deal


def least(facts: Facts, view: View) -> Json:
    """Return the least that a silent seat can order: one space ahead, and what it finds there.

    Source: rulebook, "Gameplay": the ship must be moved and an action performed.
    """
    if view.me is None or view.kind == "over":
        return None
    match kind_for(view):
        case "start city":
            return write_move(Place(facts.ring[0], CLOCKWISE))
        case "move":
            return write_move(_least_turn(facts, view))
        case _:
            return write_move(Decline())


def _least_turn(facts: Facts, view: View) -> Turn:
    direction = view.own.direction
    course = Course(facts.ahead(view.berth, direction), direction, 1)
    action: Action | None = None
    playable, _, _ = play_cards(facts, view, course, view.hand)
    if due_tokens(facts, view, course.city):
        action = TakeTokens.any(facts.taken_tokens)
    elif due_cards(facts, view, course):
        action = TakeCards.any(facts.taken_cards)
    elif playable:
        action = PlayCards(playable)
    return Turn(1, action=action)
