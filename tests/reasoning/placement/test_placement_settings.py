"""Numbers and names that settings of placement accept and refuse."""

from __future__ import annotations

import pytest

from lastseen.errors import InputError
from lastseen.reasoning.placement.guard_routes import guard_kind
from lastseen.reasoning.placement.placement_settings import PlacementSettings


@pytest.mark.parametrize("name", ["path_cost", "guard_cost", "least", "notice", "spare_path", "body"])
def test_numbers_that_may_be_zero(name):
    assert getattr(PlacementSettings(**{name: 0.0}), name) == 0.0


@pytest.mark.parametrize("name", ["drop_off", "most", "coarseness"])
def test_numbers_that_may_not_be_zero(name):
    with pytest.raises(InputError, match=name):
        PlacementSettings(**{name: 0.0})


@pytest.mark.parametrize("name", ["wlking", 3, None])
def test_an_unknown_kind_of_guard_is_named_with_those_there_are(name):
    with pytest.raises(InputError, match=r"no kind of guard.*there are walking, "):
        guard_kind(name)
