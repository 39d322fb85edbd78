"""Verify a game from an archive, with Python alone.

    python verify.py [GAME.zip] [--foot ROOT] [--report FILE] [--receipt FILE]

It needs Python 3.11 or later and nothing else, asks nobody, and is short so that you can read it. What can
be proven, and how, is a page of pbem's documents. Without a file it looks at the folder in which it lies.

It shows whether anything was changed after it was told, and that the dice were what seed and luck words made
them. That orders lead to these turns by the rules only `pbem verify` shows, which plays them again. Who
doubts the host takes this file from somebody else.
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
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

FOOT = "\ue000" * 19  # stood in a report in place of its root when it was hashed
BACK = r"turns/undone/\d{4}\.\d+"  # where a turn lies that was taken back: its number, and which time it was
TURN = rf"({BACK}|turns/\d{{4}})"
LEFT_OUT = re.compile(rf"{BACK}|{TURN}/(names\.json|reports/.+)")  # what may be left out
CHANGED = re.compile(rf"{TURN}/(events\.jsonl|(orders|press)/.+)")  # what may lack something
WHOLE = re.compile(rf"draws\.json|verify\.py|{TURN}/.+")
PUBLIC = re.compile(r"turns/\d{4}/(report\.(txt|html|json)|steps\.json|[a-z0-9_-]+\.svg)")
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


def short(root: str) -> str:
    """Return the 80 bits of a root that stand in the foot of a report."""
    text = base64.b32encode(bytes.fromhex(root))[:16].decode().lower()
    return "-".join(text[n : n + 4] for n in range(0, 16, 4))


def foot(root: str, revision: int) -> str:
    """Return what stands in the foot of a report: the short root, and whether the turn was played anew."""
    return f"{short(root)} (corrected; earlier ones void)" if revision else short(root)


def drawn(key: bytes, step: int, name: str, number: int, limit: int) -> int:
    """Return a draw from 0 to limit - 1: of the first value that is not too high to be fair, the rest."""
    if not 1 <= limit <= 2**256:
        return -1  # nothing is drawn so
    fair, attempt = 2**256 - 2**256 % limit, 0
    while True:
        value = int.from_bytes(keyed(key, "draw", step, name, number, attempt), "big")
        if value < fair:
            return value % limit
        attempt += 1


def files_of(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by name: of a zip without its one folder, or of a folder."""
    if path.is_dir():
        found = (one for one in path.rglob("*") if one.is_file())
        return {one.relative_to(path).as_posix(): one.read_bytes() for one in found}
    with zipfile.ZipFile(path) as packed:
        return {one.partition("/")[2]: packed.read(one) for one in packed.namelist()}


