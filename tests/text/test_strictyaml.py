from __future__ import annotations

import json
import math
from collections.abc import Iterator
from textwrap import dedent
from typing import NoReturn

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbem.core.interface import Json
from pbem.text.plaintext import is_forbidden
from pbem.text.strictyaml import (
    HAS_LIBYAML,
    Document,
    Limits,
    Mark,
    YamlProblem,
    dump,
    dump_flow,
    dump_flow_lines,
    find_mark,
    parse,
)
from tests.facts import tells
from tests.written import rows_of

PARSERS = [False, True] if HAS_LIBYAML else [True]
both_parsers = pytest.mark.parametrize("pure", PARSERS, ids=lambda pure: "python" if pure else "libyaml")
thorough = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

ORDERS = """\
game: rose-1
orders:
- at: red-7      # the label
  do: {play: N2, hero: true}
- do:
    draw: [1, 2]
"""


def problem_of(data: bytes | str, pure: bool = False) -> YamlProblem:
    with pytest.raises(YamlProblem) as caught:
        parse(data, pure=pure)
    return caught.value


@both_parsers
def test_an_order_file_is_read_with_the_place_of_every_value_and_key(pure: bool) -> None:
    document = parse(ORDERS, pure=pure)

    assert document.value == {
        "game": "rose-1",
        "orders": [{"at": "red-7", "do": {"play": "N2", "hero": True}}, {"do": {"draw": [1, 2]}}],
    }
    assert {".".join(map(str, path)): str(mark) for path, mark in document.marks.items()} == {
        "": "1:1", "game": "1:7", "orders": "3:1",
        "orders.0": "3:3", "orders.0.at": "3:7",
        "orders.0.do": "4:7", "orders.0.do.play": "4:14", "orders.0.do.hero": "4:24",
        "orders.1": "5:3", "orders.1.do": "6:5", "orders.1.do.draw": "6:11",
        "orders.1.do.draw.0": "6:12", "orders.1.do.draw.1": "6:15",
    }  # fmt: skip
    assert {".".join(map(str, path)): str(mark) for path, mark in document.keys.items()} == {
        "game": "1:1", "orders": "2:1", "orders.0.at": "3:3", "orders.0.do": "4:3",
        "orders.0.do.play": "4:8", "orders.0.do.hero": "4:18", "orders.1.do": "5:3",
        "orders.1.do.draw": "6:5",
    }  # fmt: skip


@both_parsers
@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("# comment", None),
        ("0", 0), ("-0", 0), ("7", 7), ("-42", -42), ("999999999999999999", 10**18 - 1),
        ("0.5", 0.5), ("-1.50", -1.5), ("10.0", 10.0),
    ],
)  # fmt: skip
def test_an_unquoted_word_of_the_few_kinds_is_a_value(written: str, value: Json, pure: bool) -> None:
    read = parse(f"v: {written}\n", pure=pure).value

    assert isinstance(read, dict)
    assert (read["v"], type(read["v"])) == (value, type(value))


@both_parsers
@pytest.mark.parametrize(
    "word",
    [
        "no", "yes", "on", "off", "y", "True", "FALSE", "Null", "NULL", "1e3", "1.5e3", "012", "-07", "00.5",
        "1:30", "0x1F", "0o17", "0b1", "1_000", "2024-01-02", "2024-13-45", "1000000000000000000", "+1",
        ".5", "1.", ".inf", "-.inf", ".nan", "--1", "-", "1.2.3", "٣", "9" * 5000, "9" * 400 + ".0", "=",
        "really?",
    ],
    ids=lambda word: word[:12],
)  # fmt: skip
def test_every_other_unquoted_word_stays_text(word: str, pure: bool) -> None:
    assert parse(f"{{v: [{word}, x]}}", pure=pure).value == {"v": [word, "x"]}


@both_parsers
@pytest.mark.parametrize("written", ['"{}"', "'{}'", "|-\n  {}", ">-\n  {}"])
@pytest.mark.parametrize("word", ["true", "null", "7", "0.5", "~"])
def test_quoted_words_and_blocks_are_always_text(written: str, word: str, pure: bool) -> None:
    assert parse("v: " + written.format(word), pure=pure).value == {"v": word}


@both_parsers
def test_keys_are_always_text(pure: bool) -> None:
    text = "7: a\n012: b\ntrue: c\nnull: d\n~: e\n1.50: f\n'': g\n"

    read = parse(text, pure=pure).value

    assert read == {"7": "a", "012": "b", "true": "c", "null": "d", "~": "e", "1.50": "f", "": "g"}


