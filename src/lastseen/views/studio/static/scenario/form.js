// The panel of the scenario editor: agents, patrols and rows of the script, each field with its faults.

import { button, fill, iconButton, make, plural } from "../dom.js";
import { choiceField, faultWords, flagField, redrawing, textField } from "../editing/fields.js";

const NUMBERS = ["at", "after", "heading", "radius", "seconds", "priority", "draws", "wants", "seed", "speed"];
const SETTINGS = ["seconds", "seed"];
const AGENT = ["name", "brain", "team", "patrol", "tasks", "heading", "speed"];
const LISTS = ["agents", "tasks", "opens"];
const CHOICES = {
  brain: "brains", patrol: "patrols", zone: "zones", door: "doors", kind: "sounds", sound: "sounds", state: "states",
  team: "teams", objective: "objectives", fact: "facts", platform: "platforms", to: "positions",
  object: "objects", key: "objects", holds: "objects", opens: "doors",
};
const MORE = {
  smoke: ["radius", "seconds"], request: ["target", "seconds", "draws"], "open door": ["agent"], "close door": ["agent"], set: ["fact"],
  "add platform": ["to"],
};

const OBJECT = ["place", "seconds", "key"]; // fields of objects of all kinds

const TIMED = "at a time";
const ALWAYS = ["do", "at", "when", "after", "repeat"]; // fields of all rows
const ITEMS = { agents: "agent", objects: "object", script: "row" };
const AIM = "M8 1v4M8 11v4M1 8h4M11 8h4M8 8h.01";

