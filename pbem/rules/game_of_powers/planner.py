"""Lines that are ready for the next turns of a seat: along its route, and for the offers made to it."""

from __future__ import annotations

from collections import Counter as Counted
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from pbem.core.dice import NO_DICE
from pbem.core.foresight import Plan as Ready
from pbem.core.foresight import Planned
from pbem.core.interface import Json, Label
from pbem.rules.game_of_powers.bots.greedy import Greed
from pbem.rules.game_of_powers.conditions import lies_open
from pbem.rules.game_of_powers.facts import Facts, minus, total
from pbem.rules.game_of_powers.moves import Action, Move, Place, TakeCards, TakeTokens, Turn
from pbem.rules.game_of_powers.offers import Accept, Counter, Decline
from pbem.rules.game_of_powers.orders import deal_in_words, write_move
from pbem.rules.game_of_powers.plan import Plan, plan_turn
from pbem.rules.game_of_powers.sailing import Course
from pbem.rules.game_of_powers.state import Card, City, Deal, Lot, Wants, Wish
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.ranking import without
from pbem.rules.kit.words import count

TURNS: Final = 5
"""So many turns are offered from each place that the ship may have come to."""
PLACES: Final = 3
"""Turns are offered from so many places at each ask."""
SWAPS: Final = 4
"""So many swaps of a token are accepted beforehand."""
OPEN: Final = "your ship is somewhere else, or nothing of this is possible any more"


def plan_ahead(facts: Facts, view: View, now: Move | None, asks: int) -> Ready:
    """Return lines for the next own turns of a seat and for offers, as the greedy bot would play.

    For the turn after those only cards are played: those of a seat's own hand, with tokens of its own.

    Args:
        facts: The sea and the cards.
        view: What the seat knows.
        now: What it does at the present ask; None if it is not asked, or that is open.
        asks: For how many own turns after the present one.
    """
    if view.me is None or view.kind == "over":
        return Ready()
    first, lines = view.own.asks + 1, list[Planned]()
    start = _after_now(facts, view, now)
    if start.own.city is None:
        place = Greed(facts, start, NO_DICE).places()[0]
        name = facts.cities[place.city].name
        note = f"Start at {name}, bow {place.facing}"
        lines.append(Planned(Label(f"{view.me}-{first}"), write_move(place), note))
        start, first, asks = _placed(facts, start, place), first + 1, asks - 1
    offers = tuple(_answers(facts, start))
    nodes = [start]
    for number in range(asks):
        following = dict[tuple[City | None, str], View]()
        for node in nodes:
            origin = _Start(facts, node, nodes, is_only=number == 0)
            for line, after in _turns(facts, node, Label(f"{view.me}-{first + number}"), origin):
                lines.append(line)
                following.setdefault((after.own.city, after.own.direction), after)
        nodes = [*following.values()][:PLACES]
    lines.extend(_certain(facts, nodes, Label(f"{view.me}-{first + asks}")))
    return Ready((*lines, *offers), open=OPEN if asks > 0 else "")


def _after_now(facts: Facts, view: View, now: Move | None) -> View:
    """Return the position after the present ask of the seat, as far as it can tell."""
    is_asked = view.asked == view.me
    if is_asked and view.kind == "start city":
        place = now if isinstance(now, Place) else Greed(facts, view, NO_DICE).places()[0]
        return _placed(facts, view, place)
    if not is_asked or view.kind != "move":
        return view
    if isinstance(now, Turn):
        plan = plan_turn(facts, view, now)
        if plan.is_legal:
            return _after(facts, view, plan)
    return _after(facts, view, Greed(facts, view, NO_DICE).ranked()[0])


def _placed(facts: Facts, view: View, place: Place) -> View:
    way = facts.heading(place.city, place.facing) or view.own.direction
    return _with(view, {"city": place.city, "direction": way})


def _after(facts: Facts, view: View, plan: Plan) -> View:
    """Return the position of a seat after a turn of its own; what the others do is not known."""
    course = plan.course
    port, section = view.cities[course.city], view.cities[course.city].section
    left = minus(port.tokens, facts.count_tokens(plan.taken_tokens))
    fields = {**view.fields, section: without(view.fields[section], plan.taken_cards)}
    own = {
        "city": course.city,
        "direction": course.direction,
        "played": (*view.own.played, *plan.played),
        "held": total(plan.tokens),
        "tasks": {**view.own.tasks, **({plan.claim: view.tasks[plan.claim][0]} if plan.claim else {})},
    }
    cities = {**view.cities, course.city: replace(port, tokens=left)}
    pile = max(0, view.pile - len(plan.taken_cards))
    hand = facts.in_order(plan.hand)  # as views have it, for the first of equal cards is preferred
    changed = replace(view, hand=hand, tokens=plan.tokens, fields=fields, pile=pile, cities=cities)
    return _with(changed, own)


def _with(view: View, own: Mapping[str, object]) -> View:
    """Return a view in which something else stands of its owner, as if it was asked for a turn."""
    assert view.me is not None, "a spectator plans nothing"
    side = replace(view.own, **own)  # type: ignore[arg-type]
    players = {**view.players, view.me: side}
    return replace(view, asked=view.me, to_move=view.me, kind="move", players=players)


