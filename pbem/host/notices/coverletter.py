"""The covering letter of a report: what is true when the report leaves, and the report does not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.notices.queue import is_mailed, players
from pbem.host.notices.reports import rerun_notice
from pbem.host.people.seatorders import SeatOrders, seat_orders
from pbem.host.run.losses import is_to_run_again
from pbem.host.run.notes import Notes, notes_of, standby_replacements
from pbem.host.time.deadlines import moved_since_report, present_label
from pbem.play.config.gamefile import NOBODY
from pbem.play.config.templates import translate_template_errors
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, read_json
from pbem.play.homes.tenures import player_names_of_facts
from pbem.play.reports.reading import NO_LETTER, CoveringLetter
from pbem.play.submissions.seatkeys import own_marker
from pbem.text.codec import fields_of, items_of
from pbem.text.reports.facts import names_in, pending_lines
from pbem.text.reports.layout import joined

NO_ORDERS_TOLD: dict[str, Json] = {"orders": [], "stop_if": {}, "stops": ""}


@dataclass(frozen=True)
class CoverFacts:
    """What letters to the readers of one game's newest reports are written from; it is looked at once.

    Attributes:
        saved: The game.
        notes: What is noted of it.
    """

    saved: SavedGame
    notes: Notes

    @cached_property
    def stands(self) -> Mapping[Seat, SeatOrders]:
        """What stands for each seat."""
        return seat_orders(self.saved, self.notes)

    def letter(self, reader: str, corrected: str = "") -> CoveringLetter:
        """Return the letter of a reader.

        Args:
            reader: A seat, or the spectator.
            corrected: What its reader is told of a turn that was run again; "" if it was not.

        Raises:
            WrongInput: The report is damaged, or a template fails.
        """
        saved, notes = self.saved, self.notes
        facts = read_json(saved.turns.at(saved.turn) / "reports" / reader / "report.json")
        if saved.turn != saved.turns.newest():
            return CoveringLetter(joined(corrected), is_answered=_has_answering_order(facts))
        seat = Seat(reader) if reader != SPECTATOR else None
        stands = self.stands[seat] if seat is not None else None
        is_asked = stands is not None and stands.is_asked
        told: dict[str, Json] = {
            "label": present_label(saved),
            "is_asked": is_asked,
            "ended": notes.cancelled.sentence() if notes.cancelled is not None else "",
            "corrected": corrected,
            "players_now": self._changed_player_rows(reader, facts),
            "undone": saved.turn + 1 if notes.cancelled is None and is_to_run_again(saved) else 0,
            "due": moved_since_report(saved, notes, seat),
            "held": "",
            "state": "none",
            "owes": False,
            "sender": "",
            **NO_ORDERS_TOLD,
        }
        if stands is not None and notes.cancelled is None and not isinstance(saved.ask, Outcome):
            told |= {"held": stands.held, "owes": stands.owes, "sender": stands.sender}
            told |= {"state": stands.state, **self._current_order_facts(stands, facts)}
        with translate_template_errors():
            page = saved.environment.get_template("common/letter.txt.j2")
            words = joined(page.render({**facts, **told}))
        is_answered = is_asked and stands is not None and not (stands.owes or stands.held)
        rows = items_of(told["orders"]) if told["state"] in ("withdrawn", "lodged", "reinstated") else None
        return CoveringLetter(words, str(told["due"]), rows, is_answered)

    def _changed_player_rows(self, reader: str, facts: Mapping[str, Json]) -> list[Json]:
        """Return a row for each seat whose player is called otherwise than in the report, or is another."""
        saved, rows = self.saved, list[Json]()
        for seat, before in player_names_of_facts(facts).items():
            now = saved.players.holder(seat)
            if before != NOBODY and not saved.tenures.is_called(seat, before):
                is_same = saved.tenures.former(seat, saved.turn) is None
                is_other_form = seat == reader and not is_same and _has_other_form(saved, seat)
                is_other_form = is_other_form and not is_mailed(saved.home, saved.players.address(seat))
                row: dict[str, Json] = {"seat": str(seat), "before": before, "now": now}
                rows.append({**row, "is_same": is_same, "is_other_form": is_other_form})
        return rows

    def _current_order_facts(self, stands: SeatOrders, facts: Mapping[str, Json]) -> dict[str, Json]:
        """Return the lines that count for a seat, as reports tell them."""
        saved, orders = self.saved, stands.orders
        view, asked = saved.view(saved.position.game, stands.seat), saved.position.asked
        if not orders.lines or stands.state not in ("lodged", "reinstated"):
            return NO_ORDERS_TOLD
        told: dict[str, Json] = {
            "orders": pending_lines(saved.opening, view, saved.ask, asked, stands.seat, orders),
            "stop_if": dict(orders.stop_if),
            "stops": saved.opening.wording.condition(orders.stop_if),
        }
        return {**told, "names": names_in(saved.opening.wording.names, {**facts, **told})}


def _has_answering_order(facts: Mapping[str, Json]) -> bool:
    """Tell whether an order that a report tells of answers what it says is asked."""
    return any("answers" in fields_of(order) for order in items_of(facts.get("orders")))


def _has_other_form(saved: SavedGame, seat: Seat) -> bool:
    """Tell whether the newest report of a seat ends with a form that was made for a player who has left."""
    form = saved.turns.at(saved.turn) / "reports" / seat / "orders.yaml"
    return form.exists() and own_marker(saved, seat, form.read_text()) != ""


def covering_letters(home: Home, game: str) -> Callable[[str], CoveringLetter]:
    """Return what writes the letter of each reader of a game's newest reports, as the moderator gives them.

    To readers without mail it tells too what a corrected report corrects, so that no letter that was handed
    out is lost for good. Whoever is no reader of the game gets none.

    Args:
        home: The home.
        game: The game.

    Raises:
        WrongInput: There is no such game, or it is damaged.
    """
    saved = SavedGame(home, game)
    covering, of_people = CoverFacts(saved, notes_of(home, game)), players(saved)
    seated = standby_replacements(saved) if saved.revision else {}

    def letter(reader: str) -> CoveringLetter:
        if reader not in (*saved.start.seats, SPECTATOR):
            return NO_LETTER
        seat, told = Seat(reader), None
        if saved.revision and seat in of_people and not is_mailed(home, saved.players.address(seat)):
            told = rerun_notice(saved, seat, seated)
        return covering.letter(reader, told.text if told is not None else "")

    return letter
