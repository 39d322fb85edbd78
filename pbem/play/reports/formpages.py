"""The order form as a page, pictures in mails, and all reports of a turn as files to hand out."""

from __future__ import annotations

import hashlib
import html
import importlib.util
import io
import re
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.core.book import OPEN, is_past_end, labels_ahead
from pbem.core.conditions import records
from pbem.core.events import Seat
from pbem.core.foresight import horizon_of
from pbem.core.interface import Ask, Json, Outcome, Problem, System
from pbem.core.opening import Opening, StartView
from pbem.play.config.templates import translate_template_errors
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import SPECTATOR, STEPS
from pbem.play.reports import reading
from pbem.play.reports.reading import (
    NO_LETTER,
    CoveringLetter,
    current_form_text,
    page_of_report,
    page_with_letter,
    pages_of_report,
    with_letter,
)
from pbem.play.submissions.seatkeys import own_marker
from pbem.text.envelope import full_schema, start_schema
from pbem.text.mail.compose import Attachment
from pbem.text.names import LONGEST_LOCAL
from pbem.text.reports.formpage import Material, form_page
from pbem.text.reports.report import BOARD, PAGES

if TYPE_CHECKING:
    from jinja2 import Environment
    from PIL import Image

    from pbem.play.config.registry import InstalledRules


OWN: Final = 4
"""So many own asks of a seat a page offers labels of."""


def printed_page(home: Home, game: str, seat: str, due: str = "") -> str:
    """Return the form page of a seat for the newest turn; it knows no address, for that holds a secret.

    Args:
        home: The home.
        game: The id of the game.
        seat: The seat.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: There is no such seat, or nothing more can be ordered.
    """
    reading.form(home, game, seat, due)  # it refuses who has none
    return page_of(SavedGame(home, game), Seat(seat), due=due)


