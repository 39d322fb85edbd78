"""Orders files: receipts, masked keys, lines, press, leftovers and the words that will run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.book import Line, Orders, Press
from pbem.core.events import ALL, Seat
from pbem.core.interface import Json, Label
from pbem.text.codec import canonical_yaml, pending_json, pending_orders, receipt_of, write_receipt
from pbem.text.orders import (
    Envelope,
    Grammar,
    Submission,
    key_fault,
    mask_key,
    open_envelope,
    read_lines,
)
from pbem.text.schema import Schema
from pbem.text.strictyaml import parse
from tests.facts import each_tells
from tests.written import rows_of

SEATS = (Seat("red"), Seat("white"), Seat("7"))
MOVE = Schema(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["play"],
        "properties": {"play": {"enum": ["N1", "N2"]}, "hero": {"const": True}},
    }
)
START = Schema({"type": "object", "required": ["luck"], "properties": {"luck": {"type": "string"}}})
GRAMMAR = Grammar(SEATS, MOVE, START)
HEAD = "game: rose-1\nseat: red\n"
KEY = "k3v9-qq7t"


def opened(text: str | bytes) -> Envelope:
    envelope = open_envelope(text.encode() if isinstance(text, str) else text)
    assert isinstance(envelope, Envelope), envelope
    return envelope


def read(text: str) -> Submission:
    submission = read_lines(opened(text), GRAMMAR)
    assert isinstance(submission, Submission), submission
    return submission


def faults(text: str) -> list[str]:
    envelope = open_envelope(text.encode())
    found = read_lines(envelope, GRAMMAR) if isinstance(envelope, Envelope) else envelope
    assert isinstance(found, list)
    return [str(fault) for fault in found]


# Receipts

BODIES = {
    "plain": b"game: g\nseat: red\n",
    "no-line-end": b"game: g\nseat: red",
    "empty-lines": b"game: g\nseat: red\n\n\n",
    "windows": b"game: g\r\nseat: red\r\n",
    "windows-without-line-end": b"game: g\r\nseat: red",
    "old-mac": b"game: g\rseat: red\r",
    "ends-in-a-block": b"game: g\nseat: red\npress:\n- to: all\n  say: |\n    Hello\n    # pbem receipt 9\n",
    "block-without-line-end": b"game: g\nseat: red\npress:\n- to: all\n  say: |-\n    Hello",
    "ends-in-a-comment": b"game: g\nseat: red\n# that is all",
    "document-end": b"game: g\nseat: red\n...\n",
    "byte-order-mark": b"\xef\xbb\xbfgame: g\nseat: red\n",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_stamped_file_says_the_same_and_has_its_receipt(body: bytes) -> None:
    once = write_receipt(body, 7)
    twice = write_receipt(once, 123456789)

    assert [receipt_of(data) for data in (body, once, twice)] == [0, 7, 123456789]
    assert parse(twice).value == parse(once).value == parse(body).value
    assert twice.count(b"\n# pbem receipt") == 1
    assert once.endswith(b"\n# pbem receipt 7\n")
    assert write_receipt(twice, 7) == once


@pytest.mark.parametrize(
    ("data", "receipt"),
    [
        (b"# pbem receipt 7\n", 7),
        (b"game: g\n# pbem receipt 7", 7),
        (b"game: g\n# pbem receipt 7\nseat: red\n", 0),
        (b"game: g # pbem receipt 7\n", 0),
        (b"game: g\n  # pbem receipt 7\n", 0),
        (b"game: g\n# pbem receipt 07\n", 0),
        (b"game: g\n# pbem receipt 0\n", 0),
        (b"game: g\n# pbem receipt 1234567890\n", 0),
        (b"", 0),
    ],
    ids=repr,
)
def test_a_receipt_is_the_last_line_only(data: bytes, receipt: int) -> None:
    assert receipt_of(data) == receipt


# Keys

KEYS = {
    "in-braces": f"{{game: g, seat: ä, key: {KEY}}}",
    "letters-of-many-bytes-before": f"game: g\nseat: 'ä€😀'\npress:\n- {{to: all, say: '€'}}\nkey: '{KEY}'\n",
    "many-bytes-in-the-line": f"{{seat: 'ä€😀', game: g, key: {KEY}}}\n",
    "wide-space-before": f"{HEAD}key:\u00a0{KEY}\n",
}


@pytest.mark.parametrize("text", KEYS.values(), ids=KEYS)
def test_the_key_is_masked_in_its_place_and_nothing_else(text: str) -> None:
    data, envelope = text.encode(), opened(text)

    covered = mask_key(data, envelope)

    assert envelope.key == KEY
    assert key_fault(data, envelope) is None
    assert covered.decode("utf-8-sig") == text.removeprefix("\ufeff").replace(KEY, "x" * len(KEY))
    assert opened(covered).key == "x" * len(KEY)


@pytest.mark.parametrize(
    "text",
    [f"{HEAD}key: rose\n", f"{HEAD}key: e\n", f"{HEAD}key: red\n"],
    ids=["a-word-of-the-file", "a-letter-of-the-file", "the-seat"],
)
def test_a_short_key_masks_its_own_place_and_no_other(text: str) -> None:
    envelope = opened(text)

    covered = mask_key(text.encode(), envelope).decode()

    assert covered == f"{HEAD}key: {'x' * len(envelope.key)}\n"


# Lines


@pytest.mark.parametrize(
    ("text", "name", "expected"), rows_of(__file__, "names_are_text_also_where_yaml_reads_a_number"), ids=repr
)
def test_names_are_text_also_where_yaml_reads_a_number(text: str, name: str, expected: str) -> None:
    assert getattr(opened(text), name) == expected


def test_partial_drops_whole_lines_and_names_them() -> None:
    text = f"{HEAD}partial: true\norders:\n- do: {{play: N9}}\n- do: {{play: N1}}\n"

    submission = read(text)

    assert [line.number for line in submission.orders.lines] == [2]
    assert submission.envelope.left_out == {"1"}


BIDS = Schema(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"enum": ["sun", "moon"]} for name in ("first", "second")},
    }
)
SEVERAL = Grammar(SEATS, BIDS, START, frozenset({"first", "second"}))


def test_partial_drops_single_actions_where_the_rules_have_them() -> None:
    text = f"{HEAD}partial: true\norders:\n- do: {{first: sun, second: star}}\n- do: {{first: star}}\n"

    submission = read_lines(opened(text), SEVERAL)

    assert isinstance(submission, Submission)
    assert [(line.number, line.do) for line in submission.orders.lines] == [(1, {"first": "sun"})]
    assert submission.envelope.left_out == {"1.second", "2.first", "2"}
    assert [fault.part for fault in submission.envelope.dropped] == ["1.second", "2.first", "2"]


def test_what_was_left_out_stays_so_when_the_file_is_read_again() -> None:
    text = f"{HEAD}partial: true\norders:\n- do: {{first: sun, second: moon}}\n- do: {{first: moon}}\n"
    lodged = write_receipt(text.encode(), 3, {"1.first", "2"})
    assert lodged.endswith(b"# pbem receipt 3, without orders 1.first, 2\n")

    submission = read_lines(opened(lodged), SEVERAL)

    assert isinstance(submission, Submission)
    assert [(line.number, line.do) for line in submission.orders.lines] == [(1, {"second": "moon"})]


def test_partial_does_not_excuse_mistakes_outside_the_lines() -> None:
    text = f"{HEAD}partial: true\norders:\n- do: {{play: N9}}\npress:\n- {{to: x, say: y}}\n"

    assert each_tells(faults(text), ("5:14", "'N9'", "N1, N2"), ("7:8", "red, white, 7"))


def test_at_most_twenty_mistakes_are_named() -> None:
    assert len(faults(HEAD + "orders:\n" + "- do: {play: W9}\n" * 30)) == 20


# Leftovers and the words that will run

words = st.text("abcN12 ä'\":{}[]#-\n", min_size=1, max_size=8)
scalars: st.SearchStrategy[Json] = st.none() | st.booleans() | st.integers(-99, 99) | words
moves: st.SearchStrategy[Json] = st.dictionaries(words, scalars, min_size=1, max_size=3).map(dict[str, Json])
conditions: st.SearchStrategy[dict[str, Json]] = st.dictionaries(
    words, scalars | st.builds(lambda n: {"at_least": n}, st.integers(0, 9)), max_size=2
).map(dict[str, Json])
lines = st.lists(
    st.tuples(
        st.none() | st.sampled_from([Label("red-7"), Label("7-2.trade")]), conditions, st.booleans(), moves
    ),
    min_size=1,
    max_size=4,
).map(lambda found: tuple(Line(number, *one) for number, one in enumerate(found, 1)))


@given(lines, conditions, st.integers(0, 99), st.booleans())
def test_leftovers_come_back_equal(
    found: tuple[Line, ...], stop_if: dict[str, Json], receipt: int, wait: bool
) -> None:
    orders = Orders(found, stop_if, receipt=receipt, wait=wait)

    assert pending_orders(pending_json(orders)) == orders


@given(
    lines, conditions, st.lists(st.tuples(st.sampled_from([ALL, frozenset({Seat("7")})]), words), max_size=2)
)
def test_the_words_that_will_run_read_back_as_the_same_orders(
    found: tuple[Line, ...], stop_if: dict[str, Json], said: list[tuple[object, str]]
) -> None:
    press = tuple(Press(to, say, False) for to, say in said)  # type: ignore[arg-type]
    orders = Orders(found, stop_if, press, fresh=True)
    anything = Schema({})

    again = read_lines(
        opened(f"{HEAD}orders:\n{canonical_yaml(orders)}\n"), Grammar(SEATS, anything, anything)
    )

    assert isinstance(again, Submission)
    assert again.orders == orders


def test_a_whole_number_with_a_point_is_the_number() -> None:
    lines = "orders:\n- do: {play: N1, count: 5.0, at: [5.0, {deep: 2.0}], part: 0.5}\n"
    grammar = Grammar(SEATS, Schema({"type": "object"}), START)

    read = read_lines(opened(HEAD + lines), grammar)

    assert isinstance(read, Submission)
    do = read.orders.lines[0].do
    assert do == {"play": "N1", "count": 5, "at": [5, {"deep": 2}], "part": 0.5}
    assert isinstance(do, dict)
    assert type(do["count"]) is int


@pytest.mark.parametrize(
    ("line", "mistakes"),
    rows_of(__file__, "where_orders_have_a_field_luck_the_label_tells_what_is_a_start_form"),
)
def test_where_orders_have_a_field_luck_the_label_tells_what_is_a_start_form(
    line: str, mistakes: list[str]
) -> None:
    hills = Schema({"type": "object", "properties": {"luck": {"type": "integer"}}})

    read = read_lines(opened(f"{HEAD}orders:\n- {line}\n"), Grammar(SEATS, hills, START))

    assert [fault.text for fault in read] == mistakes if isinstance(read, list) else mistakes == []
