"""No mail crashes anything: each ends as orders, as no orders with a reason, or refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.arrivals.intake import Arrival, store_arrivals
from pbem.mail.arrivals.processing import ProcessedMail
from pbem.play.submissions.lodging import check_submission
from pbem.text.mail.compose import Outgoing, compose
from pbem.text.mail.findorders import FoundOrders, find_orders
from pbem.text.mail.letter import Letter, RefusedMail, read_letter
from pbem.text.mail.quotes import own_lines
from pbem.text.orders import Envelope, open_envelope
from tests.homes import orders_text
from tests.mail.host import ANN, N2, Host, a_host
from tests.mail.hostile import CRAFTED, hostile
from tests.mail.letters import FILLED, ORDERS, mail

COUNT, READ = 200, 180
KEPT = sorted((Path(__file__).parents[1] / "mails").glob("*.eml"))


def end_of(raw: bytes) -> str:
    """Return how a mail ends, everything looked at that anybody asks of it."""
    letter = read_letter(raw, authserv="mx.pbem.example", own=("host@pbem.example",))
    if isinstance(letter, RefusedMail):
        assert letter.reason
        assert letter.text.endswith(".")
        return f"refused: {letter.reason}"
    own_lines(letter)
    answered(letter)
    ends = []
    for believes in (True, False):
        found = find_orders(letter, lambda line, believes=believes: believes, game="rose-1", seat="red")  # type: ignore[misc]
        if isinstance(found, FoundOrders):
            looked_at(found)
            ends.append("orders")
        else:
            ends.append(f"none: {found.reason}")
    return ends[0]


def looked_at(found: FoundOrders) -> None:
    """Open found orders, and find every mistake in the mail."""
    envelope = open_envelope(found.text)
    if isinstance(envelope, Envelope):
        return
    for fault in envelope:
        line, column = found.place(fault.line, fault.column)
        assert 0 <= line <= len(found.theirs)
        assert column >= 1
        found.shown(fault.line, fault.column)


def answered(letter: Letter) -> None:
    """Answer a mail, and check that its sender could not write a header of the answer."""
    answer = compose(
        Outgoing(
            kind="receipt",
            envelope_from="",
            to="ann@example.test",
            from_="host@pbem.example",
            subject=f"Re: {letter.subject}",
            message_id="<receipt.1@pbem.example>",
            date="Sat, 21 Nov 2026 20:00:00 +0000",
            text="\n".join(part.filename for part in letter.parts),
            in_reply_to=letter.message_id or "",
            from_name=letter.subject,
        )
    )
    again = read_letter(answer)
    assert isinstance(again, Letter)
    expected = {"from", "to", "subject", "date", "message-id", "x-pbem-kind"}
    expected |= {"mime-version", "content-type", "content-transfer-encoding"}
    assert set(again.headers) - {"in-reply-to"} == expected
    assert again.doubled == ()
    assert again.sender == "host@pbem.example"


ENDED = {"lodged", "refused", "question", "empty", "press", "dropped", "bounced", "repeated", "warned"}


def received(path: Path, mails: list[bytes]) -> tuple[Host, list[ProcessedMail]]:
    """Receive mails into a home, and return what became of them."""
    host = a_host(path, receipts_per_hour=1000, orders_per_hour=1000)
    return host, received_by(host, mails)


def received_by(host: Host, mails: list[bytes]) -> list[ProcessedMail]:
    """Receive mails, each with a Message-ID of its own, and return what became of them."""
    to, press = host.address(), host.press_address()
    arrivals = [
        Arrival(
            "stdin", host.now, ANN, press if number % 7 == 3 else to, raw.replace(b"<1@", b"<%d@" % number, 1)
        )
        for number, raw in enumerate(mails)
    ]
    with host.home.journal() as db:
        store_arrivals(host.home, db, arrivals, print)
    return host.process()


def test_hostile_mails_are_received_and_each_ends(tmp_path: Path) -> None:
    kept = [path.read_bytes() for path in KEPT]
    assert kept

    host, said = received(tmp_path, [*(raw for _, raw in hostile(COUNT)), *kept])

    assert len(said) >= COUNT
    ends = Counter(one.verdict for one in said)
    assert set(ends) <= ENDED, ends
    assert min(ends["lodged"], ends["refused"], ends["warned"]) >= 10, ends
    assert host.process() == []
    assert orders_that_check(host)
    for row in host.outbox():
        assert row.rcpt == ANN
        assert isinstance(read_letter(row.raw), Letter)


def orders_that_check(host: Host) -> bool:
    """Tell whether the orders that are lodged now are whole, so that the game can be run."""
    return not isinstance(check_submission(host.home, host.lodged().encode()), list)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_good_mail_among_hostile_ones_is_accepted(tmp_path: Path, is_first: bool) -> None:
    good = mail(orders_text("rose-1", "red", N2))
    worst = [CRAFTED[name] for name in ("mail-in-mail", "all-bytes", "alias-bomb-deep", "tags-open")]

    host, said = received(tmp_path, [good, *worst] if is_first else [*worst, good])

    assert [one.verdict for one in said].count("lodged") == 1
    assert "N2" in host.lodged()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_mail_that_once_crashed_something_ends(path: Path) -> None:
    assert end_of(path.read_bytes())


# What each of the worst comes to.
ENDS = {
    "two-froms": "none: doubled-header",
    "two-subjects": "none: doubled-header",
    "charset-utf-7": "none: charset",
    "charset-escape": "orders",
    "charset-codec": "orders",
    "mail-in-mail": "refused: too-deep",
    "box-in-box": "refused: too-deep",
    "parts-20000": "refused: many-parts",
    "parts-60": "refused: many-parts",
    "boundary-same-inside": "orders",
    "digest": "none: forwarded",
    "mail-in-mail-eight": "none: forwarded",
    "zip-bomb": "none: not-text",
    "zip-called-yaml": "none: not-text",
    "picture-called-yaml": "none: not-text",
    "depth-60000": "orders",
    "alias-bomb": "orders",
    "hidden-key": "orders",
    "hidden-key-of-a-page": "none: hidden",
    "script": "none: no-orders",
    "comment-unclosed": "orders",
    "name-of-a-tag": "none: no-orders",
    "depth-of-quote-5000": "orders",
    "every-depth": "orders",
}


@pytest.mark.parametrize(("name", "end"), ENDS.items(), ids=ENDS)
def test_a_hostile_mail_ends_as_it_should(name: str, end: str) -> None:
    assert end_of(CRAFTED[name]) == end


YAML = (
    *("depth-10000", "depth-60000", "alias-bomb", "alias-bomb-deep", "alias-of-itself", "merge-key"),
    *("tag", "tag-binary", "directive-attached", "two-documents-attached", "long-key", "many-keys"),
    *("list-as-key", "null-key", "same-key-twice", "hidden-key", "next-line", "quotes-open"),
)


@pytest.mark.parametrize("name", YAML)
def test_hostile_yaml_is_a_mistake_with_a_place_in_the_mail(name: str) -> None:
    letter = read_letter(CRAFTED[name])
    assert isinstance(letter, Letter)
    found = find_orders(letter, lambda line: True)

    assert isinstance(found, FoundOrders), found
    faults = open_envelope(found.text)
    assert isinstance(faults, list)
    assert found.place(faults[0].line, faults[0].column)[0] > 0


@given(st.binary(max_size=2000))
def test_any_bytes_end(raw: bytes) -> None:
    assert end_of(raw)


@given(st.text(max_size=400))
def test_any_text_ends(text: str) -> None:
    assert end_of(mail(text))


@given(st.text(alphabet="game:seatordrs -{}[]>|#'\"\n\t“–do", max_size=300), st.booleans(), st.booleans())
def test_any_text_that_looks_like_orders_ends(text: str, above: bool, flowed: bool) -> None:
    body = f"{text}\n{FILLED}" if above else f"{ORDERS}{text}\n"

    assert end_of(mail(body, kind=f"text/plain; charset=utf-8{'; format=flowed' * flowed}"))


@given(st.text(alphabet="<>/=\"' abdivpreblockquote!-&#;0123456789\n", max_size=400))
def test_any_page_ends(text: str) -> None:
    assert end_of(mail(f"{text}<pre>{ORDERS}</pre>{text}", kind="text/html"))


@given(st.text(max_size=200), st.text(max_size=60))
def test_no_subject_writes_a_header_of_an_answer(subject: str, name: str) -> None:
    letter = read_letter(f"From: a@example.org\nSubject: {subject}\n\nHello\n".encode("utf-8", "replace"))

    if isinstance(letter, Letter):
        answered(letter)
        assert letter.subject.isprintable() or not letter.subject.isascii()
        assert "\n" not in letter.subject
        assert "\r" not in letter.subject


FROM_PIECES = [
    *("alice@example.org", "eve@example.net", "Alice", "=?utf-8?q?", "?=", "\n "),
    *'<>,;:()"\\ \t\0é@.',
]


@given(st.lists(st.sampled_from(FROM_PIECES), max_size=12))
def test_a_sender_is_the_only_address_outside_of_names(pieces: list[str]) -> None:
    field = "".join(pieces)
    letter = read_letter(f"From: {field}\n\nHello\n".encode())
    assert isinstance(letter, Letter)

    if letter.sender is not None:
        assert letter.sender.casefold() in field.casefold()  # a domain is the same in any case
        bare = field.partition("<")[2].partition(">")[0] if "<" in field else field.partition(" (")[0]
        if field.count('"') == 0:
            assert field.count("<") <= 1
            assert bare.strip().casefold() == letter.sender.casefold()
