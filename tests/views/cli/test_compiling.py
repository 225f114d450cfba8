"""How far the compiler is: counted from what numba tells, told in words people read."""

from __future__ import annotations

import numba
import pytest

from lastseen.compilation.compile_monitor import CompileCounter
from lastseen.compilation.progress import CompileProgress


class Clock:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("compilation", "words"),
    [
        (CompileProgress(), "compiling kernel 1"),
        (CompileProgress(11, 3.0, is_busy=True), "compiling kernel 12"),
        (CompileProgress(11, 3.0, 68, 9.2, is_busy=True), "compiling kernel 12 of 68, about 9 seconds left"),
        (CompileProgress(67, 3.0, 68, 0.2, is_busy=True), "compiling kernel 68 of 68, about 1 second left"),
        (CompileProgress(68, 3.0, 68, 0.0), "compiling kernel 68 of 68, about 1 second left"),
        (CompileProgress(3, 3.0, 280, 160.0, is_busy=True), "compiling kernel 4 of 280, about 3 minutes left"),
    ],
)
def test_words_say_which_kernel_of_how_many_and_how_long(compilation: CompileProgress, words: str) -> None:
    assert compilation.words() == words


def test_kernels_that_others_call_count_and_time_counts_once() -> None:
    clock, told = Clock(), []
    counter = CompileCounter(told.append, [("a.one", 1.0), ("a.two", 3.0), ("a.three", 4.0)], clock)
    counter.begin()
    counter.begin()
    clock.now = 2.0
    counter.end("a.one")
    clock.now = 10.0
    counter.end("a.two")
    clock.now = 50.0
    last = counter.now()
    assert (last.done, last.total, last.seconds, last.is_busy) == (2, 3, 10.0, False)
    assert [(one.done, one.is_busy) for one in told] == [(0, True), (0, True), (1, True), (2, False)]
    # Four expected seconds took ten: those to come are expected to take longer, too, but not as much at once.
    assert 4.0 < last.seconds_left < 10.0


def test_the_time_left_follows_the_pace_and_ends_at_nothing() -> None:
    clock = Clock()
    expected = [(f"a.{number % 40}", 1.0) for number in range(100)]  # some for several types
    counter = CompileCounter(expected=expected, clock=clock)
    left = [counter.now().seconds_left]
    for name, _ in expected:
        counter.begin()
        clock.now += 2.0  # half as fast as expected
        counter.end(name)
        left.append(counter.now().seconds_left)
    assert left[0] == 100.0
    assert left[50] == pytest.approx(100.0, rel=0.1)
    assert left[90] == pytest.approx(20.0, rel=0.1)
    assert left[-1] == 0.0
    assert counter.now().share == 1.0


def test_kernels_nobody_expected_make_the_total_larger() -> None:
    counter = CompileCounter(expected=[("a.one", 1.0)])
    for name in ("b.other", "b.another"):
        counter.begin()
        counter.end(name)
    assert (counter.now().done, counter.now().total) == (2, 2)
    assert counter.now().seconds_left == pytest.approx(1.0, rel=0.1)


def test_without_expectations_neither_total_nor_time_left_are_claimed() -> None:
    counter = CompileCounter()
    counter.begin()
    counter.end("a.one")
    found = counter.now().as_object()
    assert (found["compiled_kernels"], found["of_kernels"], found["compile_seconds_left"]) == (1, None, None)
    assert counter.now().share is None


def test_what_numba_compiles_is_counted_by_name() -> None:
    def inner(x: int) -> int:
        return x + 1

    within = numba.njit(inner)

    def outer(x: int) -> int:
        return within(x) + within(x) + sum((x, x))  # type: ignore[no-any-return]

    module = __name__.rpartition(".")[2]
    names = [f"{module}.{function.__qualname__}" for function in (inner, outer)]
    with CompileCounter(expected=[(name, 1.0) for name in names]).counting() as counter:
        assert numba.njit(outer)(1) == 6
        assert numba.njit(outer)(1) == 6  # another dispatcher, so compiled once more; `inner` is there
    numba.njit(outer)(1)  # no longer counted
    found = counter.now()
    assert (found.done, found.total) == (3, 3)
    assert found.seconds_left == 0.0  # both were known by their names
    assert found.seconds > 0.0
