"""Conditions of lines for later that cannot hold when the ask comes, from what only grows or only falls."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.core.conditions import holds
from pbem.core.events import Seat
from pbem.core.foresight import CONDITION
from pbem.core.interface import Json, Problem
from pbem.rules.kit.supposed import fits, why_unfit
from pbem.rules.kit.words import spelled
from pbem.rules.web_of_power.hands import Hand
from pbem.rules.web_of_power.scene import Range, Scene
from pbem.rules.web_of_power.state import Card, Country, Site

FAR = 1000
"""More points than any game brings."""


def fits_hand(hand: Hand, scene: Scene) -> bool:
    """Tell whether a condition may hold with a hand: what it says of cards held, and no more."""
    held = {"hand": hand, "held": {card: hand.count(card) for card in scene.facts.counts}}
    return all(holds({path: wanted}, held) for path, wanted in scene.when.items() if of_hand(path))


def of_hand(path: str) -> bool:
    """Tell whether a path leads to the cards that the seat holds."""
    return path == "hand" or path.startswith("held.")


def contradictions(scene: Scene) -> Iterator[Problem]:
    """Yield a problem for each entry of a condition that cannot hold at its ask."""
    for path, wanted in scene.when.items():
        if told := _told(scene, path, wanted):
            yield Problem((*CONDITION, path), f"{path} cannot be {_spelled(wanted)} then", told)


def _told(scene: Scene, path: str, wanted: Json) -> str:
    """Say what stands at a path then, if that is not what is wanted; else ""."""
    if path == "lost" and scene.span.own == 0 and isinstance(wanted, dict) and set(wanted) == {"has"}:
        led = scene.view.players[scene.me].led
        return "" if fits(led, wanted) else "You did not lead there after your last turn."
    unfit = why_unfit(_values(scene, path), wanted)
    return f"It {unfit} then." if unfit else ""


def _values(scene: Scene, path: str) -> Collection[object] | None:
    """Return what may stand at a path then; None if that is not bounded."""
    view, may_run_out = scene.view, scene.span.may_run_out
    match path.split("."):
        case ["to_move"]:
            return (scene.me,)
        case ["me" | "starter" | "alliances" | "next_in_turn"]:
            return (getattr(view, path),)
        case ["closing"] if view.closing or not may_run_out:
            return (view.closing,)
        case ["lost_lead"] if scene.span.own == 0 and not view.players[scene.me].led:
            return (False,)
        case ["sites", name] if name in view.sites:
            return scene.can_own[Site(name)]
    numbers = _numbers(scene, path)
    return None if numbers is None else range(numbers[0], numbers[1] + 1)


def _numbers(scene: Scene, path: str) -> Range | None:
    """Return from where to where the number at a path may be then; None if it has none, or any may be."""
    match path.split("."):
        case ["half"]:
            return scene.view.half, 2 if scene.span.may_run_out else scene.view.half
        case ["pile"] if not scene.span.may_run_out:
            return 0, scene.view.pile
        case ["unseen", name] if name in scene.view.unseen and not scene.span.may_run_out:
            return 0, scene.view.unseen[Card(name)]
        case ["discards", name] if name in scene.view.discards and not scene.span.may_run_out:
            return scene.view.discards[Card(name)], FAR
        case ["free", name] if name in scene.facts.lands:
            return scene.can_be_free[Country(name)]
        case ["room", name] if name in scene.facts.lands:
            return scene.can_have_room[Country(name)]
        case ["cloisters", name, seat] if name in scene.facts.lands and seat in scene.view.seats:
            held = scene.board.cloisters_in(Country(name)).get(Seat(seat), 0)
            return held, held + scene.adds(Seat(seat), scene.built(Country(name)))
        case ["advisors", name, seat] if name in scene.facts.lands and seat in scene.view.seats:
            there = scene.board.advisors_in(Country(name)).get(Seat(seat), 0)
            return there, there + scene.board.advisors_left(Seat(seat))
        case ["players", seat, name] if seat in scene.view.seats:
            return _of_player(scene, seat, name)
    return None


def _of_player(scene: Scene, seat: str, name: str) -> Range | None:
    """Return from where to where a number of a seat may be then."""
    key = Seat(seat)
    side = scene.view.players[key]
    match name:
        case "points":
            return side.points, FAR if scene.span.may_run_out else side.points
        case "cloisters":
            return 0, scene.board.cloisters_left(key)
        case "advisors":
            return 0, scene.board.advisors_left(key)
        case "chain":
            return side.chain, FAR
        case "asks" if key != scene.me:
            return side.asks, FAR
        case "asks" if scene.span.own is not None:
            count = side.asks + scene.span.own + (scene.view.to_move != scene.me)
            return count, count
        case "cards":
            return 0, scene.facts.limits.hand
    return None


def _spelled(wanted: Json) -> str:
    if isinstance(wanted, dict):
        return f"{{{', '.join(f'{name}: {_spelled(value)}' for name, value in wanted.items())}}}"
    return " or ".join(map(_spelled, wanted)) if isinstance(wanted, list) else spelled(wanted)
