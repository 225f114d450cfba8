// The Why panel: an agent's state, its knowledge with age, its tree with reasons, and its choice of destination.

import { clockText } from "../bars/clock.js";
import { button, drawReleased, fill, make } from "../dom.js";
import { isFeed } from "../feed.js";
import { agentColour } from "../colours.js";
import { signOfState } from "../map/people.js";
import { signPicture } from "../map/signs.js";
import { copy } from "../share.js";
import { history } from "../history.js";
import { barkAt, selectBark } from "../rules/barks.js";
import { dutySection, fightSection } from "../side/crews.js";
import { TreeSection } from "../side/tree.js";
import { seconds as secondsOf, select, studio } from "../studio.js";

const RANKED = ["cells", "scores", "terms", "metres"];
const COMMON = ["kind", "tick", "agent", "other", "at", "text"]; // shown elsewhere
const TERMS = ["influence", "near", "apart"];
const OFTEN = 250; // milliseconds between requests while time runs

export const panel = { id: "agent", title: "Why", reads: ["account", "status"], create: () => new AgentPanel() };

class AgentPanel {
  constructor() {
    this.node = make("div", { class: "why" });
    this.trees = ["Behaviour tree", "Crew tree"].map((title, at) => new TreeSection(title, () => this.#again(), at === 0));
    this.asked = 0;
    this.known = null;
  }

  show() {
    this.known = null;
    for (const tree of this.trees) tree.reset();
    fill(this.node, make("p", { class: "quiet", text: "Loading …" }));
    this.#ask();
  }

  refresh(now) {
    if (!studio.status.running || now - this.asked < OFTEN) return;
    this.asked = now;
    this.#ask();
  }

  status() {
    if (!studio.status.running) this.#ask();
  }

  #ask() {
    studio.send("ask", { agent: studio.selected.number });
  }

  account(account) {
    drawReleased(this.node, () => this.#draw(account));
  }

  #draw(account) {
    const { selected } = studio;
    if (selected?.kind !== "agent" || account.agent !== studio.hello.agents[selected.number]?.name) return;
    this.known = account;
    const box = this.node.parentElement;
    const scrolled = box?.scrollTop ?? 0;
    fill(
      this.node,
      this.#head(account),
      ...(["down", "gone"].includes(account.mode) ? this.#out(account) : this.#mind(account)),
      ...this.#before(account),
      this.#copies(account),
    );
    if (box) box.scrollTop = scrolled;
  }

  #mind(account) {
    return [fightSection, dutySection].flatMap((section) => section(account)).concat(
      this.#targets(account),
      this.#decision(account),
      this.#tree(account),
      this.#numbers(account),
    );
  }

  // Why an agent is down or gone: its tree no longer runs, and what it knew no longer matters.
  #out({ mode, out }) {
    const words = mode === "down" ? "It lies on the floor, to be found." : "It is no longer in the world.";
    if (!out) return [make("p", { text: words })];
    const since = button(`${clockText(out.tick)} ${out.text}`, () => studio.seek(out.tick), { class: "sentence" });
    return [make("h3", { text: "Why" }), since, make("p", { class: "quiet", text: words })];
  }

