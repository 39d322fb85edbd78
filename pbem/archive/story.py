"""What is told of a game at a glance: its points by turn and by moment, who leads, a line for each turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.archive.public import Turn
from pbem.archive.rendering import Pages
from pbem.core.interface import Json, Plot
from pbem.play.homes import saves
from pbem.text.codec import fields_of, items_of
from pbem.text.reports.facts import texts_in

_HIGH: Final = 100
"""How high the graph is, in units of its own; it is as wide as there are moments."""

_EDGE: Final = 6
"""So much of it is left free above the highest line and below the lowest."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The points of all seats as everybody could see them, turn by turn.

    Attributes:
        title: What is counted.
        turns: The numbers of the turns.
        seats: The points of each seat, one for each turn; None where there were none yet.
    """

    title: str
    turns: tuple[int, ...]
    seats: Mapping[str, tuple[int | None, ...]]

    def at(self, number: int) -> dict[str, int]:
        """Return the points after a turn; nothing of a turn that counted none."""
        if number not in self.turns:
            return {}
        place = self.turns.index(number)
        return {seat: points for seat, line in self.seats.items() if (points := line[place]) is not None}

    @property
    def begun(self) -> Scores:
        """The same from the turn on after which points changed first: till then there is nothing to see."""
        points = [*zip(*self.seats.values(), strict=True)]
        first = next((at for at, one in enumerate(points) if one != points[0]), len(points))
        start = max(first - 1, 0)
        return Scores(self.title, self.turns[start:], {seat: one[start:] for seat, one in self.seats.items()})

    def leaders(self, number: int) -> list[str]:
        """Return who has most points after a turn; nobody if all have the same."""
        points = self.at(number)
        most = max(points.values(), default=0)
        found = [seat for seat, count in points.items() if count == most]
        return found if len(found) < len(self.seats) else []


NO_SCORES = Scores("", (), {})


def scores_of(facts: Mapping[str, Json]) -> Scores:
    """Return the points that the spectator's report tells: its first plot that goes on, if it is of seats.

    A game that an older version began may have plots that its rules draw no more. When a game has ended, its
    result stands in place of the last points, for some count only at the end.
    """
    history = fields_of(facts.get("history"))
    seats = [str(one["seat"]) for one in saves.objects_in(facts["players"])]
    plots = ((title, fields_of(lines)) for title, lines in fields_of(history.get("plots")).items())
    title, found = next((plot for plot in plots if _has_newest_numbers(plot[1])), ("", {}))
    turns = tuple(one for one in items_of(history.get("turns")) if isinstance(one, int))
    if not turns or sorted(found) != sorted(seats):
        return NO_SCORES
    result = fields_of(ending_of(facts).get("scores"))
    return Scores(
        title, turns, {seat: _known_points(items_of(found[seat]), result.get(seat)) for seat in seats}
    )


def _has_newest_numbers(lines: Mapping[str, Json]) -> bool:
    """Tell whether a plot has numbers of the newest turn."""
    return any(items_of(line)[-1:] not in ([], [None]) for line in lines.values())


def ending_of(facts: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the event with which a game ended in the turn of a report; empty if it goes on."""
    return next((one for one in saves.objects_in(facts["events"]) if one["event"] == "GameEnded"), {})


def _known_points(line: Sequence[Json], result: Json) -> tuple[int | None, ...]:
    points = [one if isinstance(one, int) else None for one in line]
    return (*points[:-1], result) if isinstance(result, int) else tuple(points)


@dataclass(frozen=True, slots=True)
class TurnStory:
    """What is told of a turn: what changed hands or was scored, else what was done; and who leads now.

    Attributes:
        first: The first of it, a sentence a line.
        count: How much more there is, in words, or "".
        more: All of that.
        end: How the game ended with it, or how the lead changed, or "".
        things: What its events name.
    """

    first: str
    count: str
    more: str
    end: str
    things: frozenset[str] = frozenset()

    @property
    def line(self) -> str:
        """It in short."""
        return " ".join(f"{self.first} {self.count} {self.end}".split())