export function makeForm(editor, { files, pick, drawPatrol, undo, redo }) {
  const node = make("div", { class: "scenario" });
  const open = new Set(); // rows of agents that show all their fields

  // A field for the value at a path; it suggests names, and takes its text when it is left.
  function field(path, { label = String(path.at(-1)), usual = undefined } = {}) {
    const name = path.at(-1);
    const given = path.reduce((value, step) => value?.[step], editor.value);
    const agents = () => (["agent", "target", "held_by"].includes(name) ? editor.agents.map((one) => one.name) : []);
    return textField({
      key: path.join("."),
      label,
      text: given === undefined ? "" : typeof given === "object" ? JSON.stringify(given) : String(given),
      known: editor.choices?.[CHOICES[name]] ?? agents(),
      faults: editor.faultsAt(path),
      take: (text) => editor.set(path, valueOf(name, text), `change ${label}`),
      placeholder: name === "brain" ? "guard" : usual,
      isShort: NUMBERS.includes(name),
    });
  }

  const choice = (path, names, given = "") =>
    choiceField({
      key: path.join("."), label: path.at(-1), given, options: names.map((name) => [name, name]), faults: editor.faultsAt(path),
      take: (name) => editor.set(path, name, `change ${path.at(-1)}`),
    });

  function place(path, label, usual) {
    const isPicking = editor.picking?.join(".") === path.join(".");
    const aim = iconButton(AIM, `Click ${label} on the map`, () => pick(path), { class: "small", "aria-pressed": String(isPicking) });
    return make("span", { class: "place" }, field(path, { label, usual }), aim);
  }

  // Where an agent without a place of its own starts: at the spawn of its name.
  function startText(given) {
    const start = given.at === undefined ? editor.startOf(given) : null;
    return start ? JSON.stringify(start.at.slice(0, 2).map((one) => Number(one.toFixed(2)))) : undefined;
  }

  const remove = (path, label) =>
    button("✕", () => editor.set(path, undefined, label), { class: "small plain", title: label, "aria-label": label });

  function agent(given, at) {
    const path = ["agents", at];
    const names = open.has(at) ? AGENT : AGENT.slice(0, 2);
    const fold = () => {
      if (!open.delete(at)) open.add(at);
      draw();
    };
    const toggle = button(open.has(at) ? "less" : "more", fold, { class: "small plain" });
    const isOwn = ({ path: [, , name] }) => name === undefined || (name !== "at" && !names.includes(name));
    return make(
      "section",
      { class: `item${editor.selected === at ? " chosen" : ""}`, "data-agent": at },
      ...names.map((name) => field([...path, name])),
      place([...path, "at"], "place", startText(given)),
      toggle,
      remove(path, `remove ${given.name ?? "agent"}`),
      ...editor.faultsAt(path).filter(isOwn).map(faultWords),
    );
  }

  // A row: what it does with the fields for that, and when: at a second, or by a trigger with the fields of its event.
  function row(given, at) {
    const path = ["script", at];
    const { actions, triggers } = editor.choices;
    const fieldsOf = (what) => [...new Set([...(actions[what] ?? []), ...(MORE[what] ?? [])])];
    // Another action keeps the fields it has too, and drops the others.
    const setAction = (what) => {
      const kept = [...ALWAYS, ...fieldsOf(what)];
      editor.set(path, { ...Object.fromEntries(Object.entries(given).filter(([name]) => kept.includes(name))), do: what }, "change do");
    };
    const actionField = choiceField({
      key: [...path, "do"].join("."), label: "do", given: given.do ?? "", faults: editor.faultsAt([...path, "do"]),
      options: Object.keys(actions).map((name) => [name, name]), take: setAction,
    });
    const isFact = given.do === "set" && given.fact !== undefined && given.agent === undefined && given.key === undefined;
    const needs = isFact ? ["fact", "value"] : fieldsOf(given.do);
    const others = Object.keys(given).filter((name) => ![...ALWAYS, ...needs].includes(name)); // shown with their faults
    const shown = [...needs, ...others].map((name) => (name === "place" ? place([...path, name], "place") : field([...path, name])));
    const setEvent = (event) => {
      const { when: _, repeat: __, after: ___, ...rest } = given;
      const timed = { ...rest, at: rest.at ?? 0 };
      editor.set(path, event === TIMED ? timed : { ...without(rest, "at"), when: { event } }, "change when");
    };
    const eventField = choiceField({
      key: `${path.join(".")}.when`, label: "when", given: given.when?.event ?? TIMED,
      options: [TIMED, ...Object.keys(triggers)].map((name) => [name, name]), take: setEvent,
    });
    const details = (triggers[given.when?.event] ?? []).map((name) => field([...path, "when", name]));
    const times = given.when
      ? [...details, field([...path, "after"]), repeats(path, given)]
      : [field([...path, "at"], { label: "at, s" })];
    const own = editor.faultsAt(path).filter(({ path: [, , name, ...rest] }) => name === undefined || (name === "when" && !rest.length));
    return make(
      "section",
      { class: "item row", "data-row": at },
      eventField,
      ...times,
      actionField,
      ...shown,
      make(
        "span",
        { class: "tools" },
        button("↑", () => editor.move("script", at, -1), { class: "small plain", title: "Move up", disabled: at === 0 }),
        button("↓", () => editor.move("script", at, 1), { class: "small plain", title: "Move down", disabled: !editor.script[at + 1] }),
        remove(path, "remove row"),
      ),
      ...own.map(faultWords),
    );
  }

  // An object: its kind, and the fields that objects of this kind have.
  function object(given, at) {
    const path = ["objects", at];
    const kinds = editor.choices.object_kinds;
    const kindField = choice([...path, "kind"], Object.keys(kinds), given.kind);
    const names = [...OBJECT, ...(kinds[given.kind] ?? [])];
    const isOwn = ({ path: [, , name] }) => name === undefined || !["name", "kind", ...names].includes(name);
    return make(
      "section",
      { class: "item", "data-object": at },
      field([...path, "name"]),
      kindField,
      ...names.map((name) => (name === "place" ? place([...path, name], name) : field([...path, name]))),
      remove(path, `remove ${given.name ?? "object"}`),
      ...editor.faultsAt(path).filter(isOwn).map(faultWords),
    );
  }

  const repeats = (path, given) =>
    flagField({
      key: `${path.join(".")}.repeat`, label: "repeat", given: given.repeat,
      take: (isSet) => editor.set([...path, "repeat"], isSet || undefined, "change repeat"),
    });

  function patrol([name, points]) {
    return make(
      "section",
      { class: "item", "data-patrol": name },
      make("span", { text: `${name}: ${plural(points.length, "point")}` }),
      remove(["patrols", name], `remove ${name}`),
      ...editor.faultsAt(["patrols", name]).map(faultWords),
    );
  }

  function draw() {
    if (!editor.isReady) return;
    const elsewhere = editor.faultsAt([]).filter(({ path }) => !["agents", "script", "patrols", "objects"].includes(path[0]));
    const isPicking = (what) => editor.picking?.[0] === what;
    const act = (label, run, what) => button(label, run, { class: "small bordered", "aria-pressed": what && String(isPicking(what)) });
    fill(
      node,
      make(
        "div",
        { class: "buttons" },
        button("Run", files.run, { class: "main", title: "Save and run (Ctrl+Enter)" }),
        button(editor.isDirty || !editor.digest ? "Save" : "Saved", files.save, { class: "bordered save", title: "Save (Ctrl+S)" }),
        button("Save as …", files.saveAs, { class: "bordered" }),
        button("Undo", undo, { class: "bordered", disabled: !editor.undoing.past.length, title: "Undo (Ctrl+Z)" }),
        button("Redo", redo, { class: "bordered", disabled: !editor.undoing.future.length, title: "Redo (Ctrl+Shift+Z)" }),
      ),
      make("p", { class: "quiet", text: `${editor.file}${editor.digest ? "" : " (new file)"} · level ${editor.value.level ?? "?"}` }),
      ...elsewhere.map(({ what, advice, where }) => make("p", { class: "wrong", role: "alert", text: `${where}: ${what}; ${advice}` })),
      make("div", { class: "item" }, ...SETTINGS.map((name) => field([name]))),
      heading("Agents", act("Add agent", () => pick(["new agent"]), "new agent")),
      ...editor.agents.map(agent),
      heading("Patrols", act(isPicking("new patrol") ? "Finish patrol" : "Draw patrol", drawPatrol, "new patrol")),
      ...Object.entries(editor.patrols).map(patrol),
      heading("Objects", act("Add object", () => pick(["new object"]), "new object")),
      ...(editor.choices ? editor.objects.map(object) : []),
      heading("Script", act("Add row", () => editor.add("script", { do: "sound", at: 0 }, "add row"))),
      ...(editor.choices ? editor.script.map(row) : []),
    );
  }

  // What was just added, or selected on the map, may be anywhere in a long panel.
  function reveal() {
    const { revealed } = editor;
    editor.revealed = null;
    if (revealed) node.querySelector(`[data-${ITEMS[revealed[0]]}="${revealed[1]}"]`)?.scrollIntoView({ block: "nearest" });
  }

  const redraw = redrawing(node, () => {
    draw();
    reveal();
  });
  return { node, draw: redraw };
}

const heading = (title, ...more) => make("h3", {}, title, " ", ...more);

const without = (value, key) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== key));

// The value of a text: numbers, true, false and lists as such, unless the field holds a name; empty: none.
function valueOf(name, text) {
  if (!text) return undefined;
  if (name === "value" || name === "at" || name === "place" || LISTS.includes(name) || NUMBERS.includes(name)) {
    const list = /^\s*-?[\d.]+(\s*,\s*-?[\d.]+)+\s*$/.test(text) ? `[${text}]` : text;
    try {
      return JSON.parse(list);
    } catch {
      return LISTS.includes(name) ? text.split(",").map((one) => one.trim()) : text;
    }
  }
  return text;
}
