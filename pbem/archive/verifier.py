"""Verify a game from an archive, with Python alone.

    python verify.py [GAME.zip] [--foot ROOT] [--report FILE] [--receipt FILE]

It needs Python 3.11 and nothing else, and is short so that you can read it. What it proves, and what only
`pbem verify` can, is a page of pbem's documents. Who doubts the host takes this file from somebody else.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

FOOT = "\ue000" * 19  # stood in a report in place of its root when it was hashed
BACK = r"turns/undone/[0-9]{4}\.[1-9][0-9]*"  # a turn that was taken back: its number, and the time
TURN = rf"({BACK}|turns/[0-9]{{4}})"
LEFT_OUT = re.compile(rf"{BACK}|{TURN}/(names\.json|reports/.+)")  # what may be left out
CHANGED = re.compile(rf"{TURN}/(events\.jsonl|(orders|press)/.+)")  # what may lack something
WHOLE = re.compile(rf"draws\.json|verify\.py|{TURN}/.+")
PUBLIC = re.compile(r"turns/[0-9]{4}/(report\.(txt|html|json)|steps\.json|[a-z0-9_-]+\.svg)")
HEX = "[0-9a-f]{64}"
NOTICES = ("ModeratorActed", "LuckSealed", "SealsUnopened", "GameDealt")
MOST_FILES, MOST_BYTES, MOST_JSON = 200_000, 1 << 30, 1 << 22  # of an archive, unpacked; and of a JSON file
LEAST_BYTES, MOST_TIMES = 1 << 26, 50  # packed well, files are a twentieth; much smaller ones only do harm
DAMAGE = LookupError, ValueError, TypeError, AttributeError, RecursionError  # what damaged files set off
DIE = {"web-of-intrigue": "{phase}/die/{seat}"}  # by rules: the name of the draw of an event with a die


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def hmac_sha256(key: bytes, *purpose: Any) -> bytes:
    """Return HMAC-SHA256 under a key over a JSON list in ASCII, with `, ` between its items."""
    return hmac.digest(key, json.dumps(purpose).encode(), "sha256")


def compact_json(value: Any) -> bytes:
    """Return JSON in one line: keys sorted, no blanks, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def indented_json(value: Any) -> bytes:
    """Return JSON as files hold it: keys sorted, each level one blank deeper, UTF-8, a last line feed."""
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def parse_json(data: bytes) -> Any:
    """Return what JSON holds; of no more bytes than a file of a game can have."""
    if len(data) > MOST_JSON:
        raise ValueError(f"more than {MOST_JSON} bytes of JSON")
    return json.loads(data, parse_constant=refuse_constant)


def refuse_constant(word: str) -> None:
    """Refuse NaN and Infinity, which are no JSON though Python reads them."""
    raise ValueError(f"{word} is no JSON")


def report_foot(root: str, revision: int) -> str:
    """Return what stands in the foot of a report: the root in short, and whether the turn was played anew."""
    text = base64.b32encode(bytes.fromhex(root)).decode().lower()
    short = "-".join(text[n : n + 4] for n in range(0, 16, 4))
    return f"{short} (corrected; earlier ones void)" if revision else short


def draw_number(key: bytes, step: int, name: str, number: int, limit: int) -> int:
    """Return a draw from 0 to limit - 1: of the first value that is not too high to be fair, the rest."""
    if type(limit) is not int or not 1 <= limit <= 2**256:
        return -1  # nothing is drawn so
    fair, attempt = 2**256 - 2**256 % limit, 0
    while (value := int.from_bytes(hmac_sha256(key, "draw", step, name, number, attempt), "big")) >= fair:
        attempt += 1
    return value % limit


