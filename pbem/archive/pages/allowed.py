"""What of a report may be published: names of players and press only as the moderator allows, and no key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.core.interface import Json
from pbem.play.config.registry import read_table
from pbem.play.homes.called import whole_words
from pbem.play.homes.home import Home
from pbem.text.schemas.codec import fields_of

NAMELESS: Final = "a player"
"""What stands for a name that is not published."""

_BY_PEOPLE: Final = {"ModeratorActed": "text", "PressSent": "say", "PlayerReplaced": "player"}
"""Events that hold what people wrote or are called, and where."""

MASKED: Final = "····-····"


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a moderator allows to be published of a game.

    Attributes:
        show: The game is in the archive at all.
        names: Players are named; else only seats are.
        press: "none", "public" (what was said to all), or "all" (of finished games, between seats too).
        punctual: Missed turns of finished games are told; only the home says so.
        address: Where the archive can be found, without a slash at the end; "" if that is not known.
    """

    show: bool = True
    names: bool = False
    press: str = "public"
    punctual: bool = False
    address: str = ""


def allowed_of(home: Home, game: str) -> Allowed:
    """Return what is allowed for a game: by its `game.yaml`, and where that is silent by `home.yaml`.

    Raises:
        WrongInput: One of them cannot be read.
    """
    own = read_table(home.game(game) / "game.yaml").get("archive")
    of_home = fields_of(home.settings().get("archive"))
    said = {**of_home, **fields_of(own)}
    return Allowed(
        said.get("show") is not False,
        said.get("names") is True,
        str(said.get("press", "public")),
        of_home.get("punctual") is True,
        str(of_home.get("address", "")).rstrip("/"),
    )


def is_punctual(home: Home) -> bool:
    """Tell whether a home publishes who missed turns."""
    general = home.settings().get("archive")
    return isinstance(general, dict) and general.get("punctual") is True


def published(facts: Mapping[str, Json], allowed: Allowed, names: Iterable[str]) -> dict[str, Json]:
    """Return the facts of a report as they may be published.

    Args:
        facts: What its `report.json` holds.
        allowed: What the moderator allows.
        names: Every name that a player of the game ever had.
    """
    out = dict(facts)
    events, players = facts["events"], facts["players"]
    assert isinstance(events, list) and isinstance(players, list), "every report has them"
    kept: list[Json] = [event for event in events if may_be_heard(event, allowed)]
    if not allowed.names:
        mask = Masking(names)
        kept = [mask.event(event) for event in kept if isinstance(event, dict)]
        out["players"] = [{**player, "name": NAMELESS} for player in players if isinstance(player, dict)]
        if host_of(facts):
            out["welcome"] = {**fields_of(facts["welcome"]), "host": ""}
    out["events"] = kept
    if out.get("new_key"):
        out["new_key"] = MASKED
    return out


def host_of(facts: Mapping[str, Json]) -> str:
    """Return the name of the host in the facts of an invitation; "" if there is none."""
    return str(fields_of(facts.get("welcome")).get("host", ""))


class Masking:
    """Puts something else in the place of names, where people write or are named."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = whole_words(names)

    def text(self, text: str) -> str:
        """Return a text without the names that stand in it as words of their own."""
        return self.names.sub(NAMELESS, text)

    def event(self, event: Mapping[str, Json]) -> dict[str, Json]:
        """Return an event without the names in what people wrote or are called."""
        field = _BY_PEOPLE.get(str(event.get("event")), "")
        return {**event, field: self.text(str(event[field]))} if field in event else dict(event)


def may_be_heard(event: Json, allowed: Allowed) -> bool:
    """Tell whether an event may be published, as a report tells it: press as the moderator allows.

    An anonymous message to some never may: its sender is among those who have it.
    """
    if not isinstance(event, dict) or event.get("event") != "PressSent":
        return True
    if event.get("public") is True:
        return allowed.press != "none"
    return allowed.press == "all" and event.get("sender") != ""
