"""How many Houses of Web of Intrigue a won bid leaves: `python -m tests.benchmarks.houses`.

A won bid proves that the bidder's House adds so much at least; it prints the table of the guide.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tests.rules.web_of_intrigue.table import woi


def rows() -> Iterator[str]:
    """Yield the table: how many Houses are left by each proof, for each kind of object."""
    facts = woi().facts
    houses = facts.houses.values()
    steps = sorted({add for house in houses for add in house.modifiers.values()})
    yield f"| your House must add | {' | '.join(facts.categories)} |"
    yield f"|---|{'---|' * len(facts.categories)}"
    for below, least in pairwise(steps):
        left = (sum(house.modifiers[kind] >= least for house in houses) for kind in facts.categories)
        yield f"| {below + 1} to {least} | {' | '.join(str(number or 'none') for number in left)} |"


def main() -> None:
    """Print the table."""
    for line in rows():
        print(line)


if __name__ == "__main__":
    main()
