"""Mails are received: orders are lodged once, and every mail ends in a verdict and at most one answer."""

from __future__ import annotations

import datetime
import hashlib
import sqlite3
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.core.interface import Json
from pbem.host.batch import run
from pbem.mail.repeats import identity_of
from pbem.play import lodging
from pbem.play.gate import lodged
from pbem.play.home import Home
from pbem.play.lodging import Sender
from pbem.play.reading import report
from pbem.play.receipts import Lodged, Receipt
from pbem.play.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.text.canonical import canonical
from pbem.text.mail.letter import Letter, read_letter
from pbem.text.orders import Envelope, Fault
from tests.homes import NOW, a_home, game_folder, orders_text, submit, top
from tests.mail.host import ANN, BAD, BOB, E1, N2, RED, Host, a_host, read, text_of


def test_orders_are_lodged_and_the_receipt_says_what_will_run(tmp_path: Path) -> None:
    host = a_host(tmp_path)

    said = host.orders(N2)

    assert (said.verdict, said.rule, said.seat) == ("lodged", "orders", "red")
    assert "N2" in host.lodged()
    told = host.answer()
    assert "are lodged: receipt 1." in told
    assert "THESE LINES WILL RUN\n    | - at: red-1\n    |   do: {play: N2}\n" in told
    assert "order 1: at red-1: play N2.\n" in told
    assert "will be played: N2 takes the crown from E5 to E3." in told
    assert "Proof of what you sent: " in told
    assert "THEY REPLACE" not in told


