"""Imperfect mails, as people write them in Gmail, in Outlook and on a phone, and the answer to each."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Choice, Json, Menu
from pbem.host.notices.digest import news_of
from pbem.host.notices.questions import open_questions
from pbem.host.notices.queue import note_told, to_note
from pbem.host.run.batch import run
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reporting import form_of
from pbem.text.mail.sayings.sentences import ways_to_write
from tests.facts import tells
from tests.homes import NOW, a_game, a_home
from tests.mail.homes import write_settings
from tests.mail.host import ANN, N2, Host, a_host, text_of
from tests.mail.letters import attached, boxed, quoted

GMAIL = "On Sat, 21 Nov 2026 at 20:00, The host <host@pbem.test> wrote:\n\n"
OUTLOOK = (
    "________________________________\nFrom: The host <host@pbem.test>\nSent: Saturday, 21 November 2026\n"
    "To: Ann <ann@example.test>\nSubject: [rose-1] Your orders, please (red-1)\n\n"
)
INTRIGUE = (
    "seats:\n  '1': {player: Ann, address: ann@example.test}\n  '2': {player: Bob, address: b@example.test}\n"
)
MEANT_N2 = "    | orders:\n    | - at: red-1\n    |   do: {play: N2}\n"
MEANT_START = "    | orders:\n    | - at: start\n    |   do: {luck: a bucket of moonlight, target: 300}\n"


def intrigue(path: Path, *, deal: bool = False) -> Host:
    """Return a host with a game of Web of Intrigue, web-1, that waits for its start forms, or is dealt."""
    home = a_home(path)
    write_settings(home)
    a_game(home, "web-1", rules="web-of-intrigue", table=INTRIGUE, deal=deal)
    return Host(home, NOW)


def form(host: Host, game: str = "rose-1", seat: str = "red") -> str:
    """Return the form of a seat, as its report has it."""
    return form_of(SavedGame(host.home, game), Seat(seat))


def answer_to(host: Host, text: str, game: str = "rose-1", seat: str = "red") -> str:
    """Send a mail as a reply to a report; return its verdict and the answer."""
    raw = host.a_mail(text, subject=f"Re: [{game}] Your orders, please")
    verdict = host.gets(raw, host.address(seat, game), ANN).verdict
    return f"{verdict}\n{text_of(host.answers()[-1])}"


def above_form(host: Host, text: str) -> str:
    """Answer the start form of web-1 with words above its quotation, and return what is answered."""
    return answer_to(host, f"{text}\n\n{GMAIL}{quoted(form(host, 'web-1', '1'))}", "web-1", "1")


APART = "- at: red-1\n  do: {play: N2}\n\n- keep: true\n  do: {draw: true}"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            APART,
            (MEANT_N2,),
        ),
        (f"{APART}\n\nKind regards\nAnn", ()),
        (f"{APART}\n\npress:\n- {{to: all, say: Hello}}", ()),
    ],
)
def test_lines_apart_are_meant_together_and_quoted_as_they_came(
    tmp_path: Path, text: str, meant: tuple[str, ...]
) -> None:
    host = a_host(tmp_path)

    said = answer_to(host, text)

    assert tells(said.partition("DID YOU MEAN THIS?\n")[2], *meant)
    assert indent(APART, "    | ", lambda _: True) in said
    with host.home.journal() as db:
        assert [one.words.startswith(APART) for one in open_questions(db)] == [True]


def test_nobody_need_answer_what_could_be_meant_once_good_orders_came(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    for text in ("I play N2", "Is N2 a good move?"):
        answer_to(host, text)

    host.orders(N2)

    with host.home.journal() as db:
        assert [one.words for one in open_questions(db)] == ["Is N2 a good move?"]


def test_the_next_digest_says_that_what_was_told_needs_no_answer_any_more(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    answer_to(host, "I play N2")
    with host.home.journal() as db:
        [told] = open_questions(db)
        note_told(db, to_note(db))
    answer_to(host, "Or I play E1")

    host.orders(N2)

    with host.home.journal() as db:
        news = [line for line in news_of(host.home, db, ()) if line.startswith("rose-1: ")]
    assert len([line for line in news if tells(line, f" {told.number} ", "red")]) == 1


HEADS = {
    "misspelt": (
        "Hi,\n\nordes:\n- at: turn-1\n  do:\n    bid_2: {for: Technology points: 8}\n",
        "Did you mean `orders:` in line 3 (`ordes:`)?",
        'line 6, column 35 of your mail: a comma or the "}" is missing before this; its "{" is at line 6, '
        "column 12.",
        "    |     bid_2: {for: Technology points: 8}\n    |                                   ^",
    ),
    "without its colon": (
        "orders\n at start\n  do: {luck = my lucky number is 7}\n",
        "Did you mean `orders:` in line 1 (`orders`)?",
        "line 3, column 3 of your mail: ",
        "    |   do: {luck = my lucky number is 7}\n    |   ^",
    ),
}


@pytest.mark.parametrize(("text", "meant", "place", "shown"), HEADS.values(), ids=HEADS)
def test_a_line_that_is_nearly_orders_is_asked_back_and_what_stands_below_it_is_told_with_its_place(
    tmp_path: Path, text: str, meant: str, place: str, shown: str
) -> None:
    answer = answer_to(intrigue(tmp_path, deal="start" not in text), text, "web-1", "1")

    said = " ".join(answer.split())
    assert tells(said, "No")
    assert place in said
    assert shown in answer


BRACES = {
    "no brace closed": (
        "bid_2: {for Technology, point: 8\nmove: stay",
        "    | bid_2: {for Technology, point: 8\n    | ^",
    ),
    "no comma": (
        "Hello,\nbid_1: {for: Technology points: 8}\nmove: stay",
        "    | bid_1: {for: Technology points: 8}\n    |                               ^",
    ),
}


@pytest.mark.parametrize(("text", "shown"), BRACES.values(), ids=BRACES)
def test_what_is_wrong_in_braces_of_fields_alone_is_told_with_its_line(
    tmp_path: Path, text: str, shown: str
) -> None:
    answer = answer_to(intrigue(tmp_path, deal=True), text, "web-1", "1")

    assert shown in answer
    assert not re.search(r" is at [0-9]+:[0-9]+", " ".join(answer.split()))


def test_a_start_form_after_the_deal_is_told_that_and_nothing_that_cannot_work(tmp_path: Path) -> None:
    text = "Sorry, I was on holiday!\nluck: the last train home\ntarget: 320\n"

    answer = " ".join(answer_to(intrigue(tmp_path, deal=True), text, "web-1", "1").split())

    assert tells(answer, "Your")
    assert tells(answer, "IS WRONG")
    assert "Write `orders:`" not in answer


def test_the_example_in_an_answer_is_that_of_the_form_below_it(tmp_path: Path) -> None:
    host = intrigue(tmp_path)
    for seat, sender in (("1", ANN), ("2", "b@example.test")):
        host.gets(host.a_mail("luck: red shoes, target: 300", sender), host.address(seat, "web-1"), sender)
    run(host.home, "web-1", now=NOW)

    said = answer_to(host, "Please put me down for the nearest tile!", "web-1", "1")

    example = said.partition("takes its place\n")[2].partition("\n\n")[0]
    inner = example.partition("do: {")[2].removesuffix("}")
    shown = said.partition("# EXAMPLE")[2].partition("# Write what")[0]
    assert "bid_1: " in inner
    assert all(part in " ".join(shown.split()) for part in re.findall(r"for: [^,}]+|enact: [^,}]+", inner))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "My luck words are purple rain on tuesdays. 280 points would be nice.\n\nThanks, Ann",
            "{luck: purple rain on tuesdays, target: 280}",
        ),
        ("Luck words: “red shoes”\nTarget: 250 please", "{luck: red shoes, target: 250}"),
        (
            "Hi! My luck words are blue moon over Tampere and I suggest 280 points as the target.",
            "{luck: blue moon over Tampere, target: 280}",
        ),
        ("My lucky words are red shoes, thank you\nAnn", "{luck: red shoes}"),
        ("My luck words are red shoes please\n-- \nAnn, 300 points", "{luck: red shoes}"),
    ],
)
def test_luck_words_and_numbers_in_sentences_are_offered_as_they_would_count(
    tmp_path: Path, text: str, meant: str
) -> None:
    host = intrigue(tmp_path)

    said = above_form(host, text)

    assert said.startswith("question\n")
    assert f"DID YOU MEAN THIS?\n    | orders:\n    | - at: start\n    |   do: {meant}\n" in said


def test_a_number_that_is_left_out_of_a_start_form_is_told_with_where_it_may_go(tmp_path: Path) -> None:
    host = intrigue(tmp_path)

    said = above_form(host, 'My luck words are "purple rain" and I think 220 would be a good target.')

    assert "  do: {luck: purple rain}\n" in said
    assert tells(" ".join(said.split()), "220", "`, target: 220`")
    host.gets(host.a_mail("luck: purple rain"), host.address("1", "web-1"))


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for the luck words, they are fun!\n\nAnn Luck",
        "Are my luck words purple rain?",
        "I am back on 28 December.",
        "My luck words are not clear to me.",
        "Good luck!\nAnn",
        "I think 280 points would be nice.",
    ],
)
def test_thanks_questions_and_signatures_are_no_luck_words(tmp_path: Path, text: str) -> None:
    host = intrigue(tmp_path)

    said = above_form(host, text)

    assert "DID YOU MEAN" not in said
    assert not host.lodged("1", "web-1")


SPOKEN = {
    "I bid 6 on {}, please.": "{bid_1: {for: {}, points: 6}}",
    "My bids: {} 5 points,\n{second} 4. See you on 7 May!\n\nAnn": (
        "{bid_1: {for: {}, points: 5}, bid_2: {for: {second}, points: 4}}"
    ),
    "The bids: {} 6. Sorry, I was away last turn!": "{bid_1: {for: {}, points: 6}}",
    "On {} I bid 9 and on {second} 2. I guess that player 2 is {house}, then I move to {square}.": (
        "{bid_1: {for: {}, points: 9}, bid_2: {for: {second}, points: 2}, "
        'guess: {player: "2", house: {house}}, move: {square}}'
    ),
}


def dealt_intrigue(path: Path) -> tuple[Host, dict[str, str]]:
    """Return a host with web-1, dealt, and what its first seat can name."""
    host = intrigue(path)
    run(host.home, "web-1", now=NOW, deal=True)
    saved = SavedGame(host.home, "web-1")
    menus = saved.opening.choices(saved.view(saved.position.game, Seat("1"))).menus
    last = {menu.paths[0]: str(menu.items[-1].order) for menu in menus}
    first, second, *_ = (item.note.split(",")[0] for item in menus[1].items)
    house = saved.opening.wording.name(last["guess.house"])
    return host, {"{}": first, "{second}": second, "{house}": house, "{square}": last["move"]}


def filled(text: str, names: dict[str, str]) -> str:
    for mark, name in names.items():
        text = text.replace(mark, name)
    return text


@pytest.mark.parametrize(("text", "meant"), SPOKEN.items())
def test_bids_in_sentences_are_offered_as_they_are_written(tmp_path: Path, text: str, meant: str) -> None:
    host, names = dealt_intrigue(tmp_path)

    said = answer_to(host, filled(text, names), "web-1", "1")

    assert said.startswith("question\n")
    assert (
        f"DID YOU MEAN THIS?\n    | orders:\n    | - at: turn-1\n    |   do: {filled(meant, names)}\n" in said
    )
    assert not host.lodged("1", "web-1")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I bid 3 on Helsinki.", "  there is no object 'Helsinki'\n"),
        ("Should I bid 6 on {}?", ""),
        ("I do not bid 6 on {}", ""),
        ("I bid 6 on {} or on {second}.", ""),
    ],
)
def test_bids_in_sentences_that_leave_something_open_are_told_how_they_are_written(
    tmp_path: Path, text: str, wrong: str
) -> None:
    host, names = dealt_intrigue(tmp_path)

    said = answer_to(host, filled(text, names), "web-1", "1")

    assert "DID YOU MEAN" not in said
    assert (f"WHAT IS WRONG\n{wrong}" in said) == bool(wrong)
    assert (
        "HOW IT IS WRITTEN\n  bid_1: The bid of bid phase 1: an object that you see, with points:\n" in said
    )


@pytest.mark.parametrize(
    "text",
    [
        "No bid on {} with 6 points.",
        "Cancel my bid of 6 on {}",
        "I withdraw the bid of 6 on {} and move to {square}.",
        "Forget the bid for {} with 6 points.",
        "Dont bid 6 on {}",
        "Anna bids 6 on {}",
        "He bids on {} for 6, so I guess that player 2 is {house}.",
        "She will bid 6 on {}",
        "Last turn I bid 6 on {} and lost.",
        "I was going to bid 6 on {}.",
        "I bid 6 on {}. Or maybe 5.",
        "I bid 6 on {} and move to {square}. Or maybe not.",
        "Bid nothing. {} 6 is too dear.",
        "I bid 6 on {}. Actually make that 5 on {second}",
        "I bid 6 on {}. Rather 5 on {second}",
    ],
)
def test_bids_that_are_taken_back_or_another_s_or_doubted_are_not_offered(tmp_path: Path, text: str) -> None:
    host, names = dealt_intrigue(tmp_path)

    assert "DID YOU MEAN" not in answer_to(host, filled(text, names), "web-1", "1")


@pytest.mark.parametrize(
    "text", ["Thanks for the game, nice move!", "I will be back at 8.", "Good luck, Bob"]
)
def test_talk_is_not_told_how_orders_are_written(tmp_path: Path, text: str) -> None:
    host, _ = dealt_intrigue(tmp_path)

    said = answer_to(host, text, "web-1", "1")

    assert "DID YOU MEAN" not in said
    assert "HOW IT IS WRITTEN" not in said


def test_a_field_that_no_author_described_is_not_told_how_it_is_written() -> None:
    menus = (Menu(("bid_1",), "Bids", (Choice({"for": "Spain"}, "Spain"),)),)
    schema: dict[str, Json] = {"properties": {"bid_1": {"type": "object"}}}

    assert ways_to_write(["Should I bid 6 on Spain?"], menus, schema) == ()


FORMS = [
    "- luck: a bucket of moonlight, target: 300",
    "• luck: a bucket of moonlight • target: 300",
    "* Luck: a bucket of moonlight Target: 300",
    "- luck: a bucket of moonlight\n- target: 300",
    "- at: start do: luck: a bucket of moonlight, target: 300",
    "- {luck: a bucket of moonlight; target: 300}",
]


@pytest.mark.parametrize("text", FORMS)
def test_fields_of_a_start_form_above_the_quoted_form_are_shown_as_they_would_count(
    tmp_path: Path, text: str
) -> None:
    host = intrigue(tmp_path)

    said = above_form(host, text)

    assert f"DID YOU MEAN THIS?\n{MEANT_START}" in said


@pytest.mark.parametrize(
    "text",
    [
        "orders: - at: start do: {luck: a bucket of moonlight, target: 300}",
        "orders:\n- at: start do: {luck: a bucket of moonlight target: 300}",
        "orders:\n• at: start do: luck: a bucket of moonlight; target: 300",
        "orders:\n- at: start\n  do: {} luck: a bucket of moonlight, target: 300",
        "orders:\n- at: start\n  do:\n    luck: a bucket of moonlight target: 300",
    ],
)
def test_fields_that_a_mail_program_joined_are_read_apart_and_no_luck_words_swallow_them(
    tmp_path: Path, text: str
) -> None:
    host = intrigue(tmp_path)

    said = above_form(host, text)

    assert said.startswith("lodged\n")
    assert "    | - at: start\n    |   do: {luck: a bucket of moonlight, target: 300}\n" in said
    assert "Note: " in said


@pytest.mark.parametrize(
    ("text", "lodged"),
    [
        (
            "luck: a bucket of moonlight, target: 300\n\nRegards,\nAnn",
            "luck: a bucket of moonlight, target: 300",
        ),
        (
            "Luck: a bucket of moonlight\nTarget: 300\n\nSent from my iPhone",
            "luck: a bucket of moonlight, target: 300",
        ),
        ("luck: a bucket of moonlight", "luck: a bucket of moonlight"),
        ("luck: #1 fan of the stars\ntarget: 350", 'luck: "#1 fan of the stars", target: 350'),
        ("luck: we are #1   # or so\ntarget: 350 # points", 'luck: "we are #1", target: 350'),
    ],
)
def test_a_mail_that_is_no_more_than_the_fields_of_a_start_form_is_one(
    tmp_path: Path, text: str, lodged: str
) -> None:
    host = intrigue(tmp_path)

    said = above_form(host, text)

    assert said.startswith("lodged\n")
    assert f"    | - at: start\n    |   do: {{{lodged}}}\n" in said
    assert tells(said, "`luck:`")
    assert "changed nothing" not in said


def test_lines_of_who_joins_a_game_are_passed_over_beside_those_of_the_start_form(tmp_path: Path) -> None:
    host = intrigue(tmp_path)

    said = above_form(
        host, "name: Anna\nseat: 1\nTarget: 300\nzone: Europe/Helsinki\nluck: a bucket of moonlight\n\nAnna"
    )

    assert said.startswith("lodged\n")
    assert "    | - at: start\n    |   do: {target: 300, luck: a bucket of moonlight}\n" in said
    assert tells(" ".join(said.split()), "`name:`", "`zone:`")


@pytest.mark.parametrize(
    "text",
    [
        "luck: a bucket of moonlight\n\nIs that enough?",
        "luck: are capital letters allowed?\n\nAnn",
        "luck: a bucket of moonlight\n\nNo, wait until tomorrow with these words.",
        "luck: a bucket of moonlight, for all of us",
        "luck: a bucket of moonlight\ngoal: 300",
        "luck: a bucket of moonlight\n\nGoal: 300",
        "luck: a bucket of silver light, gathered in the night above the old canal of the\nold town",
        "luck: a bucket of moonlight\nluck: red shoes",
        "seat: 2\nluck: a bucket of moonlight",
        "name: Ann\nzone: Europe/Helsinki",
        "I could not choose.\nluck: a bucket of moonlight",
    ],
)
def test_fields_of_a_start_form_among_other_words_are_not_taken(tmp_path: Path, text: str) -> None:
    host = intrigue(tmp_path)

    assert answer_to(host, text, "web-1", "1").startswith("question\n")
    assert not host.lodged("1", "web-1")


def test_a_form_that_was_renamed_counts_and_two_forms_that_differ_do_not(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    one, other = (form(host).replace("do: {}", f"do: {{play: {card}}}") for card in ("N2", "E1"))
    named = ("Content-Type: text/plain", "See the file.")

    raw = boxed(named, attached("my orders.txt", one, "text/plain"))
    assert host.gets(raw, host.address()).verdict == "lodged"

    raw = boxed(named, attached("a.txt", one, "text/plain"), attached("b.yaml", other)).replace(
        b"<1@", b"<2@"
    )
    assert host.gets(raw, host.address()).verdict == "refused"
    assert host.orders(N2).verdict == "lodged"


BARRED = {
    "as they are shown": MEANT_START,
    "at the edge": "| orders:\n| - at: start\n|   do: {luck: a bucket of moonlight, target: 300}\n",
    "with two bars": "    |     | orders:\n    |     | - do: {luck: a bucket of moonlight, target: 300}\n",
    "without their first line": MEANT_START.partition("\n")[2],
    "below words": f"This one, please:\n\n{MEANT_START}\nAnn\n",
}
"""Lines that were copied with their bars."""


@pytest.mark.parametrize("text", BARRED.values(), ids=BARRED)
@pytest.mark.parametrize("program", ["", GMAIL, OUTLOOK], ids=["new", "gmail", "outlook"])
def test_who_copies_lines_with_their_bars_is_told_to_take_the_bars_away(
    tmp_path: Path, text: str, program: str
) -> None:
    host = intrigue(tmp_path)
    old = form(host, "web-1", "1") if program else ""

    said = answer_to(host, f"{text}\n{program}{quoted(old) if program == GMAIL else old}", "web-1", "1")

    assert f"DID YOU MEAN THIS?\n{MEANT_START}" in said
    assert not host.lodged("1", "web-1")


def test_what_a_player_wrote_without_bars_goes_before_lines_with_bars(tmp_path: Path) -> None:
    host = intrigue(tmp_path)

    said = answer_to(host, f"luck: red shoes, target: 250\n\n{MEANT_START}", "web-1", "1")

    assert (
        "DID YOU MEAN THIS?\n    | orders:\n    | - at: start\n    |   do: {luck: red shoes, target: 250}"
        in said
    )
    assert "bars away" not in said


def test_bars_in_what_is_quoted_are_nobodys_orders(tmp_path: Path) -> None:
    host = intrigue(tmp_path)

    said = answer_to(host, f"What now?\n\n{GMAIL}{quoted(MEANT_START)}", "web-1", "1")

    assert "bars away" not in " ".join(said.split())
    assert "DID YOU MEAN" not in said


@pytest.mark.parametrize("yes", ["Yes, that is what I meant!", "Yes please\n\nAnn", "Ok", "Ja, genau"])
@pytest.mark.parametrize("program", [GMAIL, OUTLOOK], ids=["gmail", "outlook"])
def test_a_yes_sends_nothing_and_is_shown_the_suggestion_again(
    tmp_path: Path, yes: str, program: str
) -> None:
    host = intrigue(tmp_path)
    asked = answer_to(host, "- luck: a bucket of moonlight, target: 300", "web-1", "1")
    old = asked.partition("\n")[2]

    raw = host.a_mail(
        f"{yes}\n\n{program}{quoted(old) if program == GMAIL else old}", subject="Re: [web-1] No"
    )
    host.gets(raw, host.address("1", "web-1"), ANN)

    said = text_of(host.answers()[-1])
    assert f"DID YOU MEAN THIS?\n{MEANT_START}" in said
    assert not host.lodged("1", "web-1")


def test_the_list_of_what_can_be_done_has_a_line_above_it(tmp_path: Path) -> None:
    host = intrigue(tmp_path)

    said = above_form(host, "Ok, thanks!")

    assert "Nothing was changed.\n\nThis can be done by mail:\n\n- " in said


def test_the_advice_shows_no_order_that_would_be_refused(tmp_path: Path) -> None:
    host = intrigue(tmp_path)

    said = " ".join(answer_to(host, "1. bid_1: Spain, 12 points", "web-1", "1").split())

    assert "{bid_1: Spain, 12 points}" not in said
    assert "`- do: {bid_1: ...}`" in said
