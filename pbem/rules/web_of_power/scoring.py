"""Points: cloisters of a country, alliances of advisors, chains of cloisters, and the winner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pbem.core.events import Seat
from pbem.rules.kit.ranking import add_up, find_ahead, score_by_rank
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.facts import Alliances, Facts
from pbem.rules.web_of_power.state import Country, Site

Chains: TypeAlias = tuple[tuple[Site, ...], ...]


def score_country(held: Mapping[Seat, int]) -> dict[Seat, int]:
    """Return the points for the cloisters of one country: most scores them all, each rank the one above it.

    Args:
        held: Cloisters of each seat in the country, each >= 0.

    Source: rulebook, "Scoring the cloisters".
    """
    return score_by_rank(sum(held.values()), held)


def score_cloisters(board: Board) -> dict[Country, dict[Seat, int]]:
    """Return the points for the cloisters of every country, in scoring order; only of seats that are there.

    Source: rulebook, "Scoring and the end": the outer countries clockwise, then the inner ones.
    """
    return {country: score_country(board.cloisters_in(country)) for country in board.facts.lands}


def score_alliance(one: Mapping[Seat, int], other: Mapping[Seat, int]) -> dict[Seat, int]:
    """Return the points of an alliance: who has or shares most advisors in both countries gets all of both.

    Args:
        one: Advisors of each seat in one country, each >= 0.
        other: The same in the other.

    Returns:
        Points of the seats that score; empty when nobody does.

    Source: rulebook, "Scoring the advisors".
    """
    most_one, most_other = max(one.values(), default=0), max(other.values(), default=0)
    if not most_one or not most_other:
        return {}
    total = sum(one.values()) + sum(other.values())
    return {seat: total for seat, count in one.items() if count == most_one and other.get(seat) == most_other}


def score_alliances(board: Board, alliances: Alliances) -> dict[int, dict[Seat, int]]:
    """Return the points of every alliance that scores, by its number.

    Source: rulebook, "Scoring the advisors": one after the other; a country counts in each of its own.
    """
    found = {}
    for number, (one, other) in alliances.items():
        if points := score_alliance(board.advisors_in(one), board.advisors_in(other)):
            found[number] = points
    return found


def find_groups(
    facts: Facts, own: Iterable[Site], around: Iterable[Site] | None = None
) -> tuple[tuple[Site, ...], ...]:
    """Return a seat's cloisters in groups that roads join, each in the order of sites.

    Args:
        facts: The facts of the game.
        own: The sites of the cloisters.
        around: Only the groups of these sites are wanted; None for all.

    Source: rulebook, "The board" and "Scoring the chains": roads join cloisters, sea links are none.
    """
    left, groups = set(own), []
    for start in sorted(left if around is None else around, key=facts.number.__getitem__):
        if start not in left:
            continue
        found = [start]
        left.discard(start)
        for site in found:  # grows while it is walked
            nearby = [near for near in facts.near[site] if near in left]
            left.difference_update(nearby)
            found += nearby
        groups.append(tuple(sorted(found, key=facts.number.__getitem__)))
    return tuple(groups)


def longest_chain(facts: Facts, group: Iterable[Site]) -> tuple[Site, ...]:
    """Return a longest row of sites of a group, each joined to the next by a road and none twice.

    Source: rulebook, "Scoring the chains": branches do not count, only the longest chain of each group.
    """
    sites = tuple(group)
    near = {site: tuple(one for one in facts.near[site] if one in sites) for site in sites}
    best: tuple[Site, ...] = ()
    for start in sites:
        best = _longest_from((start,), near, best)
        if len(best) == len(sites):
            break
    return best


def _longest_from(
    path: tuple[Site, ...], near: Mapping[Site, tuple[Site, ...]], best: tuple[Site, ...]
) -> tuple[Site, ...]:
    best = max(best, path, key=len)
    for site in near[path[-1]]:
        if len(best) == len(near):
            break
        if site not in path:
            best = _longest_from((*path, site), near, best)
    return best


def chains_of(board: Board, seat: Seat) -> Chains:
    """Return the longest chain of each of a seat's groups, longest first."""
    groups = find_groups(board.facts, board.sites_of(seat))
    found = (longest_chain(board.facts, group) for group in groups)
    return tuple(sorted(found, key=lambda chain: -len(chain)))


def score_chain(facts: Facts, length: int) -> int:
    """Return the points of a chain: one for each cloister, from the shortest that counts.

    Source: rulebook, "Scoring the chains": four at least.
    """
    return length if length >= facts.limits.chain else 0


def score_chains(board: Board, seats: Iterable[Seat]) -> dict[Seat, Chains]:
    """Return the chains that score, of each seat that has any, longest first."""
    return long_enough(board.facts, {seat: chains_of(board, seat) for seat in seats})


def long_enough(facts: Facts, chains: Mapping[Seat, Chains]) -> dict[Seat, Chains]:
    """Return those of the chains of seats that score; only of seats that have any."""
    found = {seat: [one for one in own if score_chain(facts, len(one))] for seat, own in chains.items()}
    return {seat: tuple(own) for seat, own in found.items() if own}


def final_points(board: Board, chains: Mapping[Seat, Chains], alliances: Alliances) -> dict[Seat, int]:
    """Return what each seat would score if the game ended now, without what it has scored already.

    Args:
        board: The map.
        chains: The longest chain of each group, by seat; every seat is there.
        alliances: The alliances in force.

    Source: rulebook, "Scoring and the end": cloisters as before, then advisors, then chains.
    """
    facts = board.facts
    points = {seat: sum(score_chain(facts, len(one)) for one in own) for seat, own in chains.items()}
    earned = (*score_cloisters(board).values(), *score_alliances(board, alliances).values())
    return add_up((points, *earned))


def decide(points: Mapping[Seat, int], left: Mapping[Seat, int]) -> tuple[tuple[Seat, ...], str]:
    """Return the winners and what decided.

    Args:
        points: Final points of each seat.
        left: Pieces that each seat has not placed.

    Source: rulebook, "Scoring and the end": most points, then most pieces left; then they share the victory.
    """
    ahead, decided_by = find_ahead(points, ("points", points), ("more pieces left", left))
    is_decided = len(ahead) == 1 or decided_by == "more pieces left"
    return ahead, decided_by if is_decided else "shared victory"
