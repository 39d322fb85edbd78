"""The points of a game as lines from its first moment to its last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.interface import Plot

_HIGH: Final = 100
"""How high the graph is, in units of its own; it is as wide as there are moments."""

_EDGE: Final = 6
"""So much of it is left free above the highest line and below the lowest."""


@dataclass(frozen=True, slots=True)
class Line:
    """The points of a seat.

    Attributes:
        seat: Whose they are.
        path: The line as SVG draws it, in steps from moment to moment.
    """

    seat: str
    path: str


class _Kept(dict[str, Any]):
    """A view as a turn keeps it, whose fields a plot of the rules reads as those of the view that it was."""

    def __getattr__(self, name: str) -> Any:
        try:
            value = self[name]
        except KeyError:
            raise AttributeError(name) from None
        return _read(value)

    def items(self) -> Any:
        """Return what it holds."""
        return {name: _read(value) for name, value in super().items()}.items()


def _read(value: Any) -> Any:
    return _Kept(value) if isinstance(value, dict) else value


def points_of(plots: Mapping[str, Plot], view: Any) -> dict[str, int]:
    """Return what the first plot of some rules counts in a spectator's view; nothing if it cannot.

    Args:
        plots: What reports of the rules draw of the game so far.
        view: The view, or what is kept of it.
    """
    for count in list(plots.values())[:1]:
        try:
            return {str(seat): int(number) for seat, number in count(_read(view)).items()}
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
        return Line(seat, f"{path}H{len(points) - 1}")

    return [line(seat) for seat in seats]
