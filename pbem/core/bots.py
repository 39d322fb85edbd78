"""Bots: the rules' own, or else one that looks one step ahead in worlds that its seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Choices, Json, Outcome, draft_of, put_at

SKILLS: Final = ("random", "greedy")

T = TypeVar("T")
V_contra = TypeVar("V_contra", contravariant=True)

WORLDS: Final = 24
"""In so many worlds an order is tried at most."""
STEPS: Final = 3_000
"""After so many steps that were tried no further world is begun; one is always looked at to its end."""
ORDERS: Final = 40
"""So many orders are weighed at most; of more, those that the dice choose."""
TRIES: Final = 200
"""So often orders are put together from menus by place, to find some that differ."""
FAR: Final = 200
"""A game that is played on to its end to see who wins is given up as even after so many steps."""
WON: Final = 1_000.0
"""Worth of a won game in points; a part of it if it is shared, half of it for a draw."""


class SupportsBotOrders(Protocol[V_contra]):
    """Rules that bring bots of their own."""

    def suggest(self, view: V_contra, dice: Dice, skill: str) -> Json:
        """Return a bot's order from the view alone; skills are "random" and "greedy"."""


class SupportsPoints(Protocol[V_contra]):
    """Rules that say how the seats stand; of others, games are played on at random to see who wins."""

    def points(self, view: V_contra) -> Mapping[Seat, float]:
        """Return what each seat's position is worth in points, as far as the owner of a view can know."""


class SupportsHousedBots(Protocol):
    """Rules around other rules, which know whose bot it is."""

    def bot_order(self, state: Any, seat: Seat, dice: Dice, skill: str) -> Json:
        """Return a bot's order."""


