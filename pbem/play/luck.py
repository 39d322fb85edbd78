"""Whose luck words are in a deal, and where they came from: what that proves, and what not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.core.labels import START
from pbem.play import saves
from pbem.play.turns import Turns
from pbem.text.canonical import receipt_of


@dataclass(frozen=True, slots=True)
class Share:
    """A seat's share in the dice.

    Attributes:
        seat: The seat.
        words: Its luck words; "" for none.
        origin: "sent" as orders of the seat, "host" from the host's own file, "bot", or "nobody".
    """

    seat: str
    words: str
    origin: str


def shares_of(turns: Turns) -> tuple[Share, ...]:
    """Return the shares of the seats in the deal, in the order of their names; none before the deal."""
    for number in turns.numbers()[1:]:
        turn = turns.at(number)
        steps = saves.load_record(turn)["steps"]
        for step in steps if isinstance(steps, list) else ():
            if isinstance(step, dict) and step["label"] == START:
                moves, sources = step["moves"], step["sources"]
                assert isinstance(moves, dict) and isinstance(sources, dict), "every step records them"
                found = []
                for seat, do in sorted(moves.items()):
                    sent = turn / "orders" / f"{seat}.yaml"
                    receipt = receipt_of(sent.read_bytes()) if sent.exists() else 0
                    words = str(do.get("luck", "")) if isinstance(do, dict) else ""
                    found.append(Share(seat, words, _origin(str(sources[seat]), receipt)))
                return tuple(found)
    return ()


def _origin(source: str, receipt: int) -> str:
    if source.startswith("order"):
        return "sent" if receipt else "host"
    return "bot" if source.startswith("bot") else "nobody"


def put_in(shares: Iterable[Share]) -> tuple[str, ...]:
    """Return the seats for which the host put words in: he knew the seed, and could have tried others."""
    return tuple(share.seat for share in shares if share.origin == "host")


def is_of_seed_alone(shares: Iterable[Share]) -> bool:
    """Tell whether nobody gave words: the host could have tried seeds before he promised one."""
    return not any(share.words for share in shares)


def doubt(shares: Sequence[Share]) -> str:
    """Say how whoever ran the game could have chosen the deal; "" if no way is known."""
    if seats := put_in(shares):
        text = f"the luck words of {', '.join(seats)} were put in by the host"
        return f"{text}, who knew the seed and could have tried others"
    if shares and is_of_seed_alone(shares):
        return "no seat gave luck words: the host could have tried many seeds before he promised one"
    return ""
