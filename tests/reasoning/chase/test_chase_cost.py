"""The cost of a flood follows the cells it touches, and it restores what it wrote."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import _CHOICES, PRESETS, ChaseSettings
from lastseen.reasoning.chase.loss import Loss, View
from specimens.chase import cell_of, cells_of

PLAIN = cells_of("\n".join(["." * 90] * 90))
LOSS = Loss((20.5, 20.5), (1, 0), guard_at=(16.5, 20.5), guard_view=View((-1, 0)))


def arrays_of(space):
    """Return every work array as long as the map, by name; lists of touched cells are not reset."""
    found = {"state": space.flood.state}
    if "walks" in space.__dict__:
        found |= {"runner's walk": space.walks.metres[0], "guard's walk": space.walks.metres[1]}
    return found


def only_space(chase):
    (space,) = chase._spaces._idle
    return space


@pytest.mark.parametrize("name", PRESETS)
def test_work_arrays_rest_after_every_flood_and_far_cells_were_never_written(name):
    chase = Chase(PLAIN, name)
    chase.predict(LOSS)
    space = only_space(chase)
    rest = {key: array.copy() for key, array in arrays_of(space).items()}
    assert all(len(np.unique(array)) == 1 for array in rest.values())
    far = [cell_of(PLAIN, column, row) for column, row in ((85, 85), (2, 88), (88, 3))]
    for array in arrays_of(space).values():
        array[far] = 5  # clearing whole arrays would remove this
    for run in (chase.predict, lambda loss: chase.predict_many([loss] * 3, threads=1), lambda loss: chase.start(loss)):
        run(LOSS)
        assert all((array[far] == 5).all() for array in arrays_of(space).values())
    for key, array in arrays_of(space).items():
        array[far] = rest[key][far]


@pytest.mark.parametrize("name", ["article", "belief", "corridors"])
def test_floods_that_take_turns_with_one_workspace_leave_it_at_rest(name):
    chase = Chase(PLAIN, name)
    first = chase.predict(LOSS)
    for place in ((5.5, 5.5), (80.5, 40.5), (44.5, 88.5)):
        chase.predict(seen_at=place, heading=(0, 1))
    again = chase.predict(LOSS)
    assert again.destination.tolist() == first.destination.tolist()
    assert again.warm.tolist() == first.warm.tolist()
    assert all(len(np.unique(array)) == 1 for array in arrays_of(only_space(chase)).values())


def test_every_choice_the_article_leaves_open_is_described():
    words = str(ChaseSettings.__doc__)
    page = (Path(__file__).resolve().parents[3] / "docs" / "reasoning.md").read_text(encoding="utf-8")
    for field in dataclasses.fields(ChaseSettings):
        assert re.search(rf"^    (\w+, )*{field.name}(, \w+)* :", words, re.MULTILINE), field.name
        for choice in _CHOICES.get(field.name, ()):
            assert f'"{choice}"' in words, (field.name, choice)
    for name in ("behind", "claims", "cooled", "excess", "weights", "max_total"):
        assert f"| `{name}` |" in page, name