def test_the_receipt_shows_the_very_lines_that_will_run(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    lines: list[Json] = [
        *N2,
        {"at": "red-2", "when": {"crown": ["F2", "F4"]}, "keep": False, "do": {"draw": True}},
        {"when": {"pile": {"at_most": 9}}, "keep": True, "do": {"draw": True}},
    ]
    host.gets(host.a_mail(orders_text("rose-1", "red", lines, stop_if={"pile": 3})), host.address())

    shown = host.answer().split("THESE LINES WILL RUN\n")[1].split("\n\n")[0]
    saved = SavedGame(host.home, "rose-1")
    runs = canonical(lodged(saved).orders[RED])

    assert [line.removeprefix("    | ") for line in shown.splitlines()] == runs.splitlines()


def test_the_receipt_answers_the_mail_and_cannot_be_answered_by_robots(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.orders(N2)

    (row,) = host.outbox()
    mail = read(row.raw)

    assert (row.rcpt, row.envelope_from, row.kind) == (ANN, "", "receipt")
    assert mail["In-Reply-To"] == "<mail1@example.test>"
    assert "<mail1@example.test>" in str(mail["References"])
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["X-Auto-Response-Suppress"] == "All"
    assert mail["X-Loop"] == "host@pbem.test"
    assert mail["Reply-To"] == host.address()


def test_new_orders_replace_those_before_and_the_receipt_shows_them(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.orders(N2)

    host.orders(E1)

    told = text_of(host.answers()[1])
    assert "receipt 2." in told
    assert "THEY REPLACE\n    | - at: red-1\n    |   do: {play: N2}\n" in told


def test_mistakes_are_told_with_line_column_and_caret_and_nothing_is_changed(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.orders(N2)
    before = host.lodged()

    said = host.orders(BAD)

    assert said.verdict == "refused"
    assert host.lodged() == before
    told = text_of(host.answers()[1])
    assert "NOT accepted, and nothing was changed" in told
    assert "line 5, column 14 of your mail: 'N4' is not possible here." in told
    assert "    |   do: {play: N4}\n    |              ^\n" in told
    assert "THESE ORDERS OF YOURS STAND\n    | - at: red-1\n    |   do: {play: N2}\n" in told


def test_place_line_and_caret_of_a_wrapped_line_agree(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    text = "game: rose-1\nseat: red\norders:\n- at: red-1\n   do: {play: \nN4}\n"
    raw = host.a_mail("TEXT").replace(b'charset="utf-8"', b'charset="utf-8"; format=flowed')
    raw = raw.replace(b"TEXT", text.encode())

    host.gets(raw, host.address("red"))

    assert "line 6, column 1 of your mail: 'N4' is not possible here." in host.answer()
    assert "    | N4}\n    | ^\n" in host.answer()


@pytest.mark.parametrize(
    ("do", "verdict", "told"),
    [
        ("{Play: N2}", "lodged", "`Play` was read as `play` in line 5."),
        ("{Play: N2, HERO: true}", "refused", "`HERO` was read as `hero` in line 5."),
        ("{Plays: N2}", "lodged", "`Plays` was read as `play` in line 5."),
        ("{Plays: N7}", "refused", "unknown field 'Plays'"),
        ("{Play: N2, play: N3}", "refused", "unknown field 'Play'"),
        ("{play: N2, hero: {Play: N3}}", "refused", "WHAT IS WRONG"),
    ],
)
def test_a_capital_from_a_phone_is_put_right_under_do_where_only_the_small_word_is_known(
    tmp_path: Path, do: str, verdict: str, told: str
) -> None:
    host = a_host(tmp_path)
    raw = host.a_mail(f"game: rose-1\nseat: red\norders:\n- at: red-1\n  Do: {do}\n")

    assert host.gets(raw, host.address("red")).verdict == verdict
    assert told in " ".join(host.answer().split())
    assert ("was read as" in host.answer()) == ("was read as" in told)


def test_mistakes_in_an_attachment_are_told_with_its_name(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    mail = read(host.a_mail("See the attachment."))
    assert isinstance(mail, EmailMessage)
    orders = orders_text("rose-1", "red", BAD).encode()
    mail.add_attachment(orders, "application", "x-yaml", filename="my.yaml")

    host.gets(mail.as_bytes(), host.address())

    assert "of the attachment my.yaml: 'N4' is not possible here." in " ".join(host.answer().split())


def test_what_partial_orders_leave_out_is_named(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    text = orders_text("rose-1", "red", [*BAD, *N2], partial=True)

    said = host.gets(host.a_mail(text), host.address())

    assert said.verdict == "lodged"
    left_out = "LEFT OUT, for what is wrong with it\n  line 5, column 14 of your mail: order 1 is left out"
    assert left_out in host.answer()


def test_orders_for_another_seat_or_game_are_refused_to_their_sender(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    for game, seat in (("rose-1", "white"), ("rose-9", "red")):
        host.gets(host.a_mail(orders_text(game, seat, N2)), host.address())

    told = [" ".join(text_of(one).split()) for one in host.answers()]
    assert "these are orders of 'white'. Expected red." in told[0]
    assert "these orders are for 'rose-9'. Expected rose-1." in told[1]
    assert (host.lodged("red"), host.lodged("white")) == ("", "")


@pytest.mark.parametrize(
    ("words", "verdict"),
    [("Thank you!", "empty"), ("Please withdraw my orders.", "question"), ("orders: []", "question")],
)
def test_a_mail_without_orders_is_told_what_stands_and_what_withdraws_it(
    tmp_path: Path, words: str, verdict: str
) -> None:
    host = a_host(tmp_path)
    host.orders(N2)

    said = host.gets(host.a_mail(words, subject="orders: none"), host.address())

    assert said.verdict == verdict

    told = text_of(host.answers()[1])
    assert "These orders of yours stand:" in told
    assert "    |   do: {play: N2}" in told
    assert "To withdraw them, write `orders: none` as the text of a mail." in told


@pytest.mark.parametrize(
    ("first", "second"),
    [(("orders.docx", ""), ("orders.pdf", "")), (("", "draw"), ("", "play N2"))],
    ids=["another-file", "another-subject"],
)
def test_another_try_in_a_mail_without_words_has_its_own_answer(
    tmp_path: Path, first: tuple[str, str], second: tuple[str, str]
) -> None:
    host = a_host(tmp_path)
    for name, subject in (first, second, second):
        mail = read(host.a_mail("", subject=subject))
        assert isinstance(mail, EmailMessage)
        if name:
            mail.add_attachment(b"PK", "application", "octet-stream", filename=name)
        assert host.gets(mail.as_bytes(), host.address()).verdict == "question"

    assert len(host.answers()) == 2


def test_two_lists_of_orders_at_once_go_to_the_seat_that_wrote_them(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address("red"))
    text = orders_text("rose-1", "white", [{"do": {"draw": True}}])
    host.put(host.a_mail(text, sender=BOB), host.address("white"))

    assert [(one.verdict, one.seat) for one in host.process()] == [("lodged", "red"), ("lodged", "white")]
    assert {row.rcpt for row in host.outbox()} == {ANN, BOB}


def test_orders_are_answered_once_only_when_a_machine_wrote_them_not_at_all(tmp_path: Path) -> None:
    host = a_host(tmp_path)

    said = host.orders(N2, Precedence="bulk")

    assert said.verdict == "lodged"
    assert host.outbox() == []


# Again and again


def test_the_same_mail_again_changes_nothing_and_gets_a_note(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    first = host.a_mail(orders_text("rose-1", "red", N2))
    host.gets(first, host.address())
    host.orders(E1)
    before = host.lodged()

    said = host.gets(b"Received: by another way\n" + first, host.address())

    assert (said.verdict, said.rule) == ("repeated", "replay")
    assert host.lodged() == before
    assert "the same number (Message-ID) came before" in text_of(host.answers()[2])


def test_mails_without_a_date_and_a_number_are_one_only_if_every_word_is(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    text = orders_text("rose-1", "red", N2)

    def told(words: str = text, **more: str) -> str:
        return host.gets(host.a_mail(words, Message_ID="", **more), host.address()).verdict

    assert told() == "lodged"
    assert told(subject="Once more") == "lodged"
    assert told(text + "\nOnce more.\n") == "lodged"
    again = host.a_mail(text, Message_ID="")

    said = host.gets(b"Received: by another way\n\twith a second line\n" + again, host.address())

    assert said.rule == "replay"

    assert "no date or number of its own. To send it once more, change a word." in " ".join(
        text_of(host.answers()[-1]).split()
    )


def test_a_mail_of_another_sender_is_never_the_same_mail(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    text = orders_text("rose-1", "red", N2)
    ids, contents = set(), set()
    for sender in (ANN, BOB):
        raw = host.a_mail(text, sender, Message_ID="", Date=THEN)
        letter = read_letter(raw)
        assert isinstance(letter, Letter)
        identity, content = identity_of(letter, raw, text.encode(), is_command=False)
        ids.add(identity)
        contents.add(content)

    assert len(ids) == 2
    assert contents == {hashlib.sha256(f"{THEN}\0{text}".encode()).hexdigest()}, "as noted in older homes"


@pytest.mark.parametrize(
    ("commands", "subject"),
    [(("resend", "resend"), ""), (("vote end", "unvote end", "vote end"), ""), (("", ""), "resend")],
    ids=["resend", "a vote", "the subject"],
)
def test_a_command_without_a_date_and_a_number_may_be_given_again(
    tmp_path: Path, commands: tuple[str, ...], subject: str
) -> None:
    host = a_host(tmp_path)

    for way, words in enumerate(commands):
        mail = host.a_mail(words, subject=subject, Message_ID="")
        said = host.gets(f"Received: by way {way}\n".encode() + mail, host.address())

        assert said.rule == "command"


@pytest.mark.parametrize("reader", ["white", "moderator"])
def test_a_message_below_the_name_of_a_command_is_no_command(tmp_path: Path, reader: str) -> None:
    host = a_host(tmp_path)
    mail = host.a_mail(f"to: {reader}\nHello.\n", subject="status", Message_ID="")
    rules = [host.gets(way + mail, host.address()).rule for way in (b"", b"Received: by another way\n")]

    assert rules[0] in ("press-in-reply", "to-moderator")
    assert rules[1] == "replay"


THEN, NOW_WRITTEN = "Sat, 21 Nov 2026 20:00:00 +0000", "Mon, 23 Nov 2026 08:00:00 +0000"
ANYTIME: list[Json] = [{"do": {"play": "N2"}}]


@pytest.mark.parametrize(
    "again",
    [
        {"Message_ID": "<mail1@example.test>", "Date": "Mon, 01 Jan 2099 00:00:00 +0000"},
        {"Message_ID": "<mail1@example.test>", "Date": ""},
        {"Date": THEN},
        {"Date": THEN, "Message_ID": "", "subject": "Other"},
    ],
    ids=["the same id, another date", "the same id", "written at the same moment", "no id"],
)
@pytest.mark.parametrize("lines", [ANYTIME, N2], ids=["whenever asked", "for an ask"])
def test_an_old_mail_is_recognised_in_a_later_turn(
    tmp_path: Path, again: dict[str, str], lines: list[Json]
) -> None:
    host = a_host(tmp_path)
    host.orders(lines, Date=THEN)
    run(host.home, "rose-1", now=NOW)
    before = host.lodged()

    said = host.orders(lines, **again)

    assert (said.verdict, said.rule) == ("repeated", "replay")
    assert host.lodged() == before


def test_an_old_mail_does_not_replace_later_orders_of_its_turn(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.orders(N2, Date=THEN)
    host.orders(E1, Date=NOW_WRITTEN)

    assert host.orders(N2, Date=THEN).verdict == "repeated"

    assert "E1" in host.lodged()


@pytest.mark.parametrize("has_id", [True, False], ids=["", "without a Message-ID"])
def test_the_same_words_in_a_new_mail_are_new_orders_in_any_turn(tmp_path: Path, has_id: bool) -> None:
    host = a_host(tmp_path)
    more = {} if has_id else {"Message_ID": ""}
    draw: list[Json] = [{"when": {"pile": {"at_most": 9}}, "do": {"draw": True}}]
    assert host.orders(draw, Date=THEN, **more).verdict == "lodged"
    host.orders(N2)
    run(host.home, "rose-1", now=NOW)

    assert host.orders(draw, Date=NOW_WRITTEN, **more).verdict == "lodged"

    assert "draw" in host.lodged()


def test_a_mail_without_id_and_date_is_recognised_by_its_words(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    host.orders(ANYTIME, Message_ID="")
    run(host.home, "rose-1", now=NOW)

    assert host.orders(ANYTIME, Message_ID="", X_Way="another").verdict == "repeated"


def test_the_same_words_in_a_new_mail_of_the_same_turn_are_new_orders(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    for lines in (N2, E1, N2):
        assert host.orders(lines).verdict == "lodged"

    assert "N2" in host.lodged()
    assert "receipt 3" in host.lodged()


def test_every_accepted_mail_of_a_turn_is_refused_when_it_comes_again_in_the_next(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    mails = [
        host.a_mail(orders_text("rose-1", "red", lines), Date=f"Sat, 21 Nov 2026 20:00:0{second} +0000")
        for second, lines in enumerate((N2, E1, ANYTIME))
    ]
    for mail in mails:
        assert host.gets(mail, host.address()).verdict == "lodged"
    run(host.home, "rose-1", now=NOW)
    before = host.lodged()

    for mail in mails:
        again = mail.replace(b"<mail", b"<other").replace(b"Subject: Orders", b"Subject: Other")
        assert host.gets(b"Received: again\n" + mail, host.address()).verdict == "repeated"
        assert host.gets(again, host.address()).verdict == "repeated"

    assert host.lodged() == before


# Exactly once


class Killed(BaseException):
    """Stands for a kill."""


def _killed(*_: object, **__: object) -> None:
    raise Killed


@pytest.mark.parametrize("place", ["lodge", "finish", "put"])
def test_a_kill_anywhere_lodges_nothing_twice_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    undisturbed, host = a_host(tmp_path / "a"), a_host(tmp_path / "b")
    undisturbed.orders(N2)
    mail = host.a_mail(orders_text("rose-1", "red", N2))
    target = {
        "lodge": "pbem.store.folder.FolderStore.lodge",
        "finish": "pbem.store.journal.Journal.finish",
        "put": "pbem.store.journal.Journal.put",
    }[place]
    host.put(mail, host.address())
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(target, _killed)
        host.process()

    (said,) = host.process()

    assert said.verdict == "lodged"
    assert host.lodged() == undisturbed.lodged()
    assert [one.raw for one in host.outbox()] == [one.raw for one in undisturbed.outbox()]
    assert host.process() == []


def test_after_a_kill_the_moderators_newer_orders_are_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path)
    host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr("pbem.store.journal.Journal.finish", _killed)
        host.process()
    path = tmp_path / "red.yaml"
    path.write_text(orders_text("rose-1", "red", E1), encoding="utf-8")
    assert isinstance(submit(host.home, path), Receipt)

    assert [one.verdict for one in host.process()] == ["lodged"]
    assert "E1" in host.lodged()


def test_mails_wait_while_their_game_is_damaged_and_keep_their_order(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    file = game_folder(host.home, "rose-1") / "game.yaml"
    good = file.read_text(encoding="utf-8")
    first = host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())
    second = host.put(host.a_mail(orders_text("rose-1", "red", E1)), host.address())
    file.write_text("seats: {", encoding="utf-8")

    waiting = host.process()
    file.write_text(good, encoding="utf-8")
    said = host.process()

    assert [one.verdict for one in waiting] == ["waits", "waits"]
    assert [(one.intake, one.verdict) for one in said] == [(first, "lodged"), (second, "lodged")]
    assert "E1" in host.lodged()


def test_a_mail_does_not_overtake_one_of_the_same_game_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path)
    for lines in (N2, E1):
        host.put(host.a_mail(orders_text("rose-1", "red", lines)), host.address())
    faults = [OSError(28, "No space left on device")]

    def lodge(home: Home, data: bytes, sender: Sender, envelope: Envelope) -> Lodged | list[Fault]:
        if faults:
            raise faults.pop()
        return lodging.lodge(home, data, sender, envelope)

    monkeypatch.setattr("pbem.mail.handlers.lodge", lodge)

    assert [one.verdict for one in host.process()] == ["waits", "waits"]
    assert [one.verdict for one in host.process()] == ["lodged", "lodged"]
    assert "E1" in host.lodged()


def test_mails_wait_while_a_run_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = a_host(tmp_path)
    monkeypatch.setattr("pbem.play.lodging.WAIT_SECONDS", 0.0)
    host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())
    with host.home.held("rose-1"):
        waiting = host.process()

    assert [one.verdict for one in waiting] == ["waits"]
    assert [one.verdict for one in host.process()] == ["lodged"]


def test_a_broken_template_of_the_moderators_keeps_the_mail_waiting_and_lodges_once(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    template = (top(host.home) / "templates") / "mail" / "receipt.txt.j2"
    template.parent.mkdir(parents=True)
    template.write_text("{{ nothing }}", encoding="utf-8")
    host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())

    waiting = host.process()
    template.write_text("Lodged: {{ number }}\n", encoding="utf-8")
    said = host.process()

    assert [one.verdict for one in (*waiting, *said)] == ["waits", "lodged"]
    assert host.answer() == "Lodged: 1\n"


# Too many


def test_so_many_receipts_an_hour_and_then_one_mail_that_says_so_while_orders_still_count(
    tmp_path: Path,
) -> None:
    host = a_host(tmp_path, receipts_per_hour=3)
    for n in range(8):
        assert host.orders([E1, N2][n % 2]).verdict == "lodged"

    assert [row.kind for row in host.outbox()] == ["receipt"] * 3 + ["notice"]
    assert "3 mails of yours were answered within an hour" in text_of(read(host.outbox()[3].raw))
    assert "N2" in host.lodged()

    host.now += datetime.timedelta(hours=1, seconds=1)
    host.orders(E1)
    assert [row.kind for row in host.outbox()][4:] == ["receipt"]


def test_a_turn_begins_the_count_of_answers_anew_so_that_a_quick_game_gets_all_its_receipts(
    tmp_path: Path,
) -> None:
    host = a_host(tmp_path, receipts_per_hour=1)
    host.orders(N2)
    host.now += datetime.timedelta(minutes=1)
    run(host.home, "rose-1", now=host.now)
    host.now += datetime.timedelta(minutes=1)

    for _ in range(2):
        host.gets(host.a_mail("status"), host.address())

    assert [row.kind for row in host.outbox() if row.kind != "report"] == ["receipt", "receipt", "notice"]


def test_other_mails_beyond_the_cap_are_dropped_and_their_player_is_told_once(tmp_path: Path) -> None:
    host = a_host(tmp_path, receipts_per_hour=2)

    said = [host.gets(host.a_mail("status"), host.address()).verdict for _ in range(4)]

    assert said == ["command-status", "command-status", "dropped", "dropped"]
    assert [row.kind for row in host.outbox()] == ["receipt", "receipt", "notice"]
    told = " ".join(text_of(read(host.outbox()[2].raw)).split())
    assert "but press to the press address and words such as `rules` do nothing until then" in told


def test_press_in_orders_beyond_the_cap_waits_for_the_next_report_and_its_player_is_told_so(
    tmp_path: Path,
) -> None:
    host = a_host(tmp_path, "press: {deliver: at once}\n", receipts_per_hour=1)
    host.orders(N2)
    text = "game: rose-1\nseat: red\npress:\n- {to: all, say: Peace in the north}\n"

    assert host.gets(host.a_mail(text), host.address()).verdict == "press"

    assert [row.kind for row in host.outbox()] == ["receipt", "notice"]
    told = " ".join(text_of(read(host.outbox()[1].raw)).split())
    assert "Press in them goes out with the next reports, but press to the press address" in told
    run(host.home, "rose-1", now=NOW)
    assert "| Peace in the north" in report(host.home, "rose-1", "white")


def test_of_a_flood_only_the_newest_orders_that_can_be_lodged_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = a_host(tmp_path, orders_per_hour=2)
    tried: list[bytes] = []

    def lodge(home: Home, data: bytes, sender: Sender, envelope: Envelope) -> Lodged | list[Fault]:
        tried.append(data)
        return lodging.lodge(home, data, sender, envelope)

    monkeypatch.setattr("pbem.mail.handlers.lodge", lodge)
    for lines in (N2, N2, N2, N2, E1, BAD):
        host.put(host.a_mail(orders_text("rose-1", "red", lines)), host.address())

    said = host.process()

    assert [one.verdict for one in said] == [
        "lodged",
        "lodged",
        "refused",
        "lodged",
        "superseded",
        "superseded",
    ]
    assert len(tried) == 4
    assert "E1" in host.lodged()
    assert host.process() == []


def test_press_alone_is_not_lost_in_a_flood_of_orders(tmp_path: Path) -> None:
    host = a_host(tmp_path, orders_per_hour=2)
    press = "game: rose-1\nseat: red\npress:\n- {to: [white], say: Peace in the north}\n"
    for text in (*[orders_text("rose-1", "red", N2)] * 3, press, orders_text("rose-1", "red", E1)):
        host.put(host.a_mail(text), host.address())

    verdicts = [one.verdict for one in sorted(host.process(), key=lambda one: one.intake)]

    assert verdicts == ["lodged", "lodged", "superseded", "press", "lodged"]
    assert "E1" in host.lodged()
    run(host.home, "rose-1", now=NOW)
    assert "| Peace in the north" in report(host.home, "rose-1", "white")


def test_no_disk_left_keeps_mails_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = a_host(tmp_path)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    host.put(host.a_mail(orders_text("rose-1", "red", N2)), host.address())
    with monkeypatch.context() as patched:
        patched.setattr("pbem.store.folder.FolderStore.lodge", full)
        assert [one.verdict for one in host.process()] == ["waits"]

    assert [one.verdict for one in host.process()] == ["lodged"]


def test_a_database_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = a_host(tmp_path)
    host.put(host.a_mail("status"), host.address())
    with host.home.journal() as other, other.writing():
        monkeypatch.setattr("pbem.store.connection.BUSY_SECONDS", 0.05)
        with pytest.raises(WrongInput, match="the mail database refused"):
            host.process()


@pytest.mark.parametrize(
    ("free", "wrong", "told"),
    [
        (4096, "disk I/O error", "(disk I/O error): the disk that holds HOME is full (4 kB free). Make room"),
        (0, "database or disk is full", "the disk that holds HOME is full (0 kB free)"),
        (0, "database is locked", "refused: database is locked. Each"),
        (1 << 30, "disk I/O error", "refused: disk I/O error. Each"),
    ],
)
def test_a_full_disk_is_named_when_the_database_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, wrong: str, told: str
) -> None:
    home = a_home(tmp_path)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=free))

    class Failing(sqlite3.Connection):
        def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
            if sql == "SELECT 1":
                raise sqlite3.OperationalError(wrong)
            return super().execute(sql, values)

    monkeypatch.setattr("pbem.store.connection.Connection", Failing)

    with pytest.raises(WrongInput) as refused, home.journal() as db:
        db.rows("SELECT 1")

    assert told.replace("HOME", str(top(home))) in str(refused.value)


def test_the_subject_of_a_receipt_names_what_the_orders_are_for(tmp_path: Path) -> None:
    host = a_host(tmp_path)

    host.orders([{"at": "white-1", "do": {"play": "SE3"}}], seat="white")
    host.orders([{"do": {"play": "N2"}}], seat="red")

    assert [str(one["Subject"]) for one in host.answers()] == [
        "[rose-1] Orders accepted for white-1 (receipt 1)",
        "[rose-1] Orders accepted (receipt 1)",
    ]


def test_a_host_says_what_became_of_every_mail(tmp_path: Path) -> None:
    host: Host = a_host(tmp_path)
    host.orders(N2)

    intake = host.intake(1)

    assert (intake.state, intake.verdict, intake.rule, intake.game, intake.seat) == (
        "done", "lodged", "orders", "rose-1", "red",
    )  # fmt: skip
    assert intake.receipt == 1
