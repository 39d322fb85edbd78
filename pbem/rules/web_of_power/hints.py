"""What the form page needs besides a view: each possible placement, with what `pbem check` says of it."""

from __future__ import annotations

from itertools import permutations

from pbem.core.interface import Json
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.choices import note_gain
from pbem.rules.web_of_power.choosing import Seated
from pbem.rules.web_of_power.forecast import say_after
from pbem.rules.web_of_power.placing import Obstacle, cloister_site, fit_pieces, payments, why_too_many
from pbem.rules.web_of_power.rules import WebOfPower
from pbem.rules.web_of_power.state import ADVISOR, CLOISTER, Country, Placed
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import gain_of, possible_acts


def list_hints(rules: WebOfPower, view: View) -> Json:
    """Return the hints for the owner of a view that is on turn; None for any other.

    Returns:
        `acts`: each placement that the hand pays for, once for each set of pieces: its country, the orders in
        which the pieces can be placed, what it brings and the sentences of the forecast about it, as numbers
        of `lines`; `payments`: the ways to pay for one piece and for two in each country, cheapest first;
        `cloister`: the site that `cloister` stands for in each country, after each first piece and none;
        `why`: of each country the pieces that cannot stand there as the first one, under "", and after each
        first piece those with which it is otherwise: why not, as a number of `lines`, or None if it can;
        `most`: how many pieces a turn places in each country, and what is said of more, likewise a number.
    """
    if view.me is None or view.me != view.to_move:
        return None
    me = seated(rules.facts, view, view.me)
    lines: dict[str, int] = {}
    acts: list[Json] = [
        {
            "country": act.country,
            "pieces": _orders_of(me, act),
            "note": _number(lines, f"points as of now: {note_gain(me, gain_of(me, act))}"),
            "lines": [_number(lines, line) for line in say_after(me, view, act)],
        }
        for act in possible_acts(me)
    ]
    lands = rules.facts.lands
    why: dict[str, Json] = {country: _obstacles(me, country, lines) for country in lands}
    most: dict[str, Json] = {country: _most(me, country, lines) for country in lands}
    return {
        "acts": acts,
        "why": why,
        "most": most,
        "lines": list(lines),
        "payments": {country: _payments(me, country) for country in lands},
        "cloister": {country: _cloisters(me, country) for country in lands},
    }


def _number(lines: dict[str, int], line: str) -> int:
    return lines.setdefault(line, len(lines))


def _obstacles(me: Seated, country: Country, lines: dict[str, int]) -> dict[str, Json]:
    """Return why pieces cannot stand in a country: "" for the first one, else what is otherwise after it."""
    pieces = (*me.facts.lands[country].sites, CLOISTER, ADVISOR)

    def why(*wanted: str) -> Json:
        found = fit_pieces(me.board, me.seat, country, tuple((one,) for one in wanted))
        return _number(lines, found.text) if isinstance(found, Obstacle) else None

    alone = {one: why(one) for one in pieces}
    found: dict[str, Json] = {"": {one: text for one, text in alone.items() if text is not None}}
    if why_too_many(me.board, country, 2) is not None:
        return found
    for first in pieces:
        if alone[first] is None and first != CLOISTER:
            after = {one: why(first, one) for one in pieces}
            if other := {one: text for one, text in after.items() if text != alone[one]}:
                found[first] = other
    return found


def _most(me: Seated, country: Country, lines: dict[str, int]) -> Json:
    """Return how many pieces a turn places in a country at most, and what is said of one more."""
    most = 0
    while (found := why_too_many(me.board, country, most + 1)) is None:
        most += 1
    return [most, _number(lines, found.text)]


def _orders_of(me: Seated, act: Placed) -> list[Json]:
    """Return the pieces of a placement in each order in which the map takes them, that of the act first."""
    found = [act.pieces]
    for pieces in dict.fromkeys(permutations(act.pieces)):
        fitted = fit_pieces(me.board, me.seat, act.country, tuple((piece,) for piece in pieces))
        if pieces not in found and not isinstance(fitted, Obstacle):
            found.append(pieces)
    return [list(pieces) for pieces in found]


def _payments(me: Seated, country: Country) -> list[Json]:
    """Return the ways to pay for one piece, for two, and so on."""
    most = me.facts.limits.pieces
    ways = [payments(me.facts, me.hand, country, count) for count in range(1, most + 1)]
    return [[list(cards) for cards in found] for found in ways]


def _cloisters(me: Seated, country: Country) -> dict[str, Json]:
    """Return the site that `cloister` stands for: under "" for the first piece, else after another one."""

    def site(board: Board) -> Json:
        return cloister_site(board, me.seat, country)

    boards = {first: me.board.with_piece(me.seat, country, first) for first in me.board.free_sites(country)}
    return {"": site(me.board), **{first: site(board) for first, board in boards.items()}}
