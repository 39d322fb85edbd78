"""What a host wants to know of one seat: whose it is, where its mail goes, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.host.notices.undelivered import not_there, why_in_words
from pbem.host.run.notes import notes_of
from pbem.host.time.moving import refuse_strange_seat
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import lodged


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat as it stands; its secret is not among it.

    Attributes:
        game: The game.
        seat: The seat.
        player: Who has it; "" for nobody.
        bot: The skill of the bot that plays it, or "".
        address: Where its mail goes, or "".
        key: Whether its orders must carry a key.
        lines: How many lines of orders wait for it.
        lodged: The orders file that was lodged for it and no turn has taken, the key masked; or "".
        wrong: Why what was lodged for it cannot be read, or "".
        held: Why its orders are held back, or "".
        sent: How many mails of it went to that address, without those that failed or came back.
        not_there: Mails that wait, failed or came back, each in words.
    """

    game: str
    seat: str
    player: str
    bot: str
    address: str
    key: bool
    lines: int
    lodged: str
    wrong: str
    held: str
    sent: int
    not_there: tuple[str, ...]

    def told(self, *, by_mail: bool = True) -> list[str]:
        """Return it in lines for people, for a home that sends mail or one that does not."""
        who = self.player or "nobody"
        bot = f", played by a {self.bot} bot" if self.bot else ""
        orders = "1 line of orders waits" if self.lines == 1 else f"{self.lines or 'no'} lines of orders wait"
        mails = (
            f"{self.sent} mails were sent, and did not come back" if self.sent else "no mail has reached it"
        )
        mails = "1 mail was sent, and did not come back" if self.sent == 1 else mails
        where = f"mail goes to {self.address}" if by_mail else f"the address is {self.address}"
        not_there = "; these are not there:" if self.not_there else ""
        kept = "" if by_mail else f", which stands in games/{self.game}/secret.json"
        key = f"; each submission must carry the key of the seat{kept}" if self.key else ""
        return [
            f"{self.game}, {self.seat}: {who}{bot}",
            f"  {where}" if self.address else "  no address is known",
            f"  {orders}{key}",
            *([f"  what was lodged cannot be read: {self.wrong}"] if self.wrong else []),
            *([f"  orders are held back: {self.held}"] if self.held else []),
            f"  {mails}{not_there}" if by_mail or self.sent else "  no mail goes out of this home",
            *(f"  {one}" for one in self.not_there),
        ]


def facts_of_seat(home: Home, game: str, seat: Seat) -> SeatFacts:
    """Return what is to be known of a seat.

    Raises:
        WrongInput: There is no such game or seat, or the game is damaged.
    """
    saved = SavedGame(home, game)
    refuse_strange_seat(saved, seat)
    found = lodged(saved)
    orders = found.orders.get(seat)
    sent, mails = 0, tuple[str, ...]()
    if home.has_journal:
        with home.journal() as db:
            sent = db.sent_to(game, seat, saved.players.address(seat))
            mails = tuple(
                f"the {one.kind} of turn {one.turn} {_FATES[one.state]}"
                f"{f': {why_in_words(one.why, one.seat)}' if one.why else ''}"
                for one in not_there(saved, db)
                if one.seat == seat
            )
    return SeatFacts(
        game=game,
        seat=seat,
        player="" if seat in saved.table.free else saved.players.holder(seat),
        bot=saved.players.bots.get(seat, ""),
        address=saved.players.address(seat),
        key=saved.table.key,
        lines=len(orders.lines) if orders is not None else 0,
        lodged=found.submissions.get(seat, b"").decode(),
        wrong=found.bad[seat].text if seat in found.bad else "",
        held=notes_of(home, game).held.get(seat, ""),
        sent=sent,
        not_there=mails,
    )


_FATES = {
    "queued": "waits to be sent",
    "claimed": "is being sent",
    "failed": "failed",
    "bounced": "came back",
}
