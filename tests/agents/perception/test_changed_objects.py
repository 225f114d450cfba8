"""Changed objects (chapter 28)."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.senses.attention.anomalies import ChangedObjects, Noticed
from lastseen.errors import InputError

ALL = np.ones((3, 2), bool)


def doors(**options):
    return ChangedObjects([(0, 0), (5, 5)], [0, 1], **options)


def test_28_5_8_exactly_one_reacts_and_none_after_the_lifetime():
    things = doors(lifetime=10.0)
    things.change(0, 1, now=5.0)
    sees = ALL.copy()
    sees[0] = False
    assert things.notice(sees, 6.0) == [Noticed(1, 0, 1)]
    assert things.notice(ALL, 6.1) == []
    things.change(1, 0, now=5.0)
    assert things.notice(ALL, 15.1) == []
    assert things.notice(ALL, 15.2) == []


def test_what_is_put_back_in_time_is_no_change():
    things = doors()
    things.change(0, 1, now=1.0)
    things.change(0, 0, now=2.0)
    assert things.notice(ALL, 3.0) == []


def test_a_second_change_is_noticed_again():
    things = doors()
    things.change(0, 1, now=1.0)
    assert len(things.notice(ALL, 1.5)) == 1
    things.change(0, 0, now=9.0)
    assert things.notice(ALL, 9.5) == [Noticed(0, 0, 0)]


def test_nobody_notices_what_nobody_sees():
    things = doors()
    things.change(0, 1, now=1.0)
    assert things.notice(~ALL, 1.5) == []
    assert things.fresh(1.5).tolist() == [True, False]


def test_bad_input_is_named():
    with pytest.raises(InputError, match="one state each"):
        ChangedObjects([(0, 0)], [0, 1])
    with pytest.raises(InputError, match="no object 2"):
        doors().change(2, 1, 0.0)
    with pytest.raises(InputError, match="visible"):
        doors().notice(np.ones((3, 3), bool), 0.0)
