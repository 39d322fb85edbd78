"""What a stranger can check: the specification, the verifier that lies in every download, and forgeries."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import pkgutil
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.finished import Draw, WatchedDice, unique_draws
from pbem.archive.site import write_archive
from pbem.archive.verification import explain_archived_receipt, verify_file
from pbem.archive.verifier import (
    DIE,
    FOOT,
    Archive,
    compact_json,
    draw_number,
    hmac_sha256,
    indented_json,
    report_foot,
    sha256,
)
from pbem.cli import run_command
from pbem.core.dice import Dice, commitment
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Json
from pbem.core.opening import seal_of
from pbem.host.run.batch import run
from pbem.play.config import registry
from pbem.play.config.templates import mail_templates
from pbem.play.homes.home import Home
from pbem.play.homes.players import NumberedPlayers
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import foot as foot_of
from pbem.play.homes.saves import receipt_proof, root_of, short_root, without_foot
from pbem.play.submissions.receipts import Receipt
from pbem.store.errors import WrongInput
from pbem.text.codec import apply_changes, dumps_line
from pbem.text.strictyaml import dump
from tests.docs.forging import Files, download_of, forged, found_by, packed_anew, stored
from tests.edge.test_archive_finished import TABLE, play_out
from tests.facts import tells
from tests.homes import (
    NOW,
    TWO,
    a_game,
    a_home,
    files_in,
    first_choice,
    game_folder,
    orders_path,
    orders_text,
    send,
    submit,
    top,
    undo,
)

DOCUMENT = (Path(__file__).parents[2] / "docs" / "proof.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
LUCK = {Seat("red"): "a bucket of moonlight", Seat("white"): "søvn"}
KEY = hmac_sha256(SEED, "luck", sorted(LUCK.items()))
RECORD: dict[str, Json] = {
    "turn": 3,
    "previous": "ab",
    "at": "2026-11-21T20:00:00+00:00",
    "root": "left out",
    "word": "søvn",
}
ROOT = sha256(
    hmac_sha256(SEED, "nonce", 3)
    + compact_json({name: one for name, one in RECORD.items() if name != "root"})
)
ORDERS = "- at: red-7\n  do: {play: N1}"
SALT = hmac_sha256(SEED, "receipt", "rose-1", "red", 4)


def shuffled(things: str, name: str) -> str:
    """Shuffle as the document says."""
    deck = list(things)
    for place in range(len(deck) - 1, 0, -1):
        other = draw_number(KEY, 0, name, place, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return " ".join(deck)


PLAIN = compact_json({name: one for name, one in RECORD.items() if name != "root"}).decode()

SIGNS = 'a"\nø\U0001f3b2'
KEPT = "ftcx-5rxa-2wgz-h33h-g3ov-5cew-abrc-wlm2"
OWN = "søvn, og mere søvn"


def sealed(words: str) -> tuple[str, str]:
    """Return a seal as the document says, and as the program makes it."""
    return sha256(json.dumps(["seal", "rose-1", "red", words]).encode()), seal_of("rose-1", "red", words)


def listed_of_a_shuffle() -> str:
    """Return what the program lists of the shuffle in the examples."""
    noted: list[Draw] = []
    WatchedDice(KEY, 0, noted).shuffled("abcd", "deck")
    return dumps_line([[one.step, one.label, one.n, one.limit, one.value] for one in unique_draws(noted)])


OLD = '{"a":[1,2],"b":3}'
CHANGES = '[[["a",1]],[["b"],4],[["c"],5]]'

VECTORS = {
    'a, `"`, a line feed, ø and U+1F3B2 in ASCII JSON': (json.dumps(SIGNS), None),
    "the same in canonical JSON": (compact_json(SIGNS).decode(), dumps_line(SIGNS)),
    f"`{OLD}` changed by `{CHANGES}`": (
        '{"a":[1],"b":4,"c":5}',
        dumps_line(apply_changes(json.loads(OLD), json.loads(CHANGES))),
    ),
    "the promise of the seed": (sha256(SEED), commitment(SEED)),
    f"the seal of `{KEPT}` of red in rose-1": sealed(KEPT),
    f"the seal of `{OWN}` of red in rose-1": sealed(OWN),
    "the key of the game": (KEY.hex(), Dice(SEED, 0).with_luck(LUCK).key.hex()),
    "draw 5 of `deal` in step 0, below 6": (
        str(draw_number(KEY, 0, "deal", 5, 6)),
        str(Dice(KEY, 0).below(6, "deal", 5)),
    ),
    "draw 0 of `bid_2/die/red` in step 7, below 6": (
        str(draw_number(KEY, 7, "bid_2/die/red", 0, 6)),
        str(Dice(KEY, 7).below(6, "bid_2/die/red")),
    ),
    "draw 0 of `large` in step 1, below 2^255 + 1": (
        str(draw_number(KEY, 1, "large", 0, 2**255 + 1)),
        str(Dice(KEY, 1).below(2**255 + 1, "large")),
    ),
    "a, b, c, d shuffled as `deck` in step 0": (
        shuffled("abcd", "deck"),
        " ".join(Dice(KEY, 0).shuffled("abcd", "deck")),
    ),
    "its draws in `draws.json`": (
        compact_json(
            [[0, "deck", n, n + 1, draw_number(KEY, 0, "deck", n, n + 1)] for n in (3, 2, 1)]
        ).decode(),
        listed_of_a_shuffle(),
    ),
    "the nonce of turn 3": (hmac_sha256(SEED, "nonce", 3).hex(), None),
    "the root of turn 3": (ROOT, root_of(RECORD, SEED)),
    "the root in the foot": (short_root(ROOT), foot_of(ROOT, 0)),
    "in the foot of a corrected turn": (report_foot(ROOT, 2), foot_of(ROOT, 2)),
    f"the SHA-256 in the record of a report `Root: {short_root(ROOT)}` and a line feed": (
        sha256(f"Root: {FOOT}\n".encode()),
        sha256(without_foot(f"Root: {short_root(ROOT)}\n".encode(), ROOT, 0)),
    ),
    "the SHA-256 of `names.json` with Ann, Søren and the seed of the examples as salt": (
        sha256(indented_json({"names": ["Ann", "Søren"], "salt": SEED.hex()})),
        sha256(NumberedPlayers(("Ann", "Søren"), SEED.hex()).as_bytes()),
    ),
    "the salt of receipt 4 of red in rose-1": (SALT.hex(), None),
    "the proof of its orders": (
        short_root(sha256(SALT + ORDERS.encode())),
        receipt_proof(SEED, "rose-1", "red", 4, ORDERS),
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_the_document_has_what_the_verifier_and_the_program_reckon(name: str) -> None:
    by_verifier, by_program = VECTORS[name]

    assert by_program in (by_verifier, None)


def test_the_document_has_the_inputs_of_its_examples() -> None:
    lines = "\n".join(f"    {one}" for one in ORDERS.splitlines())
    for said in (SEED.hex(), json.dumps(sorted(LUCK.items())), lines, PLAIN):
        assert said in DOCUMENT
    tables = re.findall(r"^\| what \| value \|\n\|---\|---\|\n((?:\|.*\n)+)", DOCUMENT, re.MULTILINE)
    rows = [name for table in tables for name in re.findall(r"^\| ([^|]+) \| `.*` \|$", table, re.MULTILINE)]
    assert rows == list(VECTORS)


def test_signs_are_escaped_as_the_document_says() -> None:
    short = {8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\"}
    for sign in [*range(0x300), 0x2028, 0xFFFF]:
        in_both = f"\\{short[sign]}" if sign in short else f"\\u{sign:04x}" if sign < 0x20 else chr(sign)
        in_ascii = f"\\u{sign:04x}" if sign >= 0x7F else in_both

        assert compact_json(chr(sign)).decode() == f'"{in_both}"'
        assert json.dumps(chr(sign)) == f'"{in_ascii}"'
    assert (compact_json([2.0, 10**18, {}, []]), indented_json([{}, []])) == (
        b"[2.0,%d,{},[]]" % 10**18,
        b"[\n {},\n []\n]\n",
    )


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
    doubt = "The host put in the luck words of 1, 2, and could have tried others."
    assert luck == doubt
    assert re.fullmatch(r"web-1: 3 turns, \d+ files, nothing wrong\.", sums)

    with zipfile.ZipFile(packed) as whole:
        whole.extractall(tmp_path / "unpacked")
    here = alone(script=tmp_path / "unpacked" / "web-1" / "verify.py")
    assert here.stdout == found.stdout, "without a file it looks at its own folder"


def test_the_roots_of_kept_reports_are_found(home: Home, packed: Path, script: Path) -> None:
    root = str(SavedGame(home, "web-1").record["root"])

    assert "It is the root of turn 2." in alone(packed, "--foot", short_root(root), script=script).stdout
    none = alone(packed, "--foot", "aaaa-bbbb-cccc-dddd", script=script)
    assert (none.returncode, "nothing in this game proves it" in none.stdout) == (1, True)


def mailed(home: Home, receipt: Receipt) -> str:
    """Return a receipt as its mail says it."""
    names = ("number", "orders", "forecast", "replaced", "proof", "withdraws", "taken")
    facts = {name: getattr(receipt, name) for name in names}
    more = {"due": "", "state": "", "origin": "the mail", "notes": [], "dropped": []}
    page = mail_templates(home.templates).get_template("mail/receipt.txt.j2")
    return page.render(**facts, **more, game=receipt.judged.saved.name)


def printed(home: Home, path: Path) -> str:
    """Return a receipt as `pbem submit` prints it."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        run_command(["submit", str(path), "--home", str(top(home))])
    return out.getvalue().replace(str(path), path.name)