  #head({ agent, state, mode, seconds, goal, left, way, held }) {
    const goes = isFeed() ? way : goal ? [way, ...(left < 0.5 ? [] : [`${left.toFixed(0)} m to go`])].join(", ") : "standing";
    const what = mode === "active" ? state || "no state" : mode;
    const number = studio.hello.agents.findIndex(({ name }) => name === agent);
    const sign = mode === "active" ? signOfState(number, state) : mode;
    const lasted = seconds - sinceOf(agent, seconds);
    return make(
      "div",
      { class: "who" },
      signPicture(sign, agentColour(number, sign), 26),
      make(
        "div",
        {},
        make("strong", { text: called(agent) }),
        make("span", { class: "quiet", text: ` at ${seconds.toFixed(1)} s` }),
        make("p", { text: `${what} for ${lasted.toFixed(1)} s · ${goes}` }),
        ...(held ? [make("p", { text: `Does nothing by itself: ${held}.` })] : []),
      ),
    );
  }

  #targets({ known }) {
    if (!known?.length) return [];
    const rows = known.map(({ target, source, age, sight, awareness }) =>
      make(
        "tr",
        {},
        make("td", { text: called(target) }),
        make("td", { text: source }),
        make("td", { text: age === null || age === undefined ? "—" : `${age.toFixed(1)} s` }),
        make("td", { text: sight }),
        make("td", {}, make("meter", { min: 0, max: 1, value: awareness, title: `awareness ${(awareness * 100).toFixed(0)} %` })),
      ),
    );
    const heads = ["target", "source", "age", "sight", "aware"].map((text) => make("th", { text }));
    return [make("h3", { text: "What it knows" }), make("table", {}, make("tr", {}, ...heads), ...rows)];
  }

  #decision({ decision }) {
    studio.candidates = candidatesOf(decision);
    if (!decision) return [];
    const title = make("h3", { text: decision.kind === "why" ? "Why" : "Last decision" });
    const about = { class: "sentence", title: `Go to ${clockText(decision.tick)}` };
    return [title, button(decision.text, () => studio.seek(decision.tick), about)];
  }

  // What the decision was made of, below the tree: it is long.
  #numbers({ decision }) {
    if (!decision) return [];
    const told = [...COMMON, ...(studio.candidates.length ? RANKED : [])];
    const entries = Object.entries(decision).filter(
      ([name, value]) => !told.includes(name) && (!Array.isArray(value) || value.length < 6),
    );
    const rows = entries
      .slice(0, 14)
      .map(([name, value]) =>
        make("tr", {}, make("td", { text: name.replaceAll("_", " ") }), make("td", { text: shown(value) })),
      );
    const title = make("h3", { text: isFeed() ? "Facts" : "Details of the decision" });
    const table = rows.length ? [title, make("table", { class: "data" }, ...rows)] : [];
    return [...table, ...this.#candidates()];
  }

  // The candidate destinations, best first; the same numbers are on the map.
  #candidates() {
    if (!studio.candidates.length) return [];
    const heads = ["", "cell", "score", ...(studio.candidates[0].terms.length === TERMS.length ? TERMS : []), "m"].map(
      (text) => make("th", { text }),
    );
    const rows = studio.candidates.map(({ cell, score, terms, metres }, at) => {
      const numbers = [score, ...terms].map((value) => make("td", { text: value.toFixed(2) }));
      const choose = button(String(cell), () => select({ kind: "cell", cell }), { class: "plain", title: "Show the values of this cell" });
      return make(
        "tr",
        {},
        make("td", { text: String(at + 1) }),
        make("td", {}, choose),
        ...numbers,
        make("td", { text: metres === null ? "" : metres.toFixed(1) }),
      );
    });
    return [make("h3", { text: "Ranked destinations" }), make("table", { class: "ranked" }, make("tr", {}, ...heads), ...rows)];
  }

  #tree({ agent, tree, duty }) {
    const [own, crew] = this.trees;
    return [...own.view(tree, agent), ...crew.view(duty?.tree, `crew ${duty?.crew}`)];
  }

  #again() {
    if (this.known) this.account(this.known);
  }

  #before({ before }) {
    if (!before?.length) return [];
    const lines = [...before].reverse().map(({ tick, text, kind, agent }) => {
      const isRule = ["said", "did"].includes(kind) && barkAt({ tick, agent })?.rule;
      const act = isRule ? () => selectBark({ tick, agent }) : () => studio.seek(tick);
      const one = button("", act, { class: "sentence", title: isRule ? "Why this line" : "Go to this moment" });
      one.append(make("time", { text: clockText(tick) }), make("span", { text }));
      return make("li", {}, one);
    });
    return [make("h3", { text: "Recent events" }), make("ol", { class: "story" }, ...lines)];
  }

  #copies(account) {
    const command = `lastseen why run.rec --agent '${account.agent.replaceAll("'", "'\\''")}' --at ${account.seconds.toFixed(2)}`;
    return make(
      "div",
      { class: "buttons" },
      isFeed() ? null : button("Copy command line", () => copy(command, "command line"), { title: command }),
      button("Copy JSON", () => copy(JSON.stringify(account, null, 2), "JSON")),
    );
  }
}

// The player's own agent is called as on the map.
const called = (name) => (name === studio.hello.agents[studio.hello.player]?.name ? "you" : name);

// The cells a decision ranked, best first.
function candidatesOf(decision) {
  const { cells, scores, terms, metres } = decision ?? {};
  if (!Array.isArray(cells) || !Array.isArray(scores)) return [];
  return cells.map((cell, at) => ({ cell, score: scores[at] ?? 0, terms: terms?.[at] ?? [], metres: metres?.[at] ?? null }));
}

// The time in seconds at which an agent entered its current state.
function sinceOf(name, until) {
  const number = studio.hello.agents.findIndex((agent) => agent.name === name);
  const last = history.events.findLast(
    (event) => event.kind === "state" && event.agent === number && secondsOf(event.tick) <= until + 1e-6,
  );
  return last ? secondsOf(last.tick) : 0;
}

function shown(value) {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(2);
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([name, one]) => `${name} ${shown(one)}`).join(", ");
  return String(value);
}
