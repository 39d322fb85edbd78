"""Whatever is sent: one clear line with its place, the right exit code, and nothing in the home changes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.host.batch import run
from pbem.play.home import Home
from pbem.play.reading import report
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, send, top, tree
from tests.mistakes import mistakes

HEAD = "game: rose-1\nseat: white\n"
LINE = f"{HEAD}orders:\n- at: white-3\n  do: "
RED: list[Json] = [{"do": {"play": "N2"}}, {"do": {"play": "E1"}}, {"do": {"play": "W3"}}]
WHITE: list[Json] = [{"do": {"play": "SE2"}}, {"do": {"play": "NE1"}}]

NOW_ASKED = "You are asked white-3 now."
QUOTE_IT = "If it is part of a text, put the whole text in quotes."
TOO_LONG = (
    "1:1: this text is too long, more than 64 KiB. "
    "Leave out pictures, earlier mails and what else is not needed."
)
A_CARD = "A card of your hand: direction and distance. The crown goes there and your token with it."

BAD: list[tuple[str, str | bytes, str]] = [
    ("an empty file", "", "1:1: the file is empty"),
    ("only spaces", "\n  \n", "1:1: the file is empty"),
    ("only comments", "# red\n", "1:1: the file is empty. There are only comments in it."),
    ("a megabyte", b"a: b\n" * 200_000, TOO_LONG),
    ("a hundred thousand brackets", "[" * 100_000, TOO_LONG),
    (
        "brackets up to the limit of size",
        "[" * 60_000,
        "1:13: more than 12 lists and mappings stand within each other. Use fewer levels.",
    ),
    (
        "an alias",
        f"{HEAD}orders: *mine\n",
        f'3:9: a "*" here means a reference, which is not allowed. {QUOTE_IT}',
    ),
    (
        "an anchor",
        f"{HEAD}orders: &mine []\n",
        f'3:9: an "&" here names a value for reuse, which is not allowed. {QUOTE_IT}',
    ),
    (
        "a tag",
        f"{HEAD}orders: !!python/object:os.system []\n",
        f'3:9: a "!" here means a type tag, which is not allowed. {QUOTE_IT}',
    ),
    ("a key twice", f"{HEAD}seat: red\n", '3:1: the key "seat" is already in line 2. Delete one of the two.'),
    (
        "an order twice in one line",
        f"{LINE}{{play: SE3, play: NW1}}\n",
        '5:19: the key "play" is already in line 5. Delete one of the two.',
    ),
    (
        "a picture",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        "3:1: this looks like a binary file. Send plain text with the encoding UTF-8.",
    ),
    (
        "another encoding",
        f"{HEAD}# gr\xfc\xdfe\n".encode("latin-1"),
        "3:5: the byte 0xFC is not UTF-8 text. Save the file with the encoding UTF-8.",
    ),
    (
        "a hidden line end",
        f"{HEAD}press:\n- {{to: all, say: peace\u2028now}}\n",
        "4:23: the line separator (U+2028) is not allowed, as it may hide or change what others read. "
        "Delete this character, which may be invisible.",
    ),
    (
        "a tab as indent",
        f"{HEAD}orders:\n\t- do: {{}}\n",
        "4:8: `do` is still empty. Put one of the choices there.",
    ),
    (
        "two documents",
        f"{HEAD}---\n{HEAD}",
        '3:1: a second document starts here. Send one only, and delete this "---".',
    ),
    (
        "a colon without a space",
        f"{HEAD}orders:\n- at:white-3\n",
        "4:3: expected fields (name: value), got 'at:white-3'. Write a space after the colon.",
    ),
    (
        "a text",
        "Hello, here are my orders\n",
        "1:1: these are no orders: expected fields (name: value). "
        "An orders file starts with `game:` and `seat:`.",
    ),
    (
        "a list",
        "- play SE3\n",
        "1:1: these are no orders: expected fields (name: value). "
        "An orders file starts with `game:` and `seat:`.",
    ),
    ("no seat", "game: rose-1\n", "1:1: the field 'seat' is missing"),
    (
        "another game",
        "game: rose-2\nseat: white\n",
        "1:7: there is no game 'rose-2' here. Did you mean rose-1?",
    ),
    (
        "no game's name",
        "game: The Rose\nseat: white\n",
        "1:7: 'The Rose' does not have the right form. The id of the game, from your report.",
    ),
    (
        "another seat",
        "game: rose-1\nseat: blue\n",
        "2:7: there is no seat 'blue' in rose-1. The seats are red, white.",
    ),
    (
        "a label that has passed",
        f"{HEAD}orders:\n- {{at: white-1, do: {{play: SE3}}}}\n",
        f"4:8: white-1 has passed. {NOW_ASKED}",
    ),
    (
        "the start's label",
        f"{HEAD}orders:\n- {{at: start, do: {{luck: x}}}}\n",
        f"4:8: start has passed. {NOW_ASKED}",
    ),
    (
        "a misspelt label",
        f"{HEAD}orders:\n- {{at: whit-3, do: {{play: SE3}}}}\n",
        "4:8: whit-3 is not an ask of yours. Did you mean white-3?",
    ),
    (
        "no label",
        f"{HEAD}orders:\n- {{at: my third, do: {{play: SE3}}}}\n",
        f"4:8: 'my third' is no label. {NOW_ASKED}",
    ),
    (
        "another seat's label",
        f"{HEAD}orders:\n- {{at: red-4, do: {{play: SE3}}}}\n",
        "4:8: red-4 is Red's label; this file says seat: white. "
        "Write at: white-3, or seat: red if these are Red's orders.",
    ),
    (
        "another seat's label that has passed",
        f"{HEAD}orders:\n- {{at: red-1, do: {{play: SE3}}}}\n",
        "4:8: red-1 is Red's label; this file says seat: white. "
        "Write at: white-3, or seat: red if these are Red's orders.",
    ),
    (
        "a label of other rules",
        f"{HEAD}orders:\n- {{at: turn-4, do: {{play: SE3}}}}\n",
        f"4:8: turn-4 is not an ask of yours. {NOW_ASKED}",
    ),
    (
        "a label that is a number below one",
        f"{HEAD}orders:\n- {{at: 0, do: {{play: SE3}}}}\n",
        "4:8: expected text, got 0",
    ),
    (
        "a card not in hand",
        f"{LINE}{{play: SE2}}\n",
        "5:14: SE2 is not in your hand (SE1, SE3, NW1). Did you mean SE3?",
    ),
    (
        "a misspelt card in small letters",
        f"{LINE}{{play: sse3}}\n",
        "5:14: 'sse3' is not possible here. Did you mean SE3?",
    ),
    ("no card of the game", f"{LINE}{{play: Q9}}\n", f"5:14: 'Q9' is not possible here. {A_CARD}"),
    (
        "a list of cards",
        f"{LINE}{{play: [SE3, NW1]}}\n",
        f'5:14: ["SE3", "NW1"] is not possible here. {A_CARD}',
    ),
    (
        "a square with an own token",
        f"{LINE}{{play: SE1}}\n",
        "5:14: G5 holds your own token. "
        "You can order {play: SE3} or {play: NW1, hero: true} or {draw: true}.",
    ),
    (
        "a square with a token of the other",
        f"{LINE}{{play: NW1}}\n",
        "5:14: E3 holds a red token. A hero can turn it over: {play: NW1, hero: true}.",
    ),
    (
        "a hero on an empty square",
        f"{LINE}{{play: SE3, hero: true}}\n",
        "5:25: I7 is empty, and a hero only turns over a token of red. Leave the hero out: {play: SE3}.",
    ),
    (
        "a card and a draw",
        f"{LINE}{{play: SE3, draw: true}}\n",
        "5:14: 'SE3' is not possible here. A turn is one of the two: leave out play, or leave out draw.",
    ),
    ("a hero alone", f"{LINE}{{hero: true}}\n", "5:7: the field 'play' is missing"),
    (
        "luck words after the deal",
        f"{LINE}{{luck: seven}}\n",
        "5:14: the game has been dealt. Luck words count before the deal only.",
    ),
    ("an order in words", f"{LINE}pass\n", "5:7: expected fields (name: value), got 'pass'"),
    (
        "an order without braces",
        f"{LINE}play N7\n",
        "5:7: expected fields (name: value), got 'play N7'. Did you mean {play: N7}?",
    ),
    (
        "an unknown field",
        f"{HEAD}odrers:\n- do: {{play: SE3}}\n",
        "3:1: unknown field 'odrers'. Did you mean orders?",
    ),
    (
        "an unknown field of a line",
        f"{HEAD}orders:\n- {{att: white-3, do: {{play: SE3}}}}\n",
        "4:4: unknown field 'att'. Did you mean at?",
    ),
    (
        "an unknown field of an order",
        f"{LINE}{{paly: Q9}}\n",
        "5:8: unknown field 'paly'. Did you mean play?",
    ),
    ("a line without do", f"{HEAD}orders:\n- at: white-3\n", "4:3: the field 'do' is missing"),
    ("a misspelt do", f"{HEAD}orders:\n- doo: {{play: SE3}}\n", "4:3: unknown field 'doo'. Did you mean do?"),
    (
        "a do with nothing in it",
        f"{LINE}\n",
        "5:6: `do` is still empty. Put one of the choices there.",
    ),
    (
        "a path that no view has",
        f"{HEAD}orders:\n- when: {{white.heros: 4}}\n  do: {{play: SE3}}\n",
        "4:10: white.heros: white has no 'heros'. Did you mean heroes?",
    ),
    (
        "a path below a value",
        f"{HEAD}orders:\n- when: {{crown.row: 4}}\n  do: {{play: SE3}}\n",
        "4:10: crown.row: crown is a single value, nothing stands below it",
    ),
    (
        "a path of stop_if that no view has",
        f"{HEAD}stop_if: {{lost_tokn: true}}\norders:\n- do: {{play: SE3}}\n",
        "3:11: lost_tokn: your view has no 'lost_tokn'. Did you mean lost_token?",
    ),
    (
        "an unknown operator",
        f"{HEAD}orders:\n- when: {{pile: {{more_than: 3}}}}\n  do: {{play: SE3}}\n",
        "4:17: unknown field 'more_than'. It can be has, at_least, at_most, not.",
    ),
    (
        "an unknown operator below not",
        f"{HEAD}orders:\n- when: {{pile: {{not: {{atleast: 3}}}}}}\n  do: {{play: SE3}}\n",
        "4:23: unknown field 'atleast'. Did you mean at_least?",
    ),
    (
        "a number in words",
        f"{HEAD}orders:\n- when: {{pile: {{at_least: three}}}}\n  do: {{play: SE3}}\n",
        "4:27: expected a number, got 'three'",
    ),
    (
        "a condition with nothing in it",
        f"{HEAD}orders:\n- when: {{pile: {{}}}}\n  do: {{play: SE3}}\n",
        "4:16: it is still empty. A value, a list of values, or has, at_least, at_most, not.",
    ),
    (
        "text where a list belongs",
        f"{HEAD}orders: draw\n",
        "3:9: expected a list, got 'draw'. Each line begins with `- at:` or `- do:`. "
        "`orders: none` withdraws the lines that stand.",
    ),
    ("text where fields belong", f"{HEAD}stop_if: lost\n", "3:10: expected fields (name: value), got 'lost'"),
    (
        "neither yes nor no",
        f"{HEAD}orders:\n- {{keep: perhaps, do: {{play: SE3}}}}\n",
        "4:10: expected true or false, got 'perhaps'",
    ),
    (
        "too many lines",
        f"{HEAD}orders:\n" + "- do: {draw: true}\n" * 201,
        "4:1: the list has more than 200 entries. "
        "Lines, tried in the order written; the first that fits and is legal is played. "
        "none withdraws the lines that stand.",
    ),
    (
        "press to a seat that is not there",
        f"{HEAD}press:\n- {{to: [rde], say: Peace?}}\n",
        "4:8: there is no seat 'rde' in this game. Did you mean red?",
    ),
    (
        "press to nobody",
        f"{HEAD}press:\n- {{to: [], say: Peace?}}\n",
        "4:8: the list is empty. A list of seats, or all; moderator writes to the moderator.",
    ),
    (
        "press with a misspelt field",
        f"{HEAD}press:\n- {{to: all, sya: Peace?}}\n",
        "4:13: unknown field 'sya'. Did you mean say?",
    ),
    (
        "press without end",
        f"{HEAD}press:\n- {{to: all, say: {'x' * 4001}}}\n",
        "4:18: the text is longer than 4000 characters. What they will read.",
    ),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A game that asks white-3 with the crown on F4; white holds SE1, SE3 and NW1."""
    home = a_home(tmp_path_factory.mktemp("bad"))
    a_game(home)
    send(home, "rose-1", "red", RED)
    send(home, "rose-1", "white", WHITE)
    run(home, "rose-1", now=NOW)
    return home