@both_parsers
@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\xef\xbb\xbfa: 1", {"a": 1}),
        ("--- # orders\na: 1\n...\n", {"a": 1}),
        ("a: 1\r\nb: |\r\n  x\r\n  y", {"a": 1, "b": "x\ny\n"}),
        ("a:\u00a0b\u2003c\n", {"a": "b c"}),
        ("a:\tb\tc\t# d\n \t\nb: 'x\ty'", {"a": "b c", "b": "x y"}),
        (r'a: "\t\n\u00a0\"\\\U0001F600"', {"a": '\t\n\u00a0"\\😀'}),
        ("{say: really? yes?, why: a?b}", {"say": "really? yes?", "why": "a?b"}),
        ('{"a":1, "b":[x]}', {"a": 1, "b": ["x"]}),
        ("? a\n: b\n? c\n", {"a": "b", "c": None}),
        ("{a, b: }", {"a": None, "b": None}),
        ("- [a: 1]\n-\n- - x", [[{"a": 1}], None, ["x"]]),
        ("a:\n- 1\n- 2\nb: >\n  one\n  two\n\n  three", {"a": [1, 2], "b": "one two\nthree\n"}),
        ("just words", "just words"),
        ("null", None),
    ],
)
def test_ordinary_ways_of_writing_are_read(data: bytes | str, value: Json, pure: bool) -> None:
    assert parse(data, pure=pure).value == value


@both_parsers
def test_columns_count_characters_in_any_script(pure: bool) -> None:
    document = parse("имя: {Привет: '😀😀', ж: [ю, 1]}\n", pure=pure)

    assert document.marks["имя", "Привет"] == Mark(1, 15)
    assert document.keys["имя", "ж"] == Mark(1, 21)
    assert document.marks["имя", "ж", 1] == Mark(1, 28)
    assert problem_of("имя: {'😀': [ю, 1}", pure).mark == Mark(1, 17)


BOMB = "a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"

HOSTILE: list[tuple[str, bytes | str, str, str]] = [
    ("empty", b"", "1:1", "the file is empty"),
    ("only a comment", "# nothing", "1:1", "the file is empty"),
    ("1 MB", b"a: 1\n" * 200_000, "1:1", "this text is too long, more than 64 KiB"),
    ("deep brackets", "[" * 100_000, "1:1", "this text is too long, more than 64 KiB"),
    ("deep brackets in 64 KiB", "[" * 65_536, "1:13", "more than 12 lists and mappings stand within each"),
    ("deep dashes in 64 KiB", "- " * 32_768, "1:25", "more than 12 lists and mappings stand within each"),
    ("deep braces", "{a: " * 13, "1:49", "more than 12 lists and mappings stand within each"),
    ("many values", "[" + "x," * 5_000 + "]", "1:10000", "there are more than 5000 values up to here"),
    ("alias bomb", BOMB, "1:4", 'an "&" here names a value for reuse'),
    ("merge key", "a: 1\n<<: {b: 2}\n", "2:1", 'the merge key "<<" is not allowed'),
    ("self reference", "&a [*a]", "1:1", 'an "&" here names a value for reuse'),
    ("alias", "a: *b\n", "1:4", 'a "*" here means a reference'),
    ("emphasis", "say: *hold* the line", "1:6", 'a "*" here means a reference'),
    ("python tag", "a: !!python/object/apply:os.system [ls]", "1:4", 'a "!" here means a type tag'),
    ("unknown tag handle", "a: !x!y 1", "1:4", 'a "!" here means a type tag'),
    ("binary tag", "a: !!binary AAAA", "1:4", 'a "!" here means a type tag'),
    ("tag after anchor", "a: &x !y 1", "1:7", 'a "!" here means a type tag'),
    ("duplicate key", "a: 1\nb: 2\n'a': 3\n", "3:1", 'the key "a" is already in line 1'),
    ("duplicate key in braces", "do: {x: 1, y: 2, x: 3}", "1:18", 'the key "x" is already in line 1'),
    ("long key", f"{'k' * 65}: 1", "1:1", "a key of 65 characters is too long"),
    ("list as key", "? [a,b]\n: x", "1:3", "a key must be a simple word"),
    ("mapping as key", "? {}\n: x", "1:3", "a key must be a simple word"),
    ("block as key", "? |\n  a\n: x", "1:3", "a key must be a simple word"),
    ("null key", ": x", "1:1", "a key must be a simple word"),
    ("empty asked key", "?\n: x", "1:2", "a key must be a simple word"),
    ("directive", "%YAML 1.1\n---\na: 1", "1:1", 'a line that begins with "%" is not allowed'),
    ("directive of YAML 1.2", "# a\n%YAML 1.2\n---\na", "2:1", 'a line that begins with "%" is not'),
    ("tag directive", "%TAG ! tag:x,2000:\n---\na: 1", "1:1", 'a line that begins with "%" is not allowed'),
    ("unknown directive", "%FOO\n---\na: 1", "1:1", 'a line that begins with "%" is not allowed'),
    ("two documents", "a: 1\n---\nb: 2\n", "2:1", "a second document starts here"),
    ("text after the end", "a: 1\n...\nb: 2\n", "3:1", "this stands after the end"),
    ("byte order mark inside", "a: 1\n\ufeffb: 2", "2:1", "the byte order mark (U+FEFF) is not allowed"),
    ("hidden line", "token: x\u2028turn: 13", "1:9", "the line separator (U+2028) is not allowed"),
    ("zero width", "pl\u200bay: N2", "1:3", "the zero width space (U+200B) is not allowed"),
    ("latin-1", "name: Jürgen".encode("latin-1"), "1:8", "the byte 0xFC is not UTF-8 text"),
    ("binary", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "3:1", "this looks like a binary file"),
    ("escaped override", r'a: "x\u202Ey"', "1:6", r'"\u202E" stands for the right-to-left override (U+202E)'),
    ("escaped line end", r'a: "\L"', "1:5", r'"\L" stands for the line separator (U+2028)'),
    ("escaped NUL", r'a: "\0"', "1:5", r'"\0" stands for the NUL (U+0000)'),
    ("escaped half", r'a: "\ud800"', "1:5", r'"\ud800" stands for the half of a character (U+D800)'),
    ("escape beyond Unicode", r'a: "\U00110000"', "1:5", r'"\U00110000" means nothing in double quotes'),
    ("escaped key", r'"\u2066": 1', "1:2", r'"\u2066" stands for the left-to-right isolate'),
    ("tab indents", "a:\n  b: 1\n\tc: 2\n", "3:1", "this line is indented with a tab"),
    ("tab after spaces", "a:\n  \tb: 1\n", "2:3", "this line is indented with a tab"),
]  # fmt: skip


