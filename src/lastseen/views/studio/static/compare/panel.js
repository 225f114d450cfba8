// The Compare panel: the recording to compare with, the first difference, current differences, events of one run only.

import { button, fill, make } from "../dom.js";
import { clockText } from "../bars/clock.js";
import { choose, sendFile } from "../files.js";
import { on, studio } from "../studio.js";

const MOST = 60; // events listed per run
const ABOUT = "Compare this run with a recording: one timeline, two maps.";
const HOW = "Share, Save recording makes one.";
const NEAR = 0.01; // metres that count as equal: the other run is rounded to 4 mm

export class ComparePanel {
  constructor({ compare, swap, stop }) {
    Object.assign(this, { compare, swap, stop, other: null });
    this.select = make("select", {
      "aria-label": "Recording to compare with",
      on: { change: () => this.select.value && compare(this.select.value) },
    });
    this.about = make("div", {});
    this.now = make("table", { class: "data compared", "aria-label": "Both runs at this moment" });
    this.rest = make("div", {});
    const file = button("Open a file …", () => choose(".rec", (one) => this.#send(one)), { title: "One of your own recordings" });
    this.node = make(
      "section",
      { class: "card compare" },
      make("div", { class: "field" }, this.select, file),
      this.about,
      this.now,
      this.rest,
    );
    this.#menu();
    on("hello", () => this.#menu());
    on("message menus", () => this.#menu());
  }

  async #send(file) {
    const sent = await sendFile(file);
    if (sent?.kind === "recording") this.compare(sent.name);
  }

  #menu() {
    const names = (studio.hello?.recordings ?? []).map(({ name }) => name);
    const all = this.other && !names.includes(this.other.name) ? [this.other.name, ...names] : names;
    const first = make("option", { value: "", text: all.length ? "Choose a recording …" : "No recordings yet" });
    fill(this.select, first, ...all.map((name) => make("option", { value: name, text: name.replace(/^uploaded\//, "") })));
    this.select.value = this.other?.name ?? "";
  }

  show(other) {
    this.other = other;
    this.#menu();
    if (!other) {
      fill(this.about, make("p", { class: "quiet", text: `${ABOUT} ${HOW}` }));
      fill(this.now);
      return fill(this.rest);
    }
    fill(this.about, ...this.#about(other.found));
    fill(this.rest, ...this.#events(other.found));
    this.update(null);
  }

  #about({ is_same, cannot, settings, tick, first, digest_tick, compared, steps }) {
    const lines = settings.map(({ what, one, other }) =>
      make("li", { text: one === other ? `${what}: different` : `${what}: ${one} / ${other}` }),
    );
    const words = [make("ul", { class: "differences" }, ...lines)];
    if (is_same) words.push(make("p", {}, make("strong", { text: "The runs are identical." })));
    else if (cannot) words.push(make("p", { class: "wrong", text: `The runs cannot be compared step by step: ${cannot}.` }));
    else if (tick === null) words.push(make("p", { text: `No visible difference in the ${compared} steps they share.` }));
    else {
      const go = button("", () => studio.seek(tick), { class: "sentence first", title: "Go to this moment" });
      go.append(
        make("time", { text: clockText(tick) }),
        make("span", { text: `First difference: ${first.map(fact).slice(0, 2).join("; ")}` }),
      );
      words.push(go);
    }
    if (!cannot && digest_tick !== null)
      words.push(make("p", { class: "quiet", text: `Digests differ from ${clockText(digest_tick)}.` }));
    if (steps[1] > steps[0])
      words.push(
        make("p", {
          class: "quiet",
          text: `The other run continues for ${seconds(steps[1] - steps[0])} after the end of this one.`,
        }),
      );
    const swap =
      studio.hello.kind === "recording"
        ? button("Swap", () => this.swap(), { title: "Open B and compare it with A" })
        : null;
    words.push(
      make(
        "div",
        { class: "buttons" },
        swap,
        button("Compare again", () => this.compare(this.other.name), { title: "Include the changes in this run since" }),
        button("Stop comparing", () => this.stop()),
      ),
    );
    return words;
  }

  #events({ only, only_count, cannot }) {
    if (cannot || !(only_count[0] + only_count[1])) return [];
    const listed = only.flatMap((events, side) => events.slice(0, MOST).map((event) => ({ ...event, side })));
    const lines = listed.sort((one, other) => one.tick - other.tick).map(({ tick, text, agent, kind, side }) => {
      const one = button("", () => studio.seek(tick), { class: "sentence", title: side ? "Only in the other run" : "Only in this run" });
      one.append(
        make("time", { text: clockText(tick) }),
        make("span", {}, make("b", { class: `side-${side}`, text: side ? "B " : "A " }), text || `${agent} ${kind}`),
      );
      return make("li", {}, one);
    });
    return [
      make("h3", { text: `Events only in A: ${only_count[0]}, only in B: ${only_count[1]}` }),
      make("ol", { class: "story" }, ...lines),
    ];
  }

  // The differences at the moment shown, if the runs can be compared.
  update(moment) {
    const { other } = this;
    if (!other?.shown || !moment) return;
    const rows = studio.hello.agents.flatMap(({ name }, number) => this.#person(name, number, moment.agents[number], other));
    const [mine, theirs] = [studio.status.running ? "…" : studio.status.digest, other.run.digest(other.at)];
    rows.push(row("digest", "", mine?.slice(0, 8), theirs.slice(0, 8), mine !== theirs && !studio.status.running));
    const key = rows.map((one) => one.textContent).join("|");
    if (key === this.key) return;
    this.key = key;
    const heads = ["", "", "A", "B"].map((text) => make("th", { text }));
    fill(this.now, make("tr", {}, ...heads), ...rows);
  }

  #person(name, number, agent, other) {
    const twinNumber = other.number(name);
    const twin = other.shown.agents[twinNumber];
    if (!agent || !twin) return [row(name, "", agent ? "present" : "absent", twin ? "present" : "absent", true)];
    const { hello } = studio;
    const [mine, theirs] = [word(hello, number, agent), word(other.run.hello, twinNumber, twin)];
    const metres = Math.hypot(agent.x - twin.x, agent.y - twin.y, agent.z - twin.z);
    const apart = other.found.cannot ? "" : metres > NEAR ? `${metres.toFixed(1)} m apart` : "same position";
    return [row(name, apart, mine, theirs, mine !== theirs || (!other.found.cannot && metres > NEAR))];
  }
}

// Only watchers have a state worth showing.
const word = ({ vocabulary: { modes, states }, agents }, number, { mode, state }) =>
  modes[mode] !== "active" ? modes[mode] : agents[number].watcher ? states[state] : "";
const fact = ({ what, agent, one, other }) => `${agent ? `${agent}, ` : ""}${what} ${one} / ${other}`;
const seconds = (ticks) => `${(ticks * (studio.hello?.step ?? 1 / 30)).toFixed(1)} s`;

function row(name, more, one, other, differs) {
  const cells = [name, more, one, other].map((text) => make("td", { text: text ?? "" }));
  return make("tr", { class: differs ? "differs" : "" }, ...cells);
}
