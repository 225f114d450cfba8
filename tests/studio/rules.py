"""A hand that writes rules in the studio, and the rules it writes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from studio.browser import Window
from studio.server import Served, serving

HOSTILE = "<img src=x onerror=document.title='bad'>"
OWN = f"""\
# Of the night watch.
variables:
  bark.trigger: {{enum: [NOTICE, SEE, LOSE, CHATTER, SEARCH, GIVE_UP, RETURN, HEAR]}}
  npc.colleagues_near: int
  npc.state: {{enum: [patrol, suspicious, engage, chase, search, return]}}
handlers:
  guard.barks:
    order: priority
    rules:
      # said in company
      - name: "in company {HOSTILE}"
        when: [bark.trigger == CHATTER, npc.colleagues_near >= 9]
        say: Fine night.
      - name: "alone {HOSTILE}"   # mostly
        when: [bark.trigger == CHATTER, npc.state == patrol]
        say: "All quiet {HOSTILE}"
        cooldown: 1.0
        about: "One line,\\nand another."
      - name: lost
        when: bark.trigger == LOSE
        say: [Gone., Where to]
"""


@contextmanager
def serving_watch(folder: Path, rules: str = OWN) -> Iterator[Served]:
    """A studio on a night with rules of its own."""
    (folder / "watch").mkdir()
    (folder / "watch" / "barks.yaml").write_text(rules)
    scenario = "level: warehouse\nrules: watch\nseconds: 600\nagents: [{name: Ames}, {name: Bell}]\n"
    (folder / "night.yaml").write_text(scenario)
    with serving(folder, "night.yaml") as served:
        yield served


class Desk:
    """A hand that writes rules."""

    def __init__(self, window: Window, page: Page | None = None):
        self.window, self.page = window, page or window.page

    @property
    def rules(self) -> Any:
        return self.window.ask("lastseenTest.rules", self.page)

    @property
    def rule(self) -> Any:
        return self.window.ask("lastseenTest.rules.chosen.rule", self.page)

    def ask_active(self) -> Any:
        return self.window.ask("document.activeElement.dataset.field", self.page)

    def line(self, name: str, number: int) -> Any:
        rules = self.rules["files"]["barks.yaml"]["handlers"]["guard.barks"]["rules"]
        return next(rule["say"][number] for rule in rules if rule["name"] == name)

    def take_up(self) -> None:
        self.window.until("lastseenTest.agents.length > 0", page=self.page)
        self.key("5")
        self.say("Restore")
        self.window.until("lastseenTest.rules.isReady", page=self.page)

    def names(self, file: str = "barks.yaml", handler: str = "guard.barks") -> list[str]:
        return [rule["name"] for rule in self.rules["files"][file]["handlers"][handler]["rules"]]

    def choose(self, name: str) -> None:
        self.page.locator(".rule-row", has=self.page.locator(".rule-title", has_text=name)).first.click()
        self.window.until(f"lastseenTest.rules.chosen?.rule.name.includes({json.dumps(name)})", page=self.page)

    def field(self, name: str) -> Any:
        return self.page.locator(f'.rules-view [data-field="{name}"]:is(input, select)')

    def type(self, name: str, text: str, *keys: str) -> None:
        self.window.until(f"document.querySelector('.rules-view input[data-field=\"{name}\"]')", page=self.page)
        self.field(name).fill(text)
        for key in keys or ("Tab",):
            self.field(name).press(key)

    def key(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def say(self, label: str) -> None:
        self.page.locator("dialog.ask button", has_text=label).click()

    def faults(self) -> Any:
        self.window.until("lastseenTest.rules.faults !== null")
        return self.rules["faults"]


def begin(window: Callable[..., Window], served: Served) -> Desk:
    """Open the editor of rules in a window of its own."""
    one = window(served)
    one.key("5")
    one.until("lastseenTest.rules.isReady && lastseenTest.rules.faults !== null")
    return Desk(one)
