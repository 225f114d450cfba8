"""The page as one file: every module is in it, and nothing in it leads elsewhere."""

import json
import re
from base64 import b64decode

from lastseen.views.studio.bundle import bundled_page


def modules_of(page: str) -> dict[str, str]:
    found = json.loads(re.search(r'<script type="importmap">(.*?)</script>', page)[1])["imports"]
    return {name: b64decode(address.split(",", 1)[1]).decode() for name, address in found.items()}


def test_every_import_names_a_module_of_the_file():
    modules = modules_of(bundled_page("rooms", b"", {}))
    asked = {
        name
        for text in modules.values()
        for name in re.findall(r'(?m)^(?:import|export)\b[^;"]*?(?:from |import )?"(\.[^"]*|lastseen[^"]*)";', text)
    }
    assert len(asked) > 20
    assert asked <= set(modules)


def test_nothing_is_asked_of_a_server():
    page = bundled_page("rooms", b"", {})
    assert "/static/" not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_titles_and_data_stay_text():
    page = bundled_page("</title><script>alert(1)</script>", b"</script><script>alert(2)", {})
    assert "alert(" not in page.replace("&lt;script&gt;alert(1)", "")
    assert "<title>ab</title>" in bundled_page("a\u202eb", b"", {})


def test_a_module_can_be_replaced():
    modules = modules_of(bundled_page("rooms", b"", {"connection.js": 'import { find } from "./dom.js";\n'}))
    assert modules["lastseen/connection.js"] == 'import { find } from "lastseen/dom.js";\n'
