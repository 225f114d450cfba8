"""The text of the page itself: what no linter holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lastseen.views.studio
from lastseen.level.samples import sample
from lastseen.level.write import to_geojson

WIDEST = 140
STATIC = Path(lastseen.views.studio.__file__).parent / "static"
SCRIPTS = sorted(STATIC.parent.rglob("*.js"))


@pytest.mark.parametrize("folder", sorted({script.parent for script in SCRIPTS}), ids=lambda folder: folder.name)
def test_no_line_of_a_script_is_too_wide_to_be_read(folder):
    wide = [
        f"{script.relative_to(STATIC.parent)}:{number} has {len(line)} characters"
        for script in SCRIPTS
        if script.parent == folder
        for number, line in enumerate(script.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDEST
    ]
    assert wide == []


def test_one_module_asks_the_server_over_http():
    asking = [
        script.name
        for script in SCRIPTS
        if any(word in script.read_text(encoding="utf-8") for word in ("fetch(", 'get("token")', "/api/"))
    ]
    assert asking == ["requests.js"]


@pytest.mark.parametrize("name", ["house", "moat", "warehouse"])
def test_the_editor_knows_every_kind_of_feature_in_a_sample(name):
    script = (STATIC / "edit" / "kinds.js").read_text(encoding="utf-8")
    known = set(re.findall(r"^  (\w+): \{ title: ", script, re.M))
    written = {feature["properties"]["kind"] for feature in json.loads(to_geojson(sample(name)))["features"]}
    assert written - {"tiles"} <= known
