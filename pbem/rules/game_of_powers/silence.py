"""The least that a silent seat orders."""

from __future__ import annotations

from pbem.core.interface import Json
from pbem.rules.game_of_powers.actions import due_cards, due_tokens, play_cards
from pbem.rules.game_of_powers.check import kind_for
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.orders import ANY, write_turn
from pbem.rules.game_of_powers.sailing import Course
from pbem.rules.game_of_powers.state import (
    CLOCKWISE,
    Action,
    PlayCards,
    TakeCards,
    TakeTokens,
    Token,
    Turn,
    Wish,
)
from pbem.rules.game_of_powers.view import View


def least(facts: Facts, view: View) -> Json:
    """Return the least that a silent seat can order: one space ahead, and what it finds there.

    Source: rulebook, "Gameplay": the ship must be moved and an action performed.
    """
    if view.me is None or view.kind == "over":
        return None
    match kind_for(view):
        case "start city":
            return {"place": facts.ring[0], "facing": CLOCKWISE}
        case "move":
            return write_turn(facts, _least_turn(facts, view))
        case _:
            return {"decline": True}


def _least_turn(facts: Facts, view: View) -> Turn:
    city, direction = view.own.city, view.own.direction
    assert city is not None, "a ship on turn was placed"
    course = Course(facts.ahead(city, direction), direction, 1, None, None)
    action: Action | None = None
    playable, _, _ = play_cards(facts, view, course, view.hand)
    if due_tokens(facts, view, course.city):
        action = TakeTokens((Token(ANY),) * facts.taken_tokens)
    elif due_cards(facts, view, course):
        action = TakeCards((Wish(),) * facts.taken_cards)
    elif playable:
        action = PlayCards(playable)
    return Turn(1, None, None, action, (), None)
