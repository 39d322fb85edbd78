"""Tables of the guides, counted in games between bots or from the data; `make docs` writes them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from statistics import fmean
from typing import Any, Final

from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Ask, Json, Outcome, Plot
from pbem.play.config import registry
from pbem.play.config.templates import subject
from pbem.play.turn.simulate import Statistics, simulate
from tests.benchmarks import starting
from tests.rules.web_of_intrigue.table import woi


def simulated(
    rules: str,
    seats: int,
    games: int,
    seed: str,
    options: Mapping[str, Json],
    skills: tuple[str, ...] = ("greedy",),
) -> Statistics:
    """Return what came out of games of bots, whose skills are dealt to the seats in turn."""
    found = registry.find_rules(rules)
    assert found.system is not None, "the rules are shipped"
    loaded, names = found.load(found.shipped_data()), found.system.seat_names(seats)
    chosen, tally = found.options(options), found.system.tally
    return simulate(loaded, names, chosen, skills, games, seed, lambda done: None, tally)


# Web of Intrigue

CHOICES: Final[tuple[dict[str, Json], ...]] = (
    {},
    {"guess_pays": "sixth"},
    {"guess_pays": "eighth"},
    {"guess_pays": "twelfth"},
    {"free_wrong_guesses": 1},
    {"sieve": "none"},
)


def what_decides(games: int = 60) -> Iterator[str]:
    """Yield, by options: how long games are, what the winners and all live on, who wins, who is known."""
    yield "| chosen | turns | won by the richest in objects | from guesses: winners | all | guesses alike |"
    yield "|---|---|---|---|---|---|"
    for choice in CHOICES:
        found = simulated("web-of-intrigue", 12, games, "decides", choice)
        named = ", ".join(f"`{name}: {value}`" for name, value in choice.items()) or "as shipped"
        richest = found.tables["winners' rank in objects"]["1"]
        won, all = (_guessed(found, name) for name in ("winners' points by source", "points by source"))
        alike = found.tables["guesses made alike"]
        same = alike["seats with the most common guess"] / alike["turns"]
        turns = sum(found.lengths) / games
        yield f"| {named} | {turns:.1f} | {richest} of {games} | {won} | {all} | {same:.1f} of 12 |"


def _guessed(found: Statistics, name: str) -> str:
    return f"{100 * found.tables[name]['guesses'] / found.tables[name].total():.0f}%"


def houses_left() -> Iterator[str]:
    """Yield how many Houses a won bid leaves: it proves that the bidder's House adds so much at least."""
    facts = woi().facts
    houses = facts.houses.values()
    steps = sorted({add for house in houses for add in house.modifiers.values()})
    yield f"| your House must add | {' | '.join(facts.categories)} |"
    yield f"|---|{'---|' * len(facts.categories)}"
    for below, least in pairwise(steps):
        left = (sum(house.modifiers[kind] >= least for house in houses) for kind in facts.categories)
        yield f"| {below + 1} to {least} | {' | '.join(str(number or 'none') for number in left)} |"


# Web of Power


def who_begins(games: int = 150) -> Iterator[str]:
    """Yield who won, and in how many games turns were uneven, by where the second half begins."""
    heads = "won by the start player | by the left neighbour | by the right neighbour"
    yield f"| `next_in_turn` | games | {heads} | games with uneven turns |"
    yield "|---|---|---|---|---|---|"
    for next_in_turn in (False, True):
        found = starting.count(games, next_in_turn=next_in_turn)
        wins = " | ".join(str(found.wins[place]) for place in range(starting.SEATS))
        yield f"| {str(next_in_turn).lower()} | {games} | {wins} | {found.uneven} |"


# Game of Powers

POWERS: Final = "game-of-powers"
PLAYERS: Final = range(2, 6)


