"""Pages of the archive, from what is published; templates `archive/*.j2`, escaped whatever they say."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.edge.archive.turns import Told, Turn
from pbem.edge.shipped import shipped
from pbem.edge.templates import template_faults

if TYPE_CHECKING:
    from jinja2 import Environment

_BODY: Final = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)


class Pages:
    """Makes pages, each from values that were chosen for it."""

    def __init__(self, environment: Environment) -> None:
        self.environment = escaping(environment)

    def page(self, name: str, **values: Any) -> str:
        """Return a page.

        Args:
            name: Its template: "index.html", "game.html", "turn.html", "feed.xml".
            values: What it shows.

        Raises:
            WrongInput: The template fails.
        """
        with template_faults():
            template = self.environment.get_template(f"archive/{name}.j2")
            return template.render(style=_asset("style.css"), script=script(), policy=policy(), **values)

    def words(self, rules: str) -> Any:
        """Return the macros by which reports of some rules name seats and say what happened."""
        return self.environment.get_template(f"{rules}/words.txt.j2").module


def turn_page(pages: Pages, game: Mapping[str, Any], turns: Sequence[Turn], place: int) -> str:
    """Return the page of one turn."""
    turn = turns[place]
    return pages.page(
        "turn.html",
        game=game,
        turn=turn,
        first=turns[0].number,
        before=turns[place - 1].number if place else None,
        after=turns[place + 1].number if place + 1 < len(turns) else None,
        last=turns[-1].number,
        body=body_of(turn.told),
        board=turn.told.files.get("board.svg", ""),
        rules=turn.told.facts["rules"],
    )


def body_of(told: Told) -> str:
    """Return what stands in the body of a report's page; it was escaped when it was made."""
    page = told.files["report.html"]
    found = _BODY.search(page)
    return found[1] if found else page


def policy() -> str:
    """Return the content security policy of every page: its own script, inline styles, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(script().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def script() -> str:
    """Return the one script of the archive."""
    return _asset("script.js")


@cache
def _asset(name: str) -> str:
    return (shipped("templates") / "archive" / name).read_text(encoding="utf-8")


@lru_cache(maxsize=16)
def escaping(environment: Environment) -> Environment:
    """Return an environment in which everything is escaped, what is imported too."""
    return environment.overlay(autoescape=True)


def asset_files() -> list[Path]:
    """Return the files that all pages are made with."""
    return sorted((shipped("templates") / "archive").iterdir())
