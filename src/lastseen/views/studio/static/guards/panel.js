// The Guards panel: the number and kind of guards, then the result.

import { button, fill, make } from "../dom.js";
import { say } from "../studio.js";

const KINDS = [
  ["walking", "walking"], ["standing", "standing"], ["turning", "turning"], ["camera", "cameras"],
  ["walking,camera", "walking and cameras"],
];

export class GuardsPanel {
  constructor(state, acts) {
    Object.assign(this, { state, acts });
    this.count = make("input", { type: "number", min: 1, max: 12, value: 3, "aria-label": "Guards" });
    this.kind = make("select", { "aria-label": "Guard type" }, ...KINDS.map(([value, text]) => make("option", { value, text })));
    this.seed = make("input", { type: "number", min: 0, max: 99999, value: 0, "aria-label": "Seed" });
    this.file = make("input", { type: "text", value: "guards.geojson", "aria-label": "Guards file" });
    this.runs = make("input", { type: "number", min: 1, max: 200, value: 20, "aria-label": "Runs" });
    this.clock = make("output", { class: "quiet" });
    this.node = make("div", { class: "card guards-panel" });
    this.draw();
  }

  // Numbers clamped to the range the server accepts.
  #number(input) {
    const value = Math.round(Number(input.value) || 0);
    if (value > Number(input.max)) say(tooMany(input));
    input.value = Math.min(Number(input.max), Math.max(Number(input.min), value));
    return Number(input.value);
  }

  tick() {
    this.clock.textContent = `${this.state.at.toFixed(1)} of ${this.state.seconds.toFixed(0)} s`;
  }

  draw() {
    const { state, acts } = this;
    const place = () => acts.place({ guards: this.#number(this.count), kinds: this.kind.value.split(","), seed: this.#number(this.seed) });
    const sneak = () => acts.sneak({ runs: this.#number(this.runs), seed: this.#number(this.seed) });
    const isBusy = state.busy !== "";
    fill(
      this.node,
      make("p", {
        class: "quiet",
        text:
          state.path.length < 2
            ? "Click points on the floor to draw the path a player should take; shortest paths join them."
            : `The path joins ${state.clicks.length} clicks and is ${pathLength(state.path).toFixed(0)} m long.`,
      }),
      state.refused ? make("p", { class: "wrong", text: state.refused }) : null,
      field("Guards", this.count),
      field("Type", this.kind),
      field("Seed", this.seed),
      make(
        "div",
        { class: "buttons left" },
        button("Place", place, { class: "main", "data-act": "place", disabled: isBusy || state.path.length < 2 }),
        button("Clear", acts.clear, { disabled: isBusy }),
      ),
      field("File", this.file),
      make(
        "div",
        { class: "buttons left" },
        button("Load", () => acts.load(this.file.value.trim()), { "data-act": "load", disabled: isBusy }),
      ),
      field("Runs", this.runs),
      make(
        "div",
        { class: "buttons left" },
        button("Verify", sneak, { "data-act": "verify", disabled: isBusy || !state.guards }),
        button("Play these", acts.play, { "data-act": "play", disabled: isBusy || !state.guards }),
        button("Save guards.geojson", acts.save, { "data-act": "save", disabled: !state.guards }),
      ),
      isBusy
        ? make(
            "p",
            {},
            state.busy === "guards" ? "Placing guards … " : "Verifying … ",
            button("Cancel", acts.cancel, { class: "plain", "data-act": "cancel" }),
          )
        : null,
      ...this.#found(),
    );
  }

  #found() {
    const { state } = this;
    if (!state.guards) return [];
    const play = button(state.playing ? "Pause" : "Play", () => {
      state.playing = !state.playing;
      this.acts.change();
    });
    const rows = state.success ? [...state.facts] : [];
    if (state.success) rows.push(["succeeded", rate(state.success)], ["close to the path", rate(state.close)]);
    const table = rows.map(([name, text]) => make("tr", {}, make("td", { text: name }), make("td", { text })));
    const said = (state.notes ?? []).map((text) => make("p", { class: "quiet", text }));
    const notes = [guardList(state, this.acts.choose), ...said];
    return [
      make("h3", { text: "Result" }),
      make("table", { class: "data plan" }, ...table),
      ...notes,
      make("div", { class: "buttons left" }, play, this.clock),
    ];
  }
}

function tooMany(input) {
  const more = input.max === "12" ? "; the command “lastseen guards place” allows up to 500" : "";
  return `${input.getAttribute("aria-label")}: at most ${input.max}${more}.`;
}

// Guards by name; the pressed one is highlighted on the map.
function guardList({ guards, chosen }, choose) {
  const buttons = guards.map(({ name, kind }, number) =>
    button(`${name} (${kind})`, () => choose(number), {
      class: "plain",
      "data-guard": number,
      "aria-pressed": String(number === chosen),
    }),
  );
  return make("div", { class: "buttons left", role: "group", "aria-label": "Guards on the map" }, ...buttons);
}

function pathLength(path) {
  return path.slice(1).reduce((sum, [x, y, z], at) => sum + Math.hypot(x - path[at][0], y - path[at][1], z - path[at][2]), 0);
}

const field = (name, input) => make("label", { class: "field" }, make("span", { text: name }), input);

function rate({ hits, of, low, high }) {
  if (!of) return "none";
  const percent = (share) => `${Math.round(100 * share)} %`;
  return `${hits} of ${of}, ${percent(hits / of)} (${percent(low)} to ${percent(high)})`;
}
