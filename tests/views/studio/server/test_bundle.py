"""The page as one file: every module is in it, and nothing in it leads elsewhere."""

import re

from lastseen.views.studio.server.page_bundle import bundled_page, joined_modules


def script_of(page: str) -> str:
    return re.search(r'<script type="module">(.*?)</script>', page, re.DOTALL)[1]


def test_every_module_is_in_the_file():
    script = script_of(bundled_page("rooms", b"", {}))
    assert all(f'modules["{name}"] = ' in script for name in joined_modules())
    assert not re.search(r"(?m)^import\b", script)


def test_nothing_is_asked_of_a_server():
    page = bundled_page("rooms", b"", {})
    assert "/static/" not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_titles_and_data_stay_text():
    page = bundled_page("</title><script>alert(1)</script>", b"</script><script>alert(2)", {})
    assert "alert(" not in page.replace("&lt;script&gt;alert(1)", "")
    assert "<title>ab</title>" in bundled_page("a\u202eb", b"", {})


def test_a_module_can_be_replaced_and_cannot_end_the_script():
    source = 'import { find } from "./dom.js";\nexport const connect = "</script><b>";\n'
    script = script_of(bundled_page("rooms", b"", {"connection.js": source}))
    wanted = 'const { find } = modules["dom.js"];\nconst connect = "<\\/script><b>";\nreturn { connect };\n'
    assert f'modules["connection.js"] = (() => {{\n{wanted}}})();' in script
