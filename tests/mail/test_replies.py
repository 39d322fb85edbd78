"""Replies of every sort are read whole or refused whole: what is accepted is what was meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text.mail.findorders import FoundOrders, NoOrders
from tests.mail.letters import mail
from tests.mail.replies import (
    ENCODINGS,
    KINDS,
    LOOKS,
    MARKED,
    ORDERS,
    PLACES,
    PROGRAMS,
    RULES,
    Reply,
    filled,
    read,
    said,
    table,
)  # fmt: skip

# Program, place, kind, encoding, what became of the words, what was written, game, and how it ends. A person
# can read every one of them.
TABLE = """
gmail               above    text       8bit              as-typed        block       rose-1    accepted
gmail               above    both       quoted-printable  as-typed        nameless    web-1     accepted
gmail               tight    text       base64            nbsp            flow        cards-1   accepted
gmail               filled   text       iso-8859-15       bullets         block       powers-1  accepted
gmail               below    page       windows-1252      hyphens         press       wop-1     accepted
gmail               between  text       utf-16            wrapped         long-press  rose-1    accepted
gmail-app           above    text       quoted-printable  as-typed        nameless    web-1     accepted
gmail-app           above    both       base64            curly           flow        cards-1   accepted
gmail-app           tight    text       iso-8859-15       capitals        press       powers-1  accepted
gmail-app           filled   page       windows-1252      stars           press       wop-1     accepted
gmail-app           below    both       utf-16            spaces-at-ends  long-press  rose-1    accepted
gmail-app           between  text       8bit              tabs            block       web-1     accepted
outlook             above    text       base64            as-typed        flow        cards-1   accepted
outlook             above    both       8bit              bullets         press       powers-1  accepted
outlook             above    text       windows-1252      stars           long-press  wop-1     accepted
outlook             filled   both       utf-16            soft-hyphens    block       rose-1    accepted
outlook             above    text       8bit              double-spaced   block       web-1     accepted
outlook-web         above    text       iso-8859-15       as-typed        press       powers-1  accepted
outlook-web         above    both       quoted-printable  soft-hyphens    long-press  wop-1     accepted
outlook-web         above    text       utf-16            hyphens         block       rose-1    accepted
outlook-web         filled   text       8bit              hyphens         press       web-1     accepted
outlook-web         above    page       quoted-printable  wrapped         nameless    cards-1   accepted
outlook-german      above    text       windows-1252      as-typed        long-press  wop-1     accepted
outlook-german      above    both       base64            spaces-at-ends  block       rose-1    accepted
outlook-german      above    text       8bit              double-spaced   nameless    web-1     accepted
outlook-german      filled   page       quoted-printable  spaces-at-ends  block       cards-1   accepted
outlook-german      above    both       base64            tabs            flow        powers-1  accepted
apple-mail          above    text       utf-16            as-typed        block       rose-1    accepted
apple-mail          above    both       8bit              wrapped         nameless    web-1     accepted
apple-mail          tight    text       quoted-printable  tabs            flow        cards-1   accepted
apple-mail          filled   both       base64            double-spaced   press       powers-1  accepted
apple-mail          below    text       iso-8859-15       flat            press       wop-1     not-whole
apple-mail          between  text       windows-1252      numbered        long-press  rose-1    accepted
iphone              above    text       8bit              as-typed        nameless    web-1     accepted
iphone              above    both       quoted-printable  flat            flow        cards-1   accepted
iphone              tight    text       base64            wide-list       press       powers-1  accepted
iphone              filled   text       iso-8859-15       wrapped         block       wop-1     accepted
iphone              below    page       windows-1252      wide-list       long-press  rose-1    accepted
iphone              between  text       utf-16            as-typed        block       web-1     accepted
apple-french        above    text       quoted-printable  as-typed        flow        cards-1   accepted
apple-french        above    both       base64            gmail-list      press       powers-1  accepted
apple-french        tight    text       iso-8859-15       numbered        long-press  wop-1     accepted
apple-french        filled   page       windows-1252      tabs            press       rose-1    accepted
apple-french        below    both       utf-16            gmail-list      block       web-1     accepted
apple-french        between  text       8bit              nbsp            nameless    cards-1   accepted
thunderbird         above    text       base64            as-typed        press       powers-1  accepted
thunderbird         above    both       8bit              as-typed        long-press  wop-1     accepted
thunderbird         tight    text       windows-1252      nbsp            block       rose-1    accepted
thunderbird         filled   both       utf-16            flat            block       web-1     accepted
thunderbird         below    text       8bit              numbered        nameless    cards-1   accepted
thunderbird         between  text       quoted-printable  curly           flow        powers-1  accepted
thunderbird-finnish above    text       iso-8859-15       as-typed        long-press  wop-1     accepted
thunderbird-finnish above    both       quoted-printable  curly           block       rose-1    accepted
thunderbird-finnish tight    text       utf-16            capitals        nameless    web-1     accepted
thunderbird-finnish filled   text       8bit              wide-list       press       cards-1   accepted
thunderbird-finnish below    page       quoted-printable  as-typed        flow        powers-1  accepted
thunderbird-finnish between  text       base64            capitals        press       wop-1     accepted
k9                  above    text       windows-1252      as-typed        block       rose-1    accepted
k9                  above    both       base64            bullets         nameless    web-1     accepted
k9                  tight    text       8bit              stars           flow        cards-1   accepted
k9                  filled   page       quoted-printable  gmail-list      block       powers-1  accepted
k9                  below    both       base64            nbsp            press       wop-1     accepted
k9                  between  text       iso-8859-15       bullets         long-press  rose-1    accepted
fairemail           above    text       utf-16            as-typed        nameless    web-1     accepted
fairemail           above    both       8bit              soft-hyphens    flow        cards-1   accepted
fairemail           tight    text       quoted-printable  hyphens         press       powers-1  accepted
fairemail           filled   both       base64            numbered        press       wop-1     accepted
fairemail           below    text       iso-8859-15       curly           long-press  rose-1    accepted
fairemail           between  text       windows-1252      stars           block       web-1     accepted
yahoo               above    text       8bit              as-typed        flow        cards-1   accepted
yahoo               above    both       quoted-printable  spaces-at-ends  press       powers-1  accepted
yahoo               above    text       base64            double-spaced   long-press  wop-1     accepted
yahoo               filled   text       iso-8859-15       as-typed        block       rose-1    accepted
yahoo               above    page       windows-1252      capitals        block       web-1     accepted
gmx                 above    text       quoted-printable  as-typed        press       powers-1  accepted
gmx                 above    both       base64            wrapped         long-press  wop-1     accepted
gmx                 above    text       iso-8859-15       tabs            block       rose-1    accepted
gmx                 filled   page       windows-1252      nbsp            press       web-1     accepted
gmx                 above    both       utf-16            bullets         nameless    cards-1   accepted
web.de-app          above    text       base64            as-typed        long-press  wop-1     accepted
web.de-app          above    both       8bit              flat            block       rose-1    accepted
web.de-app          tight    text       windows-1252      wide-list       nameless    web-1     accepted
web.de-app          filled   both       utf-16            curly           block       cards-1   accepted
web.de-app          below    text       8bit              stars           flow        powers-1  accepted
web.de-app          between  text       quoted-printable  spaces-at-ends  press       wop-1     accepted
mutt                above    text       iso-8859-15       as-typed        block       rose-1    accepted
mutt                above    both       quoted-printable  gmail-list      nameless    web-1     accepted
mutt                tight    text       utf-16            numbered        flow        cards-1   accepted
mutt                filled   text       8bit              capitals        press       powers-1  accepted
mutt                below    page       quoted-printable  soft-hyphens    press       wop-1     accepted
mutt                between  text       base64            double-spaced   long-press  rose-1    accepted
gnus                above    text       windows-1252      as-typed        nameless    web-1     accepted
gnus                above    both       base64            as-typed        flow        cards-1   accepted
gnus                tight    text       8bit              nbsp            press       powers-1  accepted
gnus                filled   page       quoted-printable  bullets         block       wop-1     accepted
gnus                below    both       base64            hyphens         long-press  rose-1    accepted
gnus                between  text       iso-8859-15       wrapped         block       web-1     accepted
alpine              above    text       utf-16            as-typed        flow        cards-1   accepted
alpine              above    both       8bit              curly           press       powers-1  accepted
alpine              tight    text       quoted-printable  capitals        long-press  wop-1     accepted
alpine              filled   both       base64            stars           press       rose-1    accepted
alpine              below    text       iso-8859-15       spaces-at-ends  block       web-1     accepted
alpine              between  text       windows-1252      tabs            nameless    cards-1   accepted
company             above    text       8bit              as-typed        press       powers-1  accepted
company             above    both       quoted-printable  bullets         long-press  wop-1     accepted
company             tight    text       base64            stars           block       rose-1    accepted
company             filled   text       iso-8859-15       soft-hyphens    block       web-1     accepted
company             below    page       windows-1252      double-spaced   nameless    cards-1   accepted
company             between  text       utf-16            flat            flow        powers-1  accepted
gmail               above    page       8bit              as-typed        press       rose-1    accepted
outlook-web         above    page       quoted-printable  nbsp            press       web-1     accepted
iphone              above    page       base64            curly           press       rose-1    accepted
thunderbird-finnish above    page       iso-8859-15       capitals        press       web-1     accepted
yahoo               above    page       windows-1252      bullets         press       rose-1    accepted
mutt                above    page       utf-16            stars           press       web-1     accepted
company             above    page       8bit              soft-hyphens    press       rose-1    accepted
outlook             above    page       quoted-printable  hyphens         press       web-1     accepted
apple-mail          above    page       base64            spaces-at-ends  press       rose-1    accepted
thunderbird         above    page       iso-8859-15       double-spaced   press       web-1     accepted
fairemail           above    page       windows-1252      wrapped         press       rose-1    accepted
web.de-app          above    page       utf-16            tabs            press       web-1     accepted
alpine              above    page       8bit              flat            press       rose-1    accepted
gmail-app           above    page       quoted-printable  wide-list       press       web-1     accepted
outlook-german      above    page       base64            gmail-list      press       rose-1    accepted
apple-french        above    page       iso-8859-15       numbered        press       web-1     accepted
gmail               above    file       8bit              as-typed        block       rose-1    accepted
gmail               above    file+text  8bit              as-typed        block       web-1     accepted
gmail               above    text       8bit              as-typed        press-only  rose-1    accepted
outlook             above    file       8bit              as-typed        block       web-1     accepted
outlook             above    file+text  quoted-printable  nbsp            block       web-1     accepted
outlook             above    text       8bit              as-typed        press-only  web-1     accepted
thunderbird         above    file       8bit              as-typed        block       cards-1   accepted
thunderbird         above    file+text  base64            curly           block       web-1     accepted
thunderbird         above    text       8bit              as-typed        press-only  cards-1   accepted
mutt                above    file       8bit              as-typed        block       powers-1  accepted
mutt                above    file+text  8bit              capitals        block       web-1     accepted
mutt                above    text       8bit              as-typed        press-only  powers-1  accepted
k9                  above    file       8bit              as-typed        block       wop-1     accepted
k9                  above    file+text  quoted-printable  bullets         block       web-1     accepted
k9                  above    text       8bit              as-typed        press-only  wop-1     accepted
mutt                tight    page       8bit              as-typed        press       web-1     accepted
outlook             below    text       8bit              as-typed        block       rose-1    only-quoted
gmx                 below    both       8bit              as-typed        block       rose-1    accepted
yahoo               below    page       8bit              as-typed        block       rose-1    only-quoted
"""
LINES = TABLE.strip().splitlines()
ROWS = [(Reply(*words[:7]), words[7]) for words in map(str.split, LINES)]
PARTS = {
    "program": PROGRAMS,
    "place": PLACES,
    "kind": (*KINDS, "file", "file+text"),
    "encoding": ENCODINGS,
    "look": LOOKS,
    "orders": ORDERS,
    "game": RULES,
}
REFUSED = {
    "not-whole": "Nothing was taken as orders.",
    "only-quoted": "Write them above the quote, or keep that line.",
}


def is_accepted(reply: Reply) -> bool:
    """Tell whether a reply is accepted, and assert that it is as it was meant or refused with a reason."""
    of = table(reply.game)
    found = read(reply.raw(), of)
    if isinstance(found, NoOrders):
        assert found.reason != "blank-form", reply
        assert found.text.endswith("."), reply
        return False
    if found.document is None or not of.fits(found.document):
        return False  # the mistake is told with its line
    assert said(found) == of.meant(reply.orders), (reply, found.text.decode(), found.notes)
    return True


@pytest.mark.parametrize(("reply", "end"), ROWS, ids=["-".join(row.split()) for row in LINES])
def test_a_reply_is_accepted_as_it_was_meant_or_refused_with_words(reply: Reply, end: str) -> None:
    found = read(reply.raw(), table(reply.game))

    assert is_accepted(reply) == (end == "accepted"), found
    if isinstance(found, NoOrders):
        assert found.reason == end
        assert REFUSED[end] in found.text


def test_of_the_replies_that_a_person_can_read_nearly_all_are_accepted() -> None:
    accepted = sum(end == "accepted" for _, end in ROWS)

    assert len(set(LINES)) == len(ROWS) >= 120
    assert accepted / len(ROWS) >= 0.95
    for name, parts in PARTS.items():
        assert {getattr(reply, name) for reply, _ in ROWS} == set(parts)


@given(st.builds(Reply, **{name: st.sampled_from(list(parts)) for name, parts in PARTS.items()}))
@settings(max_examples=80, deadline=None)
def test_whatever_the_parts_of_a_reply_what_is_accepted_is_what_was_meant(reply: Reply) -> None:
    is_safe = reply.program in MARKED and reply.look == "as-typed" and reply.orders != "press-only"

    assert is_accepted(reply) or not is_safe


@pytest.mark.parametrize("program", PROGRAMS)
def test_below_a_real_quoted_report_orders_are_accepted_or_refused_with_the_reason(program: str) -> None:
    for game in RULES:
        for place in PLACES:
            for kind in ("text", "both"):
                reply = Reply(program, place, kind, game=game)
                has_marks = program in MARKED or (kind == "both" and "<blockquote>" in PROGRAMS[program].page)
                if place in ("above", "filled") or has_marks:
                    assert is_accepted(reply), reply
                else:
                    found = read(reply.raw(), table(game))
                    assert isinstance(found, NoOrders), reply
                    assert found.reason == "only-quoted"


@pytest.mark.parametrize("game", RULES)
def test_a_whole_report_sent_back_without_marks_is_read_by_its_form(game: str) -> None:
    of = table(game)
    for words in ("", "Hello,\n\n"):
        found = read(mail(words + filled(of, of.written("block"))), of)

        assert isinstance(found, FoundOrders), found
        assert said(found) == of.meant("block")


PROSE = (
    "or rather", "Thanks: a lot", "", "\n\nwhat follows is press\n", "> On Monday you wrote:", "> peace",
    "Cheers, Ann", "# a remark", "---", "move: i5", "- and that", "| x", "> | press of somebody\n", "-- ",
)  # fmt: skip
LONG = "> A quoted line that is so long that its end may stand in the line below\n"


@pytest.mark.parametrize("above", ["", LONG, "> | x\n"], ids=["alone", "below-a-quote", "below-a-bar"])
@pytest.mark.parametrize("game", ["rose-1", "web-1"])
def test_words_within_orders_never_make_a_part_of_them_count(game: str, above: str) -> None:
    of = table(game)
    lines = of.written("press").splitlines(keepends=True)
    for place in range(len(lines) + 1):
        for words in PROSE:
            body = f"{above}{''.join(lines[:place])}{words}\n{''.join(lines[place:])}"
            found = read(mail(body), of)
            if isinstance(found, FoundOrders) and found.document and of.fits(found.document):
                assert said(found) == of.meant("press"), body