@pytest.fixture(scope="module")
def receipts(home: Home) -> tuple[str, str]:
    """Return receipts of a game that was played to its end since: as printed, and as mailed."""
    saved = a_game(home, "web-2", rules="web-of-intrigue", table=TABLE, options={"turns": 1})
    assert isinstance(saved.ask, Ask)
    for seat in saved.start.seats:
        do = saved.opening.bot_order(saved.position.game, seat, Dice(b"x", 1), "greedy")
        place = top(home) / f"{seat}.yaml"
        place.write_text(orders_text("web-2", seat, [{"at": "turn-1", "do": do}]), encoding="utf-8")
    first = printed(home, top(home) / "1.yaml")
    receipt = submit(home, top(home) / "2.yaml")
    assert isinstance(receipt, Receipt)
    run(home, "web-2", now=NOW)
    stored(download_of(home, "web-2"), top(home) / "web-2.zip", "web-2")
    return first, mailed(home, receipt).replace("\n", "\r\n")


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize(("which", "seat"), [(0, "1"), (1, "2")], ids=["printed", "mailed"])
def test_a_receipt_that_was_kept_is_proven_and_a_forged_one_is_not(
    home: Home, script: Path, tmp_path: Path, receipts: tuple[str, str], which: int, seat: str
) -> None:
    packed, kept = top(home) / "web-2.zip", tmp_path / "receipt.txt"
    text, said = receipts[which], f"{seat} sent these orders with receipt 1, word for word."
    said += f" Compare what a turn took: turns/0002/orders/{seat}.yaml."

    for written, proven in ((text, True), (text.replace("points: ", "points: 1", 1), False)):
        kept.write_text(written, encoding="utf-8", newline="")
        told = alone(packed, "--receipt", kept, script=script)
        assert (told.returncode == 0, said in told.stdout) == (proven, proven), written
        assert (
            explain_archived_receipt(packed, written)
            == said.replace("Compare what a turn took", "A turn took them")
        ) is proven
    assert explain_archived_receipt(packed, "Dear host, I sent orders.") == ""


