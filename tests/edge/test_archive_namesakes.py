"""Who is the same person in two games: name and address tell, and nothing that was written before."""

from __future__ import annotations

import random

import pytest

from pbem.archive.results import Stint, folded, page_of, told_apart

ANN, OTHER = "ann@example.org", "ann@other.example"


def stint(name: str, address: str, seat: str = "red", person: int = 0) -> Stint:
    return Stint(seat, name, 1, None, whole=True, with_bot=False, known=bool(address), person=person)


@pytest.mark.parametrize(
    ("played", "people"),
    [
        ([("Ann", ANN), ("Ann", ANN)], [1, 1]),
        ([("Ann", ANN), ("Ann", OTHER), ("Ann", ANN)], [1, 2, 1]),
        ([("Ann", ANN), (" ann  ", ANN)], [1, 1]),
        ([("Ann", ""), ("Ann", "")], [1, 1]),
        ([("Ann", ""), ("Ann", ANN)], [1, 1]),
        ([("Ann", OTHER), ("Ann", ""), ("Ann", ANN)], [1, 2, 3]),
        ([("Ann", ANN), ("Bob", ANN)], [1, 1]),
    ],
    ids=["same", "two", "spelling", "no address", "one address", "whose is unknown", "names"],
)
def test_the_same_name_and_address_are_one_person(played: list[tuple[str, str]], people: list[int]) -> None:
    games = {f"g-{n}": (f"2026-01-0{n + 1}", [stint(*one)]) for n, one in enumerate(played)}
    addresses = {f"g-{n}": address for n, (_, address) in enumerate(played)}

    found = told_apart(games, lambda game, _: addresses[game])

    assert [found[game][0].person for game in games] == people


@pytest.mark.parametrize("seed", range(5))
def test_numbers_depend_on_the_games_and_not_on_what_was_numbered_before(seed: int) -> None:
    chance = random.Random(seed)
    addresses: dict[str, str] = {}
    kept: dict[str, tuple[str, list[Stint]]] = {}
    for step in range(40):
        if kept and chance.random() < 0.3:
            del kept[chance.choice(sorted(kept))]
        game = f"g-{chance.randrange(12)}" if chance.random() < 0.3 else f"h-{step}"
        addresses[game] = chance.choice(["", ANN, OTHER, "ann@third.example"])
        kept[game] = (f"2026-01-{chance.randrange(10, 30)}", [stint("Ann", addresses[game])])
        told = told_apart(kept, lambda game, _: addresses[game])
        new = {game: (begun, [stint("Ann", addresses[game])]) for game, (begun, _) in kept.items()}

        assert told == told_apart(new, lambda game, _: addresses[game])
        kept = {game: (begun, told[game]) for game, (begun, _) in kept.items()}


def test_a_file_is_read_for_a_new_game_and_once_for_each_namesake_only() -> None:
    games = {f"g-{n:02}": (f"2026-01-{n + 10}", [stint("Ann", ANN, person=1 + n % 2)]) for n in range(10)}
    games["new"] = ("2026-02-01", [stint("Ann", ANN)])
    read: list[str] = []

    def address(game: str, _: Stint) -> str:
        read.append(game)
        return ANN if game == "new" or int(game[2:]) % 2 == 0 else OTHER

    found = told_apart(games, address)

    assert read == ["g-00", "g-01", "new"]
    assert found["new"][0].person == 1


def test_a_player_whose_address_cannot_be_read_any_more_stays_a_person_of_their_own() -> None:
    games = {"a": ("1", [stint("Ann", ANN, person=1)]), "b": ("2", [stint("Ann", OTHER, person=2)])}
    games["c"] = ("3", [stint("Ann", OTHER)])

    found = told_apart(games, lambda game, _: {"a": "", "b": OTHER, "c": OTHER}[game])

    assert [found[game][0].person for game in "abc"] == [1, 2, 2]


@pytest.mark.parametrize(
    "name",
    [
        "Ann Lee",
        "../../etc/passwd",
        "CON",
        "",
        ".",
        "王小明",
        "a" * 300,
        "<b>x</b>",
        "a/b\\c:d|e?f*g",
        "İ\u202eß",
    ],
)
def test_the_page_of_any_name_has_a_safe_file_name(name: str) -> None:
    page = page_of(name)

    assert set(page) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert page.startswith("player-") and page.endswith(".html") and page.count(".") == 1
    assert len(page) < 80


def test_names_that_look_alike_in_a_file_name_have_pages_of_their_own() -> None:
    names = ["Ann Lee", "Ann-Lee", "Änn Lee", "Ann Lée", "ann lee jr", "安", "李"]

    assert len({page_of(name) for name in names}) == len({folded(name) for name in names}) == len(names)
    assert page_of("ANN  lee") == page_of("Ann Lee")