def files_of(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by name: of a zip without its one folder, or of a folder."""
    if path.is_dir():
        return {at.relative_to(path).as_posix(): at.read_bytes() for at in path.rglob("*") if at.is_file()}
    with zipfile.ZipFile(path) as packed:
        names = packed.namelist()
        if len({*names}) != len(names) or len({one.partition("/")[0] for one in names}) != 1:
            raise zipfile.BadZipFile("it holds a file twice, or more than one folder")
        most = min(MOST_BYTES, max(LEAST_BYTES, MOST_TIMES * path.stat().st_size))
        return {name.partition("/")[2]: data for name, data in read_zip_files(packed, most)}


def read_zip_files(packed: zipfile.ZipFile, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield names and files of a zip, within limits: what it says of their sizes is not believed."""
    left, entries = most, packed.infolist()
    if len(entries) > MOST_FILES:
        raise zipfile.BadZipFile(f"it holds more than {MOST_FILES} files")
    for entry in entries:
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others come in no pieces
            raise zipfile.BadZipFile("it is packed as no archive is")
        pieces, limit = list[bytes](), MOST_JSON if ".json" in entry.filename[-6:] else most
        with packed.open(entry) as file:
            while piece := file.read(1 << 16):
                left, limit = left - len(piece), limit - len(piece)
                if min(left, limit) < 0:
                    raise zipfile.BadZipFile("it is larger than any game, or a JSON file of it is")
                pieces.append(piece)
        yield entry.filename, b"".join(pieces)


def shown(text: str) -> str:
    """Return a text as one line that a terminal shows and never obeys."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def receipt_number(orders: bytes) -> int:
    """Return the number of the receipt in the last line of orders that a turn took; 0 if there is none."""
    found = re.search(rb"\n# pbem receipt ([0-9]{1,9})(?:,[^\n]*)?\n$", orders)
    return int(found[1]) if found else 0


class Archive:
    """An archive that was read; what is wrong comes as pairs of a file and words."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files, self.reading, self.found = files, "archive.json", list[tuple[str, str]]()
        self.told = parse_json(files["archive.json"])
        self.seed = bytes.fromhex(self.told["seed"]) if re.fullmatch(HEX, self.told["seed"]) else b""
        self.is_whole, self.is_new = self.told["kind"] == "whole", self.told["format"] > 1
        self.turns = [f"turns/{number:04d}" for number in range(len(self.told["roots"]))]
        self.left_out, self.changed = self.told.get("left_out", {}), self.told.get("changed", {})
        self.excused = {*filter(LEFT_OUT.fullmatch, self.left_out), *filter(CHANGED.fullmatch, self.changed)}
        self.back = sorted({one[0] for name in (*files, *self.left_out) if (one := re.match(BACK, name))})

    def findings(self, *, only_listed: bool = False) -> list[tuple[str, str]]:
        """Return all that is wrong, by the first part that finds anything; or what the list alone finds."""
        self.found, self.luck, self.seals, self.untold = [], dict[str, str](), dict[str, str](), list[str]()
        whole = self.chain, self.names, self.check_notices, self.check_draws, self.dice
        parts = () if only_listed else whole if self.is_whole else (self.public,)
        for part in (self.head, self.listed, *parts):
            try:
                self.found or part()
            except DAMAGE as wrong:
                self.check(self.reading, False, f"it is missing or damaged ({wrong!r})")
        return self.found

    def check(self, file: str, holds: object, otherwise: str) -> None:
        """Note what is wrong with a file unless something holds."""
        self.found += [] if holds else [(file, otherwise)]

    def read(self, name: str) -> Any:
        """Return what a JSON file holds, of events a list."""
        self.reading, data = name, self.files[name]
        return [parse_json(one) for one in data.splitlines()] if name[-1] == "l" else parse_json(data)

    # What is listed

    def head(self) -> None:
        """See that archive.json is as it was made, and holds together."""
        told, is_over, file = self.told, self.told["seed"] != "", "archive.json"
        itself = sha256(indented_json({name: value for name, value in told.items() if name != "itself"}))
        is_as_made = told.get("itself") == itself and indented_json(told) == self.files[file]
        if self.is_new and not is_as_made:
            self.check(file, False, "it was changed")
            return
        is_seed = self.seed and sha256(self.seed) == told["commitment"]
        self.check(file, is_seed or not is_over, "its seed is not the promised one")
        is_kind = told["kind"] == "public" or (self.is_whole and is_over and "taken_back" not in told)
        is_end = told.get("over", None if self.is_new else is_over) is is_over
        is_format = compact_json(told["format"]) in (b"1", b"2", b"3")
        is_each = len(told["feet"]) == len(self.turns) > 0
        is_right = is_kind and is_end and is_format and is_each
        self.check(file, is_right, "its format, kind, end, roots or feet are not right")

    def listed(self) -> None:
        """Compare the files with the list of them, and see that no others are excused than may be."""
        listed, may_be = self.told["files"], WHOLE if self.is_whole else PUBLIC
        after = f"turns/{len(self.turns):04d}"  # the first turn that there is none of
        for name in sorted(listed.keys() | self.files.keys() - {"archive.json"}):
            is_later = after <= name < "turns/:"  # the sign after 9
            is_own = name in listed and may_be.fullmatch(name) and not is_later
            self.check(name, is_own, "it does not belong to the archive")
            if is_own and name not in self.files:
                self.check(name, False, "it is missing")
            elif is_own:
                self.check(name, listed[name] == sha256(self.files[name]), "it was changed")
        # Files are here, and so are turns that were taken back of which any file is.
        here = {*self.files, *("/".join(name.split("/")[:3]) for name in self.files)}
        for name in self.left_out:
            is_so = self.is_whole and LEFT_OUT.fullmatch(name) and name not in here
            self.check(name, is_so, "it must not be left out, or is not")
        for name in self.changed:
            is_so = self.is_whole and CHANGED.fullmatch(name) and name in here and name not in self.left_out
            self.check(name, is_so, "it must not be changed, or is not here")

    # Records, and what they cover

    @cached_property
    def records(self) -> dict[str, dict[str, Any]]:
        """The record of each turn by where it lies, those taken back last; {} where it is none."""
        found, its = dict[str, dict[str, Any]](), {"game": self.told["game"], "rules": self.told["rules"]}
        for place in (*self.turns, *(one for one in self.back if one not in self.excused)):
            self.reading = f"{place}/turn.json"
            record = parse_json(data := self.files.get(self.reading, b"{}"))
            fixed = {**its, "format": 1, "turn": int(place.rpartition("/")[2][:4])}
            is_its = compact_json({one: record.get(one) for one in fixed}) == compact_json(fixed)
            content = {name: value for name, value in record.items() if name != "root"}
            root = sha256(hmac_sha256(self.seed, "nonce", fixed["turn"]) + compact_json(content))
            is_one = is_its and record.get("root") == root and indented_json(record) == data
            found[place] = record if is_one else {}
        return found

    def chain(self) -> None:
        """Follow the roots from the first turn to the newest, and compare each file with its turn."""
        start = self.read("turns/0000/start.json")
        is_its = all(start.get(one) == self.told[one] for one in ("commitment", "rules", "seats"))
        text = "its promise, rules or seats are not those of archive.json"
        self.check("turns/0000/start.json", is_its, text)
        told = dict(zip(self.turns, zip(self.told["roots"], self.told["feet"], strict=True), strict=True))
        for place, record in self.records.items():
            file, root = f"{place}/turn.json", record.get("root")
            if not record or told.get(place, (root,))[0] != root:
                self.check(file, False, "it is no record of this turn, or its root does not come out")
                return
            self.reading = file
            if place in told:
                is_foot = told[place][1] == report_foot(record["root"], record["revision"])
                self.check("archive.json", is_foot, f"the foot of turn {record['turn']} does not come out")
            self.taken_back(place, file, record)
            self.follows(place, file, record)
            self.covers(place, record)

    def taken_back(self, place: str, file: str, record: Mapping[str, Any]) -> None:
        """See that a record tells how often its turn was taken back before, and which one it replaces."""
        undone = f"turns/undone/{record['turn']:04d}."  # and then which time
        times = [int(one.removeprefix(undone)) for one in self.back if one.startswith(undone)]
        revision = int(place.removeprefix(undone)) - 1 if place in self.back else max([0, *times])
        is_so = compact_json(record["revision"]) == compact_json(revision)
        self.check(file, is_so, "it does not tell how often it was taken back")
        older = f"{undone}{revision}"
        replaces = self.records[older].get("root") if older in self.records else ""
        is_old = record["replaces"] == replaces and (revision == 0 or older in self.back)
        text = "it is not the turn that was replaced"
        self.check(f"{older}/turn.json" if revision else file, is_old or older in self.excused, text)

    def follows(self, place: str, file: str, record: Mapping[str, Any]) -> None:
        """Compare a record with the turn before it.

        A turn that was taken back may follow one that was taken back too; where such a one is left out,
        nobody can know.
        """
        number, is_known = record["turn"], type(record["rules_version"]) is int
        self.check(file, is_known, "the version of its rules is no whole number")
        before = [one for one in self.turns if one == f"turns/{number - 1:04d}"]
        if place in self.back:
            before += [one for one in self.back if one.startswith(f"turns/undone/{number - 1:04d}.")]
        here = [self.records[one] for one in before if one not in self.excused]
        found = [one for one in here if one.get("root") == record["previous"]]
        is_one_left_out = len(here) < len(before)
        may_be = record["previous"] == "" if number == 0 else found or is_one_left_out
        self.check(file, may_be, "it does not follow the turn before it")

        sent = {one[7:-5]: data for one, data in record["files"].items() if one.startswith("orders/")}
        kept: dict[str, Any] = {} if number == 0 else record["taken"]  # what nobody can know is believed
        for one in found:
            kept = one["taken"]
            is_later = one["rules_version"] <= record["rules_version"] or "older-rules" in record["overrides"]
            self.check(file, is_later, "its rules are older than before")
        is_sent = record["submissions"] == sent and record["taken"] == {**kept, **sent}
        self.check(file, is_sent, "it names other orders")

    def covers(self, place: str, record: Mapping[str, Any]) -> None:
        """Compare the files of a turn with its record: reports as they were before the root was known."""
        known, names = {**record["files"], **record["reports"]}, f"{place}/names.json"
        needed = ["state.json", "events.jsonl", *(["start.json", "data.json"] if record["turn"] == 0 else [])]
        is_each, text = all(one in record["files"] for one in needed), "it does not name all that a turn has"
        self.check(f"{place}/turn.json", is_each, text)
        below, steps = f"{place}/", f"{place}/reports/spectator/steps.json"
        for name in (name for name in (*self.files, *self.excused) if name.startswith(below)):
            is_its = name.removeprefix(below) in (*known, "turn.json")
            self.check(name, is_its, "it does not belong to the turn")
            may_name = name.startswith(f"{below}reports/") and name in self.files and name != steps
            self.check(name, not may_name or names not in self.left_out, "it is here, names are left out")
        root, sign = report_foot(record["root"], record["revision"]).encode(), FOOT.encode()
        for name in (name for name in known if below + name not in self.excused):
            data, is_report = self.files.get(below + name), name in record["reports"]
            plain = (data or b"").replace(root, sign) if is_report else data or b""
            is_same = data is not None and FOOT[0].encode() not in data and sha256(plain) == known[name]
            self.check(below + name, is_same, "it is not the one of its turn")
            if data and is_same and name.endswith(".json") and not is_report:
                self.check(below + name, indented_json(parse_json(data)) == data, "it is not in filed JSON")

    def names(self) -> None:
        """See that each turn has the names of the turn before it, and their salt; or none has any."""
        names, salt, are_left_out = list[str](), "", any(one.endswith("/names.json") for one in self.left_out)
        for name in (f"{place}/names.json" for place in self.turns):
            if name not in self.files:
                self.check(name, not names, "it does not go on from the names of the turn before")
                continue
            now = self.read(name)
            is_salt = re.fullmatch(HEX, now["salt"]) and now["salt"] == (salt or now["salt"])
            is_next = is_salt and not are_left_out and now["names"][: len(names)] == names
            self.check(name, is_next, "it does not go on from the names of the turn before")
            names, salt = now["names"], now["salt"]

    # What events tell

    def check_notices(self) -> None:
        """Compare what events tell of acts, luck words, seals and the end with the records of their turns."""
        is_sealed = self.read("turns/0000/start.json").get("sealed") is True
        labels, events = list[str](), list[Any]()
        for place in self.turns:
            record, file = self.records[place], f"{place}/events.jsonl"
            wanted = [self.notice("", "ModeratorActed", text=one) for one in record["policy"].get("acts", ())]
            acts, events = len(wanted), self.read(file)
            for step in record["steps"]:
                if step["label"] == "start":
                    wanted += self.note_start_forms(step["moves"], is_sealed=is_sealed)
                elif step["label"] == "open":
                    wanted += self.check_opened_seals(step["moves"], file)
            told = [one for one in events if one["event"] in NOTICES]
            is_so = compact_json(told) == compact_json(wanted) and told[:acts] == events[:acts]
            self.check(file, is_so, "acts, luck words or seals are not those of the record")
            steps = [step["label"] for step in record["steps"]]
            labels += steps
            is_its = all(one["at"] in ("", *steps) for one in events)
            self.check(file, is_its, "an event is of no step of its turn")
            is_plain = b"".join(compact_json(one) + b"\n" for one in events) == self.files[file]
            self.check(file, is_plain, "it is not in canonical JSON")
            is_apart = not {"start", "open"} <= {*steps}
            self.check(file, is_apart, "seals and words are told in one turn")
        deal = ["start", "open"] if self.seals else ["start"]
        is_dealt = labels[: len(deal)] == deal[: len(labels)]  # a game may have ended before
        is_once = len({*labels}) == len(labels) and "open" not in labels[len(deal) :]
        text = "steps do not begin with the deal, or are there twice"
        self.check(f"{self.turns[-1]}/turn.json", is_dealt and is_once, text)
        end = self.notice("", "SeedPublished", seed=self.told["seed"])
        self.check(file, events[-1:] == [end], "the end of the game is missing: it tells the seed")

    def notice(self, at: str, kind: str, **more: Any) -> dict[str, Any]:
        """Return an event that all were told."""
        return {"at": at, "event": kind, "to": "all", **more}

    def note_start_forms(self, moves: Mapping[str, Any], *, is_sealed: bool) -> list[dict[str, Any]]:
        """Note the luck words and seals of the start forms; return what events tell of them."""
        for seat in self.told["seats"]:
            if is_sealed and "seal" in moves[seat]:
                self.seals[seat] = moves[seat]["seal"]
            else:
                self.luck[seat] = moves[seat].get("luck", "")
        if self.seals:
            return [self.notice("start", "LuckSealed", luck={**self.luck}, seals={**self.seals})]
        return [self.notice("start", "GameDealt", luck={**self.luck})]

    def check_opened_seals(self, moves: Mapping[str, Any], file: str) -> list[dict[str, Any]]:
        """See that opened words hash to their seals, which stand for words that did not come."""
        shut = sorted(seat for seat in self.seals if not moves[seat]["luck"])
        for seat, seal in self.seals.items():
            self.luck[seat] = seal if seat in shut else moves[seat]["luck"]
            own = json.dumps(["seal", self.told["game"], seat, self.luck[seat]]).encode()
            is_own = seat in shut or sha256(own) == seal
            self.check(file, is_own, f"{seat} has other luck words than its seal says")
        told = [self.notice("open", "SealsUnopened", seats=shut)] if shut else []
        return [*told, self.notice("open", "GameDealt", luck={**self.luck})]

    # What was drawn

    def check_draws(self) -> None:
        """Read the list of draws, which has each turn, and make each draw again in a step of its turn."""
        turns, file, first = [*map(str, range(1, len(self.turns)))], "draws.json", 0
        if not self.is_new:  # nothing was listed
            self.untold = turns
            return
        listed = self.read(file)
        self.untold, told = sorted(listed["untold"], key=int), listed["turns"]
        is_so = compact_json(listed) + b"\n" == self.files[file] and len(listed) == 2
        is_each = sorted([*told, *self.untold], key=int) == turns
        rows = [compact_json(draw[:3]) for draws in told.values() for draw in draws]
        is_once = is_so and is_each and len({*rows}) == len(rows)
        self.check(file, is_once, "it tells not each turn and draw once")
        for turn, place in enumerate(self.turns):
            after = first + len(self.records[place]["steps"])
            for step, name, number, limit, value in told.get(str(turn), ()):
                is_its = [type(one) for one in (step, name, number)] == [int, str, int] and number >= 0
                is_its = is_its and first <= step < after
                is_so = (
                    is_its
                    and compact_json(draw_number(self.key, step, name, number, limit))
                    == compact_json(value)
                    != b"-1"
                )
                self.check(file, is_so, f"turn {turn}: {name} {number} of step {step} is not {value}")
            first = after

    @cached_property
    def key(self) -> bytes:
        """The key of the draws: seed and luck words."""
        return hmac_sha256(self.seed, "luck", sorted(self.luck.items()))

    def dice(self) -> None:
        """Compare the dice that events show with their draws: all of them are listed, and no others."""
        if self.told["rules"] not in DIE:
            return
        told = self.read("draws.json")["turns"] if self.is_new else {}
        sides, first = self.read("turns/0000/data.json")["die"]["sides"], 0
        for turn, place in enumerate(self.turns):
            steps = {one["label"]: n for n, one in enumerate(self.records[place]["steps"], first)}
            first, file, shown = first + len(steps), f"{place}/events.jsonl", list[list[Any]]()
            for event in (one for one in self.read(file) if "die" in one):
                name, step = DIE[self.told["rules"]].format(**event), steps.get(event["at"], -1)
                value = draw_number(self.key, step, name, 0, sides)
                shown.append([step, name, 0, sides, value])
                is_drawn = step >= 0 and compact_json(event["die"]) == compact_json(value + 1)
                self.check(file, is_drawn, f"a die shows {event['die']}, and {name} is {value + 1}")
            if str(turn) in told:
                listed = [one for one in told[str(turn)] if "/die/" in one[1]]
                text = f"the dice of {place} are not those that its events show"
                self.check("draws.json", sorted(listed) == sorted(shown), text)

    # What was public

    def public(self) -> None:
        """Compare what was public of a game with the roots that it tells."""
        roots, feet, back = self.told["roots"], self.told["feet"], self.told.get("taken_back", {})
        for place, root in back.items():
            turn, is_one = int(place[:4]), re.fullmatch(r"[0-9]{4}\.[1-9][0-9]*/" + HEX, f"{place}/{root}")
            is_back = turn and (turn >= len(roots) or feet[turn] == report_foot(roots[turn], 1))
            is_back = is_back and [*roots, *back.values()].count(root) == 1
            self.check("archive.json", is_one and is_back, f"{place} is no turn that was taken back")
        for number, (root, told) in enumerate(zip(roots, feet, strict=True)):
            is_foot = re.fullmatch(HEX, root) and told in (report_foot(root, 0), report_foot(root, 1))
            self.check("archive.json", is_foot, f"the foot of turn {number} does not come out")
            wanted = {one: self.told[one] for one in ("game", "rules", "commitment")}
            wanted |= {"foot": told, "seat": None, "turn": number}
            facts = self.read(file := f"turns/{number:04d}/report.json")
            is_its = compact_json({one: facts[one] for one in wanted}) == compact_json(wanted)
            self.check(file, is_its, "it is of another game or turn, or does not have the root of its turn")
            for name in (f"turns/{number:04d}/report.txt", f"turns/{number:04d}/report.html"):
                self.check(name, told.encode() in self.files.get(name, b""), "it does not have its root")

    # What can be asked

    def doubt(self) -> str:
        """Say what could not be checked, and how the host could have chosen the deal, if nothing is wrong."""
        by_host, by_seat, anew = set[str](), set[str](), 0
        for place in self.turns:
            for step in (one for one in self.records[place]["steps"] if one["label"] in ("start", "open")):
                anew += self.records[place]["revision"] if self.seals else 0
                for seat in (one for one, what in step["sources"].items() if what.startswith("order")):
                    if self.is_lodged_by_host(place, seat):
                        by_host.add(seat)
                    elif step["label"] == "open":
                        by_seat.add(seat)
        shut = [seat for seat, seal in self.seals.items() if self.luck[seat] == seal]
        own = by_seat - by_host - {*shut}
        hidden = [seat for seat in own if len(self.luck[seat]) >= 16]  # fewer can be guessed
        names, is_silent = ", ".join(sorted(by_host)), self.luck and not any(self.luck.values())
        untold = ", ".join(self.untold)
        said = {
            "A turn of the opening was played anew, when words may have been known.": anew,
            f"Seals of {', '.join(shut)} stayed shut: who knew words and seed could choose.": shut,
            f"The host put in the luck words of {names}, and could have tried others.": by_host
            and not hidden,
            "Nobody gave luck words: the host could have tried seeds before he promised one.": is_silent
            and not by_host,
            f"As usual, what is not published was left out ({len(self.excused)} files).": self.excused,
            f"The draws of turns {untold} are not listed: not all was checked.": self.untold,
        }
        return " ".join(text for text, holds in said.items() if holds)

    def is_lodged_by_host(self, place: str, seat: str) -> bool:
        """Tell whether orders are the host's own: they have no receipt, or he lodged them in his name."""
        receipt = receipt_number(self.files.get(f"{place}/orders/{seat}.yaml", b""))
        policy = self.records[place]["policy"]
        if "act_facts" in policy:
            lodged = {"kind": "orders-lodged-for", "seat": seat, "receipt": receipt}
            return not receipt or lodged in policy["act_facts"]
        said = f"were lodged by the moderator, receipt {receipt}."
        told = (f"orders for {seat} {said}", f" ({seat}) {said}")  # records of older versions hold sentences
        return not receipt or any(one.endswith(told) for one in policy.get("acts", ()))

    def turn_of_foot(self, text: str) -> str:
        """Say which turn a root from the foot of a report belongs to; "" if none."""
        wanted = re.sub(r"[\s-]", "", text.partition("(")[0].lower())
        back = {place[13:]: self.records.get(place, {}).get("root", "") for place in self.back}
        standing = {place[6:]: root for place, root in zip(self.turns, self.told["roots"], strict=True)}
        for place, root in {**standing, **back, **self.told.get("taken_back", {})}.items():
            if root and wanted in (root, report_foot(root, 0).replace("-", "")):
                return f"turn {int(place[:4])}{'' if place in standing else ' (taken back later)'}"
        return ""

    def identify_report(self, data: bytes) -> str:
        """Say which report a kept file is, word for word, or ends with."""
        lines = (data.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n").splitlines(keepends=True)
        above = range(min(120, len(lines)))  # so many lines a mail may have above its report
        kept = [b"".join(lines[begin:]) for begin in above]
        for place, record in self.records.items():
            mark = report_foot(record["root"], record["revision"]).encode() if record else b"none"
            hashed = {sha256(text.replace(mark, FOOT.encode())) for text in kept}
            for name in (name for name, value in record.get("reports", {}).items() if value in hashed):
                return f"It is {place}/{name}, word for word."
        return ""

    def sent(self, receipt: str) -> tuple[str, str, str, str]:
        """Return whose receipt it is, its number, the lines, and the file of the turn that took them.

        A receipt may be mailed or printed. All four are "" if it proves nothing of this game.
        """
        numbers = dict.fromkeys(re.findall(r"receipt\s+(\d{1,9})\.", receipt))  # file names have it too
        proof = re.search(r"Proof of what you sent:\s*([a-z2-7]{4}(?:-[a-z2-7]{4}){3})", receipt) or [""] * 2
        title = "(?im)^(?:these lines will run|this is lodged|this goes out).*\n"
        block = re.search(title + r"((?:[ \t]+.*\n?)+)", receipt.replace("\r\n", "\n")) or [""] * 2
        words = "\n".join(re.sub(r"^(    \| ?|    )", "", one) for one in block[1].splitlines())
        for seat, number in ((seat, one) for seat in self.told["seats"] for one in numbers):
            salt = hmac_sha256(self.seed, "receipt", self.told["game"], seat, int(number))
            if report_foot(sha256(salt + words.encode()), 0) == proof[1]:
                kept = (name for name in sorted(self.files) if name.endswith(f"/orders/{seat}.yaml"))
                took = next((name for name in kept if receipt_number(self.files[name]) == int(number)), "")
                return seat, number, words, took
        return "", "", "", ""

    def explain_receipt(self, receipt: str, *, is_compared: bool = False) -> str:
        """Say what a receipt proves, and with which file its lines are compared, or to be."""
        seat, number, words, took = self.sent(receipt)
        what = "sent these orders" if words else "withdrew the orders before"
        compare = "A turn took them" if is_compared else "Compare what a turn took"
        how = f"{compare}: {took}." if took else "No turn took them."
        return f"{seat} {what} with receipt {number}, word for word. {how}" if seat else ""


def main() -> None:
    """Verify, print what was found, and exit with 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("archive", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("--foot", help="the root from the foot of a report that you kept")
    parser.add_argument("--report", type=Path, help="a report that you kept, as text")
    parser.add_argument("--receipt", type=Path, help="a receipt that you kept, as text")
    given = parser.parse_args()
    try:
        lines, code = verify_archive(given)
    except OSError as wrong:
        sys.exit(shown(f"{wrong.filename or given.archive} cannot be read: {wrong.strerror}."))
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, *DAMAGE) as wrong:
        why = f"its archive.json is not right ({wrong!r})"
        sys.exit(shown(f"{given.archive} is damaged, or no archive: {why}."))
    print(*map(shown, lines), sep="\n")
    sys.exit(code)


def verify_archive(given: argparse.Namespace) -> tuple[list[str], int]:
    """Return what was found, in lines, and the exit code."""
    archive = Archive(files_of(given.archive))
    found = archive.findings()
    turns_asked = [] if given.foot is None else [(given.foot, archive.turn_of_foot(given.foot))]
    asked = [(root, turn and f"It is the root of {turn}.") for root, turn in turns_asked]
    asked += [(one, archive.identify_report(one.read_bytes())) for one in [given.report] if one]
    asked += [(one, archive.explain_receipt(one.read_text("utf-8"))) for one in [given.receipt] if one]
    lines = [f"{place}: {text}." for place, text in found]
    lines += [
        answer or f"{what or 'a root of no signs'}: nothing in this game proves it." for what, answer in asked
    ]
    if archive.is_whole and not found and (doubt := archive.doubt()):
        lines.append(doubt)
    if not archive.is_whole:
        later = "seed, orders and draws are told when the game is over"
        why = "its records tell what is not published" if archive.seed else later
        lines.append(f"Only what was public is here: {why}.")
    turns, files, wrong_ones = len(archive.turns), len(archive.files), len(found) or "nothing"
    lines.append(f"{archive.told['game']}: {turns} turns, {files} files, {wrong_ones} wrong.")
    return lines, 1 if found or not all(answer for _, answer in asked) else 5 if archive.untold else 0


if __name__ == "__main__":
    main()
