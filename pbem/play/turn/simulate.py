"""Bots play whole games through the same loop as people do; what came out, counted and drawn."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, median, quantiles
from typing import TYPE_CHECKING, Any, Final

from pbem.core.book import parts
from pbem.core.bots import accept_no_order
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Json, Outcome, Tables, Tally, default_tally
from pbem.core.opening import Begun, Opening
from pbem.core.turn import Policy, Position, TakenStep, advance
from pbem.play.config.templates import translate_template_errors
from pbem.text.reports.report import nice_step, page_environment

if TYPE_CHECKING:
    from jinja2 import Environment


LEFT: Final = 102
RIGHT: Final = 390
BARS: Final = 20
"""At most so many bars stand for lengths."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of lengths: its place, its width, how high it is of 1, and in words what it counts."""

    x: float
    width: float
    high: float
    told: str


@dataclass(frozen=True, slots=True)
class Box:
    """The scores of one seat: places of the least, the quartiles and the most, and the same in numbers."""

    seat: str
    places: tuple[float, ...]
    numbers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class WinBar:
    """The games that one seat won: where its bar ends, and how many there were."""

    seat: str
    x: float
    games: int


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale below a chart: numbers and their places."""

    ticks: tuple[tuple[float, int], ...]
    least: int
    most: int

    def place(self, number: float) -> float:
        """Return where a number stands."""
        return round(LEFT + (RIGHT - LEFT) * (number - self.least) / (self.most - self.least), 1)


def scale(least: int, most: int) -> Scale:
    """Return a scale of round numbers that holds these two."""
    step = nice_step(max(1, most - least))
    start, end = least // step * step, -(-(most + 1) // step) * step
    made = Scale((), start, end)
    return Scale(tuple((made.place(one), one) for one in range(start, end + 1, step)), start, end)


def lengths(steps: Sequence[int]) -> tuple[Scale, tuple[Bar, ...]]:
    """Return how long games were, as bars of equal width.

    Args:
        steps: The steps of each game, at least one game.
    """
    below = scale(min(steps), max(steps))
    width = max(1, -(-(below.most - below.least) // BARS))
    counts: dict[int, int] = {}
    for one in steps:
        start = below.least + (one - below.least) // width * width
        counts[start] = counts.get(start, 0) + 1
    highest = max(counts.values())
    return below, tuple(
        Bar(
            below.place(start),
            round(below.place(start + width) - below.place(start), 1),
            round(count / highest, 3),
            f"{start if width == 1 else f'{start} to {start + width - 1}'} steps: {count}",
        )
        for start, count in sorted(counts.items())
    )


def scores(points: Mapping[str, Sequence[int]]) -> tuple[Scale, tuple[Box, ...]]:
    """Return what each seat scored: the least, the quartiles and the most."""
    every = [one for found in points.values() for one in found]
    below = scale(min(every), max(every))
    boxes = []
    for seat, found in points.items():
        quarters = quantiles(found, n=4, method="inclusive") if len(found) > 1 else [float(found[0])] * 3
        numbers = (float(min(found)), *quarters, float(max(found)))
        boxes.append(Box(seat, tuple(map(below.place, numbers)), numbers))
    return below, tuple(boxes)


def wins(won: Mapping[str, int]) -> tuple[Scale, tuple[WinBar, ...]]:
    """Return how often each seat won."""
    below = scale(0, max(won.values(), default=0))
    return below, tuple(WinBar(seat, below.place(games), games) for seat, games in won.items())


MOST_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class Place:
    """What came out for a place in turn order.

    Attributes:
        wins: Games it won; shared victories count for each.
        even: What each place would have won if all were alike.
        spread: How far chance takes it from there; it stays within that in two of three cases.
    """

    wins: int
    even: float
    spread: float


@dataclass(slots=True)
class Statistics:
    """What happened in many games.

    Attributes:
        lengths: Steps of each game, the deal not counted.
        scores: Points of each seat in each game.
        decided_by: How often points or each tie-break decided.
        wins: Games won by each seat; shared victories count for each.
        wins_by_skill: The same by the skill of the bot.
        games_by_skill: In how many seats each skill played.
        ranks_by_skill: The ranks in which they ended.
        wins_by_place: Games won by place in turn order, the first 1; empty where all move together.
        draws: Games nobody won.
        tables: How often each ending came up, and what the rules count themselves.
    """

    lengths: list[int] = field(default_factory=list)
    scores: dict[Seat, list[int]] = field(default_factory=dict)
    decided_by: Counter[str] = field(default_factory=Counter)
    wins: Counter[Seat] = field(default_factory=Counter)
    wins_by_skill: Counter[str] = field(default_factory=Counter)
    games_by_skill: Counter[str] = field(default_factory=Counter)
    ranks_by_skill: dict[str, list[float]] = field(default_factory=dict)
    wins_by_place: Counter[int] = field(default_factory=Counter)
    draws: int = 0
    tables: dict[str, Counter[str]] = field(default_factory=dict)

    def add(
        self,
        outcome: Outcome,
        steps: int,
        bots: Mapping[Seat, str],
        tables: Tables,
        order: Sequence[Seat] = (),
    ) -> None:
        """Count one game that ended; `order` is its turn order, empty where all move together."""
        self.wins_by_place.update({place: seat in outcome.winners for place, seat in enumerate(order, 1)})
        self.lengths.append(steps)
        for seat, points in outcome.scores.items():
            self.scores.setdefault(seat, []).append(points)
        self.decided_by[outcome.decided_by] += 1
        self.wins.update(outcome.winners)
        self.wins_by_skill.update(bots[seat] for seat in outcome.winners)
        self.games_by_skill.update(bots.values())
        for seat, rank in ranks(outcome).items():
            self.ranks_by_skill.setdefault(bots[seat], []).append(rank)
        self.draws += not outcome.winners
        for title, rows in {"endings": {outcome.reason: 1}, **tables}.items():
            self.tables.setdefault(title, Counter()).update(rows)

    def places(self) -> tuple[Place, ...]:
        """Return what came out for each place in turn order; nothing where all move together."""
        places, games = len(self.wins_by_place), len(self.lengths)
        if not places:
            return ()
        even = self.wins_by_place.total() / places
        chance = min(1.0, even / games)
        spread = round((games * chance * (1 - chance)) ** 0.5, 1)
        return tuple(Place(won, round(even, 1), spread) for _, won in sorted(self.wins_by_place.items()))

    def as_json(self) -> dict[str, Json]:
        """Return all counts, and of lengths and scores the least, median, mean and most."""
        return {
            "games": len(self.lengths),
            "steps": _summary(self.lengths),
            "points": {str(seat): _summary(points) for seat, points in self.scores.items()},
            "decided_by": dict(sorted(self.decided_by.items())),
            "wins": {str(seat): self.wins[seat] for seat in self.scores},
            "wins_by_place": {str(number): asdict(one) for number, one in enumerate(self.places(), 1)},
            "wins_by_skill": {skill: self.wins_by_skill[skill] for skill in sorted(self.games_by_skill)},
            "seats_by_skill": dict(sorted(self.games_by_skill.items())),
            "mean_rank_by_skill": {
                skill: round(fmean(found), 2) for skill, found in sorted(self.ranks_by_skill.items())
            },
            "draws": self.draws,
            **{title: dict(rows) for title, rows in self.tables.items()},
        }


def turn_order(steps: Iterable[TakenStep]) -> tuple[Seat, ...]:
    """Return the seats in the order in which they first move; none where seats move together.

    Args:
        steps: The steps of a game without the deal, in order.
    """
    order = dict[Seat, None]()
    for step in steps:
        label = parts(step.label)
        if label is None or label.word:
            continue
        if label.owner == "turn":
            return ()
        order[Seat(label.owner)] = None
    return tuple(order)


def statistics_svg(found: Statistics, rules: str, bots: str, environment: Environment) -> str:
    """Return lengths, scores and wins by seat as a picture (SVG); the same statistics give the same bytes.

    Args:
        found: What came out, of one game at least.
        rules: The name of the rules.
        bots: The skills that played, for the title.
        environment: The templates of the rules.
    """
    below_bars, bars = lengths(found.lengths)
    below_boxes, boxes = scores({str(seat): points for seat, points in found.scores.items()})
    below_wins, won = wins({str(seat): found.wins[seat] for seat in found.scores})
    with translate_template_errors():
        return (
            page_environment(environment)
            .get_template("common/distributions.svg.j2")
            .render(
                rules=rules,
                games=len(found.lengths),
                bots=bots,
                draws=found.draws,
                steps=_summary(found.lengths),
                bars=bars,
                length_ticks=below_bars.ticks,
                boxes=boxes,
                score_ticks=below_boxes.ticks,
                wins=won,
                win_ticks=below_wins.ticks,
            )
            .lstrip()
        )


def ranks(outcome: Outcome) -> dict[Seat, float]:
    """Return the rank of each seat, 1 the best: winners first, then by points; ties share their mean."""
    standing = {seat: (seat in outcome.winners, points) for seat, points in outcome.scores.items()}
    above = {seat: sum(other > mine for other in standing.values()) for seat, mine in standing.items()}
    level = Counter(standing.values())
    return {seat: above[seat] + (level[mine] + 1) / 2 for seat, mine in standing.items()}


def simulate(
    rules: AnyRules,
    seats: tuple[Seat, ...],
    options: Mapping[str, Any],
    skills: Sequence[str],
    games: int,
    seed: str,
    each: Callable[[int], None],
    tally: Tally = default_tally,
    takes: Callable[[Json], bool] = accept_no_order,
) -> Statistics:
    """Play games between bots; skills are dealt to the seats in turn, moving on by one seat each game.

    Args:
        rules: The rules.
        seats: The seats.
        options: The rules' options.
        skills: Skills of the bots, at least one.
        games: How many games.
        seed: Any text; the same text gives the same games.
        each: Told after each game how many are done.
        tally: The rules' own counts.
        takes: Whether the rules' schema takes an order; asked where rules bring no bots.
    """
    statistics = Statistics()
    opening = Opening(rules, seats, options, takes=takes)
    for number in range(games):
        bots = {seat: skills[(place + number) % len(skills)] for place, seat in enumerate(seats)}
        dice = hashlib.sha256(f"{seed}/{number}".encode()).digest()
        policy = Policy(bots=bots, most_steps=MOST_STEPS)
        start: Position[Begun[Any]] = Position(None)
        run = advance(opening, seats, start, {}, dice, policy)
        if not isinstance(run.ask, Outcome):
            raise RuntimeError(f"game {number} of seed {seed!r} did not end within {MOST_STEPS} steps")
        tables = tally(rules, run.ask, [entry.event for entry in run.events])
        statistics.add(run.ask, len(run.steps) - 1, bots, tables, turn_order(run.steps[1:]))
        each(number + 1)
    return statistics


def _summary(values: Sequence[int]) -> dict[str, Json]:
    if not values:
        return {}
    middle = float(median(values))
    return {"least": min(values), "median": middle, "mean": round(fmean(values), 1), "most": max(values)}
