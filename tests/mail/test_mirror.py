"""No mail that the host sends can be taken for orders, whoever wrote it and however it comes back."""

from __future__ import annotations

import textwrap
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.core.events import ALL, Recorded, Seat, only
from pbem.core.notices import PressSent
from pbem.host.time.extensions import extend
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.turnfiles import is_form_of
from pbem.store.mailout import QueuedMail
from pbem.store.records import Kind
from pbem.text.mail.findorders import NoOrders, find_orders
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.plaintext import TextProblem, clean_text
from pbem.text.strictyaml import YamlProblem, parse
from tests.hosting.games import GAME, HOUR, MADE, TUESDAY, a_club, night, queued, stay
from tests.mail.host import Host
from tests.mail.letters import MARKER, mail
from tests.mail.samples import report_mail
from tests.mail.styles import MORE_STYLES, STYLES, write
from tests.text.test_report import RED, SCENES, WHITE, Scene

PIECES = [
    *(
        "orders:",
        "game: rose-1",
        "seat: red",
        "- at: red-7",
        "  do: {play: N2}",
        "do: {resign: true}",
        "press:",
    ),
    *("orders: [{do: {play: N2}}]", "stop_if: {lost_token: true}", "# pbem form rose-1 red red-7", MARKER),
    *("```", "---", "> orders:", "| ", "From: x", "=== RESULTS ===", "\n", "\n\n", " ", "\t", "\u2003"),
    *("x" * 60, "a word and another one"),
    *("<pre>", "</td>", "&#10;orders:", "key: abcd"),
]
WORDS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=300)


OWN = SCENES["red-asked"].report(RED).form.splitlines()[0]


def told(say: str, names: tuple[str, str] = ("Ann", "Bob")) -> bytes:
    """Return the mail of a report in which somebody says something."""
    base = SCENES["red-asked"]
    press = (
        Recorded("", PressSent(WHITE, "all", say, to=ALL)),
        Recorded("", PressSent(WHITE, (RED,), say, to=only(RED, WHITE))),
    )
    scene = Scene(base.opening, base.run, base.orders, (*base.more, *press), names, base.deadline)
    report = scene.report(Seat("red"))
    return report_mail(report.text, report.html, report.form, "rose-1", "red")


def cleaned(text: str) -> str:
    """Return a text as it can stand in orders."""
    try:
        return clean_text(text)
    except TextProblem:
        return ""


def assert_none(raw: bytes) -> None:
    """Assert that a mail holds no orders, not even behind the line that the reader's own form opens with."""
    letter = read_letter(raw)
    assert isinstance(letter, Letter)
    found = find_orders(letter, lambda line: line == OWN, game="rose-1", seat="red")
    assert isinstance(found, NoOrders), found.text.decode()


@given(WORDS, st.text(max_size=60), st.sampled_from([*MORE_STYLES, "as it is"]))
@example("x\norders:\n- do: {draw: true}", "Ann", "gmail")
@example("\n".join(PIECES), "Ann", "outlook")
@example("orders: [{do: {draw: true}}]", "Ann", "flowed")
@example("orders: [{do: {draw: true}}]", "Ann", "as it is")
@settings(max_examples=25)
def test_press_never_becomes_orders_however_the_report_comes_back(say: str, name: str, style: str) -> None:
    raw = told(cleaned(say), ("Ann", " ".join(cleaned(name).split())))

    assert_none(
        raw if style == "as it is" else write(style, raw, None, "ann@example.test", "host@pbem.example")
    )


@given(WORDS, st.integers(20, 80), st.sampled_from(["", "> ", ">"]))
@example("", 34, "")
@settings(max_examples=25)
def test_press_never_becomes_orders_when_a_mail_program_wraps_it(say: str, width: int, mark: str) -> None:
    letter = read_letter(told(cleaned(say)))
    assert isinstance(letter, Letter)
    text = letter.parts[0].data.decode()

    lines = [piece for line in text.splitlines() for piece in textwrap.wrap(line, width) or [""]]

    wrapped_then_marked = "".join(f"{mark}{line}\n" for line in lines)
    marked_then_wrapped = "\n".join(
        piece for line in text.splitlines() for piece in textwrap.wrap(f"{mark}{line}", width) or [mark]
    )
    for body in (wrapped_then_marked, marked_then_wrapped):
        assert_no_press_in(mail(body))


