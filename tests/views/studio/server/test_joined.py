"""The page's modules as one script: each once, after those it imports, with all that it exports."""

import re

import pytest

from lastseen.views.studio.server import page_bundle
from lastseen.views.studio.server.page_bundle import SCRIPT, joined_modules, joined_page, joined_script

SMALL = {
    "main.js": (
        'import {\n  far,\n  near as close,\n} from "./map/places.js";\nimport * as sums from "./sums.js";\nfar();\n'
    ),
    "map/places.js": (
        'import "../marks.js";\nimport { add } from "../sums.js";\nexport const near = add(1, 2);\n'
        "export async function far() {}\nfunction own() {}\n"
    ),
    "sums.js": "export function add(a, b) {\n  return a + b;\n}\nexport class Sum {}\n",
    "marks.js": "// nothing\n",
    "apart.js": "nobody imports this;\n",
}
WANTED = """\
export const modules = { __proto__: null };
modules["marks.js"] = (() => {
// nothing
return {  };
})();
modules["sums.js"] = (() => {
function add(a, b) {
  return a + b;
}
class Sum {}
return { add, Sum };
})();
modules["map/places.js"] = (() => {

const { add } = modules["sums.js"];
const near = add(1, 2);
async function far() {}
function own() {}
return { near, far };
})();
modules["main.js"] = (() => {
const {
  far,
  near: close,
} = modules["map/places.js"];
const sums = modules["sums.js"];
far();
return {  };
})();"""


def test_a_small_page_by_hand(monkeypatch):
    monkeypatch.setattr(page_bundle, "module", SMALL.__getitem__)
    assert joined_script() == WANTED


def test_a_circle_is_refused(monkeypatch):
    texts = {"main.js": 'import { a } from "./a.js";\n', "a.js": 'import "./b.js";\n', "b.js": 'import "./a.js";\n'}
    monkeypatch.setattr(page_bundle, "module", texts.__getitem__)
    with pytest.raises(ValueError, match=r"main.js → a.js → b.js → a.js"):
        joined_script()


def test_no_import_or_export_of_the_page_is_left_over():
    assert len(joined_modules()) > 100
    assert re.findall(r"(?m)^\s*(?:import|export)\b.*", joined_script()) == [
        "export const modules = { __proto__: null };"
    ]
    # Another module of that name, or a loading later on, would not be the one that is joined.
    assert not [name for name, text in joined_modules().items() if re.search(r"\bmodules\b|\bimport\.", text)]
    # Only panels of other packages are loaded later on: from this server, by the names it gave.
    assert re.findall(r"\bimport\([^;]*;", joined_script()) == [
        "import(`/panels/${encodeURIComponent(name)}.js?token=${encodeURIComponent(token())}`);"
    ]


def test_the_page_asks_for_the_one_script():
    assert re.findall(r'<script\b[^>]*src="([^"]*)"', joined_page()) == [SCRIPT]