def is_greedy(skill: str) -> bool:
    """Tell whether a bot is to play as well as it can, or else anything that is legal.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    if skill not in SKILLS:
        raise ValueError(f"expected the skill random or greedy, got {skill!r}")
    return skill == "greedy"


def pick_best(dice: Dice, options: Sequence[T], worth: Sequence[float], label: str) -> T:
    """Return the option that is worth most; the dice pick one of several that are worth as much."""
    most = max(worth) - 1e-9
    return dice.pick([one for one, value in zip(options, worth, strict=True) if value >= most], label)


def accept_no_order(order: Json) -> bool:
    """Say of no order that a schema takes it."""
    return False


def bot_order(
    rules: Any,
    state: Any,
    seat: Seat,
    dice: Dice,
    skill: str,
    takes: Callable[[Json], bool] = accept_no_order,
) -> Json:
    """Return a bot's order for a seat that is asked; None if it can order nothing.

    Args:
        rules: The rules of the game. Those without a bot of their own get one that depends on the state only
            by the seat's view and by `redeal`.
        state: The position.
        seat: The seat.
        dice: The bot's own dice.
        skill: "random" or "greedy".
        takes: Whether the rules' schema takes an order; asked where menus list no whole orders.

    Raises:
        ValueError: There is no such skill.
    """
    if hasattr(rules, "bot_order"):
        given: Json = rules.bot_order(state, seat, dice, skill)
        return given
    view = rules.view(state, seat)
    if hasattr(rules, "suggest"):
        order: Json = rules.suggest(view, dice, skill)
        return order
    if is_greedy(skill):
        return _RolloutBot(rules, seat, takes).best(state, view, dice)
    return any_order(rules, view, dice, takes)


def any_order(rules: Any, view: Any, dice: Dice, takes: Callable[[Json], bool] = accept_no_order) -> Json:
    """Return any order that fits a view; the least that is known if none is listed.

    Args:
        rules: The rules of the game; those that bring bots of their own are asked for their random one.
        view: What the owner knows.
        dice: Chooses the order.
        takes: Whether the rules' schema takes an order.
    """
    if hasattr(rules, "suggest"):
        order: Json = rules.suggest(view, dice, "random")
        return order
    choices: Choices = rules.choices(view)
    whole = tuple(choices.whole())
    if choices.only is not None:
        return choices.only
    return dice.pick(whole, "order") if whole else _compose_order(rules, view, choices, dice, takes)


def _compose_order(
    rules: Any, view: Any, choices: Choices, dice: Dice, takes: Callable[[Json], bool]
) -> Json:
    """Return an order from menus by place: entries that the dice choose, as long as they fit together."""
    order: Json = rules.hold(view)
    if order is None:
        order = draft_of(rules, view, choices).now
    for number, menu in enumerate(menu for menu in choices.menus if menu.items):
        item, path = dice.pick(menu.items, "item", number), dice.pick(menu.paths, "path", number)
        if order is not None and dice.below(2, "leave", number) == 0:
            continue
        for changed in (put_at(order, path, item.order), put_at(order, path, [item.order])):
            if takes(changed) and not rules.check(view, rules.read(changed)):
                order = changed
                break
    return order


class _RolloutBot:
    """A seat weighs its orders by what they come to in worlds that it cannot tell apart."""

    def __init__(self, rules: Any, seat: Seat, takes: Callable[[Json], bool]) -> None:
        self.rules = rules
        self.seat = seat
        self.takes = takes
        self.steps = 0

    def best(self, state: Any, view: Any, dice: Dice) -> Json:
        """Return the order that is worth most on the average of some worlds, ties broken by the dice."""
        orders = self._orders(view, dice)
        if len(orders) < 2:
            return orders[0] if orders else None
        worth = [0.0] * len(orders)
        for number in range(WORLDS):
            luck = dice.apart("world", str(number))
            world = self.rules.redeal(state, self.seat, luck)
            for place, order in enumerate(orders):  # each order meets the same worlds, replies and dice
                worth[place] += self._trial_worth(world, order, luck)
            if self.steps >= STEPS:
                break
        return pick_best(dice, orders, worth, "bot")

    def _orders(self, view: Any, dice: Dice) -> list[Json]:
        choices = self.rules.choices(view)
        if choices.only is not None:
            return [choices.only]
        found = list(choices.whole())
        if not found:
            tries = (dice.apart("try", str(number)) for number in range(TRIES))
            made = (_compose_order(self.rules, view, choices, one, self.takes) for one in tries)
            found = [one for one in {repr(one): one for one in made}.values() if one is not None]
        return found if len(found) <= ORDERS else list(dice.shuffled(found, "orders")[:ORDERS])

    def _trial_worth(self, world: Any, order: Json, luck: Dice) -> float:
        """Return what an order is worth to its seat in one world."""
        after = self._step(world, luck, {self.seat: order})
        here = self.rules.ask(after)
        if isinstance(here, Outcome) or callable(getattr(self.rules, "points", None)):
            return self._worth(after, here)
        for number in range(FAR):
            after = self._step(after, luck.apart("on", str(number)), {})
            if isinstance(here := self.rules.ask(after), Outcome):
                return self._worth(after, here)
        return WON / 2

    def _step(self, state: Any, luck: Dice, orders: Mapping[Seat, Json]) -> Any:
        """Return the state after one step, in which seats without an order do anything that is legal."""
        self.steps += 1
        ask = self.rules.ask(state)
        moves = {}
        for seat in sorted(ask.seats) if isinstance(ask, Ask) else ():
            order = orders.get(seat)
            if order is None:
                order = any_order(self.rules, self.rules.view(state, seat), luck.apart(seat), self.takes)
            moves[seat] = self.rules.read(order)
        return self.rules.resolve(state, moves, luck.apart("step")).state

    def _worth(self, state: Any, here: Ask | Outcome) -> float:
        """Return what a position is worth: the lead over the others, and a won game far more."""
        if isinstance(here, Outcome):
            share = 1 / len(here.winners) if self.seat in here.winners else 0.0 if here.winners else 0.5
            return WON * share + self._lead(here.scores)
        return WON / 2 + self._lead(self.rules.points(self.rules.view(state, self.seat)))

    def _lead(self, points: Mapping[Seat, float]) -> float:
        others = [value for seat, value in points.items() if seat != self.seat]
        return points[self.seat] - (sum(others) / len(others) if others else 0.0)