class _Start:
    """Where the ship is when a turn begins, as conditions and notes tell it."""

    def __init__(self, facts: Facts, view: View, places: Iterable[View], *, is_only: bool) -> None:
        self.when: dict[str, Json] = {}
        self.words = ""
        own, me = view.own, f"players.{view.me}"
        if is_only or own.city is None:
            return
        self.when = {f"{me}.city": own.city, f"{me}.direction": own.direction}
        is_twice = sum(one.own.city == own.city for one in places) > 1
        self.words = f"from {facts.cities[own.city].name}{' ' + own.direction if is_twice else ''}, "

    def note(self, text: str) -> str:
        """Return a note that begins with the place, where it is not the only one."""
        found = self.words + text
        return found[:1].upper() + found[1:]


def _turns(facts: Facts, view: View, label: Label, origin: _Start) -> Iterator[tuple[Planned, View]]:
    """Yield the best turns from a place, each with the position after it; then what is nearly as good.

    Args:
        facts: The sea and the cards.
        view: The position.
        label: The ask.
        origin: Where the ship is.
    """
    greed = Greed(facts, view, NO_DICE)
    best = greed.ranked()[:TURNS]
    for plan in best:
        yield _line(greed, label, origin, plan), _after(facts, view, plan)
    for plan in best:
        if (loose := _loosely(facts, view, plan)) is not None:
            turn = greed.whole(replace(plan, action=loose))
            note = origin.note(_loose_note(facts, plan.course, loose))
            yield Planned(label, write_move(turn), note, origin.when), _after(facts, view, plan)


def _line(greed: Greed, label: Label, origin: _Start, plan: Plan) -> Planned:
    """Return a line for a turn, on the condition that there is what it needs."""
    do, note = write_move(greed.whole(plan)), origin.note(_note(greed.facts, plan))
    return Planned(label, do, note, {**origin.when, **_needed(greed.view, plan)})


def _certain(facts: Facts, nodes: list[View], label: Label) -> Iterator[Planned]:
    """Yield, for the turn after those, cards to play from each place: nobody can take that turn away."""
    for node in nodes:
        greed = Greed(facts, node, NO_DICE)
        if plays := [plan for plan in greed.ranked()[:TURNS] if plan.played]:
            yield _line(greed, label, _Start(facts, node, nodes, is_only=False), plays[0])


def _needed(view: View, plan: Plan) -> dict[str, Json]:
    """Return what must lie there for a turn to bring what it promises."""
    city, tokens = plan.course.city, Counted(plan.taken_tokens)
    lying = [lies_open(card) for card in plan.taken_cards]
    if lying:
        return lying[0] if len(lying) == 1 else {"all": [*lying]}
    return {f"cities.{city}.tokens.{one}": {"at_least": number} for one, number in tokens.items()}


def _loosely(facts: Facts, view: View, plan: Plan) -> Action | None:
    """Return an action with preferences in place of certain cards or tokens; None for others.

    Of cards those come first that are liked better than others of more points, then the best that lie there.
    """
    match plan.action:
        case TakeCards():
            field = view.fields[view.cities[plan.course.city].section]
            highest = facts.best_first(field)[: len(plan.taken_cards)]
            liked = [Wish(card=card) for card in plan.taken_cards if card not in highest]
            return TakeCards((*liked, *TakeCards.any(facts.taken_cards).wishes))
        case TakeTokens(types):
            return TakeTokens((*dict.fromkeys(types), *TakeTokens.any(facts.taken_tokens).types))
    return None


def _loose_note(facts: Facts, course: Course, action: Action) -> str:
    """Return what preferences come to, in words."""
    name = facts.cities[course.city].name
    if isinstance(action, TakeTokens):
        return f"else the best tokens at {name}"
    liked = isinstance(action, TakeCards) and any(wish.card for wish in action.wishes)
    return f"else {'what suits you, then ' if liked else ''}the best cards at {name}"


def _note(facts: Facts, plan: Plan) -> str:
    name = facts.cities[plan.course.city].name
    if plan.played:
        points = count(facts.points_of(plan.played), "point")
        return f"{_listed(facts, plan.played)} at {name}: {points}"
    if plan.taken_cards:
        return f"if {_listed(facts, plan.taken_cards)} still lie{'s' * (len(plan.taken_cards) == 1)} open"
    if plan.taken_tokens:
        kinds = " and ".join(facts.tokens_in_words(facts.count_tokens(plan.taken_tokens)))
        return f"if {kinds} can be had at {name}"
    return f"sail to {name}"


def _listed(facts: Facts, cards: tuple[Card, ...]) -> str:
    return " and ".join(facts.title(card) for card in cards)


def _answers(facts: Facts, view: View) -> Iterator[Planned]:
    """Yield what stands for all offers: swaps that help are taken, one is offered back, others declined."""
    if not view.may_trade:
        return
    found = [deal for _, deal in Greed(facts, view, NO_DICE).swaps()] if view.own.city is not None else []
    for deal in found[:SWAPS]:
        given, got = (side[0] for side in deal_in_words(facts, deal))
        yield Planned(None, write_move(Accept(deal)), f"An offer of {got} for {given}", keep=True)
    for deal in found[:1]:
        given, got = (side[0] for side in deal_in_words(facts, deal))
        terms = Deal(Lot(deal.give.tokens, ()), Wants(deal.want.tokens, ()))
        yield Planned(None, write_move(Counter(terms)), f"Ask {got} for {given} instead", keep=True)
    yield Planned(None, write_move(Decline()), "Any other offer", keep=True)
