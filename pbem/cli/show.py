"""The verbs to look with: report, show, book, archive, status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.base import console as printer
from pbem.cli.base import (
    hand_out,
    hint,
    home_option,
    json_option,
    moment,
    next_archive,
    now_option,
    open_home,
    print_json,
    say,
    say_what_changed,
    say_what_is_gone,
    say_what_is_lost,
    talk,
    tell,
    to_look_at,
)
from pbem.cli.bymail import MailableVerb, mailed
from pbem.cli.printing import progress, write_file
from pbem.store.disk import Disk, replace_file
from pbem.store.errors import JournalRefused, WrongInput, told_in_words
from pbem.text.codec import encode

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.host.office.status import Status
    from pbem.play.homes.home import Home
    from pbem.play.reports.reading import CoveringLetter
    from pbem.store.errors import WrongInput


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
        _write_reports(to_look_at(open_home(home), game), game, turn, folder)
        return
    if seat is None:
        from pbem.play.homes.saved import SavedGame

        seats = ", ".join(SavedGame(to_look_at(open_home(home), game), game).start.seats)
        raise click.UsageError(f"Whose report? Name a seat: {seats}; or spectator, for what all may know.")
    from pbem.play.reports.reading import NO_LETTER
    from pbem.play.reports.reading import report as read_report

    opened = to_look_at(open_home(home), game)
    is_told = kind != "report.json" and _is_newest(opened, game, turn)
    letter, fault = _letter(opened, game, seat) if is_told else (NO_LETTER, None)
    hand_out(read_report(opened, game, seat, turn, kind or "report.txt", letter))
    if is_told and fault is None:  # it stands above the text, for whoever the text is given to
        say_what_is_lost(opened, game)
    else:
        say_what_changed(opened, game)
    if fault is not None:
        raise fault


def _is_newest(home: Home, game: str, turn: int | None) -> bool:
    return turn is None or not home.has(game) or turn == home.turns(game).newest()


def _letter(home: Home, game: str, reader: str) -> tuple[CoveringLetter, WrongInput | None]:
    """Return the letter of a reader's newest report; or an empty one, and why there is none."""
    from pbem.host.notices.coverletter import covering_letters
    from pbem.play.reports.reading import NO_LETTER

    try:
        return covering_letters(home, game)(reader), None
    except WrongInput as wrong:  # the text, which is whole, is printed before it
        return NO_LETTER, wrong


def _write_reports(home: Home, game: str, turn: int | None, folder: Path) -> None:
    from pbem.host.notices.coverletter import covering_letters
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
    say(f"{folder}: the reports of {len(readers)} readers, {len(made)} files.")
    if gone:
        hint(f"{len(gone)} files of an earlier report were removed there, which this turn does not have.")
    hint("Give each player the files of their own seat only.")
    say_what_changed(home, game)


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
    from pbem.play.reports.reading import coloured
    from pbem.play.reports.reading import show as look_at

    opened = to_look_at(open_home(home), game)
    shown = look_at(opened, game, seat, turn)
    say_what_is_gone(opened, game)
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
        talk(f"The board cannot be drawn: {shown.fault}")
    if as_json:
        texts: dict[str, Json] = {
            "title": shown.title,
            "position": shown.position,
            "picture": shown.picture,
        }
        print_json({"game": game, "seat": seat, **texts})
        return
    tell(shown.title + "\n")
    console = printer()
    if console.color_system is not None:
        console.print(coloured(shown), soft_wrap=True)
    else:
        tell(shown.position)


def write_picture(path: Path, picture: str, *, as_png: bool, none: str = "") -> None:
    """Write a picture into a file.

    Args:
        path: The file.
        picture: The picture as SVG, or "".
        as_png: Write it as PNG.
        none: What is said if there is no picture.

    Raises:
        WrongInput: There is none, or it cannot be drawn without the extra.
    """
    from pbem.play.reports.formpages import png

    if not picture:
        raise WrongInput(none)
    drawn = png(picture) if as_png else picture.encode()
    if drawn is None:
        raise WrongInput("PNG needs the extra png.", "Type: pip install 'pbem[png]'; or take SVG.")
    replace_file(Disk(), path, drawn)
    say(f"{path}: {len(drawn):,} bytes.")


