"""Code of the user's own that fails, in the page: the line to fix is shown, and nothing that is out of date."""

from __future__ import annotations

from lastseen.reasoning.chase import predictors
from studio.server import serving

CODE = """
from lastseen.trees import SUCCESS, Registry

registry = Registry()


@registry.action
def forgets(mind):
    return mind.nothing_of_the_kind
"""
SCENARIO = """
level: rooms
agents:
  - {name: Ames, brain: own.yaml, team: guards, at: [4, 5.5]}
  - {name: you, brain: puppet, at: [9, 5.5]}
"""


class Broken:
    """Fail."""

    def predict(self, loss):
        return {}[loss]


def test_the_line_of_a_leaf_that_fails_is_in_the_card_at_the_end(tmp_path, window, monkeypatch):
    folder = tmp_path / "studio"
    folder.mkdir()
    (folder / "forgetful.py").write_text(CODE)
    (folder / "own.yaml").write_text("trees: {own: {sequence: [forgets]}}\n")
    (folder / "own_scenario.yaml").write_text(SCENARIO)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("LASTSEEN_LEAVES", "forgetful:registry")
    with serving(folder, "own_scenario.yaml") as served:
        one = window(served)
        with served.page() as page:
            page.say("step", ticks=2)
            assert page.settle()["ended"]["reason"] == "brain failed"
        one.until("!document.querySelector('#ending').hidden")
        card = one.page.locator("#ending")
        assert card.locator("h2").inner_text() == "A brain failed"
        assert "forgetful.py:9, in forgets)" in card.locator(".wrong").inner_text()


def test_what_if_forgets_the_flood_of_a_preset_when_its_own_predictor_fails(tmp_path, window, monkeypatch):
    monkeypatch.setattr(predictors, "_registered", {})
    predictors.register_predictor(Broken, "broken")
    folder = tmp_path / "studio"
    folder.mkdir()
    with serving(folder, "rooms") as served:
        one = window(served)
        one.key("3")
        one.until("document.querySelector('.whatif .result') && lastseenTest.whatif?.results.length === 1")
        one.page.get_by_label("Preset", exact=True).select_option("broken")
        one.until("document.querySelector('.whatif .wrong:not([hidden])')?.textContent.includes('KeyError')")
        said = one.page.locator(".whatif .results").inner_text()
        assert "test_browser_own_code.py:" in said
        assert one.ask("lastseenTest.whatif.results") == []