def page_of(saved: SavedGame, seat: Seat, address: str = "", due: str = "") -> str:
    """Return the form page of a seat, made from its committed report.

    Args:
        saved: The game at the turn of the report.
        seat: A seat that has a form.
        address: Where its orders are mailed to; "" for nowhere.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    folder = saved.turns.at(saved.turn) / "reports" / seat
    facts = saves.read_json(folder / "report.json")
    facts = {**facts, "key_asked": saved.table.key, **({"deadline": due} if due else {})}
    if mine := own_marker(saved, seat, str(facts.get("marker", ""))):
        facts = {**facts, "marker": mine}
    picture = page_of_report(saved, saved.turn, seat, BOARD)
    labels = _labels(saved, seat)
    game = saved.position.game
    with translate_template_errors():
        return render_form_page(
            saved.system,
            saved.environment,
            saved.opening,
            saved.ask,
            game,
            seat,
            facts,
            picture=picture,
            labels=labels,
            address=address,
        )


def render_form_page(
    system: InstalledRules,
    environment: Environment,
    opening: Opening[Any, Any, Any],
    ask: Ask | Outcome,
    game: Any,
    seat: Seat,
    facts: Mapping[str, Json],
    *,
    picture: str = "",
    labels: tuple[str, ...] = (),
    address: str = "",
) -> str:
    """Return the form page of a seat of any game.

    Args:
        system: What is installed of the rules.
        environment: The report templates.
        opening: The rules with their opening.
        ask: Whom the game asks now.
        game: The game as it stands; only its view for the seat is read.
        seat: The seat.
        facts: The facts of its report.
        picture: Its board, or "".
        labels: The labels that its lines can be for.
        address: Where its orders are mailed to; "" for nowhere.
    """
    assert system.system is not None, "find returns no broken rules"
    start = (system.sealed_schema if opening.sealed_for else system.start_schema).schema
    if isinstance(ask, Ask) and ask.label == OPEN:
        start = start_schema({})
    schema = full_schema(system.move_schema.schema, start)
    forecasts, hints = likely_forecasts(system.system, opening, ask, game, seat)
    view = opening.view(game, seat)
    horizon = opening.horizon_in(view)
    material = Material(
        picture,
        schema,
        forecasts,
        hints,
        address,
        opening.wording,
        records(view),
        labels,
        horizon.domains,
        horizon.last,
    )
    return form_page(environment, facts, material)


def _labels(saved: SavedGame, seat: Seat) -> tuple[str, ...]:
    """Return the labels that lines of a seat can be for."""
    if not isinstance(saved.ask, Ask):
        return ()
    words = saved.opening.horizon.follow_ups or {}
    found = labels_ahead(saved.ask, saved.position.asked, seat, saved.start.seats, words, own=OWN)
    last = horizon_of(saved.opening, saved.view(saved.position.game, seat)).last
    return tuple(label for label in found if not is_past_end(label, last))


def likely_forecasts(
    system: System, rules: Opening[Any, Any, Any], ask: Ask | Outcome, game: Any, seat: Seat
) -> tuple[tuple[Json, ...], Json]:
    """Return what likely orders would come to, none for a seat not asked, and the rules' hints.

    Args:
        system: What is installed of the rules.
        rules: The rules with their opening.
        ask: Whom the game asks now.
        game: The game as it stands; only its view for the seat is read.
        seat: A seat of the game.
    """
    view = rules.view(game, seat)
    if not isinstance(ask, Ask) or isinstance(view, StartView):
        return (), None
    hints = system.hints(rules.rules, view)
    if seat not in ask.seats | ask.optional:
        return (), hints
    menus = (menu for menu in rules.choices(view).menus if "" in menu.paths)
    whole = [item.order for menu in menus for item in menu.items]
    tried: tuple[Json, ...] = tuple(
        _try_order(rules, view, order) for order in (*whole, *system.trials(rules.rules, view))
    )
    return tried, hints


def _try_order(rules: Opening[Any, Any, Any], view: Any, order: Json) -> Json:
    """Return an order with what is wrong with it, or what it will try."""
    move = rules.read(order)
    if problems := rules.check(view, move):
        return {"order": order, "problems": [_problem_json(one) for one in problems]}
    return {"order": order, "lines": list[Json](rules.forecast(view, move).lines)}


def _problem_json(problem: Problem) -> Json:
    """Return a problem as the page reads it; `bearable` stands only where it is true."""
    found: dict[str, Json] = {"path": list[Json](problem.path), "text": problem.text, "hint": problem.hint}
    return found | {"bearable": True} if problem.bearable else found


FILES: Final = (*PAGES, "report.txt", "report.json", STEPS, "orders.yaml", "orders.html")
"""What there may be of each reader."""


def all_reports(
    home: Home,
    game: str,
    turn: int | None = None,
    letter_of: Callable[[str], CoveringLetter] = lambda reader: NO_LETTER,
) -> dict[str, str]:
    """Return the files of every seat's report of a turn and of the spectator's, named `READER/FILE`.

    Args:
        home: The home.
        game: The id of the game.
        turn: The turn; None is the newest, whose seats get their order pages too, as `orders.html`.
        letter_of: Writes the covering letter of a reader of the newest reports.

    Raises:
        WrongInput: There is no such game or turn, or a template fails.
    """
    saved = SavedGame(home, game)
    number = saved.turn if turn is None else turn
    if number not in saved.turns.numbers():
        raise saved.turns.absent(number)
    files: dict[str, str] = {}
    for reader in (*saved.start.seats, SPECTATOR):
        letter = letter_of(reader) if number == saved.turn else NO_LETTER
        kept = (saved.turns.at(number) / "reports" / reader).iterdir()
        found = {place.name: place.read_text() for place in kept}
        found |= {name: page for name, page in pages_of_report(saved, number, reader).items() if page}
        if letter.words:
            found["report.txt"] = with_letter(found["report.txt"], letter)
            found["report.html"] = page_with_letter(saved, reader, letter)
        if number == saved.turn and "orders.yaml" in found:
            found["orders.yaml"] = current_form_text(saved, Seat(reader), letter.due)
            found["orders.html"] = page_of(saved, Seat(reader), due=letter.due)
        files |= {f"{reader}/{name}": text for name, text in found.items()}
    return files


WIDTH: Final = 450
"""Pixels, as many as our pictures have units: a line of one is sharp then, and packs best."""

INK: Final = (0x1A, 0x1A, 0x1A)
GREY: Final = (0x8A, 0x89, 0x84)
"""Half way from ink to paper: the edges of letters, which would else have the nearest hue of the board."""

EFFORT: Final = 9
"""Of packing, as zlib counts it: a few milliseconds more, and a tenth less to mail."""

HALF_BYTES: Final = 16
"""So many colours would share bytes, two pixels in each: that packs worse, and is avoided."""

FONTS: Final = tuple(
    str(Path(__file__).parents[1] / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
)
PLACE: Final = "<!-- picture: {} -->"
"""Where a page would have a picture; nobody's words can look so, for they are escaped."""

