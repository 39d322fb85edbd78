"""What is quoted or forwarded is told from a sender's own words and orders by its head, in any language.

Two signs show it: a head with an address, and a line that mails of ours hold. Where only the latter stands in
a mail, its words are passed on to nobody.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest

from pbem.host.notices.questions import open_questions
from pbem.host.run.batch import run
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.quotes import host_lines_in, own_lines
from pbem.text.strictyaml import parse
from tests.homes import NOW, orders_text
from tests.mail.host import N2, Host, a_host, read, text_of
from tests.mail.letters import FILLED, MEANT, ORDERS, letter_of, mail, quoted, search
from tests.mail.samples import newest

PAGE = "text/html; charset=utf-8"
MODERATOR = "mary@example.test"
WHOSE = "The games of Mary <host@pbem.test>"
WHEN = "28.11.2026 10:00"

# How a sender, a date, a reader and a subject are called, and what somebody did who wrote.
LANGUAGES: Mapping[str, tuple[str, str, str, str, str]] = {
    "arabic": ("من", "تاريخ الإرسال", "إلى", "الموضوع", "كتب"),
    "bulgarian": ("От", "Изпратено", "До", "Относно", "написа"),
    "catalan": ("De", "Enviat", "Per a", "Tema", "va escriure"),
    "english": ("From", "Sent", "To", "Subject", "wrote"),
    "german": ("Von", "Gesendet", "An", "Betreff", "schrieb"),
    "greek": ("Από", "Στάλθηκε", "Προς", "Θέμα", "έγραψε"),
    "hebrew": ("מאת", "נשלח", "אל", "נושא", "כתב"),
    "hindi": ("प्रेषक", "भेजा गया", "प्रति", "विषय", "ने लिखा"),
    "icelandic": ("Frá", "Sent", "Til", "Efni", "skrifaði"),
    "japanese": ("差出人", "送信日時", "宛先", "件名", "のメール"),
    "korean": ("보낸 사람", "보낸 날짜", "받는 사람", "제목", "님이 작성"),
    "latvian": ("No", "Nosūtīts", "Kam", "Tēma", "rakstīja"),
    "romanian": ("De la", "Trimis", "Către", "Subiect", "a scris"),
    "slovenian": ("Od", "Poslano", "Za", "Zadeva", "je napisal"),
    "thai": ("จาก", "ส่ง", "ถึง", "หัวเรื่อง", "เขียน"),
    "vietnamese": ("Từ", "Đã gửi", "Đến", "Chủ đề", "đã viết"),
}


def fields(language: str) -> str:
    """Return the four fields above a mail, as Outlook writes them."""
    sender, date, reader, subject, _ = LANGUAGES[language]
    return f"{sender}: {WHOSE}\n{date}: {WHEN}\n{reader}: Ann\n{subject}: [rose-1] Orders accepted\n"


def in_one(language: str) -> str:
    return f"{fields(language).strip().replace(chr(10), ' ')}\n"


def bold(language: str) -> str:
    return "".join(f"*{line.replace(':', ':*', 1)}\n" for line in fields(language).splitlines())


def date_first(language: str) -> str:
    first, second, *rest = fields(language).splitlines()
    return "".join(f"{line}\n" for line in (second, first, *rest))


def table(language: str) -> str:
    """Return the table of NetEase, below its rule."""
    rows = (line.partition(": ") for line in fields(language).splitlines())
    return "---- Replied Message ----\n" + "".join(f"| {name} | {value} |\n" for name, _, value in rows)


def said(language: str) -> str:
    return f'{WHEN}, "Mary" <host@pbem.test> {LANGUAGES[language][4]}:\n'


def wrapped(language: str) -> str:
    return f"{WHEN}, The games of Mary <\nhost@pbem.test> {LANGUAGES[language][4]}:\n"


def wide(language: str) -> str:
    return f"Mary <host@pbem.test> 于2026年11月28日 10:00 {LANGUAGES[language][4]}：\n"


HEADS: Mapping[str, Callable[[str], str]] = {
    "fields": fields,
    "fields in one line": in_one,
    "fields in bold": bold,
    "date first": date_first,
    "table": table,
    "words": said,
    "words in two lines": wrapped,
    "words with a wide colon": wide,
}
MARKS: Mapping[str, Callable[[str, str], str]] = {
    "no marks": lambda head, text: f"{head}\n{text}",
    "no gap": lambda head, text: f"{head}{text}",
    "marks below": lambda head, text: f"{head}{quoted(text)}",
    "marks": lambda head, text: quoted(f"{head}\n{text}"),
}
MADE = [*product(HEADS, MARKS)]
OWN = ("to: white", "", "Hello Bob, peace?")
SECRET = (
    "Your orders for rose-1 are lodged: receipt 1.\n\nTHESE LINES WILL RUN\n    | - at: red-1\n"
    "    |   do: {play: N2}\n\nYou spend 0 of 20 action points; House: Cancer.\n"
)
OTHERS = "orders:\n- at: red-7\n  do: {play: SE3}\n"


def below(language: str, program: str, marks: str, text: str) -> str:
    return MARKS[marks](HEADS[program](language), text)


@pytest.mark.parametrize(("program", "marks"), MADE)
def test_a_head_begins_what_is_quoted(program: str, marks: str) -> None:
    for language in LANGUAGES:
        old = below(language, program, marks, SECRET)

        assert own_lines(letter_of(mail("\n".join(OWN) + f"\n\n{old}"))) == OWN, language
        if marks == "marks below":
            assert own_lines(letter_of(mail(f"{old}\nI agree.\n"))) == ("", "I agree."), language


@pytest.mark.parametrize(("program", "marks"), MADE)
def test_no_orders_below_a_head_are_its_senders_but_those_in_a_form(program: str, marks: str) -> None:
    for language in LANGUAGES:
        old = below(language, program, marks, OTHERS)
        form = below(language, program, marks, f"Turn 7\n\n{FILLED}")

        above, filled = search(mail(f"{ORDERS}\n{old}")), search(mail(f"See below.\n\n{form}"))

        assert isinstance(search(mail(f"FYI\n\n{old}")), NoOrders), language
        assert isinstance(above, FoundOrders) and parse(above.text).value == MEANT, language
        assert isinstance(filled, FoundOrders) and parse(filled.text).value == MEANT, language


@pytest.mark.parametrize("gap", ["", "<p>&nbsp;</p>"], ids=["no gap", "a gap"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_of_a_page_begins_what_is_quoted(language: str, gap: str) -> None:
    head = "<br>".join(
        f"<b>{html.escape(name)}:</b> {html.escape(value)}"
        for name, _, value in (line.partition(": ") for line in fields(language).splitlines())
    )
    words = "".join(f"<p>{line or '<br>'}</p>" for line in OWN)
    shown = f"<div style='border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>{head}</p></div>{gap}"

    assert own_lines(letter_of(mail(f"{words}{shown}<pre>{SECRET}</pre>", kind=PAGE))) == OWN
    assert isinstance(search(mail(f"<p>FYI</p>{shown}<pre>{OTHERS}</pre>", kind=PAGE)), NoOrders)


# What a sender's own words may hold, and stays theirs.
PLAIN: Mapping[str, str] = {
    "an address": "Write to me at ann@example.test: I answer.",
    "an address and a day": "From 3.12.2026 on my address is ann@new.example.test.",
    "an address at the end": "My new address is as follows:\nann@new.example.test",
    "a list": "North: you\nEast: me\nSouth: Cid\nWest: nobody",
    "a list with a day": "North: you\nEast: me\nSouth: from 3.12.2026 on\nWest: nobody",
    "a name above an address": "Ann\nann@example.test\n+44 114 496 0123",
    "a date and a colon": "My plan for 3.12.2026 at 10:00:\nnothing.",
    "a line of signs": "=====\nAbove and below.\n=====",
}


@pytest.mark.parametrize("words", PLAIN.values(), ids=PLAIN)
def test_own_words_stay_own_words(words: str) -> None:
    letter = letter_of(mail(f"{words}\n\n{ORDERS}"))
    found = search(mail(f"{words}\n\n{ORDERS}"))

    assert "\n".join(own_lines(letter)).startswith(words)
    assert host_lines_in(letter) == ()
    assert isinstance(found, FoundOrders) and parse(found.text).value == MEANT


def told_to(host: Host, kind: str = "") -> list[str]:
    return [text_of(read(row.raw)) for row in host.outbox(kind)]


def every_mail(path: Path) -> dict[str, str]:
    """Return the text of a mail of each kind that a host sends to a player with their secrets."""
    host = a_host(path, "press: {deliver: at once}\n", moderator=MODERATOR)
    host.orders(N2)
    host.orders([{"at": "red-1", "do": {"play": "N9"}}])
    host.gets(host.a_mail("What is a stone?"), host.address())
    host.gets(host.a_mail("to: moderator\n\nWho is Bob?"), host.address())
    host.gets(host.a_mail("status"), host.address())
    host.gets(host.a_mail("orders: none\n"), host.address())
    host.gets(host.a_mail("to: white\n\nPeace?"), host.press_address())
    names = ("receipt", "refusal", "question", "words to the moderator", "status", "withdrawal", "press sent")
    found = dict(zip(names, (text_of(one) for one in host.answers()), strict=True))
    return {**found, "press": told_to(host, "press")[0]}


def test_every_mail_to_a_player_holds_a_line_that_is_known(tmp_path: Path) -> None:
    reports = {str(sent): text_of(read(sent.raw)) for sent in newest()}

    for name, text in {**every_mail(tmp_path), **reports}.items():
        assert host_lines_in(letter_of(mail(f"to: white\n\nPeace?\n\n{text}"))), name
        assert host_lines_in(letter_of(mail(f"Peace?\n\n{quoted(text)}"))) == (), name


def test_orders_below_a_mail_of_ours_without_marks_are_not_taken(tmp_path: Path) -> None:
    receipt = every_mail(tmp_path)["receipt"]

    found = search(mail(f"{receipt}\n{OTHERS}"))

    assert isinstance(found, NoOrders)
    assert found.reason == "only-quoted"
    assert isinstance(search(mail(f"{quoted(receipt)}\n{ORDERS}")), FoundOrders)


# Words above a receipt that is quoted without marks or head, and what becomes of them.
PASSED_ON: Mapping[str, tuple[str, str]] = {
    "press": ("to: white\n\nPeace?", "refused"),
    "press to all": ("to: all\nPeace?", "refused"),
    "to the moderator": ("to: moderator\n\nMay I?", "refused"),
    "a question": ("May I play two cards, please, or is that forbidden?", "refused"),
    "a command": ("status", "command-status"),
    "orders": (orders_text("rose-1", "red", N2), "lodged"),
}


@pytest.mark.parametrize(("words", "verdict"), PASSED_ON.values(), ids=PASSED_ON)
def test_no_words_are_passed_on_with_lines_of_an_older_mail(tmp_path: Path, words: str, verdict: str) -> None:
    host = a_host(tmp_path, "press: {deliver: at once}\nquestions: at once\n", moderator=MODERATOR)
    host.orders(N2)
    receipt = host.answer()

    done = host.gets(host.a_mail(f"{words}\n\n{receipt}"), host.address())

    assert done.verdict == verdict
    assert host.outbox("press") == []
    assert not [row for row in host.outbox() if row.rcpt == MODERATOR]
    with host.home.journal() as db:
        assert open_questions(db) == []
    if verdict == "refused":
        assert host.answers()[-1]["In-Reply-To"] == f"<mail{host.numbers}@example.test>"


@pytest.mark.parametrize("address", ["host@pbem.test", "Host@PBEM.test", "<host@pbem.test>"])
@pytest.mark.parametrize(
    ("to", "verdict"), [("white", "refused"), ("all", "refused"), ("moderator", "press")]
)
def test_press_that_shows_an_address_of_the_host_reaches_no_player(
    tmp_path: Path, address: str, to: str, verdict: str
) -> None:
    host = a_host(tmp_path, "press: {deliver: at once}\n", moderator=MODERATOR)
    words = f"to: {to}\n\nPeace?\nThis came from {address} today."

    assert host.gets(host.a_mail(words), host.press_address()).verdict == verdict
    assert host.outbox("press") == []
    run(host.home, "rose-1", now=NOW)
