// The panel at the right: the mode's own panel, then the selection or the story.

import { fill, find, iconButton, make } from "../dom.js";
import { currentMode } from "../modes/modes.js";
import { BarkPanel } from "../rules/barks.js";
import { on, select, studio } from "../studio.js";
import { agentList } from "./agents.js";
import { CrewPanel, crewList } from "./crews.js";
import { CellPanel } from "./cell.js";
import { StoryPanel } from "./story.js";
import { WhyPanel } from "./why.js";

const SHUT = "M6 3l5 5-5 5";

export function beginSide(scene) {
  const why = new WhyPanel();
  const cell = new CellPanel(scene);
  const story = new StoryPanel();
  const bark = new BarkPanel();
  const crew = new CrewPanel();
  const panels = { crew: [crew, "Crew"], agent: [why, "Why"], cell: [cell, "Cell"], bark: [bark, "Why this line"] };
  const people = agentList();
  const crews = crewList();
  const mode = make("div", { class: "mode-panel" });
  const body = make("div", { class: "body" });
  const title = make("h1", { text: "Story" });
  const back = iconButton("M10 3L5 8l5 5", "Back to the story (Escape)", () => select(null), { class: "back" });
  const toggle = iconButton(SHUT, "Hide or show the panel (\\)", shut, { class: "shut" });
  fill(find("#side"), make("header", {}, back, title, toggle), mode, people.node, crews.node, body, make("div", { id: "legend" }));

  function shut() {
    document.body.classList.toggle("wide");
  }

  function show() {
    const chosen = studio.selected;
    const [panel, name] = panels[chosen?.kind] ?? [story, "Story"];
    title.textContent = find("#side").classList.contains("has-mode") ? currentMode().title : name;
    back.hidden = !chosen;
    fill(body, panel.node);
    panel.show?.(chosen);
    people.update();
  }
  // A mode's panel replaces the story; the selection stays reachable by Escape and the list.
  function showMode() {
    const panel = currentMode().panel?.() ?? null;
    fill(mode, panel);
    find("#side").classList.toggle("has-mode", panel !== null);
    show();
  }
  on("selected", show);
  on("hello", show);
  on("mode", showMode);
  on("modes", showMode);
  return { shut, tick: (now) => (studio.selected?.kind === "crew" ? crew : why).refresh(now) };
}
