"""Whose luck words are in a deal, and where they came from: what that proves, and what not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pbem.core.book import BEFORE_DEAL, START
from pbem.core.interface import Json
from pbem.play.homes import saves
from pbem.play.homes.players import acts_of
from pbem.play.homes.saves import Turns
from pbem.store.interface import Place
from pbem.text.codec import fields_of, receipt_of

LEAST_HIDDEN: Final = 16
"""Words of fewer signs could be guessed from their seal, by trying."""


class Share(NamedTuple):
    """A seat's share in the dice.

    Attributes:
        seat: The seat.
        words: Its luck words; "" for none, and for those of a seal that was not opened.
        origin: "sent" as orders of the seat, "host" from the host himself, "bot", or "nobody".
        seal: The seal that came before the words, or "".
        opened: Who sent the words of the seal, in the same words as `origin`; "" if nobody did.
    """

    seat: str
    words: str
    origin: str
    seal: str = ""
    opened: str = ""

    @property
    def is_hidden(self) -> bool:
        """Whether nobody but the seat could know the words before all seals were told."""
        came = self.origin == "sent" and self.opened == "sent"
        return bool(self.seal) and came and len(self.words) >= LEAST_HIDDEN


class Deal(NamedTuple):
    """The shares of all seats in a deal.

    Attributes:
        shares: The share of each seat, in the order of their names; none before the deal.
        anew: The turn of the start forms, or of the words of seals, had been taken back and was played anew.
    """

    shares: tuple[Share, ...]
    anew: bool = False

    @property
    def is_sealed(self) -> bool:
        """Whether any seat sent a seal."""
        return any(share.seal for share in self.shares)

    @property
    def hidden_seats(self) -> tuple[str, ...]:
        """The seats whose words nobody else could know in time."""
        return tuple(share.seat for share in self.shares if share.is_hidden)

    @property
    def shut(self) -> tuple[str, ...]:
        """The seats whose seals were not opened: whoever knew their words and the seed could choose."""
        return tuple(share.seat for share in self.shares if share.seal and not share.words)

    @property
    def put_in(self) -> tuple[str, ...]:
        """The seats for which the host put words in: he knew the seed, and could have tried others."""
        return tuple(share.seat for share in self.shares if "host" in (share.origin, share.opened))

    @property
    def is_of_seed_alone(self) -> bool:
        """Whether nobody gave words: the host could have tried seeds before he promised one."""
        return bool(self.shares) and not any(share.words or share.seal for share in self.shares)


def deal_of(turns: Turns, up_to: int | None = None) -> Deal:
    """Return whose words are in the deal of a game; no shares before the deal.

    Args:
        turns: The turns of the game.
        up_to: Look at no turn after this one.
    """
    shares: tuple[Share, ...] = ()
    anew = False
    for number in turns.numbers()[1:]:
        record = saves.load_record(turns.at(number))
        if not has_start_forms(record) or (up_to is not None and number > up_to):
            break
        shares = shares_after(shares, record, orders_files_in(turns.at(number)))
        anew = anew or record.get("revision") != 0
    return Deal(shares, anew)


def has_start_forms(record: Mapping[str, Json]) -> bool:
    """Tell whether a turn took start forms, or words of seals."""
    return any(step["label"] in BEFORE_DEAL for step in saves.objects_in(record["steps"]))


def orders_files_in(turn: Place) -> dict[str, bytes]:
    """Return the orders files that a turn took, by seat."""
    folder = turn / "orders"
    return {one.stem: one.read_bytes() for one in folder.iterdir()} if folder.is_dir() else {}


def shares_after(
    shares: Iterable[Share], record: Mapping[str, Json], sent: Mapping[str, bytes]
) -> tuple[Share, ...]:
    """Return the shares of the seats after a turn of the opening.

    Args:
        shares: Those before it.
        record: Its `turn.json`; its steps and its policy are looked at.
        sent: The orders files that it took, by seat.
    """
    found = {share.seat: share for share in shares}
    for step in saves.objects_in(record["steps"]):
        for seat, do, source in _moves(step) if step["label"] in BEFORE_DEAL else ():
            origin = _origin(seat, source, record, sent.get(seat, b""))
            words, seal = str(do.get("luck", "")), str(do.get("seal", ""))
            if step["label"] == START:
                found[seat] = Share(seat, words, origin, seal)
            elif words:
                found[seat] = found[seat]._replace(words=words, opened=origin)
    return tuple(found.values())


def origin_words(shares: Iterable[Share]) -> dict[str, Json]:
    """Return for a report where the words of each seat in the deal came from, in a word."""
    return {share.seat: _share_state(share) for share in shares}


def _share_state(share: Share) -> str:
    if share.is_hidden:
        return "sealed"
    if share.seal and not share.words:
        return "shut"
    return "host" if "host" in (share.origin, share.opened) else share.origin


def _moves(step: Mapping[str, Json]) -> list[tuple[str, dict[str, Json], str]]:
    moves, sources = fields_of(step["moves"]), fields_of(step["sources"])
    return [(seat, fields_of(do), str(sources[seat])) for seat, do in sorted(moves.items())]


def _origin(seat: str, source: str, record: Mapping[str, Json], sent: bytes) -> str:
    """Say where an answer came from; orders without a receipt, or lodged in his own name, are the host's."""
    if not source.startswith("order"):
        return "bot" if source.startswith("bot") else "nobody"
    receipt = receipt_of(sent)
    lodged = {"kind": "orders-lodged-for", "seat": seat, "receipt": receipt}
    return "host" if not receipt or lodged in acts_of(record) else "sent"
