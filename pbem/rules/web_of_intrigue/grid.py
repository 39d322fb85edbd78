"""The Web: a square grid that wraps round in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase

from pbem.rules.web_of_intrigue.state import Square


@dataclass(frozen=True, slots=True)
class Grid:
    """The squares and the ways between them.

    Attributes:
        size: Squares along one side.
        squares: All squares, row by row from the top.
        places: Column and row of each square, from 0.
    """

    size: int
    squares: tuple[Square, ...]
    places: Mapping[Square, tuple[int, int]]

    def at(self, x: int, y: int) -> Square:
        """Return the square of a column and row, counted on round the edges."""
        return self.squares[y % self.size * self.size + x % self.size]

    def distance(self, one: Square, other: Square) -> int:
        """Return the orthogonal steps between two squares, the shorter way round.

        Source: rules 4, "Distances are counted orthogonally"; ruling 12.
        """
        (x, y), (to_x, to_y) = self.places[one], self.places[other]
        across, down = abs(x - to_x), abs(y - to_y)
        return min(across, self.size - across) + min(down, self.size - down)

    def diamond(self, centre: Square, radius: int) -> tuple[Square, ...]:
        """Return the squares within a distance of one square, row by row as a map shows them."""
        rows = self.rows_of_diamond(centre, radius)
        return tuple(dict.fromkeys(square for row in rows for square in row if square is not None))

    def rows_of_diamond(self, centre: Square, radius: int) -> tuple[tuple[Square | None, ...], ...]:
        """Return the same as the rows of a map; None beside the diamond."""
        x, y = self.places[centre]
        steps = range(-radius, radius + 1)
        return tuple(
            tuple(self.at(x + dx, y + dy) if abs(dx) + abs(dy) <= radius else None for dx in steps)
            for dy in steps
        )

    def line(self, name: int | str) -> tuple[Square, ...]:
        """Return the squares of a row by its number, from the left, or of a column by its letter."""
        if isinstance(name, int):
            return tuple(self.at(x, name - 1) for x in range(self.size))
        return tuple(self.at(self.columns.index(name), y) for y in range(self.size))

    @property
    def rows(self) -> range:
        """The numbers of the rows."""
        return range(1, self.size + 1)

    @property
    def columns(self) -> tuple[str, ...]:
        """The letters of the columns."""
        return tuple(ascii_lowercase[: self.size])

    @property
    def corners(self) -> str:
        """The first and the last square, for hints."""
        return f"{self.squares[0]} to {self.squares[-1]}"


def make_grid(size: int) -> Grid:
    """Return a grid of size x size squares; at most 26, for the letters."""
    columns = ascii_lowercase[:size]
    places = {Square(f"{column}{y + 1}"): (x, y) for y in range(size) for x, column in enumerate(columns)}
    return Grid(size, tuple(places), places)
