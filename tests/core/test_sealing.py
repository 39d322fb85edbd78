"""Sealed luck words in the loop: seals first, then words, then the deal; and what follows from silence."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.core.book import (
    Orders,
    has_passed,
    label_ahead,
    labels_ahead,
    next_label,
)
from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat
from pbem.core.interface import Ask, Json, Label
from pbem.core.opening import (
    Begun,
    DealtGame,
    GameDealt,
    LuckSealed,
    Opening,
    SealedGame,
    SealedView,
    SealsUnopened,
    StartForm,
    seal_of,
)
from pbem.core.turn import Policy, Position, Run, advance
from tests.core.small_rules import ANN, BOB, CAT, TRIO, Bids, Table, lodged

SEED = bytes(range(32))
GAME = "bids-1"
OPENING = Opening(Bids(), TRIO, {}, sealed_for=GAME)
WORDS = {ANN: "the words of ann", BOB: "the words of bob"}
SEALS = {seat: seal_of(GAME, seat, words) for seat, words in WORDS.items()}
EMPTY: dict[Seat, Json] = {seat: {} for seat in TRIO}
SEALED: Begun[Table] = SealedGame(SEALS, {CAT: "sun"}, EMPTY)
OPEN = Label("open")


def forms() -> dict[Seat, Orders]:
    """Return start forms: two with seals, one with a word."""
    found = {seat: lodged({"at": "start", "do": {"seal": seal}}) for seat, seal in SEALS.items()}
    return {**found, CAT: lodged({"at": "start", "do": {"luck": "sun"}})}


def opened(words: Mapping[Seat, str]) -> dict[Seat, Orders]:
    """Return orders with the words of seals."""
    return {seat: lodged({"at": "open", "do": {"luck": one}}) for seat, one in words.items()}


def play(
    position: Position[Begun[Table]], orders: dict[Seat, Orders], policy: Policy | None = None
) -> Run[Begun[Table]]:
    return advance(OPENING, TRIO, position, orders, SEED, policy or Policy(most_steps=5))


def public(run: Run[Begun[Table]]) -> list[object]:
    return [one.event for one in run.events if one.event.to == ALL]


def test_seals_are_told_to_all_with_the_words_that_came_without_one_before_any_is_opened() -> None:
    run = play(Position(None), forms())

    assert run.position.game == SEALED
    assert public(run) == [LuckSealed(SEALS, {CAT: "sun"}, to=ALL)]
    assert (run.ask, run.waiting) == (
        Ask("start", OPEN, frozenset(SEALS), silence={"luck": ""}),
        frozenset(SEALS),
    )
    assert OPENING.view(run.position.game, BOB) == SealedView(BOB, TRIO, GAME, SEALS, {CAT: "sun"})


def test_no_run_opens_seals_that_it_was_the_first_to_tell() -> None:
    both = {
        seat: lodged({"at": "start", "do": {"seal": seal}}, {"at": "open", "do": {"luck": WORDS[seat]}})
        for seat, seal in SEALS.items()
    }

    run = play(Position(None), {**forms(), **both})

    assert [step.label for step in run.steps] == ["start"]
    assert run.waiting == frozenset(SEALS), "nor does it take these words later"


def test_the_words_deal_the_game_with_the_dice_of_their_step() -> None:
    run = play(Position(SEALED, 1), opened(WORDS), Policy(most_steps=1))

    luck = {**WORDS, CAT: "sun"}
    assert public(run) == [GameDealt(luck, to=ALL)]
    expected = Bids().setup(TRIO, {}, EMPTY, Dice(SEED, 1).with_luck(luck))
    assert run.position.game == DealtGame(luck, expected)


def test_nobody_waits_for_seals_beyond_the_deadline_and_an_unopened_one_counts_itself() -> None:
    policy = Policy(due=True, silent=dict.fromkeys(TRIO, "wait"), most_steps=1)

    run = play(Position(SEALED, 1), opened({ANN: WORDS[ANN]}), policy)

    luck = {ANN: WORDS[ANN], BOB: SEALS[BOB], CAT: "sun"}
    assert public(run) == [SealsUnopened((BOB,), to=ALL), GameDealt(luck, to=ALL)]
    assert run.steps[0].sources[BOB] == "silence"


def test_a_bot_that_plays_a_sealed_seat_by_now_opens_nothing() -> None:
    run = play(Position(SEALED, 1), opened({ANN: WORDS[ANN]}), Policy(bots={BOB: "greedy"}, most_steps=1))

    assert SealsUnopened((BOB,), to=ALL) in public(run)


def test_words_that_a_turn_has_seen_before_do_not_open_a_seal() -> None:
    old = {seat: one._replace(fresh=False) for seat, one in opened(WORDS).items()}

    run = play(Position(SEALED, 1), old)

    assert (run.steps, run.waiting) == ((), frozenset(SEALS))
    assert [line.number for line in run.orders[ANN].lines] == [1], "lines are not lost by it"


@pytest.mark.parametrize(
    ("game", "order", "is_refused"),
    [
        (None, {"seal": "x" * 64}, True),
        (None, {"seal": "a" * 64, "luck": "sun"}, True),
        (None, {"seal": "a" * 64}, False),
        (None, {"luck": "sun"}, False),
        (SEALED, {"luck": "the words of ann"}, False),
        (SEALED, {"luck": "The words of ann"}, True),
        (SEALED, {"luck": ""}, True),
        (SEALED, {"luck": "the words of ann", "house": "lion"}, True),
        (SEALED, {"seal": "a" * 64}, True),
        (SEALED, {"bid": 1}, True),
    ],
    ids=repr,
)
def test_what_may_be_sent_when(game: Begun[Table], order: Json, is_refused: bool) -> None:
    problems = OPENING.check(OPENING.view(game, ANN), OPENING.read(order))

    assert bool(problems) == is_refused


def test_who_sent_no_seal_has_nothing_to_open() -> None:
    (_problem,) = OPENING.check(OPENING.view(SEALED, CAT), StartForm("sun", {}, {"luck": "sun"}))


def test_a_seal_is_of_one_game_and_one_seat() -> None:
    assert len({seal_of(GAME, ANN, "x"), seal_of(GAME, BOB, "x"), seal_of("bids-2", ANN, "x")}) == 3


def test_labels_around_the_opening() -> None:
    ask = Ask("start", OPEN, frozenset({ANN, BOB}))

    assert [next_label(ask, {}, seat) for seat in TRIO] == ["open", "open", ""]
    assert [labels_ahead(ask, {}, seat, TRIO, {}) for seat in (ANN, CAT)] == [("open",), ()]
    assert label_ahead(ask, {}, ANN, 1) == ""
    assert has_passed("start", "open") and has_passed("open", "ann-1") and has_passed("open", "open")
    assert not has_passed("open", "start") and not has_passed("ann-1", "open")
