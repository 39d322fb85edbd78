"""What was committed, read back: reports with the deadline of now, pages, forms, the board in a terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pbem.core.book import label_after_next, next_label
from pbem.core.bots import is_greedy
from pbem.core.dice import NO_DICE, Dice
from pbem.core.events import Seat
from pbem.core.foresight import Plan, Planned, plan_of
from pbem.core.interface import Ask, Choices, Json, Label
from pbem.core.statements import state_condition
from pbem.play.config.templates import translate_template_errors
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR
from pbem.play.submissions.seatkeys import own_form
from pbem.play.turn.turnfiles import form_of
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.lookahead import AskContext, followed
from pbem.text.names import seat_of_player
from pbem.text.reports.layout import named, named_facts, wrap_letter
from pbem.text.reports.report import BOARD, PAGES, Report
from pbem.text.schema import near
from pbem.text.strictyaml import dump_flow

if TYPE_CHECKING:
    from rich.text import Text


@dataclass(frozen=True, slots=True)
class CoveringLetter:
    """What is true when a report leaves, and the report, which stays as it was committed, does not know.

    Attributes:
        words: A line for each paragraph and each item of a list; "" if the report says all that is so.
        due: When orders are due, in words, if that was changed after the report; else "".
        orders: The orders that stand now, as reports tell them; None if the report tells them.
        is_answered: Its reader is asked, and orders of theirs answer.
    """

    words: str = ""
    due: str = ""
    orders: list[Json] | None = None
    is_answered: bool = False


NO_LETTER: Final = CoveringLetter()


def with_letter(text: str, letter: CoveringLetter) -> str:
    """Return the text of a report below its covering letter; it stays as it is."""
    return f"{wrap_letter(letter.words)}\n\n{text}" if letter.words else text


def page_with_letter(saved: SavedGame, reader: str, letter: CoveringLetter, **more: Json) -> str:
    """Return the page of a reader's newest report below its covering letter.

    Args:
        saved: The game.
        reader: A seat, or the spectator.
        letter: The letter.
        more: What the page tells besides, such as `welcome`.

    Raises:
        WrongInput: The report is damaged, or a template fails.
    """
    facts = saves.read_json(saved.turns.at(saved.turn) / "reports" / reader / "report.json")
    above: dict[str, Json] = {"letter": [line for line in letter.words.split("\n") if line]}
    above |= {"due_now": letter.due} if letter.due else {}
    above |= {"orders_now": letter.orders} if letter.orders is not None else {}
    with translate_template_errors():
        return Report(saved.environment, {**facts, **above, **more}).html


def current_form_text(saved: SavedGame, seat: Seat, due: str = "") -> str:
    """Return the form of a seat's newest report as its player gets it now; "" if nothing more is asked.

    Args:
        saved: The game.
        seat: The seat.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    form = form_of(saved, seat)
    if form and (due or (saved.table.key and "\nkey:" not in form)):
        facts = saves.read_json(saved.turns.at(saved.turn) / "reports" / seat / "report.json")
        facts = {**facts, "key_asked": saved.table.key, **({"deadline": due} if due else {})}
        with translate_template_errors():
            form = Report(saved.environment, facts).form
    return own_form(saved, seat, form) if form else ""


