// The list of agents: a row of buttons, so that agents can be selected without a mouse.

import { button, fill, make } from "../dom.js";
import { agentColour } from "../colours.js";
import { signOfState } from "../map/people.js";
import { signPicture } from "../map/signs.js";
import { on, select, stateName, studio } from "../studio.js";

export function agentList() {
  const node = make("div", { class: "people", role: "group", "aria-label": "Agents" });
  let shown = "";
  let states = [];
  function update(now = states) {
    states = now;
    const { hello, selected } = studio;
    if (!hello) return;
    const key = [hello.title, selected?.number, states.join()].join("|");
    if (key === shown) return;
    shown = key;
    const made = hello.agents.map(({ name }, number) => {
      const chosen = selected?.kind === "agent" && selected.number === number;
      const state = signOfState(number, stateName(states[number] ?? 0));
      const one = button("", () => select(chosen ? null : { kind: "agent", number }), {
        class: "person",
        "aria-pressed": String(chosen),
        title: `${name}: ${state}`,
      });
      one.append(signPicture(state, agentColour(number, state), 14), make("span", { text: number === hello.player ? "you" : name }));
      return one;
    });
    fill(node, ...made);
  }
  on("states", update);
  on("theme", () => {
    shown = "";
    update();
  });
  return { node, update };
}
