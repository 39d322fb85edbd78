"""Which sets of alliances of Web of Power fit what is known.

Known are how many alliances each country has and two pairs; a third one follows from the order of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final, TypeAlias

from pbem.play.config.registry import find_rules
from tests.rules.web_of_power.table import shipped_data, web_of_power

Pair: TypeAlias = tuple[str, str]
Point: TypeAlias = tuple[float, float]

STATED: Final = frozenset({("england", "frankreich"), ("bayern", "italien")})
INFERRED: Final = frozenset({("burgund", "italien")})
OVER_SEA: Final[frozenset[Pair]] = frozenset(
    {
        ("england", "franken"),
        ("england", "lothringen"),
        ("england", "frankreich"),
        ("aragon", "england"),
        ("aragon", "italien"),
    }
)
MAP = find_rules("web-of-power").templates / "map.svg.j2"


def fitting(
    pairs: set[Pair], known: frozenset[Pair], crossing: frozenset[frozenset[Pair]] = frozenset()
) -> set[frozenset[Pair]]:
    """Return the sets of such pairs, the known among them, in which each country has its number.

    Args:
        pairs: What may be allied.
        known: What is.
        crossing: Each two pairs whose lines cross, and that no set may have both.
    """
    counts = {one["id"]: one["alliances"] for one in shipped_data()["countries"]["list"]}
    for pair in known:
        for country in pair:
            counts[country] -= 1
    rest = [pair for pair in sorted(pairs - known) if not any({pair, one} in crossing for one in known)]
    return {frozenset((*known, *more)) for more in _choose(rest, counts, crossing)}


def _choose(
    pairs: list[Pair], counts: dict[str, int], crossing: frozenset[frozenset[Pair]]
) -> Iterator[tuple[Pair, ...]]:
    if not any(counts.values()):
        yield ()
        return
    if any(sum(one in pair for pair in pairs) < count for one, count in counts.items()):
        return
    first, *rest = pairs
    one, other = first
    if counts[one] and counts[other]:
        left = {**counts, one: counts[one] - 1, other: counts[other] - 1}
        apart = [pair for pair in rest if frozenset((first, pair)) not in crossing]
        yield from ((first, *more) for more in _choose(apart, left, crossing))
    yield from _choose(rest, counts, crossing)


def _sorted(pair: tuple[str, ...]) -> Pair:
    one, other = sorted(pair)
    return one, other


def shipped() -> dict[str, frozenset[Pair]]:
    """Return the sets that the option offers."""
    found = web_of_power().facts.alliances
    return {name: frozenset(map(_sorted, alliances.values())) for name, alliances in found.items()}


def joined() -> set[Pair]:
    """Return the pairs of countries that a road joins."""
    facts = web_of_power().facts
    ends = ((facts.home[site], facts.home[other]) for site, near in facts.near.items() for other in near)
    return {_sorted(pair) for pair in ends if pair[0] != pair[1]}


def by_road_or_sea(known: frozenset[Pair]) -> set[frozenset[Pair]]:
    """Return the sets of pairs that a road joins or the sea."""
    return fitting(joined() | {_sorted(pair) for pair in OVER_SEA}, known)


def middles() -> dict[str, Point]:
    """Return the middle of the sites of each country in the shipped picture."""
    found: dict[str, Point] = {}
    text = MAP.read_text(encoding="utf-8")
    for name, sites in re.findall(r'"(\w+)": \{"middle".*?"sites": \{(.*?)\}', text, re.DOTALL):
        places = [(int(x), int(y)) for x, y in re.findall(r"\[(\d+), (\d+),", sites)]
        x, y = (sum(axis) / len(places) for axis in zip(*places, strict=True))
        found[name] = x, y
    return found


def cross(one: Pair, other: Pair, at: dict[str, Point]) -> bool:
    """Tell whether two straight lines between countries cross."""

    def side(line: Pair, country: str) -> bool:
        (ax, ay), (bx, by), (x, y) = at[line[0]], at[line[1]], at[country]
        return (bx - ax) * (y - ay) > (by - ay) * (x - ax)

    if set(one) & set(other):
        return False
    return side(one, other[0]) != side(one, other[1]) and side(other, one[0]) != side(other, one[1])


def without_crossings(known: frozenset[Pair]) -> set[frozenset[Pair]]:
    """Return the sets of any pairs of countries of which no two cross in the shipped picture."""
    at = middles()
    pairs = {_sorted(pair) for pair in combinations(at, 2)}
    crossing = frozenset(frozenset(two) for two in combinations(pairs, 2) if cross(*two, at))
    return fitting(pairs, known, crossing)
