"""What a stranger can check: the specification, the verifier that lies in every download, and forgeries."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.archive.verifier import Archive, drawn, foot, indented, keyed, lined, sha256, short
from pbem.archive.verifying import receipt_in, verify_file
from pbem.cli import run_command
from pbem.core.dice import Dice, commitment
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.host.batch import run
from pbem.play.chain import foot as foot_of
from pbem.play.chain import receipt_proof, root_of
from pbem.play.home import Home
from pbem.play.receipts import Receipt
from pbem.play.running import submit
from pbem.play.saved import SavedGame
from pbem.play.templates import mail_templates
from pbem.store.errors import WrongInput
from pbem.text.codec import dumps
from tests.edge.test_archive_finished import TABLE, play_out
from tests.homes import NOW, a_game, a_home, orders_text, top

DOCUMENT = (Path(__file__).parents[2] / "docs" / "proof.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
LUCK = {Seat("red"): "a bucket of moonlight", Seat("white"): "søvn"}
KEY = keyed(SEED, "luck", sorted(LUCK.items()))
RECORD: dict[str, Json] = {
    "turn": 3,
    "previous": "ab",
    "at": "2026-11-21T20:00:00+00:00",
    "root": "left out",
    "word": "søvn",
}
ROOT = sha256(keyed(SEED, "nonce", 3) + lined({name: one for name, one in RECORD.items() if name != "root"}))
ORDERS = "- at: red-7\n  do: {play: N1}"
SALT = keyed(SEED, "receipt", "rose-1", "red", 4)


def shuffled(things: str, name: str) -> str:
    """Shuffle as the document says."""
    deck = list(things)
    for place in range(len(deck) - 1, 0, -1):
        other = drawn(KEY, 0, name, place, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return " ".join(deck)


PLAIN = lined({name: one for name, one in RECORD.items() if name != "root"}).decode()

VECTORS = {
    "the promise of the seed": (sha256(SEED), commitment(SEED)),
    "the key of the game": (KEY.hex(), Dice(SEED, 0).with_luck(LUCK).key.hex()),
    "draw 0 of `deal` in step 0, below 6": (
        str(drawn(KEY, 0, "deal", 0, 6)),
        str(Dice(KEY, 0).below(6, "deal")),
    ),
    "draw 2 of `2/die/red` in step 7, below 20": (
        str(drawn(KEY, 7, "2/die/red", 2, 20)),
        str(Dice(KEY, 7).below(20, "2/die/red", 2)),
    ),
    "draw 0 of `large` in step 1, below 2^255 + 1": (
        str(drawn(KEY, 1, "large", 0, 2**255 + 1)),
        str(Dice(KEY, 1).below(2**255 + 1, "large")),
    ),
    "a, b, c, d shuffled as `deck` in step 0": (
        shuffled("abcd", "deck"),
        " ".join(Dice(KEY, 0).shuffled("abcd", "deck")),
    ),
    "the nonce of turn 3": (keyed(SEED, "nonce", 3).hex(), None),
    "the root of turn 3": (ROOT, root_of(RECORD, SEED)),
    "the root in the foot": (short(ROOT), foot_of(ROOT, 0)),
    "in the foot of a corrected turn": (foot(ROOT, 2), foot_of(ROOT, 2)),
    "the salt of receipt 4 of red in rose-1": (SALT.hex(), None),
    "the proof of its orders": (
        short(sha256(SALT + ORDERS.encode())),
        receipt_proof(SEED, "rose-1", "red", 4, ORDERS),
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_document_has_what_the_verifier_and_the_program_reckon(name: str) -> None:
    by_verifier, by_program = VECTORS[name]

    assert by_program in (by_verifier, None)
    assert f"| {name} | `{by_verifier}` |" in DOCUMENT


def test_the_document_has_the_inputs_of_its_examples() -> None:
    lines = "\n".join(f"    {one}" for one in ORDERS.splitlines())
    for said in (SEED.hex(), json.dumps(sorted(LUCK.items())), lines, PLAIN):
        assert said in DOCUMENT
    assert re.findall(r"^\| ([^|]+) \| `.*` \|$", DOCUMENT, re.MULTILINE) == list(VECTORS)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    found = a_home(tmp_path_factory.mktemp("proof"))
    play_out(found)
    (top(found) / "home.yaml").write_text("archive: {names: true, press: all}\n", encoding="utf-8")
    write_archive(found, top(found) / "out")
    return found


@pytest.fixture
def packed(home: Home) -> Path:
    return top(home) / "out" / "web-1" / "web-1.zip"


def files_in(packed: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(packed) as found:
        return {name.partition("/")[2]: found.read(name) for name in found.namelist()}


def stored(files: Mapping[str, bytes], place: Path) -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_STORED) as made:
        for name, data in files.items():
            made.writestr(f"web-1/{name}", data)
    return place


def alone(*arguments: object, script: Path) -> subprocess.CompletedProcess[str]:
    """Run the verifier without site-packages, so that it has nothing but Python."""
    command = [sys.executable, "-I", "-S", script, *arguments]
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


@pytest.fixture
def script(packed: Path, tmp_path: Path) -> Path:
    place = tmp_path / "verify.py"
    place.write_bytes(files_in(packed)["verify.py"])
    return place


def test_the_verifier_in_a_download_runs_on_python_alone(packed: Path, script: Path, tmp_path: Path) -> None:
    found = alone(packed, script=script)
    assert (found.returncode, found.stderr) == (0, "")
    luck, sums = found.stdout.splitlines()
    assert luck == "The host put in the luck words of 1, 2, and could have tried others."
    assert re.fullmatch(r"web-1: 3 turns, \d+ files, nothing wrong\.", sums)

    with zipfile.ZipFile(packed) as whole:
        whole.extractall(tmp_path / "unpacked")
    here = alone(script=tmp_path / "unpacked" / "web-1" / "verify.py")
    assert here.stdout == found.stdout, "without a file it looks at its own folder"


def test_the_roots_of_kept_reports_are_found(home: Home, packed: Path, script: Path) -> None:
    root = str(SavedGame(home, "web-1").record["root"])

    assert "It is the root of turn 2." in alone(packed, "--foot", short(root), script=script).stdout
    none = alone(packed, "--foot", "aaaa-bbbb-cccc-dddd", script=script)
    assert (none.returncode, "nothing in this game proves it" in none.stdout) == (1, True)


def test_each_draw_of_the_game_is_there_as_data(home: Home, packed: Path) -> None:
    draws = json.loads(files_in(packed)["draws.json"])

    assert draws["untold"] == {}
    assert set(draws["turns"]) == {"1", "2"}
    assert len(draws["turns"]["1"]) > 20, "the deal"
    assert any(name.endswith("/die/1") for _, name, *_ in draws["turns"]["2"])


@pytest.fixture(scope="module")
def receipts(home: Home) -> tuple[str, str]:
    """Return receipts of a game that was played to its end since: as printed, and as mailed."""
    saved = a_game(home, "web-2", rules="web-of-intrigue", table=TABLE, options={"turns": 1})
    assert isinstance(saved.ask, Ask)
    for seat in saved.start.seats:
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
        place = top(home) / f"{seat}.yaml"
        place.write_text(orders_text("web-2", seat, [{"at": "turn-1", "do": do}]), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        run_command(["submit", str(top(home) / "1.yaml"), "--home", str(top(home))])
    receipt = submit(home, top(home) / "2.yaml")
    assert isinstance(receipt, Receipt)
    facts = {name: getattr(receipt, name) for name in ("number", "orders", "forecast", "replaced", "proof")}
    more = {
        "withdraws": False,
        "taken": False,
        "due": "",
        "state": "",
        "origin": "the mail",
        "notes": [],
        "dropped": [],
        "game": "web-2",
    }
    mailed = mail_templates(home.templates).get_template("mail/receipt.txt.j2").render(**facts, **more)
    run(home, "web-2", now=NOW)
    write_archive(home, top(home) / "out")
    return printed.getvalue(), mailed.replace("\n", "\r\n")


@pytest.mark.parametrize(("which", "seat"), [(0, "1"), (1, "2")], ids=["printed", "mailed"])
def test_a_receipt_that_was_kept_is_proven_and_a_forged_one_is_not(
    home: Home, script: Path, tmp_path: Path, receipts: tuple[str, str], which: int, seat: str
) -> None:
    packed, kept = top(home) / "out" / "web-2" / "web-2.zip", tmp_path / "receipt.txt"
    text, said = receipts[which], f"{seat} sent these orders with receipt 1, word for word."

    for written, proven in ((text, True), (text.replace("points: ", "points: 1", 1), False)):
        kept.write_text(written, encoding="utf-8", newline="")
        told = alone(packed, "--receipt", kept, script=script)
        assert (told.returncode == 0, said in told.stdout) == (proven, proven), written
        assert (receipt_in(packed, written) == said) is proven
    assert receipt_in(packed, "Dear host, I sent orders.") == ""


def forged(
    files: dict[str, bytes], name: str, change: Callable[[bytes], bytes], turn: int = 2
) -> dict[str, bytes]:
    """Change a file as a host could who has the seed: hashes, roots and feet fit again."""
    told = json.loads(files["archive.json"])
    seed, before = bytes.fromhex(told["seed"]), ""
    made = {**files, name: change(files[name])}
    assert made[name] != files[name], "the forgery changes something"
    for number in range(len(told["roots"])):
        place = f"turns/{number:04d}/"
        record = json.loads(made[f"{place}turn.json"])
        old = record.pop("root")
        record["previous"] = before
        for one in (*record["files"], *record["reports"]):
            data = made.get(place + one, b"")
            mark = foot(old, record["revision"]).encode()
            if place + one == name and one in record["files"]:
                record["files"][one] = sha256(data)
            elif place + one == name:
                record["reports"][one] = sha256(data.replace(mark, ("\ue000" * 19).encode()))
        before = root_of(record, seed)
        for one in record["reports"]:
            if place + one in made:
                new = foot(before, record["revision"]).encode()
                made[place + one] = made[place + one].replace(foot(old, record["revision"]).encode(), new)
        made[f"{place}turn.json"] = indented({**record, "root": before})
        told["roots"][number], told["feet"][number] = before, foot(before, record["revision"])
    told["files"] = {one: sha256(data) for one, data in sorted(made.items()) if one != "archive.json"}
    told.pop("itself")
    told["itself"] = hashlib.sha256(dumps(told).encode()).hexdigest()
    return {**made, "archive.json": indented(told)}


def _other_die(data: bytes) -> bytes:
    return re.sub(rb'"die":(\d+)', lambda found: b'"die":%d' % (int(found[1]) % 20 + 1), data, count=1)


def _lost_event(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-3])


def _other_order(data: bytes) -> bytes:
    return data.replace(b"points: ", b"points: 1", 1)


def _other_word(data: bytes) -> bytes:
    return data.replace(b"Player 1", b"Player I", 1)


@pytest.mark.parametrize(
    ("name", "change", "alone_finds"),
    [
        ("turns/0002/events.jsonl", _other_die, "events.jsonl: a die shows"),
        ("turns/0002/events.jsonl", _lost_event, ""),
        ("turns/0002/orders/1.yaml", _other_order, ""),
        ("turns/0002/reports/1/report.txt", _other_word, ""),
    ],
    ids=["a die", "an event", "an order", "a report"],
)
def test_what_a_host_with_the_seed_forges_is_found(
    home: Home, packed: Path, tmp_path: Path, name: str, change: Callable[[bytes], bytes], alone_finds: str
) -> None:
    """By playing again, where it changes the game; by the root in a report that a player kept in any case."""
    kept = short(str(SavedGame(home, "web-1").record["root"]))
    files = forged(files_in(packed), name, change)
    place = stored(files, tmp_path / "forged.zip")

    archive = Archive(files)
    found = archive.findings()
    _, by_program = verify_file(place, kept)

    assert archive.of_foot(kept) == ""
    assert by_program.foot == ""
    assert any("no turn of this game has the root" in one.text for one in by_program.findings)
    assert alone_finds in "".join(f"{where}: {text}" for where, text in found)
    if "report" not in name:
        assert any(one.place.startswith("turns/0002") for one in by_program.findings), by_program


def test_a_draw_that_is_listed_falsely_is_found_by_both(packed: Path, tmp_path: Path) -> None:
    files = files_in(packed)
    draws = json.loads(files["draws.json"])
    draws["turns"]["2"][0][4] ^= 1
    told = json.loads(files["archive.json"])
    told["files"]["draws.json"] = sha256(lined(draws))
    told.pop("itself")
    told["itself"] = sha256(indented(told))
    forged_files = {**files, "draws.json": lined(draws), "archive.json": indented(told)}

    _, by_program = verify_file(stored(forged_files, tmp_path / "forged.zip"))

    assert [place for place, _ in Archive(forged_files).findings()] == ["draws.json"]
    assert [one.place for one in by_program.findings] == ["draws.json"]


def _tamper(packed: Path, tmp_path: Path, times: int) -> None:
    files, chance = files_in(packed), random.Random(7)
    places = [(name, chance.randrange(len(data))) for name, data in files.items() if data]
    weights = [len(data) for data in files.values() if data]
    while len(places) < times:
        name = chance.choices([*files], [len(data) for data in files.values()])[0]
        places.append((name, chance.randrange(len(files[name]))))
    assert sum(weights) > 0
    for number, (name, place) in enumerate(places[:times]):
        data = bytearray(files[name])
        data[place] ^= 1 << chance.randrange(8)
        spoilt = {**files, name: bytes(data)}
        try:
            by_alone = {one for one, _ in Archive(spoilt).findings()}
        except (ValueError, KeyError, TypeError, AttributeError):
            by_alone = {"archive.json"}
        try:
            _, found = verify_file(stored(spoilt, tmp_path / "spoilt.zip"))
            by_program = {one.place for one in found.findings}
        except WrongInput as wrong:
            by_program = {"archive.json"} if "archive" in str(wrong) else set()
        assert name in by_alone, (number, name, place)
        assert name in by_program, (number, name, place)


def test_a_changed_byte_is_found_by_both_in_its_file(packed: Path, tmp_path: Path) -> None:
    _tamper(packed, tmp_path, 150)


@pytest.mark.worlds
def test_five_thousand_changed_bytes_are_found_by_both(packed: Path, tmp_path: Path) -> None:
    _tamper(packed, tmp_path, 5000)
