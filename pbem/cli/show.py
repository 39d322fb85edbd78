"""The verbs that show a game to its players: form, report, show, book."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.base import console as printer
from pbem.cli.base import (
    home_option,
    json_option,
    open_home,
    print_document,
    print_hint,
    print_json,
    print_text,
    print_to_stderr,
    print_unless_quiet,
    write_file,
    write_picture,
)
from pbem.cli.news import (
    due_now,
    home_without_damage,
    warn_of_changes,
    warn_of_lost_turns,
    warn_of_missing_turn,
)
from pbem.host.notices.coverletter import covering_letters
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.books import find_book
from pbem.play.reports.reading import NO_LETTER, CoveringLetter, colour_position, filled_form, is_asked
from pbem.play.reports.reading import form as form_of_seat
from pbem.play.reports.reading import report as read_report
from pbem.play.reports.reading import show as look_at
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps
from pbem.text.envelope import full_schema

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home


@click.command()
@click.argument("game")
@click.argument("seat")
@click.option(
    "--write",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write GAME.SEAT.yaml into this folder, and its schema beside it for your editor.",
)
@click.option(
    "--suggest",
    "skill",
    type=click.Choice(["random", "greedy"]),
    help="Fill it in as a bot of this skill would; for a seat that is not asked, its next ask.",
)
@click.option(
    "--ahead",
    "asks",
    type=click.IntRange(1, 5),
    help="Fill it in with the ready lines for so many later asks too, after the order of a greedy bot.",
)
@click.option("--page", "as_page", is_flag=True, help="Print it as a page to click in, for a browser.")
@home_option
def form(
    game: str,
    seat: str,
    folder: Path | None,
    skill: str | None,
    asks: int | None,
    as_page: bool,
    home: str,
) -> None:
    """Print the orders form for a seat's next ask."""
    opened = home_without_damage(open_home(home), game)
    warn_of_changes(opened, game)
    due = due_now(opened, game, seat)
    if as_page:
        from pbem.play.reports.formpages import printed_page

        print_document(printed_page(opened, game, seat, due))
        return
    if skill or asks:
        ahead = asks or (0 if is_asked(opened, game, seat) else 1)
        text = filled_form(opened, game, seat, skill or "greedy", ahead, due)
    else:
        text = form_of_seat(opened, game, seat, due)
    if folder is None:
        print_document(text)
        return
    grammar = SavedGame(opened, game).grammar
    folder.mkdir(parents=True, exist_ok=True)
    orders, schema = folder / f"{game}.{seat}.yaml", folder / f"{game}.{seat}.schema.json"
    named = f"# yaml-language-server: $schema={schema.name}\n"  # it lies beside this form, and no other
    write_file(orders, text.replace("\ngame: ", f"\n{named}game: ", 1))
    whole = full_schema(grammar.move.schema, grammar.start.schema)
    write_file(schema, dumps(whole))
    print_hint(f"Wrote {orders} and {schema}.")


_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("game")
@click.argument("seat", required=False)
@click.option("--turn", type=click.IntRange(0), help="An older turn.  [default: the newest]")
@click.option("--html", "kind", flag_value="report.html", help="Print the HTML report.")
@click.option("--json", "kind", flag_value="report.json", help="Print every fact as JSON.")
@click.option(
    "--all", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Write all reports there."
)
@home_option
def report(
    game: str, seat: str | None, turn: int | None, kind: str | None, folder: Path | None, home: str
) -> None:
    """Print a report of a turn: a seat's, or the `spectator`'s.

    The spectator's report tells what is public. With `--all DIR` every reader's report is written to DIR/SEAT
    instead: as text, as a page and as facts, with the pictures, the orders form and the order page. That is
    all of a turn, for moderators who mail it themselves.
    """
    if folder is not None:
        if seat is not None or kind is not None:
            raise click.UsageError("--all writes every report in every form: name no seat, and no form.")
        _write_reports(home_without_damage(open_home(home), game), game, turn, folder)
        return
    if seat is None:
        seats = ", ".join(SavedGame(home_without_damage(open_home(home), game), game).start.seats)
        raise click.UsageError(f"Whose report? Name a seat: {seats}; or spectator, for what all may know.")
    opened = home_without_damage(open_home(home), game)
    is_told = kind != "report.json" and _is_newest(opened, game, turn)
    letter, fault = _letter(opened, game, seat) if is_told else (NO_LETTER, None)
    print_document(read_report(opened, game, seat, turn, kind or "report.txt", letter))
    if is_told and fault is None:  # it stands above the text, for whoever the text is given to
        warn_of_lost_turns(opened, game)
    else:
        warn_of_changes(opened, game)
    if fault is not None:
        raise fault


