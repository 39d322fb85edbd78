"""Replies of every sort are read whole or refused whole: what is accepted is what was meant."""

from __future__ import annotations

from itertools import cycle, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text.mail.findorders import FoundOrders, NoOrders
from tests.mail.letters import mail
from tests.mail.replies import (
    MARKED,
    PARTS,
    PLACES,
    PROGRAMS,
    RULES,
    Reply,
    filled,
    read,
    said,
    table,
)  # fmt: skip


def is_accepted(reply: Reply) -> bool:
    """Tell whether a reply is accepted, and assert that it is as it was meant or refused with a reason."""
    of = table(reply.game)
    found = read(reply.raw(), of)
    if isinstance(found, NoOrders):
        assert found.reason != "blank-form", reply
        return False
    if found.document is None or not of.fits(found.document):
        return False  # the mistake is told with its line
    assert said(found) == of.meant(reply.orders), (reply, found.text.decode(), found.notes)
    return True


@given(st.builds(Reply, **{name: st.sampled_from([*parts]) for name, parts in PARTS.items()}))
@settings(max_examples=80, deadline=None)
def test_whatever_the_parts_of_a_reply_what_is_accepted_is_what_was_meant(reply: Reply) -> None:
    is_safe = reply.program in MARKED and reply.look == "as-typed" and reply.orders != "press-only"

    assert is_accepted(reply) or not is_safe


@pytest.mark.parametrize("program", PROGRAMS)
def test_below_a_real_quoted_report_orders_are_accepted_or_refused_with_the_reason(program: str) -> None:
    games = cycle([*RULES][[*PROGRAMS].index(program) % 2 :])
    for place, kind in product(PLACES, ("text", "both")):
        reply = Reply(program, place, kind, game=next(games))
        has_marks = program in MARKED or (kind == "both" and "<blockquote>" in PROGRAMS[program].page)
        if place in ("above", "filled") or has_marks:
            assert is_accepted(reply), reply
        else:
            found = read(reply.raw(), table(reply.game))
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


@pytest.mark.parametrize(
    ("game", "above"),
    [("web-1", ""), ("rose-1", LONG), ("rose-1", "> | x\n")],
    ids=["alone", "below-a-quote", "below-a-bar"],
)
def test_words_within_orders_never_make_a_part_of_them_count(game: str, above: str) -> None:
    of = table(game)
    lines = of.written("press").splitlines(keepends=True)
    for place in range(len(lines) + 1):
        for words in PROSE:
            body = f"{above}{''.join(lines[:place])}{words}\n{''.join(lines[place:])}"
            found = read(mail(body), of)
            if isinstance(found, FoundOrders) and found.document and of.fits(found.document):
                assert said(found) == of.meant("press"), body
