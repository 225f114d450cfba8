"""Pieces of floor that become cells: by hand, and as a plain search over stretches finds them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.cells.cell_choice import choose_cells


def chosen(links: list[set[int]], columns: list[list[dict]], least: float) -> tuple[int, list[bool]]:
    """Return the number of conflicts, and which pieces become cells; `links[face]` are the faces next to a face."""
    pieces = [piece for column in columns for piece in column]
    start = np.cumsum([0, *map(len, links)])
    ends = np.cumsum([len(column) for column in columns])
    longest = max(map(len, columns))
    owns = np.zeros(len(pieces), np.uint8)
    dtypes = {"face": np.uint32, "area": np.float32, "centre": np.uint8, "level": np.uint16}
    conflicts = choose_cells(
        start[:-1].astype(np.uint32),
        np.array([len(each) for each in links], np.uint32),
        np.array([other for each in links for other in sorted(each)], np.uint32),
        least,
        np.arange(len(pieces), dtype=np.uint32),
        ends - [len(column) for column in columns],
        ends,
        *(np.array([piece[key] for piece in pieces], dtype) for key, dtype in dtypes.items()),
        owns,
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
        np.empty(longest),
    )
    return conflicts, owns.astype(bool).tolist()


def stretches(links: list[set[int]], column: list[dict]) -> list[list[int]]:
    """Return the numbers of the pieces of a column that hang together, each stretch by its first."""
    groups: list[list[int]] = []
    for number, piece in enumerate(column):
        near = [g for g in groups if any(column[o]["face"] in links[piece["face"]] for o in g)]
        groups = [g for g in groups if g not in near] + [sorted([number, *(o for g in near for o in g)])]
    return sorted(groups)


def by_search(links: list[set[int]], columns: list[list[dict]], least: float) -> tuple[int, list[bool]]:
    conflicts, owns = 0, []
    for column in columns:
        kept: list[tuple[int, float]] = []
        owned: set[int] = set()
        for group in stretches(links, column):
            owner = max(group, key=lambda n: (column[n]["centre"], column[n]["area"], -n))
            cover = sum(column[n]["area"] for n in group)
            if not column[owner]["centre"] and cover < least:
                continue
            wins = True
            for rival, other in kept:
                if rival in owned and column[rival]["level"] == column[owner]["level"]:
                    conflicts += 1
                    if cover > other:
                        owned.discard(rival)
                    else:
                        wins = False
            if wins:
                owned.add(owner)
            kept.append((owner, cover))
        owns += [number in owned for number in range(len(column))]
    return conflicts, owns


def piece(face: int, area: float, centre: int = 0, level: int = 0) -> dict:
    return {"face": face, "area": area, "centre": centre, "level": level}


def test_worked_by_hand():
    links = [{1}, {0}, set()]
    # Faces 0 and 1 hang together: one cell, of the piece at the centre, though it is the smaller one.
    assert chosen(links, [[piece(0, 0.6), piece(1, 0.2, centre=1)]], 0.5) == (0, [False, True])
    # Without a centre the larger one owns it; a stretch that covers too little is none.
    assert chosen(links, [[piece(0, 0.3), piece(1, 0.2)]], 0.5) == (0, [True, False])
    assert chosen(links, [[piece(0, 0.3), piece(1, 0.1)]], 0.5) == (0, [False, False])
    # Two stretches on one level: the larger one wins; on two levels both become cells.
    assert chosen(links, [[piece(0, 0.5), piece(2, 0.6)]], 0.5) == (1, [False, True])
    assert chosen(links, [[piece(0, 0.5), piece(2, 0.6, level=1)]], 0.5) == (0, [True, True])


@given(st.data(), st.integers(1, 6))
def test_pieces_are_chosen_as_a_plain_search_does(data, faces):
    pairs = data.draw(st.sets(st.tuples(*[st.integers(0, faces - 1)] * 2)))
    links: list[set[int]] = [set() for _ in range(faces)]
    for one, other in pairs:
        if one != other:
            links[one].add(other)
            links[other].add(one)
    areas, bits = st.integers(1, 8).map(lambda n: n / 8), st.integers(0, 1)
    pieces = st.builds(piece, st.integers(0, faces - 1), areas, bits, bits)
    columns = data.draw(
        st.lists(st.lists(pieces, min_size=1, max_size=6, unique_by=lambda one: one["face"]), min_size=1, max_size=3)
    )
    least = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
    assert chosen(links, columns, least) == by_search(links, columns, least)