@pytest.mark.parametrize("verb", ["check", "submit"])
@pytest.mark.parametrize(("sent", "line"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_file_gets_one_line_with_its_place_and_changes_nothing(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, sent: str | bytes, line: str
) -> None:
    path = tmp_path / "white.yaml"
    path.write_bytes(sent if isinstance(sent, bytes) else sent.encode())
    before = tree(top(home))

    code = run_command([verb, str(path), "--home", str(top(home))])

    told = capsys.readouterr()
    assert told.err == ""
    assert code == 1
    assert tree(top(home)) == before


@pytest.mark.wording("compares sentences still")
@pytest.mark.parametrize("verb", ["check", "submit"])
def test_a_form_sent_back_as_it_came_is_told_where_to_write(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    path = tmp_path / "white.yaml"
    path.write_text(report(home, "rose-1", "white", name="orders.yaml"), encoding="utf-8")
    before = tree(top(home))

    code = run_command([verb, str(path), "--home", str(top(home))])

    told = capsys.readouterr()
    line = f"{path}:7:7: `do` is still empty. Put one of the choices there."
    assert mistakes(told.out, path) == [line]
    assert (code, told.err) == (1, "")
    assert tree(top(home)) == before


def test_every_mistake_of_a_file_is_told_in_the_order_of_lines(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "white.yaml"
    path.write_text(
        f"{HEAD}orders:\n- {{at: white-1, do: {{play: SE3}}}}\n- do: {{play: SE2}}\npress:\n"
        "- {to: [rde], say: Peace?}\n- {to: [wite], say: Peace?}\n",
        encoding="utf-8",
    )

    run_command(["check", str(path), "--home", str(top(home))])

    places = re.findall(r":(\d+:\d+): ", "\n".join(mistakes(capsys.readouterr().out, path)))
    assert places == ["4:8", "5:14", "7:8", "8:8"]

    path.write_text(
        f"{HEAD}orders:\n- {{at: white-1, do: {{play: SE3}}}}\n- do: {{play: SE2}}\n", encoding="utf-8"
    )
    run_command(["check", str(path), "--home", str(top(home))])

    places = re.findall(r":(\d+:\d+): ", "\n".join(mistakes(capsys.readouterr().out, path)))
    assert places == ["4:8", "5:14"]


@pytest.mark.wording("compares sentences still")
def test_mistakes_are_given_as_data_too(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "white.yaml"
    path.write_text(f"{LINE}{{play: sse3}}\n", encoding="utf-8")

    code = run_command(["check", "--json", str(path), "--home", str(top(home))])

    fault = {
        "kind": "schema",
        "line": 5,
        "column": 14,
        "text": "'sse3' is not possible here",
        "hint": "Did you mean SE3?",
        "shown": "  do: {play: sse3}",
        "caret": "             ^",
    }
    would_do = {"line": 4, "count": 2, "lines": ["- at: white-3", "  do: {play: SE3}"]}
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["file"], answer["faults"]) == (str(path), [fault])
    assert (answer["offer"], answer["offer_is_example"]) == ([would_do], False)
    assert code == 1


@pytest.mark.parametrize("verb", ["check", "submit"])
def test_good_orders_are_answered_as_data_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    path = tmp_path / "red.yaml"
    path.write_text("game: rose-1\nseat: red\norders:\n- do: {play: N2}\n", encoding="utf-8")

    code = run_command([verb, "--json", str(path), "--home", str(top(home))])

    (answer,) = json.loads(capsys.readouterr().out)
    (prospect,) = answer["prospects"]
    assert code == 0
    assert (answer["file"], answer["faults"], answer.get("receipt")) == (
        str(path),
        [],
        1 if verb == "submit" else None,
    )
    assert (prospect["order"], prospect["standing"]) == (1, "plays")
    assert prospect["lines"]


def test_a_bad_file_among_good_ones_hides_no_receipt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    files = {name: tmp_path / f"{name}.yaml" for name in ("red", "bad", "missing", "white")}
    files["red"].write_text("game: rose-1\nseat: red\norders:\n- do: {play: N2}\n", encoding="utf-8")
    files["bad"].write_text("game: rose-1\nseat: red\norders: draw\n", encoding="utf-8")
    files["white"].write_text("game: rose-1\nseat: white\norders:\n- do: {play: SE2}\n", encoding="utf-8")

    code = run_command(["submit", *map(str, files.values()), "--home", str(top(home))])

    told = capsys.readouterr()
    assert tells(told.out, files["red"], "red", "rose-1", "1")
    assert f"{files['bad']}:3:9: expected a list, got 'draw'" in told.out
    assert tells(told.out, "white", "rose-1", "1")
    assert tells(told.err)
    assert code == 1


def test_a_file_as_long_as_it_may_be_is_still_read_after_its_stamp(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    path = tmp_path / "red.yaml"
    text = "game: rose-1\nseat: red\norders:\n- do: {play: N2}\n#"
    path.write_text(text + "x" * (64 * 1024 - len(text)), encoding="utf-8")

    codes = [run_command([*verb, "--home", str(top(home))]) for verb in (["submit", str(path)], ["run"])]

    assert codes == [0, 0]
    assert (top(home) / "games/rose-1/turns/0002").is_dir()


@pytest.mark.parametrize("verb", ["check", "submit"])
@pytest.mark.parametrize(
    ("place", "why"),
    [("nothing.yaml", "No such file or directory"), ("folder", "Is a directory")],
    ids=["a missing file", "a folder instead of a file"],
)
def test_what_is_no_file_is_told_on_standard_error(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, place: str, why: str
) -> None:
    (tmp_path / "folder").mkdir()
    before = tree(top(home))

    code = run_command([verb, str(tmp_path / place), "--home", str(top(home))])

    told = capsys.readouterr()
    assert told.out == "" and tells(told.err, tmp_path / place, why)
    assert code == 1
    assert tree(top(home)) == before


@pytest.mark.parametrize(
    "verb",
    [
        ["check", "FILE"],
        ["submit", "FILE"],
        ["run"],
        ["status"],
        ["report", "rose-1", "red"],
        ["undo", "rose-1"],
    ],
    ids=lambda verb: verb[0],
)
def test_a_folder_that_is_no_home_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: list[str]
) -> None:
    path = tmp_path / "red.yaml"
    path.write_text(f"{LINE}{{play: SE3}}\n", encoding="utf-8")
    before = tree(tmp_path)

    code = run_command([*(str(path) if word == "FILE" else word for word in verb), "--home", str(tmp_path)])

    told = capsys.readouterr()
    assert tells(told.err)
    assert (code, told.out) == (1, "")
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "home.yaml",
            "moderator: [\n",
            ":2:1: the text ends before the brackets are closed; more may have followed."
            " Close every bracket: the one at 1:12 is open.",
        ),
        (
            "home.yaml",
            "moderater: Ann\n",
            ":1:1: moderater: unknown field 'moderater'. Did you mean moderator?",
        ),
        ("home.yaml", "- Ann\n", ":1:1: expected fields (name: value)."),
        (
            "games/rose-1/game.yaml",
            "seats:\n  red: *a\n",
            f':2:8: a "*" here means a reference, which is not allowed. {QUOTE_IT}',
        ),
        ("games/rose-1/game.yaml", "", ":1:1: the file is empty."),
        (
            "games/rose-1/game.yaml",
            "seats: {red: {player: Ann}, withe: {player: Bob}}\n",
            ":1:29: seats.withe: there is no seat 'withe'. Did you mean white? The seats are red, white.",
        ),
        (
            "games/rose-1/game.yaml",
            "seats: {red: {player: Ann}, white: {player: Bob}}\ndeadline: tomorrow\n",
            ":2:11: deadline: tomorrow is no moment with a zone. Write 2026-12-01T20:00:00+01:00. "
            "`pbem extend GAME --to WHEN` takes words: Friday 20:00.",
        ),
        ("games/rose-1/game.yaml", None, " cannot be read: No such file or directory."),
    ],
    ids=[
        "an open bracket",
        "an unknown field",
        "a list",
        "an alias",
        "nothing",
        "a strange seat",
        "no moment",
        "no file",
    ],
)
@pytest.mark.parametrize("verb", ["check", "submit", "run", "status"])
def test_a_file_of_the_moderator_that_cannot_be_used_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | None, line: str, verb: str
) -> None:
    home = a_home(tmp_path)
    a_game(home)
    place, orders = top(home) / name, tmp_path / "red.yaml"
    orders.write_text("game: rose-1\nseat: red\norders:\n- do: {play: N2}\n", encoding="utf-8")
    if text is None:
        place.unlink()
    else:
        place.write_text(text, encoding="utf-8")
    before = tree(top(home))
    words = [verb, str(orders)] if verb in ("check", "submit") else [verb]

    code = run_command([*words, "--home", str(top(home))])

    told = capsys.readouterr()
    assert tells(told.err)
    assert (code, told.out, told.err.count("\n")) == (1, "", 1)
    assert tree(top(home)) == before


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["submit"],
        ["report", "rose-1"],
        ["run", "--soon"],
        ["run", "--now", "tomorrow"],
        ["run", "--now", "9 o'clock"],
        ["run", "--now", "9999-12-31T00:00:00+00:00"],
        ["report", "rose-1", "red", "--turn", "one"],
        ["report", "rose-1", "red", "--turn", "-1"],
        ["new", "rose-king", "rose-9"],
        ["simulate", "rose-king", "--bots", "clever"],
        ["simulate", "rose-king", "--seats", "3"],
        ["simulate", "rose-king", "--set", "own_tokens"],
    ],
    ids=" ".join,
)
def test_a_command_that_is_not_understood_is_a_usage_error(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(top(home)))
    before = tree(top(home))

    code = run_command(words)

    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert "Error: " in told.err
    assert tree(top(home)) == before


