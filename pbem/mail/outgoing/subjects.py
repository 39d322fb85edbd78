"""Subjects of reports, and reports as they are mailed: with the deadline in force and the players of now."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.reports import since
from pbem.host.run.notes import Notes, read_notes
from pbem.host.time.deadlines import moved_since_report
from pbem.play.config.templates import template_faults
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import files_due, pages_of_report, text_due, with_key_line
from pbem.play.reports.reporting import form_of, welcome_of
from pbem.play.submissions.receipts import NOT_BELOW, answer_since, facts_since, told_since
from pbem.store.journal import Journal
from pbem.text.reports.layout import brief, wrapped
from pbem.text.reports.report import BRIEF_BOARD, PLOTS, Report


def subject_of(facts: Mapping[str, Json], revision: int, *, invites: bool = False) -> str:
    """Return a subject that says what the reader has to do, and by when; behind it the label of the ask.

    What matters stands in the first 40 letters, which is what lists of mails show of it. The number of the
    turn is left out: it is not that of the label, which orders name.

    Args:
        facts: What the report is made of.
        revision: How often its turn was taken back.
        invites: It is the first mail of somebody who has taken a seat of a running game.
    """
    ask = facts["ask"]
    assert isinstance(ask, dict), "every report has one"
    due, label = brief(str(facts["deadline"])) if ask["mine"] else "", f" ({ask['label']})"
    if ask["kind"] == "over":
        what, label = "The game is over", ""
    elif facts["turn"] == 0:
        what = f"Your invitation{f', answer by {due}' if due else ''}"
    elif invites:
        what = f"Your invitation{f', orders by {due}' if due else ''}"
        label = label if ask["mine"] else ""
    elif ask["mine"] and _are_answered(facts["orders"]):
        what = f"Your orders count{f', change them by {due}' if due else ''}"
    elif ask["mine"]:
        what = f"Your orders{f' by {due}' if due else ''}, please"
    else:
        what = "Others are asked, nothing to do"
    corrected = "Corrected: " if revision and not invites else ""
    return f"[{facts['game']}] {corrected}{what}{label}"


def _are_answered(orders: Json) -> bool:
    """Tell whether a line that stands answers what is asked now."""
    return isinstance(orders, list) and any(isinstance(one, dict) and "answers" in one for one in orders)


@dataclass(frozen=True, slots=True)
class ReportMail:
    """A report as it is mailed.

    Attributes:
        facts: What it is made of.
        text: It as text.
        form: The form to fill in; "" if nothing more is asked.
        pages: Its page and pictures, by name.
    """

    facts: dict[str, Json]
    text: str
    form: str
    pages: Mapping[str, str]


def due_now(saved: SavedGame, seat: Seat, notes: Notes) -> str:
    """Return when orders are due, in words for a seat, if that was changed after its report; else ""."""
    if saved.turn != saved.turns.newest():
        return ""
    return moved_since_report(saved, notes, seat)


def as_mailed(
    saved: SavedGame,
    seat: Seat,
    due: str,
    held: Container[Seat] = frozenset(),
    corrected: str = "",
    *,
    invites: bool = False,
    again: bool = False,
    sender: str = "",
) -> ReportMail:
    """Return a seat's report of the newest turn as it is mailed now.

    Args:
        saved: The game.
        seat: The seat.
        due: When orders are due, in words, if that was changed after the report; else "".
        held: Seats whose orders the moderator holds back.
        corrected: What its reader is told of a turn that was run again; "" if it was not.
        invites: It is the first mail of the game, and says what an invitation says of it.
        again: It goes out once more, and tells of orders that came since.
        sender: Who sent the orders that stand, if the seat was another's then, or may have been; else "".

    Raises:
        WrongInput: It is damaged, or a template fails.
    """
    folder = saved.turns.at(saved.turn) / "reports" / seat
    facts, text = saves.read_json(folder / "report.json"), (folder / "report.txt").read_text()
    newer = since(saved, seat, facts, held)
    sent = facts_since(saved, seat, facts, held) if again and not newer.again else {}
    if not (due or newer.others or newer.counted or corrected or invites or sent):
        pages = pages_of_report(saved, saved.turn, seat, ("report.html", BRIEF_BOARD, PLOTS))
        return ReportMail(facts, text, with_key_line(saved, seat, form_of(saved, seat)), pages)
    facts = {
        **facts,
        "players": _with_names_of_now(facts, newer.others),
        "key_asked": saved.table.key,
        **({"deadline": due} if due else {}),
        **newer.again,
        **sent,
        **({"welcome": welcome_of(saved, seat)} if invites else {}),
    }
    pages = pages_of_report(saved, saved.turn, seat, (BRIEF_BOARD, PLOTS))
    player = saved.players.holder(seat)
    came, known = (
        told_since(facts, sent, sender, player, is_known=is_page) if sent else "" for is_page in (False, True)
    )
    counted = [newer.counted, *([NOT_BELOW, answer_since(facts, newer.again)] if newer.again else ())]
    notes = map(wrapped, filter(None, [came, corrected, *newer.names.values(), " ".join(counted)]))
    above_page = " ".join(filter(None, [known, corrected, newer.counted]))
    anew = Report(saved.environment, {**facts, "corrected": above_page})
    with template_faults():
        pages = {**pages, "report.html": anew.html}
        dealt = saved.environment.get_template("common/dealt.txt.j2")
        above = dealt.render(facts, is_due_told=bool(due)).lstrip("\n") if invites else ""
        orders = _orders_in_words(saved, facts) if newer.again or sent else ""
        text = "\n\n".join([*notes, *filter(None, [orders]), f"{above}\n{text}" if above else text])
        return ReportMail(facts, text_due(text, due) if due else text, anew.form, pages)


def _orders_in_words(saved: SavedGame, facts: Mapping[str, Json]) -> str:
    """Return the orders that wait now, as they stand above a text that does not know them; "" if none do."""
    if not facts["orders"] or facts["turn"] == 0:
        return ""
    rows = saved.environment.get_template("common/pending.txt.j2").render(facts).strip("\n")
    return f"YOUR ORDERS\n{rows}"


def _with_names_of_now(facts: Mapping[str, Json], others: Mapping[Seat, tuple[str, str]]) -> Json:
    """Return a report's rows of players, with the names of now."""
    rows = facts["players"]
    assert isinstance(rows, list), "every report has them"
    now = {str(seat): name for seat, (_, name) in others.items()}
    return [{**row, "name": now.get(str(row["seat"]), row["name"])} for row in rows if isinstance(row, dict)]


def form_as_mailed(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return the form of a seat's newest report with the deadline that is in force; "" if the game is over.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    form = form_of(saved, seat)
    due = due_now(saved, seat, read_notes(db, saved.home, saved.name)) if form else ""
    if not due:
        return with_key_line(saved, seat, form)
    return files_due(saved, seat, ("orders.yaml",), due)["orders.yaml"]