def places(games: int = 120) -> Iterator[str]:
    """Yield who wins by place in turn order, with and without points to begin with."""
    yield "| players | `start_points` | games won by the first, the second and so on | even would be |"
    yield "|---|---|---|---|"
    for seats in PLAYERS:
        for way in (False, True):
            found = simulated(POWERS, seats, games, "places", {"start_points": way}).places()
            wins = ", ".join(str(one.wins) for one in found)
            even = f"{found[0].even:.0f}, give or take {found[0].spread:.0f}"
            yield f"| {seats} | {str(way).lower()} | {wins} | {even} |"


def players(games: int = 120) -> Iterator[str]:
    """Yield what differs with the number of players."""
    yield "| players | turns of each | mean points | of winners: cards | tasks | bonus | trades made |"
    yield "|---|---|---|---|---|---|---|"
    for seats in PLAYERS:
        found = simulated(POWERS, seats, games, "places", {"start_points": False})
        won, trades = found.tables["winners' points"], found.tables["trades"]
        parts = " | ".join(f"{100 * won[name] / won.total():.0f}%" for name in ("cards", "tasks", "bonus"))
        mean = fmean(points for each in found.scores.values() for points in each)
        turns = fmean(found.lengths) / seats
        made = f"{trades['made']} of {trades['offered']} offered"
        yield f"| {seats} | {turns:.0f} | {mean:.0f} | {parts} | {made} |"


def habits(games: int = 60) -> Iterator[str]:
    """Yield how often greedy bots win where every second seat plays at random."""
    yield "| players | games | won by a greedy bot alone or with others |"
    yield "|---|---|---|"
    for seats in PLAYERS:
        found = simulated(POWERS, seats, games, "places", {"start_points": False}, ("greedy", "random"))
        yield f"| {seats} | {games} | {games - found.wins_by_skill['random']} |"


# The bot for rules that bring none

CONTESTS: Final = {"rose-king": 40, "web-of-power-cards": 12}
"""The games of each rules: every second seat, in turn, is played by the bot for all rules."""


class Without:
    """Rules without their bots; positions are worth what reports draw of them."""

    def __init__(self, rules: AnyRules, points: Plot | None) -> None:
        self._rules = rules
        if points is not None:
            self.points = points

    def __getattr__(self, name: str) -> Any:
        if name in ("suggest", "bot_order") or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._rules, name)


def bots() -> Iterator[str]:
    """Yield how many games the bot for all rules won, against the game's own greedy bot and a random one."""
    yield "| rules | games | won against their own greedy bot | against the random one |"
    yield "|---|---|---|---|"
    for name, games in CONTESTS.items():
        greedy, random = (
            sum(_won(name, number, other) for number in range(games)) for other in ("greedy", "random")
        )
        yield f"| {name} | {games} | {greedy:g} | {random:g} |"


def _won(name: str, number: int, other: str) -> float:
    """Play a game; return which part of the win went to the bot for all rules, half for a draw."""
    found, key = subject(name), hashlib.sha256(f"contest/{number}".encode()).digest()
    system = registry.find_rules(name).system
    assert system is not None, "the rules are there"
    bare = Without(found.rules, next(iter(system.plots.values()), None))
    ours = {seat for place, seat in enumerate(found.seats) if (place + number) % 2}
    state = found.rules.setup(found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0))
    step = 0
    while isinstance(ask := found.rules.ask(state), Ask):
        step += 1
        dice = Dice(key, step)
        moves = {}
        for seat in sorted(ask.seats):
            rules, skill = (bare, "greedy") if seat in ours else (found.rules, other)
            order = bot_order(rules, state, seat, dice.apart("bot", seat), skill, found.takes)
            moves[seat] = found.rules.read(order)
        state = found.rules.resolve(state, moves, dice).state
    return _part(ask, ours)


def _part(outcome: Outcome, ours: Collection[Seat]) -> float:
    winners = outcome.winners
    return sum(seat in ours for seat in winners) / len(winners) if winners else 0.5
