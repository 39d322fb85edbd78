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
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

FOOT = "\ue000" * 19  # stood in a report in place of its root when it was hashed
BACK = r"turns/undone/\d{4}\.\d+"  # where a turn lies that was taken back: its number, and which time it was
TURN = rf"({BACK}|turns/\d{{4}})"
LEFT_OUT = re.compile(rf"{BACK}|{TURN}/(names\.json|reports/.+)")  # what may be left out
CHANGED = re.compile(rf"{TURN}/(events\.jsonl|(orders|press)/.+)")  # what may lack something
WHOLE = re.compile(rf"draws\.json|verify\.py|{TURN}/.+")
PUBLIC = re.compile(r"turns/\d{4}/(report\.(txt|html|json)|steps\.json|[a-z0-9_-]+\.svg)")
HEX = "[0-9a-f]{64}"
NOTICES = ("ModeratorActed", "LuckSealed", "SealsUnopened", "GameDealt")
DIE = {"web-of-intrigue": "{phase}/die/{seat}"}  # by rules: the name of the draw of an event with a die


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def keyed(key: bytes, *purpose: Any) -> bytes:
    """Return HMAC-SHA256 under a key over a JSON list in ASCII, with `, ` between its items."""
    return hmac.digest(key, json.dumps(purpose).encode(), "sha256")


def lined(value: Any) -> bytes:
    """Return JSON in one line: keys sorted, no blanks, UTF-8."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def indented(value: Any) -> bytes:
    """Return JSON as files hold it: keys sorted, each level one blank deeper, UTF-8, a last line feed."""
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def foot(root: str, revision: int) -> str:
    """Return what stands in the foot of a report: the root in short, and whether the turn was played anew."""
    text = base64.b32encode(bytes.fromhex(root)).decode().lower()
    short = "-".join(text[n : n + 4] for n in range(0, 16, 4))
    return f"{short} (corrected; earlier ones void)" if revision else short


def drawn(key: bytes, step: int, name: str, number: int, limit: int) -> int:
    """Return a draw from 0 to limit - 1: of the first value that is not too high to be fair, the rest."""
    if type(limit) is not int or not 1 <= limit <= 2**256:
        return -1  # nothing is drawn so
    fair, attempt = 2**256 - 2**256 % limit, 0
    while (value := int.from_bytes(keyed(key, "draw", step, name, number, attempt), "big")) >= fair:
        attempt += 1
    return value % limit


def files_of(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by name: of a zip without its one folder, or of a folder."""
    if path.is_dir():
        return {at.relative_to(path).as_posix(): at.read_bytes() for at in path.rglob("*") if at.is_file()}
    with zipfile.ZipFile(path) as packed:
        files = {one.partition("/")[2]: packed.read(one) for one in packed.namelist()}
        if len(files) != len(packed.namelist()):
            raise zipfile.BadZipFile("it holds a file twice")
        return files


