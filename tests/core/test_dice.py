"""Dice: keyed hashes that anyone with the key can recompute, fair, and independent of each other."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core import dice as module
from pbem.core.dice import Dice, commitment
from pbem.core.events import Seat

KEY = bytes(range(32))
DICE = Dice(KEY, step=7)
GOLDEN = [798, 521, 850, 588, 885]
LUCK = {Seat("red"): "rain in may", Seat("white"): "ä"}


def by_hand(key: bytes, message: list[object]) -> bytes:
    return hmac.new(key, json.dumps(message).encode("ascii"), hashlib.sha256).digest()


def draw_by_hand(step: int, label: str, n: int, limit: int) -> int:
    return int.from_bytes(by_hand(KEY, ["draw", step, label, n, 0]), "big") % limit


@pytest.mark.parametrize(
    ("step", "label", "n", "limit"),
    [
        pytest.param(0, "deal", 0, 6, id="first-draw"),
        pytest.param(7, "bid 3", 2, 100, id="numbered-draw"),
        pytest.param(7, "Zürich", 0, 2, id="letters-beyond-ascii"),
        pytest.param(7, "big", 0, 10**30, id="wide-draw"),
        pytest.param(7, "sure", 5, 1, id="only-one-possible"),
    ],
)
def test_a_draw_can_be_recomputed_with_hmac_alone(step: int, label: str, n: int, limit: int) -> None:
    assert Dice(KEY, step).below(limit, label, n) == draw_by_hand(step, label, n, limit)


def test_draws_never_change_between_releases() -> None:
    drawn = [DICE.below(1000, "golden", n) for n in range(5)]

    assert drawn == [draw_by_hand(7, "golden", n, 1000) for n in range(5)]
    assert drawn == GOLDEN
    assert [DICE.roll(6, "golden", n) for n in range(5)] == [
        draw_by_hand(7, "golden", n, 6) + 1 for n in range(5)
    ]


def test_a_shuffle_can_be_recomputed_by_hand() -> None:
    deck = list("abcdefg")

    for last in range(6, 0, -1):
        other = draw_by_hand(7, "deck", last, last + 1)
        deck[last], deck[other] = deck[other], deck[last]

    assert DICE.shuffled("abcdefg", "deck") == tuple(deck)


def test_luck_words_make_the_key_as_documented() -> None:
    message: list[object] = ["luck", [["red", "rain in may"], ["white", "ä"]]]

    mixed = DICE.with_luck(LUCK)

    assert mixed == Dice(by_hand(KEY, message), 7)
    assert DICE.with_luck(dict(reversed(LUCK.items()))) == mixed


def test_dice_set_apart_make_their_key_as_documented() -> None:
    assert DICE.apart("bot", "red") == Dice(by_hand(KEY, ["apart", "bot", "red"]), 7)


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(KEY) == hashlib.sha256(KEY).hexdigest()


def test_all_ways_to_other_dice_differ_from_each_other() -> None:
    ways = [
        DICE, Dice(bytes(32), 7), DICE.apart(), DICE.apart(""), DICE.apart("a", "b"), DICE.apart("ab"),
        DICE.with_luck({}), DICE.with_luck({Seat("a"): "b"}), DICE.with_luck({Seat("ab"): ""}),
        DICE.apart("a").apart("b"),
    ]  # fmt: skip

    assert len({one.key for one in ways}) == len(ways)
    assert Dice(KEY, 8).below(2**64, "x") != DICE.below(2**64, "x")


@given(st.permutations(range(6)), st.integers(0, 5))
def test_no_draw_depends_on_what_else_was_drawn_or_when(order: list[int], count: int) -> None:
    alone = {n: Dice(KEY, 7).below(2**32, "x", n) for n in range(6)}
    dice = Dice(KEY, 7)

    asked = {n: dice.below(2**32, "x", n) for n in order[: count + 1]}

    assert all(alone[n] == value for n, value in asked.items())


def test_a_value_beyond_the_fair_span_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[int] = []

    def byte_of(_key: bytes, place: bytes, _digest: str) -> bytes:
        _, _, _, n, attempt = json.loads(place)
        attempts.append(attempt)
        return bytes([n]) if attempt == 0 else bytes([0])

    monkeypatch.setattr(module, "_SPAN", 16)
    monkeypatch.setattr(module, "hmac", SimpleNamespace(digest=byte_of))

    drawn = [DICE.below(6, "x", n) for n in range(16)]

    assert Counter(drawn[:12]) == dict.fromkeys(range(6), 2)
    assert drawn[12:] == [0, 0, 0, 0]
    assert attempts == [0] * 12 + [0, 1] * 4


def test_each_further_attempt_is_a_draw_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    span = 1 << 255
    monkeypatch.setattr(module, "_SPAN", span)

    def patiently(n: int) -> tuple[int, int]:
        for attempt in itertools.count():
            value = int.from_bytes(by_hand(KEY, ["draw", 7, "x", n, attempt]), "big")
            if value < span - span % 6:
                return value % 6, attempt
        raise AssertionError

    found = [patiently(n) for n in range(40)]

    assert [DICE.below(6, "x", n) for n in range(40)] == [value for value, _ in found]
    assert max(attempt for _, attempt in found) > 1


@pytest.mark.parametrize("limit", [0, -1])
def test_a_draw_from_nothing_is_a_fault_that_names_the_draw(limit: int) -> None:
    with pytest.raises(ValueError):
        DICE.below(limit, "deal")


@given(st.lists(st.integers(), max_size=30), st.text(max_size=5))
def test_a_shuffle_is_a_permutation(items: list[int], label: str) -> None:
    shuffled = DICE.shuffled(items, label)

    assert sorted(shuffled) == sorted(items)
    assert shuffled == DICE.shuffled(tuple(items), label)


def test_shuffles_reach_every_order_about_equally_often() -> None:
    seen = Counter(Dice(KEY, step).shuffled("abc", "x") for step in range(6000))

    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def test_a_pick_is_one_of_the_items() -> None:
    picked = {DICE.pick("xyz", "pick", n) for n in range(50)}

    assert picked == {"x", "y", "z"}
