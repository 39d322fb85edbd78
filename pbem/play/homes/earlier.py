"""Facts of acts that an older pbem told in sentences alone, in the journal and in records of turns."""

from __future__ import annotations

import re
from typing import Final

from pbem.core.interface import Json
from pbem.store.records import Act, read_facts

_LODGED: Final = re.compile(
    r"(?:orders for (\S+)|.*\((\S+)\)) were lodged by the moderator, receipt ([0-9]+)\."
)
_OF_TURN: Final = {
    "turn-undone": re.compile(r"turn ([0-9]+) was taken back\."),
    "turn-remade": re.compile(r"turn ([0-9]+) was lost and made again: .*"),
}


def facts_in(sentence: str) -> dict[str, Json]:
    """Return the facts in a sentence of an older pbem, as far as something depends on them."""
    if lodged := _LODGED.fullmatch(sentence):
        seat, named, receipt = lodged.groups()
        return {"kind": "orders-lodged-for", "seat": seat or named, "receipt": int(receipt)}
    for kind, pattern in _OF_TURN.items():
        if of := pattern.fullmatch(sentence):
            return {"kind": kind, "turn": int(of[1])}
    return {"kind": "earlier"}


def facts_of_act(act: Act) -> dict[str, Json]:
    """Return the facts of an act that the journal holds, whichever pbem noted it."""
    return read_facts(act.facts) if act.facts else facts_in(act.detail)
