"""What a seat may know: everything but the order of the pile."""

from __future__ import annotations

from pbem.rules.rose_king.state import RED, SEATS

from .table import position, rose_king


def test_the_board_has_every_square_in_rows() -> None:
    view = rose_king().view(position(tokens={"B1": "white"}), RED)
    assert tuple(view.board) == rose_king().facts.squares
    assert [view.board[square] for square in rose_king().facts.squares[:3]] == ["empty", "white", "empty"]


def test_a_side_tells_roses_points_largest_territory_and_asks() -> None:
    state = position(tokens={"A1": "red", "A2": "red", "C3": "red", "I9": "white"}, heroes=(2, 4))
    view = rose_king().view(state, None)
    assert (view.red.roses, view.red.points, view.red.largest, view.red.heroes) == (3, 5, 2, 2)
    assert (view.red.asks, view.white.asks, view.to_move, view.me) == (1, 0, RED, None)
    bare = rose_king().view(position(), None)
    assert (bare.red.roses, bare.red.points, bare.red.largest) == (0, 0, 0)
    assert (view.supply, view.red.tokens_left, view.white.hand) == (52, None, state.players[SEATS[1]].hand)