class Archive:
    """An archive that was read; what is wrong comes as pairs of a file and words."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files, self.place, self.found = files, "archive.json", list[tuple[str, str]]()
        self.told = json.loads(files["archive.json"])
        self.seed = bytes.fromhex(self.told["seed"]) if re.fullmatch(HEX, self.told["seed"]) else b""
        self.is_whole, self.is_new = self.told["kind"] == "whole", self.told["format"] > 1
        self.turns = [f"turns/{number:04d}" for number in range(len(self.told["roots"]))]
        self.left_out, self.changed = self.told.get("left_out", {}), self.told.get("changed", {})
        self.excused = {*filter(LEFT_OUT.fullmatch, self.left_out), *filter(CHANGED.fullmatch, self.changed)}
        self.back = sorted({one[0] for name in (*files, *self.left_out) if (one := re.match(BACK, name))})

    def findings(self, *, only_listed: bool = False) -> list[tuple[str, str]]:
        """Return all that is wrong, by the first part that finds anything; or what the list alone finds."""
        self.found, self.luck, self.seals, self.untold = [], dict[str, str](), dict[str, str](), list[str]()
        whole = self.chain, self.names, self.opening, self.dice
        for part in (self.listed, *(() if only_listed else whole if self.is_whole else (self.public,))):
            try:
                self.found or part()
            except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as wrong:
                self.see(False, f"it is missing or damaged ({wrong!r})")
        return self.found

    def see(self, is_right: object, text: str, place: str = "") -> None:
        """Note what is wrong with a file, by default the one that was read last, unless it is right."""
        self.found += [] if is_right else [(place or self.place, text)]

    def read(self, name: str) -> Any:
        """Return what a JSON file holds, of events a list."""
        self.place, data = name, self.files[name]
        return [json.loads(one) for one in data.splitlines()] if name[-1] == "l" else json.loads(data)

    def listed(self) -> None:
        """Compare the files with the list of them, and the list with its own SHA-256."""
        told, is_over = self.told, self.told["seed"] != ""
        anew = sha256(indented({name: value for name, value in told.items() if name != "itself"}))
        if self.is_new and (told.get("itself"), indented(told)) != (anew, self.files["archive.json"]):
            self.see(False, "it was changed")
            return
        self.see(not is_over or sha256(self.seed) == told["commitment"], "its seed is not the promised one")
        is_kind = told["kind"] == "public" or (self.is_whole and is_over and "taken_back" not in told)
        is_kind = is_kind and told.get("over", None if self.is_new else is_over) is is_over
        is_each = lined(told["format"]) in (b"1", b"2", b"3") and len(told["feet"]) == len(self.turns) > 0
        self.see(is_kind and is_each, "its format, kind, end, roots or feet are not right")
        own, late = (WHOLE if self.is_whole else PUBLIC), f"turns/{len(self.turns):04d}"
        for name in sorted(told["files"].keys() | self.files.keys() - {"archive.json"}):
            is_own = name in told["files"] and own.fullmatch(name) and not late <= name < "turns/:"
            self.see(is_own, "it does not belong to the archive", name)
            if is_own and (name not in self.files or told["files"][name] != sha256(self.files[name])):
                self.see(False, f"it {'was changed' if name in self.files else 'is missing'}", name)
        here = {*self.files, *("/".join(name.split("/")[:3]) for name in self.files)}
        for name in (*self.left_out, *self.changed):
            is_so = self.is_whole and name in self.excused and (name in here) is (name in self.changed)
            self.see(is_so, "it must not be left out or changed, or is not", name)

    @cached_property
    def records(self) -> dict[str, dict[str, Any]]:
        """The record of each turn by where it lies, those taken back last; {} where it is none."""
        found, its = dict[str, dict[str, Any]](), {"game": self.told["game"], "rules": self.told["rules"]}
        for place in (*self.turns, *(one for one in self.back if one not in self.excused)):
            self.place = f"{place}/turn.json"
            record = json.loads(data := self.files.get(self.place, b"{}"))
            fixed = {**its, "format": 1, "turn": int(place.rpartition("/")[2][:4])}
            is_one = lined({one: record.get(one) for one in fixed}) == lined(fixed)
            content = {name: value for name, value in record.items() if name != "root"}
            root = sha256(keyed(self.seed, "nonce", fixed["turn"]) + lined(content))
            found[place] = record if is_one and (record.get("root"), indented(record)) == (root, data) else {}
        return found

    def chain(self) -> None:
        """Follow the roots from the first turn to the newest, and compare each file with its turn."""
        start = self.read("turns/0000/start.json")
        is_its = {**start, **{one: self.told[one] for one in ("commitment", "rules", "seats")}} == start
        self.see(is_its, "its promise, rules or seats are not those of archive.json")
        told = dict(zip(self.turns, zip(self.told["roots"], self.told["feet"], strict=True), strict=True))
        for place, record in self.records.items():
            self.place, root = f"{place}/turn.json", record.get("root")
            if not record or told.get(place, (root,))[0] != root:
                self.see(False, "it is no record of this turn, or its root does not come out")
                return
            is_foot = place in self.back or told[place][1] == foot(record["root"], record["revision"])
            self.see(is_foot, f"the foot of turn {record['turn']} does not come out", "archive.json")
            self.of_record(place, record["turn"], record)
            self.of_turn(place, record)

    def of_record(self, place: str, number: int, record: Mapping[str, Any]) -> None:
        """Compare a record with its place, and with the turn before it."""
        is_back, older = place in self.back, f"turns/undone/{number - 1:04d}."
        times = [int(one[18:]) for one in self.back if one[13:17] == f"{number:04d}"]
        revision = int(place[18:]) - 1 if is_back else max([0, *times])
        self.see(lined(record["revision"]) == lined(revision), "it does not tell how often it was taken back")
        places = [one for one in self.back if is_back and one.startswith(older)] + self.turns[:number][-1:]
        read = [self.records[one] for one in places if one not in self.excused]
        before = [one for one in read if one.get("root") == record["previous"]]
        follows = before or (len(read) < len(places) if number else record["previous"] == "")
        self.see(follows, "it does not follow the turn before it")
        is_later = not before or before[0]["rules_version"] <= record["rules_version"]
        self.see(type(record["rules_version"]) is int, "the version of its rules is no whole number")
        self.see(is_later or "older-rules" in record["overrides"], "its rules are older than before")
        sent = {one[7:-5]: data for one, data in record["files"].items() if one.startswith("orders/")}
        taken = {**before[0]["taken"], **sent} if before else record["taken"] if number else {}
        self.see((record["submissions"], record["taken"]) == (sent, taken), "it names other orders")

    def of_turn(self, place: str, record: Mapping[str, Any]) -> None:
        """Compare the files of a turn with its record: reports as they were before the root was known."""
        below, names, steps = f"{place}/", f"{place}/names.json", {f"{place}/reports/spectator/steps.json"}
        old = f"turns/undone/{record['turn']:04d}.{record['revision']}"
        older = self.records.get(old, {"root": record["replaces"] if old in self.excused else ""})
        is_old = record["replaces"] in ("", older.get("root"))
        self.see(is_old, "it is not the turn that was replaced", f"{old}/turn.json")
        known = {**record["files"], **record["reports"]}
        for name in (name for name in (*self.files, *self.excused) if name.startswith(below)):
            self.see(name[len(below) :] in (*known, "turn.json"), "it does not belong to the turn", name)
            is_named = name.startswith(f"{below}reports/") and name in self.files.keys() - steps
            self.see(not is_named or names not in self.left_out, "it is here, names are left out", name)
        mark, sign = foot(record["root"], record["revision"]).encode(), FOOT.encode()
        for name in (name for name in known if below + name not in self.excused):
            data = self.files.get(below + name, sign)  # the sign stands in no file
            plain = data.replace(mark, sign) if name in record["reports"] else data
            is_same = FOOT[0].encode() not in data and sha256(plain) == known[name]
            self.see(is_same, "it is not the one of its turn", below + name)
            is_free = name in record["reports"] or not name.endswith(".json") or not is_same
            self.see(is_free or indented(json.loads(data)) == data, "it is not in filed JSON", below + name)

    def names(self) -> None:
        """See that each turn has the names of the turn before it, and their salt; or none has."""
        names, salt, gone = list[str](), "", any(one.endswith("/names.json") for one in self.left_out)
        for name in (f"{place}/names.json" for place in self.turns):
            now: dict[str, Any] = self.read(name) if name in self.files else {"names": [], "salt": ""}
            is_salt = now["salt"] == salt or (not salt and not gone and re.fullmatch(HEX, now["salt"]))
            is_next = is_salt and now["names"][: len(names)] == names
            self.see(is_next, "it does not go on from the names of the turn before", name)
            names, salt = now["names"], now["salt"]

    def opening(self) -> None:
        """Compare what events tell of acts, luck words, seals and the end with the records of their turns."""
        is_sealed, seals = self.read("turns/0000/start.json").get("sealed", False), self.seals
        for place in self.turns:
            record, events = self.records[place], self.read(f"{place}/events.jsonl")
            told = [("", "ModeratorActed", {"text": act}) for act in record["policy"].get("acts", ())]
            steps = {step["label"]: step["moves"] for step in record["steps"]}
            forms = {seat: steps["start"][seat] for seat in self.told["seats"] if "start" in steps}
            seals |= {seat: do["seal"] for seat, do in forms.items() if is_sealed and "seal" in do}
            self.luck |= {seat: do.get("luck", "") for seat, do in forms.items() if seat not in seals}
            told += [("start", "LuckSealed", {"luck": self.luck, "seals": seals})] if forms and seals else []
            if (label := "open" if seals else "start") in steps:
                words = {seat: steps["open"][seat]["luck"] for seat in seals}
                shut = sorted(seat for seat in words if not words[seat])
                for seat in words.keys() - shut:
                    made = json.dumps(["seal", self.told["game"], seat, words[seat]]).encode()
                    self.see(sha256(made) == seals[seat], f"{seat} has other luck words than its seal says")
                told += [(label, "SealsUnopened", {"seats": shut})] if shut else []
                self.luck |= {seat: words[seat] or seals[seat] for seat in words}
                told.append((label, "GameDealt", {"luck": self.luck}))
            wanted = [{"at": at, "event": kind, "to": "all", **more} for at, kind, more in told]
            is_so = lined([one for one in events if one["event"] in NOTICES]) == lined(wanted)
            self.see(is_so, "acts, luck words or seals are not those of the record")
            is_plain = b"".join(lined(one) + b"\n" for one in events) == self.files[self.place]
            self.see(is_plain, "it is not in canonical JSON")
        end = [{"at": "", "event": "SeedPublished", "seed": self.told["seed"], "to": "all"}]
        self.see(events[-1:] == end, "the end of the game is missing: it tells the seed")

    def dice(self) -> None:
        """Draw again all that is listed and each die that an event shows, in the steps of its turn."""
        key, first = keyed(self.seed, "luck", sorted(self.luck.items())), 0
        numbers = [*map(str, range(1, len(self.turns)))]
        listed: Any = (
            self.read("draws.json") if self.is_new else {"turns": {}, "untold": dict.fromkeys(numbers)}
        )
        known, self.untold = listed["turns"], sorted(listed["untold"], key=int)
        rows = [lined(draw) for draws in known.values() for draw in draws]
        is_so = not self.is_new or lined(listed) + b"\n" == self.files["draws.json"]
        is_each = sorted([*known, *self.untold], key=int) == numbers and len({*rows}) == len(rows)
        self.see(is_so and is_each and len(listed) == 2, "it tells not each turn and draw once")
        versions = {lined(self.records[self.turns[int(one)]]["rules_version"]) for one in known}
        self.see(len(versions) < 2, "turns of several versions of the rules cannot all be played again")
        for turn, place in enumerate(self.turns):
            played, draws, self.place = self.records[place]["steps"], known.get(str(turn)), "draws.json"
            steps, first = {one["label"]: n for n, one in enumerate(played, first)}, first + len(played)
            for step, name, n, limit, value in draws or ():
                is_its = step in steps.values() and lined(drawn(key, step, name, n, limit)) == lined(value)
                self.see(is_its, f"turn {turn}: {name} {n} of step {step} is not {value}")
            if self.told["rules"] in DIE:
                self.shown(place, steps, key, draws)

    def shown(self, place: str, steps: Mapping[str, int], key: bytes, draws: Any) -> None:
        """Compare the dice that the events of a turn show with their draws."""
        found = list[list[Any]]()
        for event in (one for one in self.read(f"{place}/events.jsonl") if "die" in one):
            sides = json.loads(self.files["turns/0000/data.json"])["die"]["sides"]
            name, step = DIE[self.told["rules"]].format(**event), steps.get(event["at"], -1)
            found.append([step, name, 0, sides, drawn(key, step, name, 0, sides)])
            text = f"a die shows {event['die']}, and {name} is {found[-1][4] + 1}"
            self.see(lined(event["die"]) == lined(found[-1][4] + 1), text)
        is_all = draws is None or sorted(one for one in draws if "/die/" in one[1]) == sorted(found)
        self.see(is_all, f"the dice of {place} are not those that its events show", "draws.json")

    def public(self) -> None:
        """Compare what was public of a game with the roots that it tells."""
        roots, feet, back = self.told["roots"], self.told["feet"], self.told.get("taken_back", {})
        for place, root in back.items():
            turn, is_one = int(place[:4]), re.fullmatch(r"\d{4}\.[1-9]\d*/" + HEX, f"{place}/{root}")
            is_back = turn and (turn >= len(roots) or feet[turn] == foot(roots[turn], 1))
            is_back = is_back and [*roots, *back.values()].count(root) == 1
            self.see(is_one and is_back, f"{place} is no turn that was taken back")
        for number, (root, told) in enumerate(zip(roots, feet, strict=True)):
            is_foot = re.fullmatch(HEX, root) and told in (foot(root, 0), foot(root, 1))
            self.see(is_foot, f"the foot of turn {number} does not come out", "archive.json")
            wanted = {one: self.told[one] for one in ("game", "rules", "commitment")}
            wanted |= {"foot": told, "seat": None, "turn": number}
            facts = self.read(f"turns/{number:04d}/report.json")
            is_its = lined({one: facts[one] for one in wanted}) == lined(wanted)
            self.see(is_its, "it is of another game or turn, or does not have the root of its turn")
            for name in (self.place[:-4] + "txt", self.place[:-4] + "html"):
                self.see(told.encode() in self.files.get(name, b""), "it does not have its root", name)

    def doubt(self) -> str:
        """Say what could not be checked, and how the host could have chosen the deal, if nothing is wrong."""
        host, opened, anew = set[str](), set[str](), 0
        for place in self.turns:
            for step in (one for one in self.records[place]["steps"] if one["label"] in ("start", "open")):
                anew += self.records[place]["revision"] if self.seals else 0
                for seat in (one for one, what in step["sources"].items() if what.startswith("order")):
                    by = host if self.is_hosts(place, seat) else opened
                    by |= {seat} if step["label"] == "open" or by is host else set()
        shut = [seat for seat, seal in self.seals.items() if self.luck[seat] == seal]
        hidden = [one for one in opened - host - {*shut} if len(self.luck[one]) >= 16]  # fewer can be guessed
        names, is_alone = ", ".join(sorted(host)), self.luck and not host and not any(self.luck.values())
        said = (
            (anew, "A turn of the opening was played anew, when words may have been known."),
            (shut, f"Seals of {', '.join(shut)} stayed shut: who knew words and seed could choose."),
            (host and not hidden, f"The host put in the luck words of {names}, and could have tried others."),
            (is_alone, "Nobody gave luck words: the host could have tried seeds before he promised one."),
            (self.excused, f"{len(self.excused)} files are left out or changed, and could not be compared."),
            (
                self.untold,
                f"The draws of turns {', '.join(self.untold)} are not listed: not all was checked.",
            ),
        )
        return " ".join(text for holds, text in said if holds)

    def is_hosts(self, place: str, seat: str) -> bool:
        """Tell whether orders are the host's own: they have no receipt, or he lodged them in his name."""
        orders = self.files.get(f"{place}/orders/{seat}.yaml", b"")
        receipt = re.search(rb"\n# pbem receipt (\d+)", orders)
        said = f"were lodged by the moderator, receipt {int(receipt[1]) if receipt else 0}."
        told = (f"orders for {seat} {said}", f" ({seat}) {said}")  # older versions named the player before
        return not receipt or any(one.endswith(told) for one in self.records[place]["policy"].get("acts", ()))

    def of_foot(self, text: str) -> str:
        """Say which turn a root from the foot of a report belongs to."""
        wanted = re.sub(r"[\s-]", "", text.partition("(")[0].lower())
        back = {place[13:]: self.records.get(place, {}).get("root", "") for place in self.back}
        standing = {place[6:]: root for place, root in zip(self.turns, self.told["roots"], strict=True)}
        for place, root in {**standing, **back, **self.told.get("taken_back", {})}.items():
            if root and wanted in (root, foot(root, 0).replace("-", "")):
                later = "" if place in standing else ", which was taken back later"
                return f"It is the root of turn {int(place[:4])}{later}."
        return ""

    def of_report(self, data: bytes) -> str:
        """Say which report a kept file is, word for word."""
        plain = data.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
        for place, record in self.records.items():
            mark = foot(record["root"], record["revision"]).encode() if record else b"none"
            hashed = sha256(plain.replace(mark, FOOT.encode()))
            for name in (name for name, value in record.get("reports", {}).items() if value == hashed):
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
            salt = keyed(self.seed, "receipt", self.told["game"], seat, int(number))
            if foot(sha256(salt + words.encode()), 0) == proof[1]:
                stamp = rb"\n# pbem receipt %s(?:,.*)?\n$" % number.encode()
                kept = (name for name in sorted(self.files) if name.endswith(f"/orders/{seat}.yaml"))
                took = next((name for name in kept if re.search(stamp, self.files[name])), "")
                return seat, number, words, took
        return "", "", "", ""

    def of_receipt(self, receipt: str) -> str:
        """Say what a receipt proves."""
        seat, number, words, took = self.sent(receipt)
        what = "sent these orders" if words else "withdrew the orders before"
        how = f"Compare what a turn took: {took}." if took else "No turn took them."
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
        archive = Archive(files_of(given.archive))
        found = archive.findings()
        asked = [] if given.foot is None else [(given.foot, archive.of_foot(given.foot))]
        asked += [(one, archive.of_report(one.read_bytes())) for one in [given.report] if one]
        asked += [(one, archive.of_receipt(one.read_text("utf-8"))) for one in [given.receipt] if one]
    except OSError as wrong:
        sys.exit(f"{wrong.filename or given.archive} cannot be read: {wrong.strerror}.")
    except (zipfile.BadZipFile, LookupError, ValueError, TypeError, AttributeError) as wrong:
        sys.exit(f"{given.archive} is damaged, or no archive: its archive.json is not right ({wrong!r}).")
    for place, text in found:
        print(f"{place}: {text}.")
    for what, answer in asked:
        print(answer or f"{what or 'a root of no signs'}: nothing in this game proves it.")
    if archive.is_whole and not found and (doubt := archive.doubt()):
        print(doubt)
    if not archive.is_whole:
        later = "seed, orders and draws are told when the game is over"
        print(f"Only what was public is here: {'its records name players' if archive.seed else later}.")
    turns, files, wrong_ones = len(archive.turns), len(archive.files), len(found) or "nothing"
    print(f"{archive.told['game']}: {turns} turns, {files} files, {wrong_ones} wrong.")
    sys.exit(1 if found or not all(answer for _, answer in asked) else 5 if archive.untold else 0)


if __name__ == "__main__":
    main()
