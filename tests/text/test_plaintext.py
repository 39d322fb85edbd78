from __future__ import annotations

import pytest

from pbem.text.plaintext import Mark, TextProblem, clean_text, name_character, place
from tests.facts import tells


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain\n", "plain\n"),
        (b"\xef\xbb\xbfafter a byte order mark", "after a byte order mark"),
        (b"one\r\ntwo\rthree\n", "one\ntwo\nthree\n"),
        ("tab\tstays", "tab\tstays"),
        ("a\u00a0b\u2003c\u202fd\u3000e", "a b c d e"),
        ("Привет 😀 \u0915\u094d\u200d\u0937", "Привет 😀 \u0915\u094d\u200d\u0937"),
    ],
)
def test_clean_keeps_the_words_and_makes_line_ends_and_spaces_plain(data: bytes | str, text: str) -> None:
    assert clean_text(data) == text


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\u2028", ("(U+2028)",)),
        ("\u0085", ("(U+0085)",)),
        ("\u001b", ("(U+001B)",)),
        ("\u009b", ("(U+009B)",)),
        ("\u202e", ("right-to-left", "(U+202E)")),
        ("\u2066", ("left-to-right", "(U+2066)")),
        ("\u200b", ("(U+200B)",)),
        ("\ufeff", ()),
        ("\u00ad", ("(U+00AD)",)),
        ("\ue000", ("(U+E000)",)),
        ("\U000e0041", ("(U+E0041)",)),
        ("\ud800", ("(U+D800)",)),
        ("\uffff", ()),
    ],
    ids=str,
)
def test_a_character_that_hides_or_controls_is_refused_by_name_at_its_place(
    character: str, name: tuple[str, ...]
) -> None:
    with pytest.raises(TextProblem) as caught:
        clean_text(f"first\r\nno {character}")

    assert caught.value.mark == Mark(2, 4)
    assert tells(name_character(character), *name)


@pytest.mark.parametrize(
    "data",
    [
        b"name: J\xfcrgen",
        "я: 1\r\nж: ".encode() + b"\xff",
        b"\xed\xa0\x80",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "a: 1".encode("utf-16"),
        "a\0",
        b"x" * 65537,
        "я" * 32769,
    ],
    ids=["latin-1", "later line", "surrogate bytes", "png", "utf-16", "NUL", "bytes", "characters"],
)
def test_what_is_no_text_is_refused_at_its_first_bad_byte(data: bytes | str) -> None:
    with pytest.raises(TextProblem) as caught:
        clean_text(data)

    assert caught.value.hint


def test_a_text_of_exactly_the_limit_is_read() -> None:
    assert len(clean_text(b"x" * 65536)) == 65536


@pytest.mark.parametrize(("index", "mark"), [(0, "1:1"), (1, "1:2"), (2, "2:1"), (4, "3:1"), (99, "3:2")])
def test_place_counts_lines_and_columns_from_one_and_stops_at_the_end(index: int, mark: str) -> None:
    assert str(place("a\nb\nc", index)) == mark
