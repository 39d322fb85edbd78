"""Orders as players write them, and as moves: `{take: [Fr3, Fr5], claim: [Ba1, It2]}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.rules.kit.tables import as_list
from pbem.rules.web_of_power_cards.state import LAWS, Law, Move, Skip, Take

_LETTERS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def read_move(
    order: Json, names: Mapping[str, str] | None = None, laws: Mapping[str, Law] | None = None
) -> Move:
    """Return an order as a move; the order fits the orders schema.

    One name may stand without brackets. What a country or `any` stands for is found out when it is taken.

    Args:
        order: The order.
        names: Cards and countries by every name that players may use for them, as `plain` writes it. A word
            that is none of them stays as it is; so do all without names.
        laws: Law cards by every name for them, as `plain` writes it; without them only by their ids.
    """

    def read(field: Json) -> tuple[str, ...]:
        found = _names(field)
        return tuple(dict.fromkeys([names.get(plain(name), name) for name in found])) if names else found

    if not isinstance(order, dict) or "take" not in order:
        return Skip()
    used = [(name, _law(str(name), laws or {})) for name in as_list(order.get("use", []))]
    return Take(
        take=tuple(read(entry) for entry in as_list(order["take"])),
        also=read(order.get("also", [])),
        use=tuple(law for _, law in used if law is not None),
        pay=read(order.get("pay", [])),
        claim=read(order.get("claim", [])),
        lift=read(order.get("from", [])),
        strange=tuple((place, str(name)) for place, (name, law) in enumerate(used) if law is None),
    )


def plain(name: str) -> str:
    """Return a name as names are compared: in lower case, with ae, oe and ue for the letters with dots."""
    return name.strip().casefold().translate(_LETTERS)


def write_take(
    take: Iterable[str],
    *,
    also: Iterable[str] = (),
    use: Iterable[Law] = (),
    pay: Iterable[str] = (),
    claim: Iterable[str] = (),
    lift: Iterable[str] = (),
) -> dict[str, Json]:
    """Return an order for a turn; what is empty is left out."""
    parts = (("take", take), ("also", also), ("use", use), ("pay", pay), ("claim", claim), ("from", lift))
    found = {name: list[Json](entries) for name, entries in parts}
    return {name: entries for name, entries in found.items() if entries}


def _names(value: Json) -> tuple[str, ...]:
    """Return the names in an entry or a list of entries, in order and each once."""
    return tuple(dict.fromkeys(str(entry) for entry in as_list(value)))


def _law(name: str, laws: Mapping[str, Law]) -> Law | None:
    return next((law for law in LAWS if law == name), laws.get(plain(name)))
