"""What is wrong with an order, as far as its owner can know: where, what was read, what would do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Problem
from pbem.core.remedies import Advice
from pbem.rules.kit.ruled import out_of_play
from pbem.rules.kit.words import can_order, unknown
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import Seated, choose_act, countries_of, move_of, try_plan, write_move
from pbem.rules.web_of_power.placing import Obstacle, Said
from pbem.rules.web_of_power.state import (
    ADVISOR,
    ANY,
    CLOISTER,
    MATCH,
    PILE,
    Act,
    Discarded,
    Move,
    Plan,
    Site,
)
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import best_act

Path = tuple[str | int, ...]

NOWHERE: Final = "it does not say in which country"


def check_move(facts: Facts, view: View, move: Move) -> tuple[Problem, ...]:
    """Return what is wrong with a move if its owner were asked now, or nothing."""
    if view.me is None or view.to_move is None:
        return out_of_play(is_over=view.to_move is None)
    if strange := tuple(misnamed(facts, move)):
        return strange
    me = seated(facts, view, view.me)
    if choose_act(me, move) is not None:
        return ()
    problems = [_why_not(me, plan, path) for path, plan in paths_of(move)]
    if move.discard:
        problems.append(_not_held(me, move))
    return tuple(problems)


def paths_of(move: Move) -> Iterator[tuple[Path, Plan]]:
    """Yield each plan with its place in the order: a single one stands without a list."""
    for number, plan in enumerate(move.plans):
        yield (("place",) if len(move.plans) == 1 else ("place", number)), plan


def misnamed_before_deal(facts: Facts, move: Move, seat: Seat, seats: tuple[Seat, ...]) -> Iterator[Problem]:
    """Yield a problem for every name that nothing has; no name is that of a seat."""
    return misnamed(facts, move)


def misnamed(facts: Facts, move: Move) -> Iterator[Problem]:
    """Yield a problem for every name that nothing has."""
    cards, lands = facts.counts, facts.lands
    for path, plan in paths_of(move):
        yield from _unknown(facts, (*path, "country"), "country", plan.countries, lands, (ANY,))
        strange = list[Problem]()
        for number, words in enumerate(plan.pieces):
            place, kinds = (*path, "pieces", number), (CLOISTER, ADVISOR)
            strange += _unknown(facts, place, "site or piece", words, kinds, facts.home)
        if not plan.countries and not strange:
            yield Problem(path, NOWHERE, "Add country: NAME, or name a site.", lasting=True)
        yield from strange
        yield from _unknown(facts, (*path, "pay"), "type of card", plan.pay or (), cards)
    yield from _unknown(facts, ("discard",), "type of card", move.discard, cards, (ANY,))
    yield from _unknown(facts, ("draw",), "type of card", chain(*move.draw), cards, (MATCH, PILE))


def _unknown(
    facts: Facts, path: Path, kind: str, words: Iterable[str], *known: Collection[str]
) -> Iterator[Problem]:
    for word in words:
        if not any(word in names for names in known):
            names = [str(name) for some in known for name in some]
            yield from unknown(path, kind, word, names, facts.titles)


def _why_not(me: Seated, plan: Plan, path: Path) -> Problem:
    """Say why no country of a plan is possible: in a word of its own if there is one country only."""
    found = [try_plan(me, plan, country) for country in countries_of(me.facts, plan)]
    obstacles = [one for one in found if isinstance(one, Obstacle)]
    is_never = _is_nowhere(me.facts, plan) or _is_doubled(me.facts, plan)
    if len(obstacles) > 1:
        return Problem(path, _several(obstacles), *_advice(me), lasting=is_never)
    only = obstacles[0]
    whole: Path = ("pay",) if plan.pay else ()
    part = whole if only.piece is None else ("pieces", only.piece)
    advice = Advice(only.hint) or _advice(me)
    return Problem((*path, *part), only.text, *advice, lasting=is_never)


def _is_doubled(facts: Facts, plan: Plan) -> bool:
    """Tell whether a plan names a site for two pieces, without another choice for either."""
    sites = [words for words in plan.pieces if len(words) == 1 and words[0] in facts.home]
    return len(set(sites)) < len(sites)


def _is_nowhere(facts: Facts, plan: Plan) -> bool:
    """Tell whether the map has no country of a plan with a place for each piece, whatever stands there."""

    def can_stand(words: tuple[str, ...], country: str) -> bool:
        return any(word in (CLOISTER, ADVISOR) or facts.home[Site(word)] == country for word in words)

    return not any(
        all(can_stand(words, country) for words in plan.pieces) for country in countries_of(facts, plan)
    )


def _several(obstacles: Sequence[Obstacle]) -> str:
    first, *others = dict.fromkeys(one.text for one in obstacles)
    more = Said.FURTHER.format(len(others)) if len(others) > 2 else "".join(f"; {one}" for one in others)
    return f"{Said.SEVERAL.format(len(obstacles), first)}{more}"


def _not_held(me: Seated, move: Move) -> Problem:
    titles = me.facts.titles
    held = ", ".join(titles[card] for card in me.hand) or "it is empty"
    missing = " nor ".join(titles.get(card, card) for card in move.discard)
    text = Said.NEITHER if len(move.discard) > 1 else Said.LACKING
    return Problem(("discard",), f"{text.format(missing)} ({held})", *_discards(me))


def _discards(me: Seated) -> Advice:
    return _can_order(me.facts, *(Discarded(card) for card in dict.fromkeys(me.hand)))


def _advice(me: Seated) -> Advice:
    """Name the placement that brings most, or what can be thrown away."""
    best = best_act(me)
    return _can_order(me.facts, best) if best else Advice("You can place nothing.").then(_discards(me))


def _can_order(facts: Facts, *acts: Act) -> Advice:
    return can_order((write_move(move_of(act)) for act in acts), facts.titles)