def page_of_report(saved: SavedGame, turn: int, reader: str, name: str) -> str:
    """Return what a turn does not keep of a report.

    Args:
        saved: The game.
        turn: A turn that it has.
        reader: A seat, or the spectator.
        name: One of `text.reports.report.PAGES`, or BRIEF_BOARD.

    Returns:
        The file's text; "" for a picture that there is not.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    return pages_of_report(saved, turn, reader, (name,))[name]


def pages_of_report(
    saved: SavedGame, turn: int, reader: str, names: tuple[str, ...] = PAGES
) -> dict[str, str]:
    """Return several of them by name, "" for a picture that there is not; see `page_of_report`."""
    folder = saved.turns.at(turn) / "reports" / reader
    kept = {name: place.read_text() for name in names if (place := folder / name).exists()}
    if len(kept) == len(names):
        return kept
    report = Report(saved.environment, saves.read_json(folder / "report.json"))
    return {name: kept[name] if name in kept else _make_page(report, name, folder) for name in names}


def _make_page(report: Report, name: str, folder: Place) -> str:
    try:
        with translate_template_errors():
            return report.page(name)
    except WrongInput:
        if (folder / "report.html").exists():  # an older version kept it, and knew no such picture
            return ""
        raise


def report(
    home: Home,
    game: str,
    seat: str,
    turn: int | None = None,
    name: str = "report.txt",
    letter: CoveringLetter = NO_LETTER,
) -> str:
    """Return a file of a seat's report, or of the spectator's: as it was committed, or made of its facts.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat, or the spectator.
        turn: The turn; None is the newest.
        name: The file.
        letter: The covering letter: it stands above text and page of the newest.

    Raises:
        WrongInput: There is no such seat or turn, or a template fails.
    """
    saved = SavedGame(home, game)
    refuse_stranger(saved, seat)
    number = saved.turn if turn is None else turn
    place = saved.turns.at(number) / "reports" / seat / name
    if not place.parent.exists():
        raise saved.turns.absent(number)
    if name == "report.html" and letter.words and number == saved.turn:
        return page_with_letter(saved, seat, letter)
    if name in PAGES:
        return page_of_report(saved, number, seat, name)
    text = place.read_text()
    return with_letter(text, letter) if name == "report.txt" and number == saved.turn else text


def form(home: Home, game: str, seat: str, due: str = "") -> str:
    """Return the form of a seat for what it is asked next.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: There is no such seat, nothing more can be ordered, or a template fails.
    """
    saved = SavedGame(home, game)
    refuse_stranger(saved, seat)
    if seat == SPECTATOR:
        raise WrongInput("A spectator gives no orders.")
    found = current_form_text(saved, Seat(seat), due)
    if not found:
        raise WrongInput(f"{game} is over.", "Nothing more can be ordered.")
    return found


def refuse_stranger(saved: SavedGame, reader: str) -> None:
    """Refuse who is no reader of a game."""
    readers = [*saved.start.seats, SPECTATOR]
    if reader not in readers:
        hint = seat_of_player(reader, saved.players.holders()) or near(reader, readers).hint
        raise WrongInput(f"there is no seat {reader!r} in {saved.name}.", hint)


def filled_form(home: Home, game: str, seat: str, skill: str, asks: int = 0, due: str = "") -> str:
    """Return a seat's form with the order that a bot of this skill would give, and lines for later asks.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat.
        skill: The skill of the bot.
        asks: For how many asks after the present one lines are written; 0 is for the present one alone.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: There is no such seat, or nothing can be said for it now.
    """
    text = form(home, game, seat, due)
    saved, one = SavedGame(home, game), Seat(seat)
    rules, ask = saved.opening, saved.ask
    assert isinstance(ask, Ask), "a game that is over has no forms"
    view, lines, now, order = rules.view(saved.position.game, one), list[Planned](), None, None
    if one in ask.seats:
        is_sure = asks and is_greedy(skill)  # lines ahead follow from the view alone, as those of a report
        dice = NO_DICE if is_sure else Dice(saved.secret.seed, saved.position.steps)
        order = rules.bot_order(saved.position.game, one, dice.apart("suggestion", seat), skill)
        lines, now = [Planned(ask.label, order, "")], rules.read(order)
    plan = plan_of(rules, view, now, asks) if asks else Plan()
    if asks and not plan.lines:
        plan = _draft_plan(saved, one, view, order)
    lines += plan.lines
    if not lines:
        hint = "`pbem status` tells whom the game waits for."
        raise WrongInput(
            f"{seat} is not asked now{', and nothing can be planned for it' * bool(asks)}.", hint
        )
    names = rules.wording.names
    stated = (line._replace(when=state_condition(saved.opening, line.when, one)) for line in lines)
    written = "".join(_line_text(line, names) for line in stated)
    if plan.stop_if:
        written += (
            f"stop_if: {dump_flow(named_facts(state_condition(saved.opening, plan.stop_if, one), names))}\n"
        )
    first = next_label(ask, saved.position.asked, one)
    text = _EXAMPLE.sub("", _READY.sub("", text, count=1), count=1)
    return text.replace(f"- at: {first}\n  do: {{}}\n", written, 1)


_READY: Final = re.compile(
    r"^## (?:Ready lines for|Next turn|When your turn comes).*\n(?:.*\n)*?"
    r"(?=## (?:Standing[ ,]|Stop,|Your lines are over,|Orders are due|If no line"
    r"|There is no deadline|The first line)|#press:)",
    re.MULTILINE,
)
"""The lines that are ready, as comments of a form: they suppose its example, not the order that is given."""

_EXAMPLE: Final = re.compile(r"^  # EXAMPLE in place of \{\}.*\n(?:  #   .*\n)*", re.MULTILINE)
"""The example of a form: it is left out where an order stands in its place."""


def is_asked(home: Home, game: str, seat: str) -> bool:
    """Tell whether a game waits for a seat now."""
    ask = SavedGame(home, game).ask
    return isinstance(ask, Ask) and seat in ask.seats


def _draft_plan(saved: SavedGame, seat: Seat, view: Any, ordered: Json) -> Plan:
    """Return the example of the form for the next ask, of rules that plan nothing themselves.

    Its condition supposes the example for now. So it is left out behind another order.
    """
    ask, asked = saved.ask, saved.position.asked
    assert isinstance(ask, Ask), "a game that is over has no forms"
    is_now = seat in ask.seats
    found = saved.opening.draft(view, saved.opening.choices(view) if is_now else Choices(()))
    label = label_after_next(ask, asked, seat) if is_now else next_label(ask, asked, seat)
    if not label:
        return Plan()
    found = followed(AskContext(saved.opening, view, ask, asked, seat), found, ordered)
    if found.then is None:
        return Plan()
    return Plan((Planned(Label(label), found.then, "an example", found.when),))


def _line_text(line: Planned, names: Mapping[str, str]) -> str:
    """Return a line as an orders file has it, with its note; ids are written as their names."""
    parts = [f"at: {line.at}"] if line.at is not None else []
    parts += ["keep: true"] if line.keep else []
    parts += [f"when: {dump_flow(named_facts(dict(line.when), names))}"] if line.when else []
    parts.append(f"do: {dump_flow(named(line.do, names))}")
    text = "\n  ".join(parts)
    return f"- {text}\n" if not line.note else f"- {text}  # {line.note}\n"


_HEADING: Final = re.compile(r"^(?=.*[A-Z]{3})[A-Z][A-Z ,']+(?= -|,|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GameDisplay:
    """What is shown of a game.

    Attributes:
        title: The game, the turn, whose eyes it is seen with, and whom it waits for.
        position: The position, as the text report tells it.
        picture: The board as SVG; "" where the rules draw none.
        looks: Ink and ground of each seat, by the words that mean it.
        fault: What failed where the report's templates do not fit its facts; None if nothing did.
    """

    title: str
    position: str
    picture: str
    looks: Mapping[str, tuple[str, str]]
    fault: WrongInput | None = None


def show(home: Home, game: str, seat: str | None, turn: int | None = None) -> GameDisplay:
    """Return what a seat sees of a game after a turn, from its committed report.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat; None is the spectator, who sees what is public.
        turn: The turn; None is the newest.

    Raises:
        WrongInput: There is no such game, seat or turn.
    """
    saved = SavedGame(home, game)
    if seat is not None:
        refuse_stranger(saved, seat)
    number = saved.turn if turn is None else turn
    if number not in saved.turns.numbers():
        raise saved.turns.absent(number)
    folder = saved.turns.at(number) / "reports" / (seat or SPECTATOR)
    facts = saves.read_json(folder / "report.json")
    kept = {place.name: place.read_text() for place in folder.iterdir()}
    title, position, picture, fault = "", "", kept.get(BOARD, ""), None
    try:
        with translate_template_errors():
            title, position = Report(saved.environment, facts).position
            picture = page_of_report(saved, number, seat or SPECTATOR, BOARD)
    except WrongInput as wrong:  # the report tells the position too
        is_older = "report.html" in kept  # of a version that kept it; its facts may lack what templates show
        fault = None if is_older else WrongInput(str(wrong), _FACTS)
    told = position or kept["report.txt"].strip("\n")
    return GameDisplay(title or f"{game}, turn {number}", told, picture, _looks(saved), fault)


_FACTS: Final = "A turn keeps its facts: what views have gained since is only in later turns."


def _looks(saved: SavedGame) -> dict[str, tuple[str, str]]:
    """Return ink and ground of each seat, as pictures draw it, by its title and its letter."""
    picture: Any = saved.environment.get_template("common/picture.svg.j2").module
    words: Any = saved.environment.get_template(f"{saved.start.rules}/words.txt.j2").module
    seats: list[Json] = list(saved.start.seats)
    found = {}
    for seat in saved.start.seats:
        look = str(picture.ink(seats, seat)).strip(), str(picture.colour(seats, seat)).strip()
        names = [str(words.seat(seat)).strip(), str(picture.letter(seats, seat)).strip(), str(seat)]
        found.update({name: look for name in names if not name.isdigit()})
    return found


def colour_position(shown: GameDisplay) -> Text:
    """Return a position with its seats in their colours, and its headings bold."""
    from rich.text import Text

    text = Text(shown.position)
    text.highlight_regex(_HEADING, "bold")
    for name, (ink, ground) in shown.looks.items():
        text.highlight_regex(rf"(?<![\w'-]){re.escape(name)}(?=[0-9]{{0,2}}(?![\w'-]))", f"{ink} on {ground}")
    return text