def test_turns_that_were_cut_off_at_the_end_are_found_by_both(packed: Path, tmp_path: Path) -> None:
    files = {name: data for name, data in files_in(packed).items() if not name.startswith("turns/0002/")}
    told = json.loads(files["archive.json"])
    lacking = {name: why for name, why in told["changed"].items() if name in files}
    draws = json.loads(files["draws.json"])
    draws["turns"].pop("2")
    files["draws.json"] = compact_json(draws) + b"\n"
    cut = packed_anew(files, roots=told["roots"][:-1], feet=told["feet"][:-1], changed=lacking)

    alone, by_program = found_by(cut, tmp_path / "cut.zip")

    assert alone == {"turns/0001/events.jsonl"}
    assert "turns/0001/events.jsonl" in by_program


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
def test_orders_that_were_changed_after_their_receipt_are_found(
    home: Home, tmp_path: Path, receipts: tuple[str, str]
) -> None:
    packed, name = top(home) / "web-2.zip", "turns/0002/orders/1.yaml"
    sent = files_in(packed)
    files = forged({**sent, name: sent[name].replace(b"points: ", b"points: 1", 1)})
    place = stored(files, tmp_path / "forged.zip", "web-2")

    with pytest.raises(WrongInput):
        explain_archived_receipt(place, receipts[0])
    assert explain_archived_receipt(place, receipts[1]).endswith(
        "A turn took them: turns/0002/orders/2.yaml."
    )