@pytest.mark.wording("what the reader of YAML says is read")
@both_parsers
@pytest.mark.parametrize(
    ("data", "mark", "text", "is_hinted"),
    [
        *(pytest.param(*row[1:], False, id=row[0]) for row in HOSTILE),
        *(pytest.param(*row.values, True, id=row.id) for row in rows_of(__file__, "mistakes")),
    ],
)
def test_what_is_wrong_is_refused_at_its_place(
    data: bytes | str, mark: str, text: str, is_hinted: bool, pure: bool
) -> None:
    problem = problem_of(data, pure)

    assert str(problem.mark) == mark
    assert problem.text.startswith(text)
    assert problem.hint.endswith(".") or not is_hinted


@both_parsers
@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("[" * 12 + "]" * 12, Limits()),
        ("[" + "x," * 4_999 + "]", Limits()),
        (f"{'k' * 64}: 1", Limits()),
        ("[[x]]", Limits(size=5, nodes=3, depth=2)),
    ],
    ids=["depth", "nodes", "key", "own limits"],
)
def test_a_text_at_its_limits_is_read(text: str, limits: Limits, pure: bool) -> None:
    assert isinstance(parse(text, limits, pure=pure), Document)


@pytest.mark.parametrize("limits", [Limits(size=4), Limits(nodes=2), Limits(depth=1)], ids=str)
def test_a_text_beyond_given_limits_is_refused(limits: Limits) -> None:
    with pytest.raises(YamlProblem):
        parse("[[x]]", limits)


