"""The table of texts while a recording is written: what each place says now, and said when the chunk began."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from ...conventions import Array

__all__ = ["TextTable", "texts_of"]


class TextTable:
    """Words by row and slot.

    Every chunk begins with the whole table, but few of its thousands of texts change within one: so the words are
    numbered, and the numbers copied at once.
    """

    def __init__(self) -> None:
        self._now: dict[tuple[int, int], str] = {}
        self._place: dict[tuple[int, int], int] = {}
        self._rows, self._slots, self._numbers = array("I"), array("I"), array("I")
        self._words: list[str] = []
        self._number: dict[str, int] = {}
        self._begun: tuple[list[str], Array] = ([], np.zeros((3, 0), np.uint32))

    def put(self, texts: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Write words into places (row, slot); return those that said something else before."""
        now = self._now
        changed = []
        for text in texts:
            row, slot, words = text
            if now.get((row, slot)) != words:
                now[row, slot] = words
                self._number_at(row, slot, words)
                changed.append(text)
        return changed

    def _number_at(self, row: int, slot: int, words: str) -> None:
        number = self._number.setdefault(words, len(self._words))
        if number == len(self._words):
            self._words.append(words)
        place = self._place.setdefault((row, slot), len(self._rows))
        if place == len(self._rows):
            self._rows.append(row)
            self._slots.append(slot)
            self._numbers.append(number)
        else:
            self._numbers[place] = number

    def begun(self) -> dict[tuple[int, int], str]:
        """Return what each place said when the chunk began."""
        return texts_of(*self._begun)

    def turn(self) -> tuple[list[str], Array]:
        """Begin another chunk; return what the last began with: words, and (3, texts) rows, slots, numbers of words.

        Words that no place says any more are forgotten.
        """
        begun = self._begun
        used, numbers = np.unique(np.asarray(self._numbers), return_inverse=True)
        self._words = [self._words[number] for number in used.tolist()]
        self._number = {words: number for number, words in enumerate(self._words)}
        self._numbers = array("I", numbers.astype(np.uint32).tobytes())
        self._begun = self._words.copy(), np.array([self._rows, self._slots, self._numbers], np.uint32)
        return begun


def texts_of(words: Sequence[str], places: Array) -> dict[tuple[int, int], str]:
    """Return words by row and slot; `places` is (3, texts): rows, slots, numbers of words."""
    return {(row, slot): words[number] for row, slot, number in zip(*places.tolist())}
