"""Mails that were odd, in a line each for the digest: what was the matter, and who was told."""

from __future__ import annotations

from typing import Final

from pbem.store.records import TOLD_BEFORE, Intake

UNBELIEVED_ACTS: Final = "acts-unproven"
"""The rule of a mail with acts that did not prove that it is the moderator's."""

REFUSALS: Final = {
    "command": "what it asked for could not be done",
    "join": "who wrote it could not join",
    "orders": "its orders were not taken, and its player was told why",
    "press": "its message was not passed on, and its player was told why",
    "press-in-reply": "its message was not passed on, and its player was told why",
    "two-sets": "it holds two different sets of orders",
    "unreadable": "it cannot be read",
}
"""Why a mail was refused, by the rule that fitted it."""


def is_answered(mail: Intake) -> bool:
    """Tell whether the moderator has had an answer that says all of it: their own acts were refused."""
    return mail.verdict == "refused" and mail.rule == "acts"


def odd_in_words(mail: Intake) -> str:
    """Return what was odd about a mail, in a line.

    Args:
        mail: The mail; its verdict is "shunted", "warned", "refused", "former" or "doubted".
    """
    about = f" ({mail.game}{f', seat {mail.seat}' if mail.seat else ''})" if mail.game else ""
    if mail.rule == UNBELIEVED_ACTS:
        return (
            f"mail {mail.id}, to the address for acts, did not prove that it is the moderator's: nothing in "
            "it was done. You are mailed about such ones once a day"
        )
    if mail.verdict == "warned":
        when = " earlier today" if mail.rule == TOLD_BEFORE else ""
        return f"mail {mail.id} did not prove whose it is, and was not used; its player was told{when}{about}"
    if mail.verdict == "former":
        return (
            f"mail {mail.id} is from a former player of {mail.game}, {mail.envelope_from}, and nobody was "
            f"told: `pbem answer {mail.id}` shows it. If you answer, write to that address"
        )
    if mail.verdict == "doubted":
        return (
            f"mail {mail.id} says that a mail to {mail.game}, seat {mail.seat}, came back. It does not prove "
            f"it, so nothing was marked: `pbem answer {mail.id}` shows it. If you believe it, "
            f"`pbem seat {mail.game} {mail.seat} --address ADDRESS` mends the address"
        )
    if mail.verdict == "shunted":
        again = f"see mail/shunted/{mail.id}.txt, and `pbem receive --again {mail.id}`"
        return f"mail {mail.id} was set aside: {mail.rule}{about}; {again}"
    return f"mail {mail.id} was refused: {REFUSALS.get(mail.rule, mail.rule)}{about}"