def _is_newest(home: Home, game: str, turn: int | None) -> bool:
    return turn is None or not home.has(game) or turn == home.turns(game).newest()


def _letter(home: Home, game: str, reader: str) -> tuple[CoveringLetter, WrongInput | None]:
    """Return the letter of a reader's newest report; or an empty one, and why there is none."""
    try:
        return covering_letters(home, game)(reader), None
    except WrongInput as wrong:  # the text, which is whole, is printed before it
        return NO_LETTER, wrong


def _write_reports(home: Home, game: str, turn: int | None, folder: Path) -> None:
    from pbem.play.reports.formpages import FILES, all_reports

    made = all_reports(home, game, turn, covering_letters(home, game))
    readers = {name.partition("/")[0] for name in made}
    older = [folder / f"{reader}/{name}" for reader in readers for name in FILES]
    gone = [place for place in older if place.is_file() and str(place.relative_to(folder)) not in made]
    for name, text in made.items():
        place = folder / name
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # reports are for their seats alone
            place.parent.mkdir(exist_ok=True)
            if place.parent.is_symlink():
                raise WrongInput(f"{place.parent} is a link.", "Name another folder.")
            write_file(place, text)
        except OSError as wrong:
            raise WrongInput(
                f"{place} cannot be written: {wrong.strerror}.", "Name another folder."
            ) from None
    for place in gone:
        place.unlink()
    print_unless_quiet(f"{folder}: the reports of {len(readers)} readers, {len(made)} files.")
    if gone:
        print_hint(
            f"{len(gone)} files of an earlier report were removed there, which this turn does not have."
        )
    print_hint("Give each player the files of their own seat only.")
    warn_of_changes(home, game)


@click.command()
@click.argument("game")
@click.argument("seat", required=False)
@click.option("--turn", type=click.IntRange(0), help="An older turn.  [default: the newest]")
@click.option("--svg", type=_FILE, help="Write the board as a picture (SVG) into this file.")
@click.option("--png", type=_FILE, help="The same as PNG; needs the extra pbem[png].")
@json_option
@home_option
def show(
    game: str,
    seat: str | None,
    turn: int | None,
    svg: Path | None,
    png: Path | None,
    as_json: bool,
    home: str,
) -> None:
    """Show the board of a game as a seat or everybody sees it.

    On a terminal it is in colour.
    """
    opened = home_without_damage(open_home(home), game)
    shown = look_at(opened, game, seat, turn)
    warn_of_missing_turn(opened, game)
    if shown.fault is not None and (svg or png):
        raise shown.fault
    if svg or png:
        if as_json:
            raise click.UsageError("--json prints the picture too: leave --svg and --png out.")
        for path, as_png in ((svg, False), (png, True)):
            if path is not None:
                write_picture(path, shown.picture, as_png=as_png, none=f"there is no picture of {game} yet.")
        return
    if shown.fault is not None:
        print_to_stderr(f"The board cannot be drawn: {shown.fault}")
    if as_json:
        texts: dict[str, Json] = {
            "title": shown.title,
            "position": shown.position,
            "picture": shown.picture,
        }
        print_json({"game": game, "seat": seat, **texts})
        return
    print_text(shown.title + "\n")
    console = printer()
    if console.color_system is not None:
        console.print(colour_position(shown), soft_wrap=True)
    else:
        print_text(shown.position)


@click.command()
@click.argument("game")
@click.option("--html", "as_page", is_flag=True, help="Print it as one page, for a browser or a printer.")
@home_option
def book(game: str, as_page: bool, home: str) -> None:
    """Print the game book: rules, tables, orders and options.

    It is for the players of GAME. With the name of rules in place of GAME, it is the book of a game with the
    shipped tables and options.
    """
    found = find_book(open_home(home), game)
    print_document(found.page if as_page else found.text)
