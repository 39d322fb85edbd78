"""The files of one game in the archive: its page, and a page for each turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.interface import Json
from pbem.edge.archive.allowed import Allowed
from pbem.edge.archive.pages import Pages, turn_page
from pbem.edge.archive.turns import Turn, public_turns
from pbem.edge.home import Home
from pbem.edge.saved import SavedGame
from pbem.edge.templates import template_faults


def files_of_game(home: Home, name: str, allowed: Allowed) -> tuple[dict[str, Json], dict[str, bytes]]:
    """Return a game's row of the index, and its files by their paths in the archive.

    Raises:
        WrongInput: The game is damaged, or a template fails.
    """
    saved = SavedGame(home, name)
    turns = public_turns(saved, allowed)
    pages = Pages(saved.environment)
    row = _row(pages, saved, turns, allowed)
    files = {f"{name}/index.html": pages.page("game.html", game=row, turns=turns)}
    for place, turn in enumerate(turns):
        files[f"{name}/{turn.number:04d}.html"] = turn_page(pages, row, turns, place)
    return row, {path: page.encode() for path, page in files.items()}


def _row(pages: Pages, saved: SavedGame, turns: Sequence[Turn], allowed: Allowed) -> dict[str, Json]:
    """Return what the index tells of a game."""
    newest = turns[-1]
    facts = newest.told.facts
    words = pages.words(saved.start.rules)
    with template_faults():
        seats: list[Json] = [
            {"seat": player["seat"], "title": words.seat(player["seat"]), "name": player["name"]}
            for player in _objects(facts["players"])
        ]
        title = str(words.title()).strip()
    ask = facts["ask"]
    assert isinstance(ask, dict), "every report tells whom the game waits for"
    return {
        "name": saved.name,
        "rules": saved.start.rules,
        "title": title,
        "players": seats if allowed.names else [{**one, "name": ""} for one in _objects(seats)],
        "names": allowed.names,
        "turn": newest.number,
        "at": newest.at,
        "begun": turns[0].at,
        "over": ask["kind"] == "over",
        "standing": _standing(pages, saved.start.rules, facts),
    }


def _standing(pages: Pages, rules: str, facts: Mapping[str, Json]) -> str:
    """Return how a game stands, or how it ended, in a sentence."""
    return pages.page("standing.txt", rules=rules, **{"ask": facts["ask"], "events": facts["events"]}).strip()


def _objects(value: Json) -> list[dict[str, Json]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
