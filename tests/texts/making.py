"""The texts, each by the name of its file: made from the rows of the corpora."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pbem.text.strictyaml import dump_flow
from tests.behaviour import evenings, later, mails, refusals
from tests.behaviour.slips import home_of, rows
from tests.homes import top
from tests.mail.host import read, text_of
from tests.texts import acting, finding, judging, reading
from tests.texts.saying import said

FOLDER: Final = Path(__file__).parent
_LONGEST: Final = 300
"""More of a line is not looked at."""


def texts() -> Mapping[str, str]:
    """Return all texts."""
    with tempfile.TemporaryDirectory() as folder:
        archive, reports = reading.archive(Path(folder) / "archive"), reading.reports(Path(folder))
        doctor = finding.doctor(Path(folder) / "wards")
    return {
        "doctor.txt": doctor,
        "contract.txt": finding.contract(),
        "help.txt": reading.helps(),
        "archive.txt": archive,
        "mailed-acts.txt": acting.acts(),
        **{f"reports-{rules}.txt": text for rules, text in reports.items()},
        **{f"refused-{topic}.txt": text for topic, text in _refusals().items()},
        **{f"check-{game}.txt": text for game, text in _checks().items()},
        **{f"judged-{rules}.txt": text for rules, text in judging.judged().items()},
        **{f"later-{rules}.txt": text for rules, text in _later().items()},
        **{f"mail-{topic}.txt": text for topic, text in _letters().items()},
        **{f"evening-{topic}.txt": text for topic, text in _evenings().items()},
    }


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
        with tempfile.TemporaryDirectory() as folder:
            told = 0
            for _, _, host in mails.play(row, Path(folder)):
                letters = [read(one.raw) for one in host.outbox()]
                for letter in letters[told:]:
                    text = f"To: {letter['To']}\nSubject: {letter['Subject']}\n\n{text_of(letter).rstrip()}\n"
                    if text not in seen:
                        found[row.name.partition(":")[0]] += f"=== {row.name}\n{text}\n"
                    seen.add(text)
                told = len(letters)
    return found


def _evenings() -> Mapping[str, str]:
    """Return what commands print, all may read, and letters say in evenings, by their topic.

    Each text stands there once, behind a mark; its mark stands for it from then on.
    """
    found: defaultdict[str, str] = defaultdict(str)
    known: defaultdict[str, set[str]] = defaultdict(set)
    for row in evenings.rows():
        topic, told = row.name.partition(":")[0], ""
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
