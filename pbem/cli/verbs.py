"""All verbs by what one wants, each with its module and its first sentence; and the first page of the help.

What stands here is said without loading anything else, which would take five times as long.
"""

from __future__ import annotations

import os

VERBS = (
    (
        "Set up",
        ("init", "games", "Make an empty home: a folder to work in, or the database at postgresql://…."),
        ("demo", "games", "Make a home with the sample games, and resolve one turn of each."),
        ("new", "new", "Set a game up."),
        (
            "book",
            "show",
            "Print the game book of GAME: its rules, tables, orders and options, for its players.",
        ),
        ("rules", "games", "List the rule systems: name, seats, version, origin; or only those named."),
        (
            "home",
            "homes",
            "Move a home, compare two, bring one up to date, mend its journal, or change its files.",
        ),
        (
            "doctor",
            "doctor",
            "Look whether all is well with a home and its mail; say what is wrong, each with what mends it.",
        ),
        (
            "service",
            "service",
            "Let systemd do what is due in a home: write the units for it, or take them away.",
        ),
    ),
    (
        "Play",
        ("form", "orders", "Print the orders form for a seat's next ask."),
        (
            "check",
            "orders",
            "Check orders files: FILE:LINE:COLUMN of every mistake, or what the orders would do.",
        ),
        (
            "submit",
            "orders",
            "Check orders files and lodge them; a newer file of a seat replaces its older one.",
        ),
        ("run", "turns", "Resolve what can be resolved: all games of the home, or those named."),
        (
            "status",
            "turns",
            "Tell how each game stands: who is waited for, until when, and what keeps it or its mail back.",
        ),
        (
            "report",
            "show",
            "Print a report of a turn: a seat's, or the `spectator`'s, which tells what is public.",
        ),
        (
            "show",
            "show",
            "Show the board of a game as a seat sees it, or as everybody does; in colour on a terminal.",
        ),
    ),
    (
        "Host",
        (
            "seat",
            "seats",
            "Show a seat: player, address, orders, mails; or mend it: a new address, a new secret, a name.",
        ),
        ("replace", "seats", "Give a seat to another player, with a new key and a new address for orders."),
        (
            "cancel",
            "pace",
            "End a running game for all, without a result: no turn is run any more, and no orders are taken.",
        ),
        ("pause", "pace", "Let a game rest, now or later: no turn is run, and no deadline passes."),
        (
            "resume",
            "pace",
            "Let a paused game go on, now or later; its players have as much time as they had.",
        ),
        ("extend", "pace", "Move the deadline of the present ask; all players are told."),
        (
            "away",
            "pace",
            "Note that a player will be away: missed turns do not count, and nobody reminds them.",
        ),
        ("hold", "host", "Hold a seat's orders back: no run looks at them, as if none had come."),
        ("vote", "host", "Vote for a seat: for a pause, a later deadline, a draw, or the end of the game."),
        ("undo", "turns", "Take a game's newest turn back; the orders it took count again."),
        ("announce", "host", "Write to all players of a game, at once by mail and in the next report."),
        ("remind", "host", "Remind those who owe orders when a deadline is near, each of them once."),
        (
            "acts",
            "host",
            "Tell what the moderator, the host and the players did to a game between its turns.",
        ),
        (
            "digest",
            "host",
            "Tell what was odd since the last digest that was mailed, and what is waited for.",
        ),
    ),
    (
        "Mail",
        (
            "receive",
            "mail",
            "Take mail in and process it: orders are lodged, and answers are queued for `pbem send`.",
        ),
        (
            "send",
            "mail",
            "Send what is due: reports of turns that were committed, invitations, answers and notices.",
        ),
        ("answer", "mail", "Answer a mail that a player wrote to a person; without an option, show it."),
        (
            "lmtp",
            "mail",
            "Take mail in by LMTP, from a mail server on this machine, until it is told to end.",
        ),
        (
            "worker",
            "work",
            "Do whatever is due in a home in a database, until told to end; on as many machines as you like.",
        ),
    ),
    (
        "Look and prove",
        (
            "archive",
            "show",
            "Write the home's games as a site of pages that open from disk: the folder OUT, "
            "or what changed in it.",
        ),
        ("verify", "turns", "Check every turn of a game: intact, chained, and the same when played again."),
        (
            "proof",
            "proving",
            "Tell how to check a receipt or a report that you kept: what can be checked now, and what later.",
        ),
        (
            "luck",
            "proving",
            "Make luck words and their seal: keep the words in a file, and print the form with the seal.",
        ),
        (
            "simulate",
            "games",
            "Let bots play games, and print lengths, points, endings, tie-breaks, wins, "
            "and what the rules count.",
        ),
    ),
)
"""Groups: a title, then its verbs: name, module of `pbem.cli`, and what it does."""

USE = "A play-by-email turn processor: orders in, reports out, every turn recomputable."
EPILOG = "Exit codes: 0 done, 1 your input is wrong, 2 usage, 3 the gate refused, 4 a fault of pbem."


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
    out = ["Usage: pbem [OPTIONS] COMMAND [ARGS]...", "", *_wrapped(USE, 2, wide)]
    rows: list[tuple[str, str, str]] = [("--version", "", "Show the version and exit.")]
    groups = (("Options", *rows, ("-h, --help", "", "Show this message and exit.")), *VERBS)
    column = 4 + max(len(name) for _, *verbs in groups for name, _, _ in verbs)
    for title, *verbs in groups:
        out += ["", f"{title}:"]
        for name, _, words in verbs:
            lines = _wrapped(words, column, wide)
            out += [f"  {name}".ljust(column) + lines[0].lstrip(), *lines[1:]]
    return "\n".join(
        [
            *out,
            "",
            *_wrapped("Each verb has a page of its own: pbem VERB --help.", 2, wide),
            *_wrapped(EPILOG, 2, wide),
        ]
    )


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