def _tamper(packed: Path, tmp_path: Path, times: int) -> None:
    files, chance = files_in(packed), random.Random(7)
    sizes = [len(data) for data in files.values()]
    names = [name for name, data in files.items() if data]
    names += chance.choices([*files], sizes, k=max(0, times - len(names)))
    for name in names[:times]:
        data = bytearray(files[name])
        place = chance.randrange(len(data))
        data[place] ^= 1 << chance.randrange(8)
        for found in found_by({**files, name: bytes(data)}, tmp_path / "spoilt.zip"):
            assert name in found, (name, place)


def test_a_changed_byte_is_found_by_both_in_its_file(packed: Path, tmp_path: Path) -> None:
    _tamper(packed, tmp_path, 150)


@pytest.mark.worlds
def test_two_thousand_changed_bytes_are_found_by_both(packed: Path, tmp_path: Path) -> None:
    _tamper(packed, tmp_path, 2000)


SENT = """game: rose-1
seat: red
orders:
- at: red-7   # unless the crown is gone
  do:
    play: N1
"""


def roses(path: Path) -> tuple[Home, Path]:
    """Return the game of the examples, in which red has three receipts, and a file with other orders."""
    home = a_home(path)
    a_game(home, "rose-1", deal=False)
    for seat, words in LUCK.items():
        send(home, "rose-1", seat, [{"at": "start", "do": {"luck": words}}])
    run(home, "rose-1", now=NOW)
    for card in ("N3", "N2"):
        send(home, "rose-1", "red", [{"at": "red-7", "do": {"play": card}}])
    place = top(home) / "orders.yaml"
    place.write_text(SENT, encoding="utf-8")
    return home, place


def kept_by(home: Home) -> Archive:
    """Return what a download of the examples' game will say of receipts when it is over."""
    told: dict[str, Json] = {"game": "rose-1", "seats": ["red", "white"], "seed": SEED.hex()}
    told |= {"format": 3, "kind": "whole", "roots": []}
    taken = {"turns/0002/orders/red.yaml": orders_path(home, "rose-1", "red").read_bytes()}
    return Archive({"archive.json": json.dumps(told).encode(), **taken})


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize("name", ["receipt 9.yaml", "receipt 8. receipt 3.yaml", "orders for receipt 4.yaml"])
def test_a_printed_receipt_is_proven_whatever_its_file_is_called(tmp_path: Path, name: str) -> None:
    home, place = roses(tmp_path)
    text = printed(home, place.rename(place.with_name(name)))

    assert text.startswith(f"{name}: lodged for red in rose-1, receipt 4.")
    assert (
        kept_by(home).explain_receipt(text).startswith("red sent these orders with receipt 4, word for word.")
    )
    assert kept_by(home).explain_receipt(text.replace("m4ch", "m4cc")) == ""


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize(
    "more", [{}, {"press": [{"to": "all", "say": "I wait."}]}], ids=["alone", "with press"]
)
def test_a_receipt_of_withdrawn_orders_is_proven_as_the_document_says(
    tmp_path: Path, more: dict[str, Json]
) -> None:
    said = f"red {'sent these' if more else 'withdrew the'} orders"
    home, place = roses(tmp_path / "printed")
    place.write_text(orders_text("rose-1", "red", "none", **more), encoding="utf-8")
    other, same = roses(tmp_path / "mailed")
    same.write_bytes(place.read_bytes())
    receipt = submit(other, same)
    assert isinstance(receipt, Receipt)

    for text in (printed(home, place), mailed(other, receipt)):
        assert kept_by(home).explain_receipt(text).startswith(said), text
        assert kept_by(home).explain_receipt(text.replace("receipt 4", "receipt 3")) == ""