@pytest.mark.parametrize(
    "error", [RecursionError(), ValueError("x"), IndexError(), MemoryError(), SystemError()]
)
def test_a_fault_of_the_parser_is_a_problem_of_the_text(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr(yaml, "parse", fail)

    assert str(problem_of("a: 1").mark) == "1:1"


@pytest.mark.parametrize(
    ("path", "mark"),
    [
        (("orders", 0, "do", "play"), Mark(4, 14)),
        (("orders", 0, "do", "build"), Mark(4, 7)),
        (("orders", 7, "do"), Mark(3, 1)),
        (("press",), Mark(1, 1)),
        ((), Mark(1, 1)),
    ],
    ids=str,
)
def test_find_gives_the_place_or_the_nearest_one_around_it(path: tuple[str | int, ...], mark: Mark) -> None:
    assert find_mark(parse(ORDERS), path) == mark
    assert find_mark(parse("# orders\n  game: rose-1\n"), ("press", 0, "say")) == Mark(2, 3)
    assert find_mark(Document(None, {}, {}), ("a",)) == Mark(1, 1)


# Pieces that matter to YAML, so that random texts reach deep into both parsers.
PIECES = [
    "a", "b", "key", "7", "é", "😀", "-", "- ", ":", ": ", ",", "?", "? ", "[", "]", "{", "}", '"', "'",
    "|", ">", "|2\n", ">-\n", "#", " #", "&a", "*a", "!", "!!x", "%", "%A\n", "---", "\n---\n",
    "\n...\n", "@", "`", "\\", "\\x", "\\u202e", "\\ud800", "\\U00110000", "~", "<<", "1.5", "\t", "\r",
    " ", "  ", "\n", "\n  ", "\n- ", "a: 1\n", "- x\n", "k: {a: b}\n", "'x: y'\n", "\xa0", "\u2028",
    "\0", "x" * 70, "w " * 600,
]  # fmt: skip
yaml_like = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


def outcome(data: bytes | str, pure: bool) -> Document | YamlProblem:
    try:
        return parse(data, pure=pure)
    except YamlProblem as problem:
        return problem


def marks_of(result: Document | YamlProblem) -> Iterator[Mark]:
    if isinstance(result, YamlProblem):
        yield result.mark
    else:
        yield from result.marks.values()
        yield from result.keys.values()


def assert_total(data: bytes | str, pure: bool) -> None:
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")

    result = outcome(data, pure)

    for mark in marks_of(result):
        assert 1 <= mark.line <= len(lines)
        assert 1 <= mark.column <= len(lines[mark.line - 1]) + 1
    if isinstance(result, YamlProblem):
        assert result.text
        assert "\n" not in str(result)


@given(data=st.binary())
@example(data=b"\xef\xbb\xbf\xff")
@example(data=b"\xed\xa0\x80")
@thorough
def test_any_bytes_give_a_document_or_a_problem_within_them(data: bytes) -> None:
    for pure in PARSERS:
        assert_total(data, pure)


@given(data=st.text(st.characters()) | yaml_like)
@example(data="\ud800")
@example(data="? a")
@example(data='"\\')
@example(data="a: [b")
@settings(thorough, max_examples=150)
def test_any_text_gives_a_document_or_a_problem_within_it(data: str) -> None:
    for pure in PARSERS:
        assert_total(data, pure)


@pytest.mark.wording("what the reader of YAML says is read")
@pytest.mark.skipif(not HAS_LIBYAML, reason="PyYAML was built without libyaml")
@given(data=yaml_like)
@example(data="{say: really?}")
@example(data="{a:}")
@example(data="{a:[1]}")
@example(data="[a ?b, c:?d]")
@example(data="a: |#x\n")
@example(data='a: "\\ud800"')
@example(data="a: b\tc")
@example(data='"\\ud800')
@settings(thorough, max_examples=500)
def test_both_parsers_read_the_same(data: str) -> None:
    fast, pure = outcome(data, False), outcome(data, True)

    if isinstance(fast, Document) and isinstance(pure, Document):
        assert json.dumps(fast.value) == json.dumps(pure.value)
        assert (fast.marks, fast.keys) == (pure.marks, pure.keys)
    else:
        assert isinstance(fast, YamlProblem)
        assert isinstance(pure, YamlProblem)
        # Where tags and directives are refused anyway, the two may stop at different ones of several faults.
        if "!" not in data and "%" not in data:
            assert str(fast) == str(pure)


allowed_text = st.text(st.characters(exclude_categories=["Cs", "Co"]).filter(lambda c: not is_forbidden(c)))
tricky_text = st.sampled_from([
    "", " ", "no", "Yes", "null", "~", "7", "1.5", "1:30", "0x1F", "2024-01-02", "<<", "=", "a: b",
    "a #b", "- a", "?", "---", "...", "[a]", "{", "*a", "&a", "!a", "%a", "@a", "`a`", "it's", 'say "x"',
    "a,b", "a\\b", "\t", "a\nb", "a\n", "\na", "a\n\n", "a\n b\n", " a\nb", "a\n\nb", "a \nb", "a\tb\nc",
    "#a\n#b", "x\u00a0y\nz", "e\u0301", "really?",
])  # fmt: skip
some_text = allowed_text | tricky_text | yaml_like.filter(lambda t: not any(is_forbidden(c) for c in t))
some_key = some_text.map(lambda text: text[:64])
scalars: st.SearchStrategy[Json] = (
    st.none()
    | st.booleans()
    | st.integers(-(10**18) + 1, 10**18 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | some_text
)
values: st.SearchStrategy[Json] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(some_key, inner, max_size=4),
    max_leaves=12,
).filter(lambda value: json.dumps(value) is not None)


def nested(value: Json) -> int:
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if entries is None else 1 + max(map(nested, entries), default=0)


@given(value=values.filter(lambda value: nested(value) <= 11))
@example(value=-0.0)
@example(value=5e-324)
@example(value=1.7976931348623157e308)
@example(value={"a": ["x\ny", ["a\n\nb\n"], {"b": "c\nd"}]})
@example(value={"a": math.pi, "b": [1e22, -0.0, 1e-9]})
@settings(thorough, max_examples=150)
def test_what_is_dumped_is_read_back_equal(value: Json) -> None:
    """As lines, in one line, and cut between entries; a common reader of YAML reads the same."""
    line, cut = dump_flow(value), dump_flow_lines([value], 20, "- ", "    ")
    written = [(dump(value), value), (line, value), ("\n".join(cut), [[value]])]

    assert len(line.splitlines()) == 1
    for text, expected in written:
        assert [json.dumps(parse(text, pure=pure).value) for pure in PARSERS] == (
            [json.dumps(expected)] * len(PARSERS)
        )
    assert json.dumps(yaml.safe_load(dump_flow(["x", value]))) == json.dumps(["x", value])


def test_lines_end_between_entries_and_never_between_a_key_and_its_value() -> None:
    value: Json = {
        "at": "red-7",
        "when": {"crown": "E5", "pile": 13},
        "do": {"take": ["Fr5", "Ba2"], "also": ["It2"]},
    }
    assert dump_flow_lines(value, 32, "#- ", "#   ") == [
        "#- {at: red-7,",
        "#   when: {crown: E5, pile: 13},",
        "#   do: {take: [Fr5, Ba2],",
        "#     also: [It2]}}",
    ]


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"play": "N2", "hero": True}, "{play: N2, hero: true}"),
        ({"at_most": 1, "x": [None, 0.5, 1e21]}, "{at_most: 1, x: [null, 0.5, 1000000000000000000000.0]}"),
        ({"7": "7", "a b": "Peace in the north"}, '{7: "7", a b: Peace in the north}'),
        (["no", "on", "1e3", "012", "1:30", "", "~"], '["no", "on", "1e3", "012", "1:30", "", "~"]'),
        ({"say": "He said: \"hold\"\n"}, r'{say: "He said: \"hold\"\n"}'),
        ({"Имя": "Жанна д'Арк"}, "{Имя: Жанна д'Арк}"),
        ({}, "{}"),
        ("N2", "N2"),
    ],
)  # fmt: skip
def test_one_line_quotes_only_what_needs_quotes(value: Json, line: str) -> None:
    assert dump_flow(value) == line


