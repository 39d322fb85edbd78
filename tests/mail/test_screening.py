"""The table of the screening: which rule decides about which mail."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.account.addresses import Recipient
from pbem.mail.arrivals.identify import RULES, MailFacts, first_matching_rule
from pbem.mail.conversation.handlers import CARRY_OUT
from pbem.mail.outgoing.bounces import ARRIVED
from tests.written import yaml_beside

TO_ORDERS = Recipient("orders", "rose-1", "token")
GOOD = MailFacts(TO_ORDERS, game="rose-1", seat="red", has_orders=True)
TALK = replace(GOOD, has_orders=False)
PRESS = replace(TALK, recipient=Recipient("press", "rose-1", "token"))
ANSWER = MailFacts(Recipient("answer", token="12.token"), game="rose-1", is_moderator=True)
ACTS = MailFacts(Recipient("moderator", token="token"), game="-", is_moderator=True)

KINDS = {
    "orders": GOOD,
    "words": TALK,
    "press": PRESS,
    "an answer": ANSWER,
    "acts": ACTS,
    "a wish to join": MailFacts(Recipient("join", "rose-1")),
    "a bounce": MailFacts(Recipient("bounce", token="b_abcdefghijklm234")),
}
CASES = yaml_beside(__file__, "screening.yaml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(map(str, case.values())))
def test_a_mail_is_decided_by_the_first_rule_that_fits(case: dict[str, Any]) -> None:
    rule, verdict, kind, *_ = case.values()
    known = dict([*case.items()][3:])

    found = first_matching_rule(replace(KINDS[kind], **known))

    assert (found.name, found.verdict) == (rule, verdict)


def test_every_rule_has_a_case_and_every_verdict_is_carried_out() -> None:
    assert [rule.name for rule in RULES if rule.name not in {case["rule"] for case in CASES}] == []
    assert {rule.verdict for rule in RULES} == set(CARRY_OUT)


def test_the_guide_says_of_every_mail_that_is_dropped_why() -> None:
    guide = (Path(__file__).parents[2] / "docs/hosting-by-mail.md").read_text(encoding="utf-8")
    table = re.search(r"^#### Mails that are dropped\n\n((?:\|.*\n)+)", guide, re.MULTILINE)
    assert table
    told = set(re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^\| ([^|]*) \|", table[1], re.MULTILINE))))

    why = {rule.name for rule in RULES if rule.verdict in ("dropped", "muted", "join")} | set(ARRIVED)

    assert (why - told, told - why) == (set(), set())