def cells(heading: str) -> list[list[str]]:
    """Return the rows of the table of the document with this heading, each as its cells."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", DOCUMENT, re.MULTILINE)
    assert table, heading
    return [[one.strip() for one in row.strip("|").split("|")] for row in table[1].splitlines()]


def fields_of(kind: str) -> set[str]:
    """Return the fields that `archive.json` has in a download of this kind, as the document says."""
    return {
        name
        for row in cells("`archive.json`")
        if "only where `kind` is" not in row[1] or f"only where `kind` is `{kind}`" in row[1]
        for name in re.findall(r"`(\w+)`", row[0])
    }


def test_a_download_has_the_files_that_the_document_lists_in_their_format(home: Home, packed: Path) -> None:
    tree = re.search(r"~~~text\n(archive\.json(?:.*\n)+?)~~~", DOCUMENT)
    assert tree
    listed = {name: told.strip() for name, _, told in (one.partition(" ") for one in tree[1].splitlines())}
    rows = {name: f"{name} {told}" for name, told in listed.items()}
    found = set()
    seats = json.loads(files_in(packed)["turns/0000/start.json"])["seats"]
    for name, data in files_in(packed).items():
        shape = re.sub(r"^turns/\d{4}/(?!start|data)", "turns/NNNN/", name)
        shape = re.sub(r"reports/[^/]+/(?!steps)", "reports/READER/", shape)
        shape = re.sub(rf"/({'|'.join(seats)})\.", "/SEAT.", shape)
        found.add(shape)
        value = json.loads(data) if name.endswith(".json") else None
        if "filed JSON" in rows[shape]:
            assert data == indented_json(value), name
        elif "canonical JSON and" in rows[shape]:
            for line in data.splitlines():
                assert line == compact_json(json.loads(line)), name
            assert data.endswith(b"\n") or not data
        else:
            assert "as JSON" in rows[shape] or not name.endswith(".json"), name
    rare = {"turns/NNNN/press/SEAT.yaml", "turns/NNNN/pending/SEAT.json", "turns/undone/NNNN.R/..."}
    rare.add("turns/NNNN/names.json")
    rare.add("turns/NNNN/reports/spectator/steps.json")
    assert found | rare == {*listed}
    assert {*json.loads(files_in(packed)["archive.json"])} == fields_of("whole")


@pytest.mark.parametrize("names", ["true", "false"])
def test_a_public_download_has_the_files_that_the_document_lists(tmp_path: Path, names: str) -> None:
    home = a_home(tmp_path)
    a_game(home)
    for seat, card in (("red", "N2"), ("white", "SE2")):
        first: Json = {"at": f"{seat}-1", "do": {"play": card}}
        send(home, "rose-1", seat, [first, {"at": f"{seat}-2", "do": {"draw": True}}])
    run(home, "rose-1", now=NOW)
    files = download_of(home, "rose-1", f"names: {names}")
    listed = [*re.finditer(r"~~~text\n(archive\.json(?:.*\n)+?)~~~", DOCUMENT)][1][1]

    found = {re.sub(r"^turns/\d{4}/", "turns/NNNN/", name) for name in files}
    assert found == {line.split(" ")[0] for line in listed.splitlines()}
    told = json.loads(files["archive.json"])
    assert (told["kind"], told["over"], told["seed"]) == ("public", False, "")
    assert {*told} == fields_of("public")
    for name, data in files.items():
        if name.endswith("/report.json"):
            fields = json.loads(data)
            lines = [f"{compact_json(one).decode()}:{_unsorted(value)}" for one, value in fields.items()]
            assert data.decode() == "{\n" + ",\n".join(lines) + "\n}\n"
            assert {"game", "rules", "turn", "seat", "commitment", "foot", "events"} <= fields.keys()
            assert fields["foot"] == told["feet"][int(name[6:10])] and fields["seat"] is None
    steps = json.loads(files["turns/0002/steps.json"])["steps"]
    assert [one["label"] for one in steps] == ["red-1", "white-1", "red-2", "white-2"]
    _as_the_document_says(steps, json.loads(files["turns/0002/report.json"]))


def _unsorted(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _as_the_document_says(steps: list[dict[str, Any]], report: dict[str, Any]) -> None:
    """Read the steps of a turn by the document alone: each has its own events, and the crown moves on."""
    waiting = [event for event in report["events"] if event["at"]]
    for step in steps:
        own, waiting = waiting[: step["events"]], waiting[step["events"] :]
        assert {event["at"] for event in own} == {step["label"]}
    assert waiting == []
    view = report["view"]
    for step in reversed(steps[:-1]):
        for path, *value in step["view"]:
            within = view
            for place in path[:-1]:
                within = within[place]
            if not value:
                del within[path[-1]]
            elif isinstance(within, list) and path[-1] == len(within):
                within.append(value[0])
            else:
                within[path[-1]] = value[0]
        assert view["to_move"] == step["ask"]["seats"][0]


def test_the_record_has_the_fields_that_the_document_tells(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "rose-2", table=TWO + "schedule: {days: [tue, fri], at: 20:00, zone: UTC}\n")
    said: Json = [{"to": "all", "say": "Hi."}]
    red, white = (dump({"game": "rose-2", "seat": seat, "press": said}) for seat in ("red", "white"))
    send(home, "rose-2", "red", [{"do": first_choice(saved, "red")}, {"at": "red-4", "do": {"play": "N1"}}])
    (top(home) / "red.yaml").write_text(red, encoding="utf-8")
    submit(home, top(home) / "red.yaml")
    orders_path(home, "rose-2", "white").write_text(white, encoding="utf-8")
    run(home, "rose-2", now=NOW)

    record = SavedGame(home, "rose-2").record
    turn = home.turns("rose-2").at(2)

    assert {*record} == {name for row in cells("field") for name in re.findall(r"`(\w+)`", row[0])}
    assert {*turn.below()} >= {"press/red.yaml", "pending/red.json"}, "the files that are rare"


GAMES = sorted(one.name for one in registry.installed_rules() if one.origin.startswith("pbem"))


def test_the_document_tells_which_draw_is_the_die_of_an_event_of_each_game() -> None:
    told = {rules.strip("`"): event for rules, event, _ in cells("rules")}
    shown = {
        name: [kind.__name__ for kind in events_of(name) if "die" in kind.__annotations__] for name in GAMES
    }
    assert told == {name: ", ".join(f"`{kind}`" for kind in shown[name]) or "none" for name in GAMES}
    assert {name for name in GAMES if shown[name]} == {*DIE}


def events_of(rules: str) -> list[type[Event]]:
    """Return the kinds of events of rules, those of the modules in their package."""
    system = registry.find_rules(rules).system
    assert system is not None
    package = importlib.import_module(system.package)
    modules = [
        importlib.import_module(f"{system.package}.{one.name}")
        for one in pkgutil.iter_modules(package.__path__)
    ]
    kinds = {kind for one in modules for kind in vars(one).values() if isinstance(kind, type)}
    return sorted((kind for kind in kinds if issubclass(kind, Event)), key=lambda kind: kind.__name__)


def test_a_report_that_was_kept_is_found_by_its_hash_even_if_the_download_leaves_it_out(
    home: Home, packed: Path, script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a mail brings it, below an invitation and with other line ends."""
    sent = game_folder(home, "web-1") / "turns" / "0002" / "reports" / "1" / "report.txt"
    kept, place = tmp_path / "kept.txt", tmp_path / "other.zip"
    whole = files_in(packed)
    lacking: dict[str, Json] = dict.fromkeys((name for name in whole if "/reports/" in name), "")
    rest = {name: data for name, data in whole.items() if name not in lacking}
    note = b"A line of what an invitation says above its report.\n" * 100 + b"\n"
    kept.write_bytes((note + sent.read_bytes()).replace(b"\n", b"\r\n"))

    for files in (whole, packed_anew(rest, left_out=lacking)):
        stored(files, place)
        found = alone(place, "--report", kept, script=script)
        assert "It is turns/0002/reports/1/report.txt, word for word." in found.stdout, found
        assert run_command(["verify", str(place), "--report", str(kept)]) == 0
        assert tells(capsys.readouterr().out, "turns/0002/reports/1/report.txt")
    stored({**whole, "turns/0002/state.json": b"{}\n"}, place)
    assert run_command(["verify", str(place), "--report", str(kept)]) == 1
    told = capsys.readouterr()
    assert f"{place}/turns/0002/state.json: " in told.out
    assert "word for word" not in told.out


