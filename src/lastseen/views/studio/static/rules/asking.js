// Asks the running game what an agent would say now and why agents are silent, without changing anything.

import { button, fill, make } from "../dom.js";
import { agentName, on, studio } from "../studio.js";
import { missRow } from "./barks.js";

const OFTEN = 700; // milliseconds between requests while time runs
const FEW = 40;

export function makeAsking(isHere) {
  const who = make("select", { "aria-label": "Speaker" });
  const trigger = make("select", { "aria-label": "Trigger" });
  const answer = make("div", { class: "answer", "aria-live": "polite" });
  const silent = make("ul", { class: "misses silent" });
  const ask = () => who.value !== "" && trigger.value && studio.send("evaluate", { agent: Number(who.value), trigger: trigger.value });
  const node = make(
    "section",
    { class: "asking" },
    make("h3", { text: "Ask an agent" }),
    make(
      "div",
      { class: "ask-row" },
      who,
      trigger,
      button("Ask", ask, { class: "main small", title: "What would this agent say if this happened now?" }),
    ),
    answer,
    make("h3", { text: "Why silent" }),
    silent,
  );
  let asked = -Infinity; // not 0: the page may have opened less than OFTEN ago
  let known = { speakers: [], triggers: [], rules: null, facts: {} };

  function offer(told) {
    const key = JSON.stringify([told.speakers, told.triggers, studio.hello?.title]);
    if (key === known.key) return;
    known.key = key;
    fill(who, ...told.speakers.map((number) => make("option", { value: number, text: agentName(number) })));
    fill(trigger, ...told.triggers.map((name) => make("option", { value: name, text: name })));
    const now = told.triggers.indexOf("LOSE");
    if (now >= 0) trigger.value = "LOSE";
  }

  on("message voices", (told) => {
    known = { ...told, key: known.key };
    offer(told);
    const rows = told.silent.map(({ agent, why }) =>
      make("li", { class: "miss" }, make("strong", { text: agentName(agent) }), make("small", { text: why })),
    );
    const faults = told.complaints.map(({ path, what }) =>
      make("li", { class: "miss wrong" }, make("strong", { text: path }), make("small", { text: `cannot be read: ${what}` })),
    );
    const words = told.is_live ? "No agent stayed silent." : "Available for the latest step of a live game only.";
    fill(silent, ...(rows.length + faults.length ? [...rows, ...faults] : [make("li", { class: "quiet hint", text: words })]));
  });
  on("message evaluation", show);
  on("hello", () => fill(answer));

  function show(told) {
    const fired = told.rules.find(({ state }) => state === "fires");
    const rest = told.rules.filter((one) => one !== fired);
    const rank = { chance: 0, blocked: 1, holds: 2, fails: 3 };
    const near = rest
      .filter((one) => one.near !== null || one.state !== "fails")
      .sort((one, other) => rank[one.state] - rank[other.state] || (one.near ?? 99) - (other.near ?? 99));
    const others = rest.filter((one) => !near.includes(one));
    const rows = (list) => list.map(({ name, reason, handler, state }) => missRow(name, reason, handler, state));
    const all = make("details", { class: "more" }, make("summary", { text: `All other rules (${others.length})` }));
    all.addEventListener(
      "toggle",
      () => all.open && all.children.length < 2 && all.append(make("ul", { class: "misses" }, ...rows(others))),
      { once: true },
    );
    fill(
      answer,
      make(
        "p",
        { class: "verdict" },
        make("strong", { text: `${agentName(told.agent)}, ${told.trigger}: ` }),
        make("span", { text: fired ? `“${fired.name}” fires` : "no rule fires" }),
      ),
      told.refused ? make("p", { class: "wrong hint", text: `But it stays silent: ${told.refused}.` }) : null,
      make("ul", { class: "misses" }, ...(fired ? rows([fired]) : []), ...rows(near.slice(0, FEW))),
      others.length ? all : null,
      studio.tryFacts
        ? make(
            "div",
            { class: "buttons left" },
            button("Try these facts in the editor", () => studio.tryFacts({ facts: told.facts, handler: told.handlers })),
          )
        : null,
    );
  }

  function refresh(now = performance.now()) {
    if (!isHere() || now - asked < OFTEN) return;
    asked = now;
    studio.send("voices");
  }
  on("status", () => (studio.status.running ? refresh() : ((asked = -Infinity), refresh())));
  on("history", () => studio.status.running && refresh());
  return { node, refresh: () => ((asked = -Infinity), refresh()), rules: () => known.rules, facts: () => known.facts };
}