@click.command()
@click.argument("game")
@click.option("--html", "as_page", is_flag=True, help="Print it as one page, for a browser or a printer.")
@home_option
def book(game: str, as_page: bool, home: str) -> None:
    """Print the game book: rules, tables, orders and options.

    It is for the players of GAME. With the name of rules in place of GAME, it is the book of a game with the
    shipped tables and options.
    """
    from pbem.play.reports.books import find_book

    found = find_book(open_home(home), game)
    hand_out(found.page if as_page else found.text)


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@json_option
@home_option
def archive(out: Path, as_json: bool, home: str) -> int:
    """Write the home's games as a site of pages that open from disk.

    In the folder OUT only what changed is written. Running games show what everybody may know, finished ones
    all. Players are named if `archive` in `home.yaml` or `game.yaml` says `names: true`; a game with `show:
    false` is left out. Players who are named have pages with their games and results. With the extra
    `ratings` they have ratings too.
    """
    from pbem.archive.site import write_archive
    from pbem.host.run.losses import lost_in_words

    opened = open_home(home)
    with progress("Games", len(opened.games())) as step:
        found = write_archive(opened, out, step)
    for name, why in found.aside.items():
        talk(f"{name}: set aside: {why}")
    for name in opened.games():
        if name not in found.aside:
            for lost in lost_in_words(opened, name):
                talk(lost)
    for name, why in found.undrawn.items():
        talk(f"{name}: some pages show the text alone: {why}")
    if found.nameless:
        hint(
            "Players are not named; `archive: {names: true}` in home.yaml or game.yaml names them. "
            "Without it downloads lack most reports."
        )
    for name in found.only_public:
        hint(
            f"{name}: its records name players who are not published, or tell who sent an anonymous message. "
            "Its download has only what was public."
        )
    if found.unrated:
        hint("Ratings need the extra ratings: pip install 'pbem[ratings]'.")
    if as_json:
        print_json(encode(found))
    else:
        say(f"{out}: {found.line()}. Open {out / 'index.html'}.")
    return 4 if found.is_ours else 1 if found.aside or found.undrawn else 0


@click.command(cls=MailableVerb, needs=0, is_look=True)
@click.argument("game", required=False)
@click.option("--metrics", is_flag=True, help="Print figures of the whole home for Prometheus.")
@json_option
@now_option
@home_option
def status(game: str | None, metrics: bool, as_json: bool, now: str | None, home: str) -> int:
    """Tell how each game stands: who is waited for, and until when.

    It also tells what keeps a game or its mail back. With `--metrics` no game is opened: mails and games are
    counted, and in a database jobs and workers.
    """
    if metrics:
        return _print_metrics(home, alone=game is None and not as_json)
    from pbem.host.office.status import status_of

    opened, at, found, is_read = open_home(home), moment(now), [], True
    names = [opened.game(game).name] if game else opened.games()
    for name in names:
        try:
            try:
                one = status_of(opened, name, at)
                tried = tuple(mail for mail in one.unsent if mail.why or mail.state != "queued")
                found.append(replace(one, unsent=tried) if mailed() else one)  # the others go with the answer
            except JournalRefused as wrong:
                if is_read:
                    talk(f"pbem: {wrong}")
                is_read = False
                found.append(status_of(opened.without_journal(), name, at, is_journal_read=False))
        except (WrongInput, OSError) as wrong:
            talk(f"{name}: {told_in_words(wrong)}")
    if as_json:
        print_json([one.as_json() for one in found])
    else:
        _print_standings(found)
        if found and not any(one.label for one in found):
            next_archive(home)
    if not names:
        (say if mailed() else hint)(
            "This home has no games yet. Set one up: pbem new RULES GAME --players FILE."
        )
    return 1 if len(found) < len(names) or not is_read else 0


def _print_metrics(home: str, *, alone: bool) -> int:
    if not alone:
        raise click.UsageError("--metrics is about the whole home, and has a format of its own.")
    from pbem.host.office.status import metrics

    hand_out(metrics(open_home(home), moment(None)))
    return 0


def _print_standings(found: Sequence[Status]) -> None:
    """Print how games stand: as a table to a person at a terminal, else in plain lines."""
    console = printer()
    if mailed() or not console.is_terminal or not found:
        for one in found:
            tell(one.text())
        return
    from rich.table import Table
    from rich.text import Text

    table = Table("Game", "Rules", "Turn", "Waits for", "Besides", header_style="bold", show_lines=True)
    for one in found:
        besides = Text("\n").join(
            Text.assemble((f"{what}: ", "bold red" if what in _ALARMING else "bold"), words)
            for what, words in one.rows()
        )
        over = "ended" if one.ended else "over"
        waits = Text(over, "dim") if not one.label else Text(", ".join(one.owing) or "nobody")
        table.add_row(Text(one.game, "bold"), one.rules, str(one.turn), waits, besides)
    console.print(table)


_ALARMING = frozenset(["BAD", "DAMAGED", "came back", "missed", "unsent"])
