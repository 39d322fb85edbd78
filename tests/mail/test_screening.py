"""The table of the screening: which rule decides about which mail."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.mail.account.addresses import Recipient
from pbem.mail.arrivals.identify import RULES, MailFacts, screen
from pbem.mail.conversation.handlers import CARRY_OUT
from pbem.mail.outgoing.bounces import ARRIVED

TO_ORDERS = Recipient("orders", "rose-1", "token")
GOOD = MailFacts(TO_ORDERS, game="rose-1", seat="red", has_orders=True)
TALK = replace(GOOD, has_orders=False)
PRESS = replace(TALK, recipient=Recipient("press", "rose-1", "token"))
ANSWER = MailFacts(Recipient("answer", token="12.token"), game="rose-1", is_moderator=True)
ACTS = MailFacts(Recipient("moderator", token="token"), game="-", is_moderator=True)
JOIN = MailFacts(Recipient("join", "rose-1"))

CASES: list[tuple[str, str, MailFacts]] = [
    ("not-ours", "dropped", replace(GOOD, recipient=None)),
    ("bounce", "bounced", MailFacts(Recipient("bounce", token="b_abcdefghijklm234"))),
    ("bounce", "bounced", replace(GOOD, is_bounce=True)),
    ("loop", "dropped", replace(GOOD, is_own=True)),
    ("forged", "dropped", replace(GOOD, failed=True)),
    ("acts", "acts", ACTS),
    ("loop", "dropped", replace(ACTS, is_own=True)),
    ("forged", "dropped", replace(ACTS, failed=True)),
    ("acts-unanswered", "dropped", replace(ACTS, automatic="a robot")),
    ("acts-unanswered", "dropped", replace(ACTS, automatic="a robot", is_moderator=False, unproven="token")),
    ("acts-again", "dropped", replace(ACTS, repeated="message-id")),
    ("acts-too-many", "dropped", replace(ACTS, too_many=True)),
    ("acts-unproven", "unacted", replace(ACTS, is_moderator=False, unproven="token")),
    ("acts-unproven", "unacted", replace(ACTS, is_moderator=False, unproven="sender")),
    ("acts-strange", "dropped", replace(ACTS, is_moderator=False, unproven="both")),
    ("answer", "answered", ANSWER),
    ("answer-unproven", "dropped", replace(ANSWER, is_moderator=False)),
    ("answer-unproven", "dropped", replace(ANSWER, automatic="a robot")),
    ("forged", "dropped", replace(ANSWER, failed=True)),
    ("join", "join", JOIN),
    ("join-unreadable-sender", "dropped", replace(JOIN, has_sender=False)),
    ("join-unreadable-sender", "dropped", replace(JOIN, has_sender=False, automatic="a robot")),
    ("join-unanswered", "dropped", replace(JOIN, automatic="a robot")),
    ("join-unanswered", "dropped", replace(JOIN, unreadable="too-big")),
    ("unknown-game", "dropped", replace(GOOD, game="")),
    ("nobodys", "dropped", replace(GOOD, seat="")),
    ("former", "former", replace(GOOD, unproven="former", is_known=True)),
    ("unproven-unanswered", "dropped", replace(GOOD, unproven="former", is_known=True, automatic="a robot")),
    ("unreadable", "refused", replace(GOOD, unreadable="too-big", unproven="sender")),
    ("unproven-unanswered", "dropped", replace(GOOD, unreadable="too-big", unproven="token")),
    ("unproven", "warned", replace(GOOD, unproven="sender")),
    ("unproven", "warned", replace(GOOD, unproven="signature")),
    ("unproven", "warned", replace(GOOD, unproven="token", is_known=True)),
    ("unproven-unanswered", "dropped", replace(GOOD, unproven="token")),
    ("unproven-unanswered", "dropped", replace(GOOD, unproven="sender", automatic="a robot")),
    ("replay", "repeated", replace(GOOD, repeated="message-id")),
    ("flood", "later", replace(GOOD, far_too_many=True)),
    ("orders", "orders", GOOD),
    ("orders", "orders", replace(GOOD, automatic="in bulk")),
    ("orders", "orders", replace(GOOD, too_many=True)),
    ("automatic", "dropped", replace(TALK, automatic="a robot")),
    ("automatic", "dropped", replace(PRESS, automatic="a robot")),
    ("too-many", "muted", replace(TALK, too_many=True)),
    ("too-many", "muted", replace(PRESS, too_many=True)),
    ("press", "press", PRESS),
    ("press", "press", replace(PRESS, has_orders=True)),
    ("press-in-reply", "press", replace(TALK, names_readers=True, command="help", has_words=True)),
    ("two-sets", "two-sets", replace(TALK, names_readers=True, has_two_sets=True)),
    ("orders", "orders", replace(GOOD, names_readers=True)),
    ("unproven-unanswered", "dropped", replace(TALK, names_readers=True, unproven="token")),
    ("to-moderator", "question", replace(TALK, names_readers=True, to_moderator=True)),
    ("command", "command", replace(TALK, command="help")),
    ("command", "command", replace(TALK, command="help", has_words=True)),
    ("to-moderator", "question", replace(TALK, to_moderator=True, command="help")),
    ("too-many", "muted", replace(TALK, to_moderator=True, too_many=True)),
    ("automatic", "dropped", replace(TALK, has_words=True, automatic="a robot")),
    ("two-sets", "two-sets", replace(TALK, has_two_sets=True, has_words=True)),
    ("to-moderator", "question", replace(TALK, has_two_sets=True, to_moderator=True)),
    ("question", "question", replace(TALK, has_words=True)),
    ("no-orders", "empty", TALK),
]


@pytest.mark.parametrize(("rule", "verdict", "mail"), CASES)
def test_a_mail_is_decided_by_the_first_rule_that_fits(rule: str, verdict: str, mail: MailFacts) -> None:
    found = screen(mail)

    assert (found.name, found.verdict) == (rule, verdict)


def test_every_rule_has_a_case_and_every_verdict_is_carried_out() -> None:
    assert [rule.name for rule in RULES if rule.name not in {case[0] for case in CASES}] == []
    assert {rule.verdict for rule in RULES} == set(CARRY_OUT)


def test_the_guide_says_of_every_mail_that_is_dropped_why() -> None:
    guide = (Path(__file__).parents[2] / "docs/hosting-by-mail.md").read_text(encoding="utf-8")
    table = re.search(r"^#### Mails that are dropped\n\n((?:\|.*\n)+)", guide, re.MULTILINE)
    assert table
    told = set(re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^\| ([^|]*) \|", table[1], re.MULTILINE))))

    why = {rule.name for rule in RULES if rule.verdict in ("dropped", "muted", "join")} | set(ARRIVED)

    assert (why - told, told - why) == (set(), set())
