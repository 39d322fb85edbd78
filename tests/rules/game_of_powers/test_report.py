"""Reports say who may do what, in 72 columns, and keep what is secret."""

from __future__ import annotations

import pytest

from pbem.core.book import Orders
from pbem.core.events import Recorded, Seat, visible
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.opening import Opened, Opening
from pbem.rules.game_of_powers.state import SEATS, State
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.report import Report
from tests.subjects import subject

from .table import BLACK, ORANGE, WHITE, deal, do, game, hold, playout, position, skills

TRADE: Json = {"with": "black", "give": ["military", 30], "want": ["religious"]}
SWAP: Json = {"sail": 1, "take_tokens": ["any", "any"], "trade": TRADE}


def report(state: State, seat: Seat | None, events: tuple[Recorded, ...] = (), full: bool = False) -> Report:
    """Return a report of a position with three seats."""
    found = subject("game-of-powers", len(state.order))
    opening = Opening(found.rules, found.seats, found.options)
    frame = Frame(
        game="powers-1",
        rules="game-of-powers",
        turn=3,
        seat=seat,
        players={one: one.title() for one in SEATS[: len(state.order)]},
        deadline="",
        commitment="c",
        key_asked=False,
        asked={},
        orders=Orders(),
    )
    opened: Opened[State] = Opened({}, state)
    view = opening.view(opened, seat)
    assert found.environment is not None
    told = facts(opening, frame, view, opening.ask(opened), visible(events, seat))
    return Report(found.environment, {**told, "detail": "full" if full else ""})


def met() -> State:
    players = [
        hold("30 31", at="owidz clockwise", tokens_of="military"),
        hold("17", at="wisloujscie clockwise", tokens_of="religious"),
        hold("1", at="haithabu clockwise"),
    ]
    return position(*players)


@pytest.mark.parametrize("seats", [2, 5])
def test_every_line_of_every_report_fits_a_mail(seats: int) -> None:
    for number, (state, ask, told) in enumerate(playout("width", skills(seats, "random", "greedy"))):
        if number % 9 and not isinstance(ask, Outcome):
            continue
        for seat in (*state.order[:2], None):
            made = report(state, seat, tuple(Recorded("white-12.counter", event) for event in told))
            long = [line for line in made.text.splitlines() if len(line) > 72 and "$schema" not in line]
            assert not long
            assert "<table" in made.html


def test_the_position_is_there_for_all_and_the_hand_for_its_owner_alone() -> None:
    state = met()

    own, other, nobody = (report(state, seat).text for seat in (WHITE, BLACK, None))

    for text in (own, other, nobody):
        assert "* Owidz        yellow       2    1    2    1  White v" in text
        assert "four sites                6, 3" in text
    assert "hand   30  6 Owidz       weapons   mil   31  3 Owidz" in own
    assert (
        "hand     30   6  Owidz       weapons    military    Crossbow bolt"
        in report(met(), WHITE, full=True).text
    )
    for text in (other, nobody):
        assert "30  6 Owidz" not in text and "Crossbow bolt" not in text


@pytest.mark.wording("compares sentences still")
def test_an_offer_is_on_the_table_of_the_two_it_concerns() -> None:
    state, told = do(met(), SWAP)
    events = tuple(Recorded("white-2", event) for event in told)

    mover, partner, other = (report(state, seat, events).text for seat in (WHITE, BLACK, ORANGE))

    whole = report(state, BLACK, events, full=True).text
    assert "You get 1 military token and Crossbow bolt (30), and give 1 religious token." in " ".join(
        whole.split()
    )
    assert "ON THE TABLE" not in partner, "what the answer says is not said again"
    assert "you get 1 military token, Crossbow bolt (30) for 1 religious token" in " ".join(partner.split())
    assert "You made an offer. You would get 1 religious token" in mover
    assert "ON THE TABLE" not in other
    assert "offered Black a trade." in " ".join(other.split())
    assert "Crossbow bolt" not in other
    assert "accept: true" in partner
    assert "Known in hands, with points: White 30 (6)." in partner
    assert "Known in White's hand: Crossbow bolt (30, 6 points)." in whole


def test_the_form_lists_whole_turns_that_are_legal() -> None:
    form = report(met(), WHITE).form

    assert "#   sail: Wisłoujście, take_tokens: [any, any]" in form
    assert "#   Wisłoujście - 1 space; yellow;" in form
    assert "#   black - at Wisłoujście; 1 card; religious" in form
    first = report(deal("form", 3), deal("form", 3).order[0]).form
    assert first.count("place: ") == 16 + 2, "and the example, and where its ready lines name it"


@pytest.mark.wording("compares sentences still")
def test_a_game_that_is_over_has_no_form_and_tells_the_points() -> None:
    *_, (state, outcome, told) = playout("over", skills(3, "greedy"))

    made = report(state, WHITE, tuple(Recorded("x", event) for event in told))

    assert isinstance(outcome, Outcome)
    assert made.form == ""
    assert "for cards, " in made.text
    assert not isinstance(game().ask(state), Ask)


def test_a_game_without_tasks_and_trade_explains_neither() -> None:
    shown = report(deal("plain", tasks=False, trade=False), WHITE)
    later = report(position(hold("4"), hold("", at="owidz clockwise"), tasks={}, may_trade=False), WHITE)

    for text in (shown.text, later.text, later.form):
        above, _, conditions = text.partition("# Others")
        told = above + conditions.partition("\n  # ")[2].partition("\n#")[2]
        assert not any(word in told for word in ("claim", "trade", "task")), text
