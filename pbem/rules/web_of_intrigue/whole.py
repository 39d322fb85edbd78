"""The whole Web, for the replay of a game that is over."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.events import Event
from pbem.rules.web_of_intrigue.ending import reveal_all
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.sight import build_view, remembered
from pbem.rules.web_of_intrigue.state import State
from pbem.rules.web_of_intrigue.view import View


def show_whole(rules: WebOfIntrigue, state: State) -> tuple[View, tuple[Event, ...]]:
    """Return what the public would know if it saw every tile, and what all are told when a game is over."""
    tiles = {square: remembered(rules.facts, tile, state.turn) for square, tile in state.web.items()}
    return replace(build_view(rules.facts, state, None), memory=tiles), tuple(reveal_all(rules.facts, state))
