// The list of crews, and what the panel of an agent shows of its crew and its fight.

import { crewOf } from "../crews.js";
import { button, fill, make } from "../dom.js";
import { crewPicture } from "../map/crews.js";
import { agentName, on, select, studio } from "../studio.js";

// A row of buttons, one per crew; hidden if there is none.
export function crewList() {
  const node = make("div", { class: "people crews", role: "group", "aria-label": "Crews", hidden: true });
  let shown = "";
  function update() {
    const { crews } = studio.crews;
    const chosen = studio.selected?.kind === "crew" ? studio.selected.number : null;
    const key = JSON.stringify([
      chosen,
      crews.map(({ number, seat, objective, target, members }) => [number, seat, objective, target, members.length]),
    ]);
    if (key === shown) return;
    shown = key;
    node.hidden = !crews.length;
    fill(node, ...crews.map((crew) => crewButton(crew, crew.number === chosen)));
  }
  for (const name of ["crews", "selected", "hello"]) on(name, update);
  on("theme", () => {
    shown = "";
    update();
  });
  return { node, update };
}

function crewButton(crew, isChosen) {
  const act = () => select(isChosen ? null : { kind: "crew", number: crew.number });
  const one = button("", act, {
    class: "person crew",
    "aria-pressed": String(isChosen),
    title: `Crew ${crew.number}: ${crew.members.map(agentName).join(", ")}`,
  });
  one.append(crewPicture("badge", crew), make("span", { text: `${crew.objective} · ${crew.members.length}` }));
  return one;
}

// An agent's crew and role, why it was chosen, and what it requests.
export function dutySection({ duty }) {
  if (!duty) return [];
  const crew = crewOf(duty.crew);
  const title = `crew ${duty.crew}: ${duty.objective}${duty.target ? ` ${duty.target}` : ""}`;
  const since = duty.since === null ? "" : `, since ${duty.since.toFixed(1)} s`;
  const place = duty.place ? `(${duty.place[0].toFixed(1)}, ${duty.place[1].toFixed(1)})` : "";
  const rows = [
    [
      "crew",
      crew
        ? button(title, () => select({ kind: "crew", number: crew.number }), {
            class: "plain",
            title: "Show this crew",
          })
        : title,
    ],
    ["with", `${duty.members.join(", ")}; ${duty.leader} leads`],
    ["role", `${duty.role || "none"}${duty.role ? since : ""}`],
    ["why", duty.reason],
    ["position", place],
    ["told", duty.told],
    ["requests", duty.asks],
  ].filter(([, value]) => value);
  const table = rows.map(([name, value]) => make("tr", { "data-duty": name }, make("td", { text: name }), make("td", {}, value)));
  return [make("h3", { text: "Crew" }), make("table", { class: "data duty" }, ...table)];
}

export function fightSection({ agent, fight }) {
  if (!fight) return [];
  const most = studio.hello.fights?.health[studio.hello.agents.findIndex(({ name }) => name === agent)] ?? fight.health;
  const now = fight.attack
    ? `${fight.attack} at ${fight.foe} in ${fight.due.toFixed(1)} s`
    : fight.rest > 0
      ? `ready in ${fight.rest.toFixed(1)} s`
      : "ready";
  const rows = [["health", `${fight.health.toFixed(0)} of ${most.toFixed(0)}`], ["attack", now]];
  return [
    make(
      "table",
      { class: "data fight" },
      ...rows.map(([name, text]) => make("tr", {}, make("td", { text: name }), make("td", { text }))),
    ),
  ];
}
