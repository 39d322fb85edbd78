"""After the campaign every mail is counted at its reader, and every orders mail and turn at the host."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pbem.core.interface import Outcome
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.play.verify import verify
from tests.farm.games import Seated
from tests.mail.stack import Stack
from tests.mail.test_campaign import IN_REPLY_TO, MESSAGE_ID, first

UNANSWERED = ("superseded",)
"""Verdicts on orders that get no receipt: newer ones of the same seat were lodged before."""


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


def count_mails(count: Count, home: Home, letters: Mapping[str, list[bytes]]) -> None:
    """Count every mail of the outbox at its reader: once each.

    One that came twice is allowed only if it was tried more than once: the server had taken it, and whoever
    sent it was stopped before that was noted.
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
    count.numbers["doubled, the server had accepted it already"] = sum(sent[one] > 1 for one in doubled)
    count.add("doubled", (one for one in doubled if sent[one] < 2))


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
    good = {"lodged", "refused", *UNANSWERED}
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


def count_games(
    count: Count, home: Home, letters: Mapping[str, list[bytes]], seats: Iterable[Seated]
) -> None:
    """Verify every game, and look for every turn's report at every seat."""
    seats_of: dict[str, list[Seated]] = defaultdict(list)
    for one in seats:
        seats_of[one.game].append(one)
    with home.journal() as db:
        rows = db.rows(
            "SELECT game, turn, seat, rcpt, message_id FROM outbox WHERE kind IN ('report', 'invitation')"
        )
    mailed = {
        (str(game), int(turn), str(seat)): (str(rcpt), str(name)) for game, turn, seat, rcpt, name in rows
    }
    came = {(address, first(MESSAGE_ID, raw)) for address, raws in letters.items() for raw in raws}
    turns, unverified, going, missing = 0, list[str](), list[str](), list[str]()
    for game, its in seats_of.items():
        found = verify(home, game)
        turns += found.turns
        if found.findings or found.recomputed != found.turns:
            unverified.append(f"{game}: {found.findings} {found.skipped}")
        if not isinstance(SavedGame(home, game).ask, Outcome):
            going.append(game)
        for turn in range(found.turns):
            missing += [
                f"{game}, turn {turn}, {one.seat}"
                for one in its
                if mailed.get((game, turn, one.seat)) not in came
            ]
    count.numbers["games"] = len(seats_of)
    count.numbers["turns"] = turns
    count.add("games that are not over", going)
    count.add("games that are not verified", unverified)
    count.add("reports that did not get to their seat", missing)
    count.add("reports of turns that are not there", (one for one in mailed if one[0] not in seats_of))