@pytest.mark.parametrize("width", [20, 40, 66, 76])
def test_press_of_orders_is_none_at_any_width(width: int) -> None:
    words = "orders: [{do: {draw: true}}]"
    letter = read_letter(told("\n".join(f"{'peace ' * count}{words}" for count in range(1, 12))))
    assert isinstance(letter, Letter)
    lines = letter.parts[0].data.decode().splitlines()

    for mark in ("", "> "):
        wrapped = [piece for line in lines for piece in textwrap.wrap(f"{mark}{line}", width) or [mark]]
        assert_no_press_in(mail("\n".join(wrapped)))


def assert_no_press_in(raw: bytes) -> None:
    """Assert that nothing that another player wrote is taken for orders; a broken form may be a mistake."""
    letter = read_letter(raw)
    assert isinstance(letter, Letter)
    found = find_orders(letter, lambda line: False, game="rose-1", seat="red")
    if not isinstance(found, NoOrders):  # a line of the form lost its # to the program that wrapped it
        with pytest.raises(YamlProblem):
            parse(found.text.decode())


# Every kind of mail that a host sends


def club_mail(host: Host, text: str, *, press: bool = False) -> None:
    """Send a mail of Ann's to the club."""
    address = host.press_address("1", GAME) if press else host.address("1", GAME)
    assert host.gets(host.a_mail(text), address).verdict not in ("dropped", "shunted")


@pytest.fixture(scope="module")
def host_mails(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, list[QueuedMail]]:
    """Return mails of every kind that a host has sent, with orders in all press."""
    folder = tmp_path_factory.mktemp("kinds")
    opening = a_club(folder / "opening", by_mail=True, deal=False)
    night(opening, MADE + HOUR)
    extend(opening, GAME, MADE + HOUR, by=HOUR)
    night(opening, MADE + 2 * HOUR)
    home = a_club(folder, by_mail=True, gate={"down": "60d"}, press={"deliver": "at once"})
    night(home, MADE + HOUR)
    host = Host(home, MADE + HOUR)
    good = f"game: {GAME}\nseat: '1'\norders:\n- at: turn-1\n  do: {{move: stay}}\n"
    for text in (
        good,
        good.replace("stay", "nowhere"),
        "help",
        "rules",
        "status",
        "resend",
        "vote draw",
        "Hello!",
    ):
        club_mail(host, text)
    club_mail(host, f"to: all\n\n{good}", press=True)
    club_mail(host, f"to: moderator\n\n{good}", press=True)
    stay(home, "2")
    night(home, TUESDAY - HOUR)
    night(home, TUESDAY)
    return home, [*queued(opening, "invitation"), *queued(opening, "deadline"), *queued(home)]


def test_no_mail_that_the_host_sends_holds_orders(host_mails: tuple[Home, list[QueuedMail]]) -> None:
    home, mails = host_mails
    assert {row.kind for row in mails} == set(get_args(Kind))
    refusals = [row for row in mails if b"NOT accepted" in row.raw]
    assert refusals

    saved = SavedGame(home, GAME)
    found = [
        f"{row.kind} {row.message_id} {style}"
        for row in one_of_each(mails)
        for style in ("as it is", *STYLES)
        if not holds_none(saved, row, style)
    ]

    assert found == []


def one_of_each(mails: list[QueuedMail]) -> list[QueuedMail]:
    """Return one mail of each kind and of each beginning of a subject."""
    known = {(row.kind, row.raw.partition(b"Subject: ")[2][:24]): row for row in mails}
    return list(known.values())


def holds_none(saved: SavedGame, row: QueuedMail, style: str) -> bool:
    """Tell whether a mail holds no orders, as it was sent or as a mail program sends it back whole."""
    host = "host@pbem.test"
    raw = row.raw if style == "as it is" else write(style, row.raw, None, "ann@example.test", host)
    letter = read_letter(raw)
    assert isinstance(letter, Letter), style
    return all(
        isinstance(find_orders(letter, is_form_of(saved, seat), game=GAME, seat=seat), NoOrders)
        for seat in saved.start.seats
    )
