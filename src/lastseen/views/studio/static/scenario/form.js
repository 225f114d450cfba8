// The panel of the scenario editor: agents, patrols and rows of the script, each field with its faults.

import { button, fill, iconButton, make, plural } from "../dom.js";
import { typedInto } from "../typing.js";

const NUMBERS = ["at", "after", "heading", "radius", "seconds", "priority", "draws", "wants", "seed", "speed"];
const SETTINGS = ["seconds", "seed"];
const AGENT = ["name", "brain", "team", "patrol", "heading", "speed"];
const CHOICES = {
  brain: "brains", patrol: "patrols", zone: "zones", door: "doors", kind: "sounds", sound: "sounds", state: "states",
  team: "teams", objective: "objectives", fact: "facts",
};
const MORE = {
  smoke: ["radius", "seconds"], request: ["target", "seconds", "draws"], "open door": ["agent"], "close door": ["agent"], set: ["fact"],
};

const TIMED = "at a time";
const AIM = "M8 1v4M8 11v4M1 8h4M11 8h4M8 8h.01";
let lists = 0;

export function makeForm(editor, { files, pick, drawPatrol, undo, redo }) {
  const node = make("div", { class: "scenario" });
  const open = new Set(); // rows of agents that show all their fields

  // A field for the value at a path; it suggests names, and takes its text when it is left.
  function field(path, { label = String(path.at(-1)), options = null } = {}) {
    const name = path.at(-1);
    const given = path.reduce((value, step) => value?.[step], editor.value);
    const text = given === undefined ? "" : typeof given === "object" ? JSON.stringify(given) : String(given);
    const faults = editor.faultsAt(path);
    const agents = () => (["agent", "target"].includes(name) ? editor.agents.map((one) => one.name) : []);
    const known = options ?? editor.choices?.[CHOICES[name]] ?? agents();
    const id = `choices-${++lists}`;
    const input = make("input", {
      type: "text", value: text, list: known.length ? id : undefined, spellcheck: "false", "aria-label": label,
      "data-key": path.join("."), placeholder: name === "brain" ? "guard" : undefined,
      "aria-invalid": faults.length ? "true" : undefined, class: NUMBERS.includes(name) ? "short" : "",
    });
    const take = () => {
      if (input.value === text) return;
      editor.set(path, valueOf(name, input.value.trim()), `change ${label}`);
    };
    typedInto(input, take);
    input.addEventListener("change", take);
    return make(
      "label",
      { class: "field", "data-field": path.join(".") },
      make("span", { text: label }),
      input,
      known.length ? make("datalist", { id }, ...known.map((value) => make("option", { value }))) : null,
      ...faults.map(words),
    );
  }

  function select(path, values, label) {
    const given = path.reduce((value, step) => value?.[step], editor.value) ?? "";
    const faults = editor.faultsAt(path);
    const options = values.map((value) => make("option", { value, text: value, selected: value === given }));
    const node = make("select", { "aria-label": label, "data-key": path.join(".") }, ...options);
    if (!values.includes(given)) node.prepend(make("option", { value: given, text: String(given), selected: true }));
    const field = { class: "field", "data-field": path.join(".") };
    return [node, make("label", field, make("span", { text: label }), node, ...faults.map(words))];
  }

  function place(path, label) {
    const isPicking = editor.picking?.join(".") === path.join(".");
    const aim = iconButton(AIM, `Click ${label} on the map`, () => pick(path), { class: "small", "aria-pressed": String(isPicking) });
    return make("span", { class: "place" }, field(path, { label }), aim);
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
      place([...path, "at"], "place"),
      toggle,
      remove(path, `remove ${given.name ?? "agent"}`),
      ...editor.faultsAt(path).filter(isOwn).map(words),
    );
  }

  // A row: what it does with the fields for that, and when: at a second, or by a trigger with the fields of its event.
  function row(given, at) {
    const path = ["script", at];
    const { actions, triggers } = editor.choices;
    const [action, actionField] = select([...path, "do"], Object.keys(actions), "do");
    action.addEventListener("change", () => editor.set([...path, "do"], action.value, "change do"));
    const isFact = given.do === "set" && given.fact !== undefined && given.agent === undefined && given.key === undefined;
    const needs = isFact ? ["fact", "value"] : [...new Set([...(actions[given.do] ?? []), ...(MORE[given.do] ?? [])])];
    const shown = needs.map((name) => (name === "place" ? place([...path, name], "place") : field([...path, name])));
    const event = make(
      "select",
      { "aria-label": "when", "data-key": `${path.join(".")}.when` },
      ...[TIMED, ...Object.keys(triggers)].map((text) =>
        make("option", { text, value: text, selected: text === (given.when?.event ?? TIMED) }),
      ),
    );
    event.addEventListener("change", () => {
      const { when: _, repeat: __, after: ___, ...rest } = given;
      const timed = { ...rest, at: rest.at ?? 0 };
      editor.set(path, event.value === TIMED ? timed : { ...without(rest, "at"), when: { event: event.value } }, "change when");
    });
    const details = (triggers[given.when?.event] ?? []).map((name) => field([...path, "when", name]));
    const times = given.when
      ? [...details, field([...path, "after"]), repeats(path, given)]
      : [field([...path, "at"], { label: "at, s" })];
    const own = editor.faultsAt(path).filter(({ path: [, , name, ...rest] }) => name === undefined || (name === "when" && !rest.length));
    return make(
      "section",
      { class: "item row", "data-row": at },
      make("label", { class: "field" }, make("span", { text: "when" }), event),
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
      ...own.map(words),
    );
  }

  function repeats(path, given) {
    const key = `${path.join(".")}.repeat`;
    const box = make("input", { type: "checkbox", checked: given.repeat === true, "aria-label": "repeat", "data-key": key });
    box.addEventListener("change", () => editor.set([...path, "repeat"], box.checked || undefined, "change repeat"));
    return make("label", { class: "field" }, make("span", { text: "repeat" }), box);
  }

  function patrol([name, points]) {
    return make(
      "section",
      { class: "item", "data-patrol": name },
      make("span", { text: `${name}: ${plural(points.length, "point")}` }),
      remove(["patrols", name], `remove ${name}`),
      ...editor.faultsAt(["patrols", name]).map(words),
    );
  }

  function draw() {
    if (!editor.isReady) return;
    const elsewhere = editor.faultsAt([]).filter(({ path }) => !["agents", "script", "patrols"].includes(path[0]));
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
      heading("Script", act("Add row", () => editor.add("script", { do: "sound", at: 0 }, "add row"))),
      ...(editor.choices ? editor.script.map(row) : []),
    );
  }

  return { node, draw };
}

const words = ({ what, advice }) => make("small", { class: "wrong", role: "alert", text: `${what}; ${advice}` });

const heading = (title, ...more) => make("h3", {}, title, " ", ...more);

const without = (value, key) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== key));

// The value of a text: numbers, true, false and lists as such, unless the field holds a name; empty: none.
function valueOf(name, text) {
  if (!text) return undefined;
  if (name === "value" || name === "at" || name === "place" || name === "agents" || NUMBERS.includes(name)) {
    const list = /^\s*-?[\d.]+(\s*,\s*-?[\d.]+)+\s*$/.test(text) ? `[${text}]` : text;
    try {
      return JSON.parse(list);
    } catch {
      return name === "agents" ? text.split(",").map((one) => one.trim()) : text;
    }
  }
  return text;
}