@pytest.mark.parametrize(
    "change",
    [lambda data: data.replace(b"Player 1", b"Player I"), lambda data: b"> " + data.replace(b"\n", b"\n> ")],
    ids=["another word", "quoted"],
)
def test_a_report_that_is_not_as_it_was_sent_is_none_of_the_game(
    home: Home, packed: Path, script: Path, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    sent = game_folder(home, "web-1") / "turns" / "0002" / "reports" / "1" / "report.txt"
    kept = tmp_path / "kept.txt"
    kept.write_bytes(change(sent.read_bytes()))

    assert alone(packed, "--report", kept, script=script).returncode == 1
    assert run_command(["verify", str(packed), "--report", str(kept)]) == 1


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, Files]:
    """A finished game whose last turn was taken back twice, and its download."""
    home = a_home(tmp_path_factory.mktemp("corrected"))
    play_out(home)
    for _ in range(2):
        undo(home, "web-1")
        run(home, "web-1", now=NOW)
    return home, download_of(home, "web-1")


BACK = "turns/undone/0002.1"


def test_turns_that_were_taken_back_are_there_but_for_what_was_said_in_them(
    corrected: tuple[Home, Files], tmp_path: Path
) -> None:
    _, files = corrected
    told = json.loads(files["archive.json"])
    first, second, last = (
        json.loads(files[f"{turn}/turn.json"]) for turn in (BACK, "turns/undone/0002.2", "turns/0002")
    )

    assert (first["revision"], second["revision"], last["revision"]) == (0, 1, 2)
    assert (first["root"], second["root"]) == (second["replaces"], last["replaces"])
    assert b"Well met" in files["turns/0002/events.jsonl"] + files["turns/0002/orders/1.yaml"]
    undone = {name: data for name, data in files.items() if name.startswith("turns/undone/")}
    assert not [name for name, data in undone.items() if b"Well met" in data]
    assert files[f"{BACK}/orders/2.yaml"] == files["turns/0002/orders/2.yaml"]
    assert {name for name in told["changed"] if "undone" in name} == {
        f"turns/undone/0002.{time}/{name}" for time in (1, 2) for name in ("events.jsonl", "orders/1.yaml")
    }
    assert found_by(files, tmp_path / "web-1.zip") == (set(), set())


def test_roots_and_reports_of_turns_that_were_taken_back_are_known(
    corrected: tuple[Home, Files], tmp_path: Path
) -> None:
    home, files = corrected
    archive = Archive(files)
    root = json.loads(files[f"{BACK}/turn.json"])["root"]
    kept = game_folder(home, "web-1") / BACK / "reports" / "2" / "report.txt"

    assert tells(archive.turn_of_foot(short_root(root)), "2")
    assert tells(verify_file(stored(files, tmp_path / "web-1.zip"), short_root(root))[1].foot, "2")
    assert tells(archive.identify_report(kept.read_bytes()), "/reports/2/report.txt")


def test_a_damaged_turn_that_was_taken_back_is_left_out_and_nothing_is_wrong(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    play_out(home)
    undo(home, "web-1")
    run(home, "web-1", now=NOW)
    (game_folder(home, "web-1") / BACK / "state.json").write_text("{}", encoding="utf-8")
    files = download_of(home, "web-1")

    assert not [name for name in files if "undone" in name]
    assert found_by(files, tmp_path / "web-1.zip") == (set(), set())
