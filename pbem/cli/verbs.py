"""All verbs by what one wants, each with its module and its first sentence; and the first page of the help.

What stands here is said without loading anything else, which would take five times as long.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as `typing` has it, which takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence

VERBS = (
    (
        "Set up",
        ("init", "games", "Make an empty home: a folder, or the database at postgresql://…."),
        ("demo", "games", "Make a home with the sample games, and resolve one turn of each."),
        ("new", "games", "Set a game up."),
        ("book", "show", "Print the game book: rules, tables, orders and options."),
        ("rules", "games", "List the rule systems: name, seats, version, origin."),
        ("home", "moderation.homes", "Move, compare, upgrade or mend a home, or change its files."),
        ("doctor", "moderation.homes", "Find what is wrong with a home and its mail."),
        ("service", "moderation.services", "Let systemd do what is due in a home."),
    ),
    (
        "Play",
        ("form", "show", "Print the orders form for a seat's next ask."),
        ("check", "orders", "Check orders files: every mistake, or what the orders would do."),
        ("submit", "submit", "Check orders files and lodge them in place of older ones."),
        ("run", "moderation.turns", "Run the games that can go on: all of the home, or those named."),
        ("status", "moderation.host", "Tell how each game stands: who is waited for, and until when."),
        ("report", "show", "Print a report of a turn: a seat's, or the `spectator`'s."),
        ("show", "show", "Show the board of a game as a seat or everybody sees it."),
    ),
    (
        "Host",
        ("seat", "moderation.seats", "Show a seat, or mend its player's name, address or secret."),
        ("replace", "moderation.seats", "Give a seat to another player or a bot, with new secrets."),
        ("cancel", "moderation.acts", "End a running game for all, without a result."),
        ("pause", "moderation.acts", "Let a game rest, now or later: no turn is run."),
        ("resume", "moderation.acts", "Let a paused game go on, now or later; nobody loses time."),
        ("extend", "moderation.acts", "Move the deadline of the present ask; all players are told."),
        ("away", "moderation.acts", "Note that a player will be away: missed turns do not count."),
        ("hold", "moderation.acts", "Hold a seat's orders back, as if none had come."),
        ("vote", "moderation.acts", "Vote for a seat: a pause, a later deadline, a draw, or the end."),
        ("undo", "moderation.acts", "Take a game's newest turn back; the orders it took count again."),
        ("announce", "moderation.acts", "Write to all players of a game, by mail and in the next report."),
        ("remind", "moderation.host", "Remind those who owe orders when a deadline is near."),
        ("acts", "moderation.acts", "Tell what was done to a game between its turns, and by whom."),
        ("digest", "moderation.host", "Tell what was odd lately, and who or what is waited for."),
    ),
    (
        "Mail",
        ("receive", "moderation.mail", "Take mail in and process it; `pbem send` sends the answers."),
        ("send", "moderation.mail", "Send what is due: reports, invitations, answers and notices."),
        ("answer", "moderation.mail", "Answer a mail that a player wrote to a person, or show any mail."),
        ("mailbox", "moderation.services", "Log in to a mailbox of a provider (OAuth 2), or watch it."),
        ("lmtp", "moderation.mail", "Take mail in by LMTP from a mail server on this machine."),
        ("worker", "moderation.services", "Do what is due in a home in a database, on any machine."),
    ),
    (
        "Look and prove",
        ("archive", "verify", "Write the home's games as a site of pages that open from disk."),
        ("verify", "verify", "Check every turn of a game: unchanged, and replayed alike."),
        ("proof", "proof", "Tell how to check a receipt or a report that you kept."),
        ("luck", "proof", "Make luck words and their seal: a file, and a form to send."),
        ("simulate", "games", "Let bots play games, and count how they went."),
    ),
    (
        "Help",
        ("help", "commands", "Show the page of a verb, or the list of all verbs."),
    ),
)
"""Groups: a title, then its verbs: name, module of `pbem.cli`, and what it does."""

OPTIONS = (
    ("--home HOME", "The home: a folder, or postgresql://…; or $PBEM_HOME."),
    ("-q, --quiet", "Print nothing but errors and what was asked for."),
    ("--color WHEN", "Colours: auto (on a terminal), always or never; also --colour."),
    ("--no-color", "No colours; as $NO_COLOR does."),
    ("--version", "Show the version and exit."),
    ("-h, --help", "Show this message and exit."),
)
"""What can stand before the verb; all but `--version` can stand after it too."""

USE = "A play-by-email turn processor: orders in, reports out, every turn recomputable."
EPILOG = (
    "Exit codes: 0 done, 1 your input is wrong, 2 usage, 3 the gate refused, 4 a fault of pbem, "
    "5 not all could be checked."
)
EXITS = (
    (0, "Done. A reader of a pipe who leaves early is no failure."),
    (1, "Your input is wrong, or something is for you to mend: a file, a game, a disk, a mail server."),
    (2, "The command is not written as its usage says."),
    (3, "The gate refused: a turn is not run, and the reasons are told."),
    (4, "A fault of pbem; what was committed stands."),
    (5, "Nothing is wrong, but `pbem verify` could not play some turns of a game again."),
    (130, "You stopped it with Ctrl-C."),
)
"""What a command ends with; of several things the worst."""


def module_of(verb: str) -> str | None:
    """Return the module that holds a verb, or None if there is no such verb."""
    found = [module for _, *verbs in VERBS for name, module, _ in verbs if name == verb]
    return f"pbem.cli.{found[0]}" if found else None


def names() -> list[str]:
    """Return all verbs in the order of the alphabet."""
    return sorted(name for _, *verbs in VERBS for name, _, _ in verbs)


def help_page(width: int | None = None) -> str:
    """Return the first page of the help, without a line feed at its end.

    Args:
        width: Of the page, in characters; the terminal's if left out, but at most 98.
    """
    wide = width or _width()
    out = ["Usage: pbem [OPTIONS] COMMAND [ARGS]...", "", *_wrapped(USE, 2, wide), "", "Options:"]
    out += _table(OPTIONS, wide)
    column = 4 + max(len(name) for _, *verbs in VERBS for name, _, _ in verbs)
    for title, *verbs in VERBS:
        out += ["", f"{title}:", *_table([(name, words) for name, _, words in verbs], wide, column)]
    ends = ("Each verb has a page of its own: pbem help VERB.", EPILOG)
    return "\n".join([*out, "", *(line for end in ends for line in _wrapped(end, 2, wide))])


def _table(rows: Sequence[tuple[str, str]], wide: int, column: int = 0) -> list[str]:
    """Return names with what they do beside them, from a column on."""
    start = column or 4 + max(len(name) for name, _ in rows)
    out = []
    for name, words in rows:
        first, *rest = _wrapped(words, start, wide)
        out += [f"  {name}".ljust(start) + first.lstrip(), *rest]
    return out


def _width() -> int:
    """Return how wide a page may be here."""
    try:
        found = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
    except (OSError, ValueError):
        found = 80
    return max(min(found, 100) - 2, 50)


def _wrapped(text: str, indent: int, width: int) -> list[str]:
    """Return lines of whole words; the library for it takes longer to load than all of this."""
    lines = [""]
    for word in text.split():
        if lines[-1] and indent + len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return [" " * indent + line for line in lines]
