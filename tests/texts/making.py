"""The texts, each by the name of its file: made from the rows of the corpora."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from pbem.text.strictyaml import dump_flow
from tests.behaviour import evenings, later, mails, refusals
from tests.behaviour.slips import home_of, rows
from tests.homes import top
from tests.texts import acting, finding, judging, reading
from tests.texts.saying import said

FOLDER: Final = Path(__file__).parent
_LONGEST: Final = 300
"""More of a line is not looked at."""
SHARES: Final = 4
"""The evenings take as long as all else, so they are made in so many parts."""


def texts() -> Mapping[str, str]:
    """Return all texts."""
    return {name: text for make in MAKERS.values() for name, text in make().items()}


def _refusals() -> Mapping[str, str]:
    """Return what is said of commands and files that are refused, by their topic; long lines are cut off."""
    found: defaultdict[str, str] = defaultdict(str)
    for row in refusals.rows():
        parts = [f"=== {row['refusal']}"]
        parts += [f"{path}: {_short(content)}" for path, content in row.get("files", {}).items()]
        parts += [row["written"].rstrip()] if row.get("written") else []
        parts += [f"--- pbem {' '.join(row.get('do', ['check']))}", refusals.play(row)[1].rstrip(), ""]
        lines = [line[:_LONGEST] for part in parts for line in part.split("\n")]
        found[row["refusal"].partition(":")[0]] += "".join(f"{line.rstrip()}\n" for line in lines)
    return found


def _short(content: Any) -> str:
    """Return the content of a file, on one line."""
    return "gone" if content is None else dump_flow(content)


def _checks() -> Mapping[str, str]:
    """Return what `pbem check` says of the orders that people wrote, by their game."""
    found: defaultdict[str, str] = defaultdict(str)
    for name in ("slips.yaml", "first_orders.yaml"):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            home, file = home_of(name, Path(folder) / "home"), Path("orders.yaml")
            for row in rows(name):
                file.write_text(row["written"], encoding="utf-8")
                told = said("check", str(file), "--home", str(top(home)))
                game = row["slip"].partition(" ")[0].rstrip(":")
                found[game] += f"=== {row['slip']}\n{row['written'].rstrip()}\n--- check\n{told}\n"
    return found


def _later() -> Mapping[str, str]:
    """Return what is said of lines for later turns, by their rules."""
    found: defaultdict[str, str] = defaultdict(str)
    for row in later.rows():
        found[row["rules"]] += f"=== {row['position']}\n"
        for line, told in zip(row["lines"], later.outlooks(row), strict=True):
            words = [one.text for one in told.never] + [*told.provided, told.unknown, *told.besides]
            found[row["rules"]] += f"{dump_flow(line['line'])}\n"
            found[row["rules"]] += "".join(f"  {one}\n" for one in words if one)
    return found


def _letters() -> Mapping[str, str]:
    """Return the letters that mails bring about, each once, by what the mails are about."""
    found: defaultdict[str, str] = defaultdict(str)
    seen: set[str] = set()
    for row in mails.rows():
        if row.sample:
            continue  # the styles and programs of many mails, all of which bring about the same
        for _, letters in mails.outcomes(row):
            for letter in letters:
                if letter not in seen:
                    found[row.name.partition(":")[0]] += f"=== {row.name}\n{letter}\n"
                seen.add(letter)
    return found


def share_of(topic: str) -> int:
    """Return with which of the `SHARES` an evening's topic is made."""
    return zlib.crc32(topic.encode()) % SHARES


def _evenings(share: int) -> Mapping[str, str]:
    """Return what commands print, all may read, and letters say in a share of the evenings, by their topic.

    Each text stands there once, behind a mark; its mark stands for it from then on.
    """
    found: defaultdict[str, str] = defaultdict(str)
    known: defaultdict[str, set[str]] = defaultdict(set)
    for row in [*evenings.rows(), *evenings.rows("letters.yaml")]:
        topic, told = row.name.partition(":")[0], ""
        if share_of(topic) != share:
            continue
        for step, (_, words) in zip(row.steps, evenings.play(row)[1:], strict=True):
            command = (
                f"pbem {' '.join(step['do'])}" if "do" in step else "a mail" if "to" in step else "letters"
            )
            told += f"--- {command}\n" if words else ""
            for one in words:
                mark = hashlib.sha256(one.encode()).hexdigest()[:5]
                told += f"[{mark}]\n" if one in known[topic] else f"[{mark}] {one}\n"
                known[topic].add(one)
        if told:
            found[topic] += f"=== {row.name}\n{told}\n"
    return found


def _judged(rules: str) -> Mapping[str, str]:
    """Return what is said of the orders of a corpus."""
    return {f"judged-{rules}.txt": judging.judged_orders(rules)}


def _reports(rules: str) -> Mapping[str, str]:
    """Return what is read of a game."""
    return {f"reports-{rules}.txt": _in_a_folder(partial(reading.report, rules))}


def _in_a_folder(make: Callable[[Path], str]) -> str:
    """Return a text that is made in a folder, which goes then."""
    with tempfile.TemporaryDirectory() as folder:
        return make(Path(folder))


def _of_each(start: str, make: Callable[[], Mapping[str, str]]) -> Callable[[], Mapping[str, str]]:
    """Return what makes a file for each text, with the same start of their names."""
    return lambda: {f"{start}-{name}.txt": text for name, text in make().items()}


MAKERS: Final[Mapping[str, Callable[[], Mapping[str, str]]]] = {
    "doctor": lambda: {"doctor.txt": _in_a_folder(finding.doctor)},
    "contract": lambda: {"contract.txt": finding.contract()},
    "help": lambda: {"help.txt": reading.helps()},
    "archive": lambda: {"archive.txt": _in_a_folder(reading.archive)},
    "mailed-acts": lambda: {"mailed-acts.txt": acting.acts()},
    "refused": _of_each("refused", _refusals),
    "check": _of_each("check", _checks),
    "later": _of_each("later", _later),
    "mail": _of_each("mail", _letters),
    **{f"evening {share}": _of_each("evening", partial(_evenings, share)) for share in range(SHARES)},
    **{f"judged-{rules}": partial(_judged, rules) for rules in reading.SAMPLES},
    **{f"reports-{rules}": partial(_reports, rules) for rules in reading.SAMPLES},
}
"""What makes the texts of each kind, by what the names of their files begin with."""
