"""Pages that tell of several games: players, and tables by rules. Only what would change is made again."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pbem.archive.pages.rendering import Pages
from pbem.archive.players.profiles import Profile, Ratings, profiles_of, ratings_of
from pbem.archive.players.ratings import has_ratings, method
from pbem.archive.players.records import records_of
from pbem.archive.players.results import Result, Who
from pbem.text.schemas.codec import dumps_line, encode

PLAYERS: Final = "players.html"


@dataclass(frozen=True, slots=True)
class Link:
    """A player's name as it is shown, and the page with the place on it."""

    name: str
    page: str


class OverallFiles:
    """The files that tell of several games, by their paths in the archive.

    Attributes:
        keys: What each was made from, in a hash.
        made: Those that are made anew.
        rules: The page of each rules that has one, by what they are called.
        players: How many players are named.
        unrated: There are results to rate, and the extra for it is missing.
    """

    def __init__(
        self, pages: Pages, results: Sequence[Result], mark: str, old: Mapping[str, str], *, punctual: bool
    ) -> None:
        """Make them.

        Args:
            pages: Makes pages.
            results: All games of the archive.
            mark: What changes whenever all pages must be made again.
            old: The key of each file that stands in the archive.
            punctual: Missed turns are told.
        """
        self.pages = pages
        self.mark = mark
        self.old = old
        self.punctual = punctual
        self.keys: dict[str, str] = {}
        self.made: dict[str, bytes] = {}
        ratings = ratings_of(results)
        profiles = profiles_of(results, ratings)
        self.players = len(profiles)
        self.unrated = not has_ratings() and any(one.rated() for one in results)
        self.rules: dict[str, str] = {}
        links = _links(profiles)
        self._add_rules(results, ratings, links)
        self._add_players(profiles, links)

    def _add(self, name: str, template: str, **values: object) -> None:
        """Add a page, made only if it would not come out as it stands there."""
        told = f"{self.mark} {dumps_line(encode(values))}"
        self.keys[name] = hashlib.sha256(told.encode()).hexdigest()[:32]
        if self.old.get(name) != self.keys[name]:
            self.made[name] = self.pages.page(template, **values).encode()

    def _add_players(self, profiles: Sequence[Profile], links: Mapping[Who, Link]) -> None:
        if profiles:
            shown = [(links[one.who], one) for one in profiles]
            in_short: list[object] = [{"link": link, **_in_short(one)} for link, one in shown]
            self._add(PLAYERS, "players.html", players=in_short, punctual=self.punctual)
        for page, same in groupby(profiles, lambda one: one.page):
            told = {"people": list(same), "rules_pages": self.rules, "punctual": self.punctual}
            self._add(page, "player.html", **told)

    def _add_rules(self, results: Sequence[Result], ratings: Ratings, links: Mapping[Who, Link]) -> None:
        in_order = sorted(results, key=lambda one: (one.at, one.name))
        for rules in sorted({one.rules for one in results if one.over}):
            games = [one for one in in_order if one.rules == rules]
            page, title = f"rules-{rules}.html", games[0].title
            self.rules[title] = page
            ranked = sorted(
                ratings.get(rules, {}).items(), key=lambda one: (3 * one[1].sigma - one[1].mu, one[0])
            )
            self._add(
                page,
                "rules.html",
                title=title,
                records=records_of(games),
                ratings=[(links[who], rating) for who, rating in ranked],
                method=method(),
                rated=[_rated(one, links) for one in games if one.rated()],
            )


def _links(profiles: Sequence[Profile]) -> dict[Who, Link]:
    """Return how each player is called and linked to; those of one name have numbers, and one page."""
    many = Counter(one.page for one in profiles)
    return {
        one.who: Link(f"{one.name} ({one.person})", f"{one.page}#person-{one.person}")
        if many[one.page] > 1
        else Link(one.name, one.page)
        for one in profiles
    }


def _in_short(one: Profile) -> dict[str, object]:
    """Return what the list of players tells of one; nothing that changes with every turn."""
    rules = [by.title for by in one.by_rules]
    counts = {"games": one.games, "won": one.won, "running": one.running}
    return {**counts, "rules": rules, "asked": one.asked, "missed": one.missed}


def _rated(one: Result, links: Mapping[Who, Link]) -> dict[str, object]:
    """Return a game that ratings were made of, with its players in order of their places."""
    places = sorted((place, links[who].name) for who, place in one.rated().items())
    return {"game": one.name, "at": one.at, "places": places}
