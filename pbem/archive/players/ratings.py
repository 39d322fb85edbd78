"""Ratings by rules: the places of finished games, and what OpenSkill's Plackett-Luce model makes of them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

Who = TypeVar("Who", bound=Hashable)

MU: Final = 25.0
SIGMA: Final = 25 / 3
BETA: Final = 25 / 6
TAU: Final = 25 / 300
KAPPA: Final = 0.0001
"""The parameters of the model, which are OpenSkill's own: written out so that a table can be recomputed."""

_SURE: Final = ((6.0, "a guess"), (4.0, "rough"), (2.5, "fair"))


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a player's strength.

    Attributes:
        mu: How strong, as a mean.
        sigma: How unsure that is, as a standard deviation.
        games: The games that it was made of.
    """

    mu: float
    sigma: float
    games: int

    @property
    def low(self) -> float:
        """The strength is above this in 39 of 40 cases, as the model has it."""
        return self.mu - 2 * self.sigma

    @property
    def high(self) -> float:
        """The strength is below this in 39 of 40 cases."""
        return self.mu + 2 * self.sigma

    @property
    def sure(self) -> str:
        """How sure it is, in words."""
        return next((word for least, word in _SURE if self.sigma > least), "firm")


def method() -> str:
    """Return the library that makes the ratings, with its version; "" without the extra `ratings`."""
    return f"OpenSkill {importlib.metadata.version('openskill')}" if has_ratings() else ""


def has_ratings() -> bool:
    """Tell whether the extra `ratings` is installed."""
    return importlib.util.find_spec("openskill") is not None


def places(won: Sequence[bool], scores: Sequence[int | None]) -> list[int] | None:
    """Return the places of a finished game's seats, from 1; None if it has no result.

    Winners share the first place. The others come in order of their points, and equal points share a place.
    Where one of them has more points than a winner, points do not tell who was second: they share a place.
    """
    if not any(won) and any(score is None for score in scores):
        return None
    best = [score for score, is_one in zip(scores, won, strict=True) if is_one and score is not None]
    rest = [score for score, is_one in zip(scores, won, strict=True) if not is_one]
    is_told = all(score is not None and (not best or score <= min(best)) for score in rest)
    keys = [
        (0, 0) if is_one else (1, -score if is_told and score is not None else 0)
        for is_one, score in zip(won, scores, strict=True)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


def rated(games: Sequence[Mapping[Who, int]]) -> dict[Who, Rating]:
    """Return the ratings of all players after some games.

    Args:
        games: In order of their ends; of each the places of its players. One with less than two is no game.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, kappa=KAPPA)
    found: dict[Who, Rating] = {}
    for game in games:
        if len(game) < 2:
            continue
        before = [found.get(who, Rating(MU, SIGMA, 0)) for who in game]
        teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
        after = model.rate(teams, ranks=[float(place) for place in game.values()])
        for who, was, (now,) in zip(game, before, after, strict=True):
            found[who] = Rating(now.mu, now.sigma, was.games + 1)
    return found