class Archive:
    """An archive that was read; what is wrong comes as pairs of a file and words."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.told = json.loads(files["archive.json"])
        is_seed = re.fullmatch("[0-9a-f]{64}", self.told["seed"])
        self.seed = bytes.fromhex(self.told["seed"]) if is_seed else b""
        self.left_out, self.changed = self.told.get("left_out", {}), self.told.get("changed", {})
        self.excused = {*filter(LEFT_OUT.fullmatch, self.left_out), *filter(CHANGED.fullmatch, self.changed)}
        back = (re.match(BACK, name) for name in (*files, *self.left_out))
        self.back = sorted({found[0] for found in back if found})  # turns that were taken back, here or not

    def findings(self) -> list[tuple[str, str]]:
        """Return all that is wrong."""
        whole, found = self.told["kind"] == "whole", [*self.listed()]
        for part in (self.chain, self.names, self.seals, self.dice, self.end) if whole else (self.public,):
            found += [] if found else [*part()]
        return found

    def listed(self) -> Iterator[tuple[str, str]]:
        """Compare the files with the list of them, and the list with its own SHA-256."""
        anew = sha256(indented({name: value for name, value in self.told.items() if name != "itself"}))
        is_old = self.told["format"] < 2 and "itself" not in self.told
        written = (self.told.get("itself"), indented(self.told))
        if not is_old and written != (anew, self.files["archive.json"]):
            yield "archive.json", "it was changed"
            return
        own = WHOLE if self.told["kind"] == "whole" else PUBLIC
        for name in sorted(self.told["files"].keys() | self.files.keys() - {"archive.json"}):
            if name not in self.files:
                yield name, "it is missing"
            elif name not in self.told["files"] or not own.fullmatch(name):
                yield name, "it does not belong to the archive"
            elif self.told["files"][name] != sha256(self.files[name]):
                yield name, "it was changed"
        here = {*self.files, *("/".join(name.split("/")[:3]) for name in self.files)}
        for name in (*self.left_out, *self.changed):
            if name not in self.excused or (name in here) is not (name in self.changed):
                yield name, "it must not be left out or changed, or is not"

    def chain(self) -> Iterator[tuple[str, str]]:
        """Follow the roots from the first turn to the newest, and compare each file with its turn."""
        if sha256(self.seed) != self.told["commitment"] or self.told.get("over") is False:
            yield "archive.json", "its seed is not the one that was promised, or the game is not over"
        start = json.loads(self.files["turns/0000/start.json"])
        if any(start[field] != self.told[field] for field in ("commitment", "rules", "seats")):
            yield "turns/0000/start.json", "its promise, rules or seats are not those of archive.json"
        for place, number, record in self.turns():
            stands = place == f"turns/{number:04d}"
            if not record or (stands and record["root"] != self.told["roots"][number]):
                yield f"{place}/turn.json", "its root does not come out"
                return
            if stands and foot(record["root"], record["revision"]) != self.told["feet"][number]:
                yield "archive.json", f"the foot of turn {number} does not come out"
            yield from ((f"{place}/turn.json", text) for text in self.of_record(place, number, record))
            yield from self.of_turn(place, record)

    def of_record(self, place: str, number: int, record: Mapping[str, Any]) -> Iterator[str]:
        """Compare a record with its place, and with the turn before it."""
        if record != {**record, "game": self.told["game"], "rules": self.told["rules"], "turn": number}:
            yield "it is of another game or turn"
        times = {back: int(back[18:]) for back in self.back if back[13:17] == f"{number:04d}"}
        older = [one for one in self.back if place in times and one[13:17] == f"{number - 1:04d}"]
        before = {json.loads(self.files.get(f"{one}/turn.json", b"{}")).get("root") for one in older}
        before.update(["", *self.told["roots"]][number : number + 1])
        if before.isdisjoint([record["previous"], None]):  # None: one that is left out
            yield "it does not follow the turn before it"
        if record["revision"] != times.get(place, 1 + max(record["revision"], *times.values(), 0)) - 1:
            yield "it does not tell how often it was taken back"

    def record(self, place: str, number: int) -> dict[str, Any]:
        """Return the record of a turn; nothing if its root does not come out."""
        written = self.files.get(f"{place}/turn.json", b"{}")
        record: dict[str, Any] = json.loads(written)
        content = {name: value for name, value in record.items() if name != "root"}
        root = sha256(keyed(self.seed, "nonce", number) + lined(content))
        return record if (record.get("root"), indented(record)) == (root, written) else {}

    def turns(self) -> Iterator[tuple[str, int, dict[str, Any]]]:
        """Tell where each turn lies, its number and its record; those that were taken back come last."""
        back = (place for place in self.back if place not in self.excused)
        for place in (*(f"turns/{number:04d}" for number in range(len(self.told["roots"]))), *back):
            number = int(re.sub(r"\D*(\d{4}).*", r"\1", place))
            yield place, number, self.record(place, number)

    def of_turn(self, place: str, record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Compare the files of a turn with its record: reports as they were before the root was known."""
        below, names, steps = f"{place}/", f"{place}/names.json", {f"{place}/reports/spectator/steps.json"}
        old = f"turns/undone/{record['turn']:04d}.{record['revision']}"
        replaced = "" if old in self.excused else record["replaces"]  # also "" where it was damaged
        if replaced not in ("", self.record(old, record["turn"]).get("root")):
            yield f"{old}/turn.json", "it is not the turn that was replaced"
        known = {**record["files"], **record["reports"]}
        for name in (name for name in (*self.files, *self.excused) if name.startswith(below)):
            if name.removeprefix(below) not in (*known, "turn.json"):
                yield name, "it does not belong to the turn"
            elif names in self.left_out and f"{below}reports/" in name and name in self.files.keys() - steps:
                yield name, "it is here, and the names are left out"
        mark = foot(record["root"], record["revision"]).encode()
        for name in (name for name in known if below + name not in self.excused):
            data = self.files.get(below + name)
            if data is not None and name in record["reports"]:
                data = b"" if FOOT[0].encode() in data else data.replace(mark, FOOT.encode())
            if data is None or sha256(data) != known[name]:
                yield below + name, "it is not the one of its turn"

    def names(self) -> Iterator[tuple[str, str]]:
        """See that each turn has the names of the turn before it, and their salt; or none has."""
        files = [self.files.get(f"turns/{n:04d}/names.json", b"{}") for n in range(len(self.told["roots"]))]
        read = [{"names": [], "salt": "", **json.loads(one)} for one in files]
        for number, (one, two) in enumerate(pairwise(read), 1):
            if two["names"][: len(one["names"])] != one["names"] or one["salt"] not in ("", two["salt"]):
                yield f"turns/{number:04d}/names.json", "it does not go on from the names of the turn before"

    def events(self, number: int) -> list[dict[str, Any]]:
        """Return the events of a turn."""
        return [json.loads(one) for one in self.files[f"turns/{number:04d}/events.jsonl"].splitlines()]

    def dice(self) -> Iterator[tuple[str, str]]:
        """Draw again all that is listed and each die that an event shows, in the steps of its turn."""
        turns = range(len(self.told["roots"]))
        luck = [e["luck"] for turn in turns for e in self.events(turn) if e["event"] == "GameDealt"] or [{}]
        key, first = keyed(self.seed, "luck", sorted(luck[0].items())), 0
        listed = json.loads(self.files.get("draws.json", b"{}"))
        told = sorted([*listed.get("turns", ()), *listed.get("untold", ())], key=int)
        if listed and (told != [*map(str, turns[1:])] or lined(listed) + b"\n" != self.files["draws.json"]):
            yield "draws.json", "it does not tell each turn once, in canonical JSON"
        for turn in turns:
            played = json.loads(self.files[f"turns/{turn:04d}/turn.json"])["steps"]
            steps, first = {one["label"]: n for n, one in enumerate(played, first)}, first + len(played)
            draws = listed.get("turns", {}).get(str(turn))
            for step, name, number, limit, value in draws or ():
                if step not in steps.values() or lined(drawn(key, step, name, number, limit)) != lined(value):
                    yield "draws.json", f"turn {turn}: {name} {number} of step {step} is not {value}"
            yield from self.shown(turn, steps, key, draws)

    def shown(self, turn: int, steps: Mapping[str, int], key: bytes, draws: Any) -> Iterator[tuple[str, str]]:
        """Compare the dice that the events of a turn show with their draws."""
        place, rules, found = f"turns/{turn:04d}/events.jsonl", self.told["rules"], []
        events = [event for event in self.events(turn) if "die" in event]
        for event in events if rules in DIE else ():
            sides = json.loads(self.files["turns/0000/data.json"])["die"]["sides"]
            name, step = DIE[rules].format(**event), steps.get(event["at"], -1)
            value = drawn(key, step, name, 0, sides)
            found.append([step, name, 0, sides, value])
            if lined(event["die"]) != lined(value + 1):
                yield place, f"a die shows {event['die']}, and {name} is {value + 1}"
        told = [draw for draw in draws or () if "/die/" in draw[1]]
        if rules in DIE and draws is not None and sorted(told) != sorted(found):
            yield "draws.json", f"the dice of turn {turn} are not those that its events show"
        if rules not in DIE and draws is not None:  # which draw is whose only the rules know
            more = Counter(event["die"] for event in events) - Counter(draw[4] + 1 for draw in draws)
            yield from ((place, f"a die shows {die} more often than it was drawn") for die in more)

    def end(self) -> Iterator[tuple[str, str]]:
        """See whether the last event tells the seed: if it does not, the end was cut off."""
        last = len(self.told["roots"]) - 1
        if (self.events(last) or [{}])[-1].get("seed") != self.seed.hex():
            yield f"turns/{last:04d}/events.jsonl", "the end of the game is missing: it tells the seed"

    def seals(self) -> Iterator[tuple[str, str]]:
        """Compare the words in the deal with what was told of them before: a seal, or the words."""
        told, seals, shut = dict[str, str](), dict[str, str](), list[str]()
        for number in range(len(self.told["roots"])):
            events = {event["event"]: event for event in self.events(number)}
            luck = events.get("GameDealt", {"luck": {}})["luck"]
            shut = events.get("SealsUnopened", {"seats": []})["seats"]
            for seat in told.keys() & luck.keys():
                sealed = seat in seals and seat not in shut
                made = json.dumps(["seal", self.told["game"], seat, luck[seat]]).encode()
                if told[seat] != (sha256(made) if sealed else luck[seat]):
                    yield f"turns/{number:04d}/events.jsonl", f"the luck words of {seat} do not fit its seal"
            if "LuckSealed" in events:
                seals = events["LuckSealed"]["seals"]
                told = {**events["LuckSealed"]["luck"], **seals}

    def doubt(self) -> str:
        """Say how whoever ran the game could have chosen the deal."""
        luck, seals, host, opened, anew = dict[str, str](), dict[str, str](), set[str](), set[str](), 0
        for number in range(1, len(self.told["roots"])):
            record = json.loads(self.files[f"turns/{number:04d}/turn.json"])
            for step in (one for one in record["steps"] if one["label"] in ("start", "open")):
                anew += record["revision"]
                for seat, do in sorted(step["moves"].items()):
                    luck[seat] = do.get("luck", "")
                    seals[seat] = do.get("seal", seals.get(seat, ""))
                    if step["sources"][seat].startswith("order"):
                        by = host if self.is_hosts(number, seat, record) else opened
                        by |= {seat} if step["label"] == "open" or by is host else set()
        shut = [seat for seat, seal in seals.items() if seal and not luck[seat]]
        hidden = [seat for seat in opened - host if len(luck[seat]) >= 16]  # fewer signs can be guessed
        said = []
        if anew and any(seals.values()):
            said.append("A turn of the opening was played anew, when words may have been known.")
        if shut:
            said.append(f"Seals of {', '.join(shut)} stayed shut: who knew words and seed could choose.")
        if host and not hidden:
            names = ", ".join(sorted(host))
            said.append(f"The host put in the luck words of {names}, and could have tried others.")
        elif luck and not hidden and not any([*luck.values(), *seals.values()]):
            said.append("Nobody gave luck words: the host could have tried seeds before he promised one.")
        return " ".join(said)

    def is_hosts(self, number: int, seat: str, record: Mapping[str, Any]) -> bool:
        """Tell whether orders are the host's own: they have no receipt, or he lodged them in his name."""
        sent = self.files.get(f"turns/{number:04d}/orders/{seat}.yaml", b"")
        receipt = re.search(rb"\n# pbem receipt (\d+)", sent)
        said = f"were lodged by the moderator, receipt {int(receipt[1]) if receipt else 0}."
        told = (f"orders for {seat} {said}", f" ({seat}) {said}")  # older versions named the player before
        return not receipt or any(one.endswith(told) for one in record["policy"].get("acts", ()))

    def public(self) -> Iterator[tuple[str, str]]:
        """Compare what was public of a game with the roots that it tells, and the seed with its promise."""
        if self.told["seed"] and sha256(self.seed) != self.told["commitment"]:
            yield "archive.json", "its seed is not the one that was promised"
        for number, (root, told) in enumerate(zip(self.told["roots"], self.told["feet"], strict=True)):
            place = f"turns/{number:04d}/report."
            held = {name: told.encode() in self.files.get(place + name, b"") for name in ("txt", "html")}
            held["json"] = json.loads(self.files.get(place + "json", b"{}")).get("foot") == told
            for name in (name for name in held if not held[name] or not told.startswith(short(root))):
                yield place + name, "it does not have the root of its turn"

    def of_foot(self, text: str) -> str:
        """Say which turn a root from the foot of a report belongs to."""
        wanted = re.sub(r"[\s-]", "", text.partition("(")[0].lower())
        known = [
            (number, record.get("root", ""), place in self.back) for place, number, record in self.turns()
        ]
        known += [(number, root, False) for number, root in enumerate(self.told["roots"])]
        known += [(int(place[:4]), root, True) for place, root in self.told.get("taken_back", {}).items()]
        for number, root, is_back in known:
            if root and wanted in (root, short(root).replace("-", "")):
                return f"It is the root of turn {number}{', which was taken back later' if is_back else ''}."
        return ""

    def of_report(self, data: bytes) -> str:
        """Say which report a kept file is, word for word."""
        plain = data.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
        for place, _, record in self.turns():
            mark = foot(record["root"], record["revision"]).encode() if record else b"none"
            hashed = sha256(plain.replace(mark, FOOT.encode()))
            for name in (name for name, value in record.get("reports", {}).items() if value == hashed):
                return f"It is {place}/{name}, word for word."
        return ""

    def of_receipt(self, text: str) -> str:
        """Say what a receipt proves, mailed or printed, by its number, its proof and its lines."""
        numbers = dict.fromkeys(re.findall(r"receipt\s+(\d{1,9})\.", text))  # names of files may hold others
        proof = re.search(r"Proof of what you sent:\s*([a-z2-7]{4}(?:-[a-z2-7]{4}){3})", text) or [""] * 2
        title = "(?im)^(?:these lines will run|this is lodged|this goes out).*\n"
        lines = re.search(title + r"((?:[ \t]+.*\n?)+)", text.replace("\r\n", "\n"))
        block = lines[1].splitlines() if lines else ()
        words = "\n".join(re.sub(r"^(    \| ?|    )", "", one) for one in block)
        for seat, number in ((seat, one) for seat in self.told["seats"] for one in numbers):
            salt = keyed(self.seed, "receipt", self.told["game"], seat, int(number))
            if short(sha256(salt + words.encode())) == proof[1]:
                what = "sent these orders" if words else "withdrew the orders before"
                stamp = rb"\n# pbem receipt %s(?:,.*)?\n$" % number.encode()
                of_seat = [name for name in sorted(self.files) if name.endswith(f"/orders/{seat}.yaml")]
                took = next((name for name in of_seat if re.search(stamp, self.files[name])), "")
                found = f"{seat} {what} with receipt {number}, word for word."
                return f"{found} A turn took them: {took}." if took else f"{found} No turn took them."
        return ""


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
        asked = [(given.foot, archive.of_foot(given.foot))] if given.foot is not None else []
        if given.report:
            asked.append((given.report, archive.of_report(given.report.read_bytes())))
        if given.receipt:
            asked.append((given.receipt, archive.of_receipt(given.receipt.read_text(encoding="utf-8"))))
    except OSError as wrong:
        sys.exit(f"{wrong.filename or given.archive} cannot be read: {wrong.strerror}.")
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError) as wrong:
        sys.exit(f"{given.archive} is damaged, or no archive of a game ({type(wrong).__name__}: {wrong}).")
    for place, text in found:
        print(f"{place}: {text}.")
    for what, answer in asked:
        print(answer or f"{what or 'a root of no signs'}: nothing in this game proves it.")
    if archive.told["kind"] == "whole" and not found and (doubt := archive.doubt()):
        print(doubt)
    if archive.told["kind"] != "whole":
        later = "seed, orders and draws are told when the game is over"
        print(f"Only what was public is here: {'its records name players' if archive.seed else later}.")
    turns, files = len(archive.told["roots"]), len(archive.files)
    print(f"{archive.told['game']}: {turns} turns, {files} files, {len(found) or 'nothing'} wrong.")
    sys.exit(bool(found) or not all(answer for _, answer in asked))


if __name__ == "__main__":
    main()