def test_several_lines_look_as_a_person_would_write_them() -> None:
    text = dedent("""\
        game: rose-1
        orders:
        - at: red-7
          do: {play: N2, hero: true}
        - {draw: true}
        press:
        - to: [white, blue]
          say: |
            Dear all,

            it is over.
        notes: {}
        when:
          crown: {has: [E5, E6]}
        """).replace("  crown: {has: [E5, E6]}", "  crown:\n    has: [E5, E6]")

    assert dump(parse(text).value) == text


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.inf, ()),
        ([math.nan], ()),
        (10**18, ("18",)),
        ({"k" * 65: 1}, ("64", "65")),
        ("a\u202eb", ("right-to-left", "(U+202E)")),
        ({"a\rb": 1}, ("(U+000D)",)),
        ("\ud800", ("(U+D800)",)),
    ],
)
def test_a_value_that_could_not_be_read_back_is_not_dumped(value: Json, message: tuple[str, ...]) -> None:
    for write in (dump, dump_flow):
        with pytest.raises(ValueError) as caught:
            write(value)
        assert tells(str(caught.value), *message)


def test_a_value_nested_beyond_the_limit_is_not_dumped_and_does_not_exhaust_the_stack() -> None:
    value: Json = []
    for _ in range(100_000):
        value = [value]

    with pytest.raises(ValueError, match=r"12"):
        dump(value)
