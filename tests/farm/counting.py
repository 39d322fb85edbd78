"""After the campaign every mail is counted at its reader, and every orders mail and turn at the host."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pbem.play.homes.home import Home
from tests.farm.games import Seated
from tests.farm.undisturbed import Looked
from tests.mail.stack import Stack
from tests.mail.test_campaign import IN_REPLY_TO, MESSAGE_ID, first

UNANSWERED = ("superseded",)
"""Verdicts on orders that get no receipt: newer ones of the same seat were lodged before."""

MARGIN = 4.0
"""Seconds between the word of the server and the note of the sender, at most."""

_TAKEN = re.compile(r"(\w+ +\d+ [\d:]+) .*cleanup\[\d+\]: \w+: message-id=(<[^>]*>)")


@dataclass
class Count:
    """What was counted.

    Attributes:
        numbers: Numbers for the table, by what they count.
        wrong: What must not be, a line each.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def add(self, what: str, wrong: Iterable[object], told: str = "") -> None:
        """Count what must not be."""
        found = sorted(map(str, wrong))
        self.numbers[what] = len(found)
        self.wrong += [f"{what}: {one}{told}" for one in found]


def delivered(stack: Stack, addresses: Iterable[str]) -> dict[str, list[bytes]]:
    """Return the mails in every reader's Maildir."""
    return {address: stack.letters(address) for address in addresses}


def accepted(stack: Stack) -> dict[str, list[float]]:
    """Return when the mail server took each mail in, by its Message-ID, as its log says to the second."""
    found: dict[str, list[float]] = defaultdict(list)
    year = time.localtime().tm_year
    for line in (stack.folder / "postfix.log").read_text(encoding="utf-8", errors="replace").splitlines():
        if taken := _TAKEN.match(line):
            moment = time.mktime(time.strptime(f"{year} {taken[1]}", "%Y %b %d %H:%M:%S"))
            found[taken[2]].append(moment)
    return found


def count_mails(
    count: Count,
    home: Home,
    letters: Mapping[str, list[bytes]],
    stack: Stack,
    disturbed: Iterable[tuple[float, float]],
) -> None:
    """Count every mail of the outbox at its reader: once each.

    One that came twice is allowed only if it was tried as often, and something was disturbed right after the
    server had taken it: so whoever sent it was stopped before that was noted.
    """
    with home.journal() as db:
        rows = db.rows("SELECT rcpt, message_id, state, tries, why FROM outbox")
    came = Counter((address, first(MESSAGE_ID, raw)) for address, raws in letters.items() for raw in raws)
    sent = {(str(rcpt), str(name)): int(tries) for rcpt, name, _, tries, _ in rows}
    count.numbers["mails sent"] = len(rows)
    count.numbers["mails that were tried more than once"] = sum(tries > 1 for tries in sent.values())
    count.add(
        "not sent",
        (f"{name} to {rcpt}: {state} {why}" for rcpt, name, state, _, why in rows if state != "sent"),
    )
    count.add("lost", (one for one in sent if one[0] in letters and not came[one]))
    count.add("strange", (one for one in came if one not in sent))
    doubled = [one for one in came if one in sent and came[one] > 1]
    count.numbers["doubled, the server had accepted it already"] = sum(
        sent[one] >= came[one] for one in doubled
    )
    count.add("doubled", (one for one in doubled if sent[one] < came[one]))
    taken, moments = accepted(stack), list(disturbed)

    def is_excused(moment: float) -> bool:
        return any(start <= moment + MARGIN and moment <= end + MARGIN for start, end in moments)

    what = "doubled, and nothing was disturbed when it was accepted first"
    count.add(what, (one for one in doubled if not is_excused(min(taken[one[1]], default=0.0))))


def count_orders(count: Count, home: Home, letters: Mapping[str, list[bytes]], wrote: Iterable[str]) -> None:
    """Look for every mail that a player wrote: taken in once, and answered by one receipt."""
    with home.journal() as db:
        rows = db.rows("SELECT message_id, state, verdict FROM intake")
    taken: dict[str, list[str]] = defaultdict(list)
    for name, state, verdict in rows:
        taken[str(name)].append(str(verdict) if state == "done" else "not processed")
    answers: dict[str, set[str]] = defaultdict(set)
    for raws in letters.values():
        for raw in raws:
            if answered := first(IN_REPLY_TO, raw):
                answers[answered].add(first(MESSAGE_ID, raw))
    written = set(wrote)
    verdicts = Counter(verdict for name in written for verdict in taken[name][:1])
    count.numbers["orders mails written"] = len(written)
    count.numbers |= {f"of them {verdict}": number for verdict, number in sorted(verdicts.items())}
    count.add("orders mails lost", (name for name in written if not taken[name]))
    count.add("orders mails taken in twice", (name for name in written if len(taken[name]) > 1))
    count.add("strange mails taken in", (name for name in taken if name not in written))
    good = {"lodged", "refused", "repeated", *UNANSWERED}
    count.add(
        "orders mails with another end",
        (f"{name} {taken[name]}" for name in written if not good & {*taken[name]}),
    )
    count.add(
        "orders mails without one receipt",
        (
            f"{name} {taken[name]}: {len(answers[name])}"
            for name in written
            if len(answers[name]) != (0 if taken[name] and taken[name][0] in UNANSWERED else 1)
        ),
    )


def count_games(count: Count, games: Iterable[Looked]) -> None:
    """Count what was found of the games, and which of them are as they must be."""
    found = list(games)
    count.numbers["games"] = len(found)
    count.numbers["turns"] = sum(one.turns for one in found)
    count.add("games that are not over", (one.game for one in found if not one.is_over))
    count.add("games that are not verified", (f"{one.game}: {one.findings}" for one in found if one.findings))
    what = "files that an undisturbed folder home makes otherwise"
    count.add(what, (name for one in found for name in one.differences))


def count_reports(
    count: Count,
    home: Home,
    letters: Mapping[str, list[bytes]],
    seats: Iterable[Seated],
    games: Iterable[Looked],
) -> None:
    """Look for the report of every turn at every seat."""
    with home.journal() as db:
        rows = db.rows(
            "SELECT game, turn, seat, rcpt, message_id FROM outbox WHERE kind IN ('report', 'invitation')"
        )
    turns = {one.game: one.turns for one in games}
    due = {(one.game, turn, one.seat, one.address) for one in seats for turn in range(turns[one.game])}
    came = {(address, first(MESSAGE_ID, raw)) for address, raws in letters.items() for raw in raws}
    mailed = Counter(
        (str(game), int(turn), str(seat), str(rcpt))
        for game, turn, seat, rcpt, name in rows
        if (str(rcpt), str(name)) in came
    )
    count.add("reports that did not get to their seat", due - {*mailed})
    odd = (one for one in mailed if one not in due or mailed[one] > 1)
    count.add("reports of no turn, or as two mails", odd)