_COLOUR: Final = re.compile('"#([0-9A-Fa-f]{6})"')
_TITLE: Final = re.compile(r"<title[^>]*>([^<]*)</title>")


@lru_cache(maxsize=32)
def png(svg: str, width: int = WIDTH) -> bytes | None:
    """Return a picture as PNG, drawn with the fonts of the package alone; None without the extra.

    Readers of one turn have the same plots: these are drawn once.

    Args:
        svg: The picture as SVG.
        width: How wide it is drawn, in pixels.

    Raises:
        ValueError: It is no SVG.
    """
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError:
        return None
    drawn = svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=list(FONTS))
    whole, colours = Image.open(io.BytesIO(drawn)).convert("RGB"), Image.new("P", (1, 1))
    colours.putpalette(_palette(svg))
    few = _drop_unused_colours(whole.quantize(palette=colours, dither=Image.Dither.NONE))
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=EFFORT, compress_type=zlib.Z_FILTERED)
    return out.getvalue()


def _palette(svg: str) -> list[int]:
    """Return the colours of a picture: those that its SVG names, and GREY."""
    named = dict.fromkeys((*(tuple(bytes.fromhex(one)) for one in _COLOUR.findall(svg)), INK, GREY))
    palette = [part for colour in named for part in colour][: 3 * 256]
    return palette + palette[:3] * (256 - len(palette) // 3)


def _drop_unused_colours(few: Image.Image) -> Image.Image:
    """Return a picture with those of its colours alone that it shows."""
    shades = few.histogram()
    used = sorted(range(256), key=lambda shade: shades[shade] == 0)
    return few.remap_palette(used[: max(HALF_BYTES + 1, sum(count > 0 for count in shades))])


def can_draw() -> bool:
    """Tell whether the extra `png` is installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("PIL", "resvg_py"))


def embed_pictures(
    page: str, pictures: Mapping[str, str], message_id: str
) -> tuple[str, tuple[Attachment, ...]]:
    """Return a report's page with its pictures in their places, and the files that it shows.

    Args:
        page: The page as the turn has it.
        pictures: The SVG files of the report, by name.
        message_id: Of the mail, in its angle brackets; pictures are named after it.

    Returns:
        The page, and a PNG file for each picture in it; none where the extra is not installed.
    """
    shown: list[Attachment] = []
    for name, svg in pictures.items():
        place = PLACE.format(name)
        if place in page and (drawn := _draw_png(svg)) is not None:
            kind = name.removesuffix(".svg")
            shown.append(
                Attachment(f"{kind}.png", "image/png", drawn, _content_id(kind, message_id.strip("<>")))
            )
            page = page.replace(place, _picture_element(svg, shown[-1]), 1)
    return page, tuple(shown)


def _content_id(kind: str, message: str) -> str:
    """Return what the page calls a picture: like the mail, or by a hash of its name where that is long."""
    local, _, domain = message.rpartition("@")
    if len(f"{kind}.{local}") > LONGEST_LOCAL:
        local = hashlib.sha256(local.encode()).hexdigest()[:32]
    return f"{kind}.{local}@{domain}"


def _draw_png(svg: str) -> bytes | None:
    """Return a picture as PNG, or None if it cannot be drawn: a mail does not wait for a picture."""
    try:
        return png(svg)
    except ValueError:
        return None


def _picture_element(svg: str, drawn: Attachment) -> str:
    """Return the picture in the page: as wide as it is drawn, but never wider than the screen."""
    found = _TITLE.search(svg)
    title = html.escape(html.unescape(found[1])) if found else "A picture"
    told = f"{title}: the text below says the same."
    width = int.from_bytes(drawn.data[16:20])
    look = "max-width:100%;height:auto"
    return f'<img src="cid:{drawn.content_id}" width="{width}" alt="{told}" style="{look}">'
