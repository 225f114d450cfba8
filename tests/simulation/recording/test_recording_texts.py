"""The table of texts says what a plain dictionary would, and forgets words nobody says any more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lastseen.simulation.recording.writer import TextTable

TEXT = st.tuples(st.integers(0, 2), st.integers(0, 3), st.sampled_from(["", "a", "b", "ü", "long words"]))


def table_of(turned) -> dict[tuple[int, int], str]:
    words, places = turned
    assert len(words) == len(set(words))
    assert {int(number) for number in places[2]} == set(range(len(words)))
    return {(row, slot): words[number] for row, slot, number in zip(*places.tolist())}


@given(st.lists(st.lists(st.lists(TEXT, max_size=6), max_size=4), max_size=5))
def test_it_says_what_held_when_a_chunk_began(chunks):
    table, truth = TextTable(), {}
    for steps in chunks:
        begun = dict(truth)
        for texts in steps:
            changed = []
            for row, slot, words in texts:
                if truth.get((row, slot)) != words:
                    truth[row, slot] = words
                    changed.append((row, slot, words))
            assert table.put(texts) == changed
        assert table_of(table.turn()) == begun
    assert table_of(table.turn()) == truth


def test_words_nobody_says_are_forgotten():
    table = TextTable()
    for tick in range(1000):
        table.put([(0, 0, f"{tick} m to go"), (0, 1, "same")])
        words, _ = table.turn()
        assert len(words) <= 2
