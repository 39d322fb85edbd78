"""Mails that were odd, in a line each for the digest: what was the matter, and who was told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pbem.store.journals.records import (
    LATE_ORDERS,
    PRESS_TO_NOBODY,
    PRESS_WITH_ORDERS,
    PRESS_WITH_SECRET,
    TOLD_BEFORE,
    WITH_OLDER_MAIL,
    WITH_ORDERS,
    Intake,
)
from pbem.text.yaml.carets import visible

UNBELIEVED_ACTS: Final = "acts-unproven"
"""The rule of a mail with acts that did not prove that it is the moderator's."""

REFUSALS: Final = {
    "command": "what it asked for could not be done",
    "join": "who wrote it could not join",
    "orders": "its orders were not taken, and its player was told why",
    LATE_ORDERS: "it came after the deadline. Its orders were not taken, and its player was told why",
    "press": "its message was not passed on, and its player was told why",
    "press-in-reply": "its message was not passed on, and its player was told why",
    PRESS_WITH_SECRET: "a secret of its player stands in it. Nobody got the mail, and its player knows why",
    PRESS_WITH_ORDERS: "orders came to the address for press. Nobody got them, and its player was told why",
    PRESS_TO_NOBODY: "it does not say for whom it is. Nobody got the message, and its player was told why",
    WITH_OLDER_MAIL: "it holds lines of an older mail. Nobody got its words, and who wrote it was told why",
    "two-sets": "it holds two different sets of orders",
    "unreadable": "it cannot be read",
}
"""Why a mail was refused, by the rule that fitted it."""


MOST_TOLD: Final = 5
"""So many odd mails of one kind have a line each in a digest: anybody can send hundreds."""

_REST: Final = {
    "shunted": "were set aside; see the folder mail/shunted",
    "warned": "did not prove whose they are, and were not used",
    "former": "are from former players",
    "old-secret": "came with old secrets of seats; nothing was done with them",
    "doubted": "may say that a mail came back, and do not prove it: nothing was marked",
    "refused": "were refused",
}
"""What is said of the other mails that were odd in the same way, by their verdict."""


GRAVE: Final[Mapping[str, tuple[str, str]]] = {
    "shunted": ("was set aside", "were set aside"),
    "warned": ("did not prove whose it is", "did not prove whose they are"),
    "former": ("is from a former player", "are from former players"),
    "old-secret": ("came with an old secret", "came with old secrets"),
    "doubted": ("may say that a mail came back", "may say that a mail came back"),
}
"""What a subject says of an odd mail and of several, by their verdict."""


def odd_news(mails: Iterable[Intake]) -> Iterator[str]:
    """Yield odd mails in a line each, a few of each kind; the rest of a kind are counted.

    Args:
        mails: The mails, each as `odd_in_words` takes one.
    """
    told, rest = Counter[str](), dict[str, list[Intake]]()
    for mail in mails:
        told[mail.verdict] += 1
        if told[mail.verdict] <= MOST_TOLD:
            yield odd_in_words(mail)
        else:
            rest.setdefault(mail.verdict, []).append(mail)
    for verdict, more in rest.items():
        if len(more) == 1:
            yield odd_in_words(more[0])
            continue
        yield f"{len(more)} more mails (between {more[0].id} and {more[-1].id}) {_REST[verdict]}"


def odd_in_brief(odd: Sequence[Intake]) -> Iterator[str]:
    """Yield odd mails in a few words for a subject; of several of a kind their number."""
    for verdict in dict.fromkeys(one.verdict for one in odd):
        alike = [one for one in odd if one.verdict == verdict]
        one, several = GRAVE[verdict]
        yield f"{len(alike)} mails {several}" if len(alike) > 1 else f"mail {alike[0].id} {one}"


def is_answered(mail: Intake) -> bool:
    """Tell whether the moderator has had an answer that says all of it: their own acts were refused."""
    return mail.verdict == "refused" and mail.rule == "acts"


def odd_in_words(mail: Intake) -> str:
    """Return what was odd about a mail, in a line.

    Args:
        mail: The mail; its verdict is "shunted", "warned", "refused", "former", "old-secret" or "doubted".
    """
    about = f" ({mail.game}{f', seat {mail.seat}' if mail.seat else ''})" if mail.game else ""
    if mail.rule == UNBELIEVED_ACTS:
        return (
            f"mail {mail.id}, to the address for acts, did not prove that it is the moderator's: nothing in "
            "it was done. You are mailed about such ones once a day"
        )
    if mail.verdict == "warned":
        when = " earlier today" if mail.rule.endswith(TOLD_BEFORE) else ""
        orders = ", nor were the orders in it" if WITH_ORDERS in mail.rule else ""
        return (
            f"mail {mail.id}, from {visible(mail.envelope_from) or 'nobody'}, did not prove whose it is, and "
            f"was not used{orders}; its player was told{when}{about}. `pbem answer {mail.id}` shows it"
        )
    if mail.verdict == "former":
        return (
            f"mail {mail.id} is from a former player of {mail.game}, {mail.envelope_from}, and nobody was "
            f"told: `pbem answer {mail.id}` shows it. If you answer, write to that address"
        )
    if mail.verdict == "old-secret":
        return (
            f"a mail with the old secret of {mail.game} {mail.seat} came from "
            f"{visible(mail.envelope_from) or 'nobody'}; nothing was done with it, and nobody else was told: "
            f"`pbem answer {mail.id}` shows it"
        )
    if mail.verdict == "doubted":
        return (
            f"mail {mail.id} may say that a mail to {mail.game}, seat {mail.seat}, came back. It does not "
            f"prove it, so nothing was marked: `pbem answer {mail.id}` shows it. If you believe it, "
            f"`pbem seat {mail.game} {mail.seat} --address ADDRESS` mends the address"
        )
    if mail.verdict == "shunted":
        again = f"see mail/shunted/{mail.id}.txt, and `pbem receive --again {mail.id}`"
        return f"mail {mail.id} was set aside: {mail.rule}{about}; {again}"
    return f"mail {mail.id} was refused: {REFUSALS.get(mail.rule, mail.rule)}{about}"
