// The side of the page: the mode's own panel, then the panel of the selection, or the story.
//
// A panel is an object; id, title and create are required:
//   id            the kind of selection it shows, such as "cell"; "story" is shown without a selection
//   title         its heading
//   isListed      whether a button opens it: then the selection is {kind: id}
//   isFor()       whether it applies to the open run; without it, to all
//   reads         types of messages it handles while it is shown, each by the method of that name
//   create(page)  returns an object with `node`, and optionally
//     show(selected)  called when it is shown
//     refresh(now)    called for every picture while it is shown
// Panels in the folder `panels` are found by themselves; hello.panels names those of other packages, which use only
// what `page` offers.

import { clockText } from "../bars/clock.js";
import { button, fill, find, iconButton, make } from "../dom.js";
import { currentMode } from "../modes/modes.js";
import { panels } from "../panels/all.js";
import { token } from "../requests.js";
import { agentName, on, say, select, stateName, studio } from "../studio.js";
import { agentList } from "./agents.js";
import { crewList } from "./crews.js";

const SHUT = "M6 3l5 5-5 5";

export function beginSide(scene) {
  const page = Object.freeze({ agentName, button, clockText, fill, make, on, say, scene, select, stateName, studio });
  const views = new Map(); // by id: {panel, view}
  const asked = new Set(); // panels of other packages that were requested
  let shown = null;
  const people = agentList();
  const crews = crewList();
  const listed = make("div", { class: "people panels", role: "group", "aria-label": "Panels", hidden: true });
  const mode = make("div", { class: "mode-panel" });
  const body = make("div", { class: "body" });
  const title = make("h1", { text: "Story" });
  const back = iconButton("M10 3L5 8l5 5", "Back to the story (Escape)", () => select(null), { class: "back" });
  const toggle = iconButton(SHUT, "Hide or show the panel (\\)", shut, { class: "shut" });
  const header = make("header", {}, back, title, toggle);
  fill(find("#side"), header, mode, people.node, crews.node, listed, body, make("div", { id: "legend" }));
  for (const panel of panels) add(panel);

  function add(panel) {
    const view = panel.create(page);
    views.set(panel.id, { panel, view });
    for (const type of panel.reads ?? []) on(`message ${type}`, (message) => shown === view && view[type](message));
    if (!panel.isListed) return;
    const open = () => select(studio.selected?.kind === panel.id ? null : { kind: panel.id });
    listed.append(button(panel.title, open, { class: "person", "data-panel": panel.id, "aria-pressed": "false" }));
    list();
  }

  // A panel that fails to load leaves the page as it is.
  async function load(name) {
    asked.add(name);
    try {
      const { panel } = await import(`/panels/${encodeURIComponent(name)}.js?token=${encodeURIComponent(token())}`);
      if (views.has(panel.id)) throw new Error(`there already is a panel ${panel.id}`);
      add(panel);
      show();
    } catch (error) {
      say(`Cannot load the panel ${name}: ${error.message}`, "wrong");
    }
  }

  // Show the buttons of panels that apply to this run.
  function list() {
    for (const one of listed.children) one.hidden = !(views.get(one.dataset.panel).panel.isFor?.() ?? true);
    listed.hidden = [...listed.children].every((one) => one.hidden);
  }

  function shut() {
    document.body.classList.toggle("wide");
  }

  function show() {
    const chosen = studio.selected;
    const { panel, view } = views.get(chosen?.kind) ?? views.get("story");
    title.textContent = find("#side").classList.contains("has-mode") ? currentMode().title : panel.title;
    back.hidden = !chosen;
    shown = view;
    fill(body, view.node);
    view.show?.(chosen);
    people.update();
    for (const one of listed.children) one.setAttribute("aria-pressed", String(one.dataset.panel === chosen?.kind));
  }
  // A mode's panel replaces the story; the selection stays reachable by Escape and the list.
  function showMode() {
    const panel = currentMode().panel?.() ?? null;
    fill(mode, panel);
    find("#side").classList.toggle("has-mode", panel !== null);
    show();
  }
  on("selected", show);
  on("hello", ({ panels: added }) => {
    list();
    show();
    for (const name of added) if (!asked.has(name)) load(name);
  });
  on("costs", list);
  on("mode", showMode);
  on("modes", showMode);
  return { shut, tick: (now) => shown?.refresh?.(now) };
}