def story_of(
    pages: Pages, rules: str, turns: Sequence[Turn], scores: Scores, names: Mapping[str, str]
) -> list[TurnStory]:
    """Return what is told of each turn.

    Args:
        pages: Makes pages, and knows the words of the rules.
        rules: The rules.
        turns: The turns as they are published.
        scores: The points turn by turn.
        names: What the rules call things, by their ids.

    Raises:
        WrongInput: A template fails.
    """
    told: list[dict[str, Any]] = [
        {
            "number": turn.number,
            "events": turn.told.facts["events"],
            "lead": _lead_change(scores, turn.number),
        }
        for turn in turns
    ]
    seats = [str(one["seat"]) for one in saves.objects_in(turns[-1].told.facts["players"])]
    lines = pages.text(
        "story.txt", rules=rules, turns=told, counted=scores.title, names=names, detail="brief", seats=seats
    )
    parts = ([part.strip() for part in line.split("\t")] for line in lines.split("\f")[1:])
    return [
        TurnStory(first, count, more, end, _things_in(turn, names))
        for turn, (first, count, more, end) in zip(turns, parts, strict=True)
    ]


def _things_in(turn: Turn, names: Mapping[str, str]) -> frozenset[str]:
    """Return the names of things in the events of a turn: what begins with a capital letter."""
    found = {names.get(one, one) for one in texts_in(turn.told.facts["events"])}
    return frozenset(one for one in found if one.lstrip("'")[:1].isupper() and 3 < len(one) < 40)


def _lead_change(scores: Scores, number: int) -> dict[str, Json]:
    """Return how the lead changed with a turn: who has it, who had it, with how many points; or nothing."""
    now, before = scores.leaders(number), scores.leaders(number - 1)
    points = scores.at(number)
    if now == before:
        return {}
    now = now or list(points)  # all have the same
    best = max(points.values())
    past: list[Json] = [*(seat for seat in before if seat not in now)]
    behind = max((points[str(seat)] for seat in past), default=0)
    return {"seats": [*now], "past": past, "points": best, "behind": behind, "shared": len(now) > 1}


@dataclass(frozen=True, slots=True)
class Line:
    """The points of a seat.

    Attributes:
        seat: Whose they are.
        path: The line as SVG draws it, in steps from moment to moment.
        end: How far down it ends, of a hundred.
    """

    seat: str
    path: str
    end: int


class _StoredView(dict[str, Any]):
    """A view as a turn keeps it, whose fields a plot of the rules reads as those of the view that it was."""

    def __getattr__(self, name: str) -> Any:
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(name) from None
        return _stored_view(value)

    def items(self) -> Any:
        """Return what it holds."""
        return {name: _stored_view(value) for name, value in super().items()}.items()


def _stored_view(value: Any) -> Any:
    return _StoredView(value) if isinstance(value, dict) else value


def points_of(plots: Mapping[str, Plot], view: Any) -> dict[str, int]:
    """Return what the first plot of some rules counts in a spectator's view; nothing if it cannot.

    Args:
        plots: What reports of the rules draw of the game so far.
        view: The view, or what is kept of it.
    """
    for count in list(plots.values())[:1]:
        try:
            return {str(seat): int(number) for seat, number in count(_stored_view(view)).items()}
        except Exception:  # a plug-in's own, or a view of an older version: there is no graph then
            return {}
    return {}


def lines_of(points: Sequence[Mapping[str, int]]) -> list[Line]:
    """Return a line for each seat.

    Args:
        points: Its points by seat at each moment; nothing where they are not known.
    """
    numbers = [number for one in points for number in one.values()]
    if not numbers:
        return []
    low, span = min(numbers), max(numbers) - min(numbers) or 1
    seats = dict.fromkeys(seat for one in points for seat in one)

    def height(number: int) -> int:
        return round(_HIGH - _EDGE - (number - low) * (_HIGH - 2 * _EDGE) / span)

    def line(seat: str) -> Line:
        path, before = "", None
        for moment, one in enumerate(points):
            number = one.get(seat, before)
            if number is not None and number != before:
                path += f"M{moment} {height(number)}" if before is None else f"H{moment}V{height(number)}"
                before = number
        return Line(seat, f"{path}H{len(points) - 1}", _HIGH if before is None else height(before))

    return [line(seat) for seat in seats]
