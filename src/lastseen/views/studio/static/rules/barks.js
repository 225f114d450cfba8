// Explains a spoken line: the rule, the facts, and the rules that nearly fired instead.

import { clockText } from "../bars/clock.js";
import { button, fill, make } from "../dom.js";
import { history } from "../history.js";
import { setMode } from "../modes/modes.js";
import { hasServer } from "../requests.js";
import { copy } from "../share.js";
import { agentName, on, select, studio } from "../studio.js";

const MOST = 60;
let rulesName; // of the running game; undefined: not received yet
on("message voices", ({ rules }) => (rulesName = rules));
on("hello", () => (rulesName = undefined));

const tagWords = (tags) => Object.entries(tags ?? {}).map((one) => one.join(": "));

// Kinds of events that rules decide; of two in one step, the line comes first.
const KINDS = ["said", "did"];

export const barkAt = ({ tick, agent }) =>
  KINDS.map((kind) => history.events.find((event) => event.kind === kind && event.tick === tick && event.agent === agent)).find(Boolean);

// The last line of an agent before a moment.
export const barkOf = (agent, tick) =>
  history.events.findLast((event) => event.kind === "said" && event.agent === agent && event.tick <= tick);

export const selectBark = ({ tick, agent }) => select({ kind: "bark", tick, agent });

export class BarkPanel {
  constructor() {
    this.node = make("div", { class: "why bark-why" });
    this.chosen = null;
    on("message voices", () => this.chosen && this.node.isConnected && this.show(this.chosen));
  }

  show(chosen) {
    if (rulesName === undefined && hasServer() && this.chosen !== chosen) studio.send("voices");
    this.chosen = chosen;
    const event = barkAt(chosen);
    fill(this.node, ...(event ? told(event) : [make("p", { class: "quiet", text: "This line belongs to a run that is no longer open." })]));
  }
}

function told(event) {
  const { tick, agent, other, text, rule, tier, turn, interrupts, line_id: id, tags } = event;
  const answer = other >= 0 ? `answers ${agentName(other)}` : "";
  const cut = interrupts?.length ? `interrupts ${interrupts.map(agentName).join(", ")}` : "";
  const words = [clockText(tick), tier ? `tier ${tier}` : "", turn ? `line ${turn} of an exchange` : "", answer, cut]
    .filter(Boolean)
    .join(" · ");
  const head = [
    make("blockquote", { class: "bark-text", text: text || "(no text)" }),
    make(
      "p",
      { class: "quiet hint" },
      button(agentName(agent), () => (studio.mode === "rules" && setMode("watch"), select({ kind: "agent", number: agent })), {
        class: "plain who-said",
        title: "Explain this agent",
      }),
      make("span", { text: words }),
    ),
    id ? make("p", { class: "quiet hint bark-id", text: [id, ...tagWords(tags)].join(" · ") }) : null,
    make(
      "div",
      { class: "buttons left" },
      button("Go to this moment", () => studio.seek(tick)),
    ),
  ];
  if (!rule) return [...head, make("p", { class: "quiet", text: "No rule: this line comes from the behaviour tree." })];
  return [...head, ...ruleOf(event), ...factsOf(event), ...nearOf(event), copies(event)];
}

function ruleOf({ rule, handler, source }) {
  const open = studio.openRule
    ? button("Open in editor", () => studio.openRule({ handler, rule }), { class: "main", "data-act": "open rule" })
    : null;
  return [
    make("h3", { text: "Rule that fired" }),
    make("p", { class: "bark-rule" }, make("strong", { text: rule }), make("small", { text: `${handler} · ${source}` })),
    make("div", { class: "buttons left" }, open),
  ];
}

function factsOf({ handler, asked = handler, facts = {} }) {
  const rows = Object.entries(facts).map(([path, value]) =>
    make(
      "tr",
      {},
      make("td", { text: path }),
      make("td", { class: value === null ? "quiet" : "", text: value === null ? "unknown" : String(value) }),
    ),
  );
  const attempt = studio.tryFacts
    ? button("Try in editor", () => studio.tryFacts({ facts, handler: asked, isLazy: true }), {
        title: "Find the rule that fires for these facts in the editor's current rules",
      })
    : null;
  return [make("h3", { text: "Known facts" }, attempt), make("table", { class: "data bark-facts" }, ...rows)];
}

function nearOf({ near = [], handler }) {
  const rows = near.map(({ rule, text }) => missRow(rule, text, handler));
  return [
    make("h3", { text: "Near misses" }),
    rows.length ? make("ul", { class: "misses" }, ...rows) : make("p", { class: "quiet hint", text: "No other rule came close." }),
  ];
}

export function missRow(rule, why, handler, state = "") {
  const name = studio.openRule
    ? button(rule, () => studio.openRule({ handler, rule, isNear: true }), { class: "miss-name", title: "Open in editor" })
    : make("strong", { text: rule });
  return make("li", { class: `miss ${state}` }, name, make("small", { text: why }));
}

// The game's query as a shell command: the combined handlers and the facts that were read.
function commandOf({ handler, asked = handler, facts = {} }) {
  const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  const words = known.map(([path, value]) => `--facts ${quoted(`${path}=${value}`)}`);
  return ["lastseen rules why", rulesName ? quoted(rulesName) : "RULES", "--handler", quoted(asked), ...words].join(" ");
}

function copies(event) {
  const command = commandOf(event);
  return make(
    "div",
    { class: "buttons" },
    button("Copy command line", () => copy(command, "command line"), { title: command }),
    button("Copy JSON", () => copy(JSON.stringify(event, null, 2), "JSON")),
  );
}

// All spoken lines, newest first.
export function barkList() {
  const node = make("ol", { class: "story barks", "aria-label": "Spoken lines" });
  let shown = "";
  function draw() {
    const said = history.events
      .filter(({ kind }) => KINDS.includes(kind))
      .slice(-MOST)
      .reverse();
    const { selected } = studio;
    const key = `${said[0]?.tick} ${said[0]?.agent} ${said.length} ${selected?.tick} ${selected?.agent}`;
    if (key === shown) return;
    shown = key;
    const rows = said.map((event) => {
      const isChosen = selected?.kind === "bark" && selected.tick === event.tick && selected.agent === event.agent;
      const one = button("", () => selectBark(event), {
        class: "sentence",
        "aria-pressed": String(isChosen),
        title: event.rule ? `rule “${event.rule}”` : "",
      });
      one.append(
        make("time", { text: clockText(event.tick) }),
        make(
          "span",
          {},
          make("strong", { text: `${event.speaker ?? agentName(event.agent)}: ` }),
          event.kind === "did" ? make("em", { class: "quiet", text: "does " }) : null,
          make("span", { text: event.action === undefined ? event.text : event.text.slice(event.text.indexOf(": ") + 2) }),
        ),
      );
      return make("li", {}, one);
    });
    fill(node, ...(rows.length ? rows : [make("li", { class: "quiet", text: "No lines have been spoken yet." })]));
  }
  for (const name of ["history", "selected", "hello"]) on(name, draw);
  draw();
  return node;
}