def test_a_home_that_is_a_file_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "home").write_text("", encoding="utf-8")

    code = run_command(["status", "--home", str(tmp_path / "home")])

    assert code == 2
    assert "is a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["run", "rose-9"], "rose-9: set aside: there is no game 'rose-9' in {home}. Did you mean rose-1?"),
        (["status", "rose-9"], "pbem: there is no game 'rose-9' in {home}. Did you mean rose-1?"),
        (["verify", "rose-9"], "pbem: there is no game 'rose-9' in {home}. Did you mean rose-1?"),
        (["undo", "../rose-1"], "pbem: there is no game '../rose-1' in {home}. Did you mean rose-1?"),
        (
            ["form", "rose-1", "blue"],
            "pbem: there is no seat 'blue' in rose-1. It can be red, white, spectator.",
        ),
        (["report", "rose-1", "wite"], "pbem: there is no seat 'wite' in rose-1. Did you mean white?"),
        (["report", "rose-1", "red", "--turn", "7"], "pbem: rose-1 has no turn 7. The newest is 2."),
        (["simulate", "rose-kin"], "pbem: there are no rules 'rose-kin'. Did you mean rose-king?"),
        (
            ["simulate", "rose-king", "--set", "own_tokens=few"],
            "pbem: option own_tokens: expected a whole number, got 'few'.",
        ),
        (
            ["new", "rose-king", "rose-1", "--players", "{players}"],
            "pbem: there is a game rose-1 already. Choose another id.",
        ),
        (
            ["new", "rose-king", "Rose", "--players", "{players}"],
            "pbem: 'Rose' cannot be a game's id. Use at most 21 lower case letters, digits and hyphens.",
        ),
        *(
            (
                ["new", "rose-king", f"rose-1-{ending}", "--players", "{players}"],
                f"pbem: 'rose-1-{ending}' cannot be a game's id: mail to it would be taken for 'rose-1'. "
                f"Choose another id, without -{ending} at its end.",
            )
            for ending in ("join", "press")
        ),
        *(
            (
                ["new", "rose-king", word, "--players", "{players}"],
                f"pbem: '{word}' cannot be a game's id: `game: {word}` in orders names no game. "
                "Choose another id.",
            )
            for word in ("null", "true", "false")
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_name_that_is_not_there_is_told_with_what_would_do(
    home: Home, capsys: pytest.CaptureFixture[str], words: list[str], line: str
) -> None:
    players = (top(home) / "games") / "rose-1/game.yaml"
    before = tree(top(home))
    given = [word.format(players=players) for word in words]
    if words[0] != "simulate":
        given += ["--home", str(top(home))]

    code = run_command(given)

    capsys.readouterr()
    assert code == 1
    assert tree(top(home)) == before


@pytest.mark.parametrize("words", ["report rose-1 red", "report rose-1 --all out", "show rose-1"])
def test_a_turn_that_is_gone_is_told_from_one_that_never_was(
    home: Home,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(top(home), tmp_path / "home")
    shutil.rmtree(tmp_path / "home" / "games" / "rose-1" / "turns" / "0001")

    assert run_command([*words.split(), "--turn", "1", "--home", "home"]) == 1

    assert tells(capsys.readouterr().err, "rose-1/turns/0001")
