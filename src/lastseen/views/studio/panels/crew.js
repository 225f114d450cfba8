// The Crew panel: one crew with its members, their roles, and its tree.

import { crewOf, dutyOf } from "../crews.js";
import { button, drawReleased, fill, make } from "../dom.js";
import { crewPicture, crewTitle } from "../map/crews.js";
import { TreeSection } from "../side/tree.js";
import { agentName, on, select, studio } from "../studio.js";

const OFTEN = 250; // milliseconds between requests while time runs

export const panel = { id: "crew", title: "Crew", reads: ["account", "status"], create: () => new CrewPanel() };

const choose = (number) =>
  button(number === studio.hello.player ? "you" : agentName(number), () => select({ kind: "agent", number }), {
    class: "plain",
    title: "Explain this agent",
  });

class CrewPanel {
  constructor() {
    this.node = make("div", { class: "why" });
    this.section = new TreeSection("Crew tree", () => this.#draw());
    this.asked = 0;
    this.number = null;
    on("crews", () => this.#drawLater());
  }

  show({ number }) {
    if (number !== this.number) {
      this.tree = null;
      this.section.reset();
    }
    this.number = number;
    this.#draw();
    this.#ask();
  }

  refresh(now) {
    if (!studio.status.running || now - this.asked < OFTEN) return;
    this.asked = now;
    this.#ask();
  }

  // The account of any member contains the tree of its crew.
  #ask() {
    const crew = this.#chosen();
    if (crew) studio.send("ask", { agent: crew.leader });
  }

  #chosen() {
    return studio.selected?.kind === "crew" ? crewOf(studio.selected.number) : null;
  }

  account({ duty }) {
    if (duty?.crew !== this.number) return;
    this.tree = duty.tree;
    this.#drawLater();
  }

  status() {
    if (!studio.status.running) this.#ask();
  }

  #drawLater() {
    drawReleased(this.node, () => this.#draw());
  }

  #draw() {
    if (studio.selected?.kind !== "crew") return;
    const crew = this.#chosen();
    if (!crew) return fill(this.node, make("p", { class: "quiet", text: `Crew ${this.number} does not exist at this moment.` }));
    const head = make(
      "div",
      { class: "who" },
      crewPicture("badge", crew),
      make(
        "div",
        {},
        make("strong", { text: crewTitle(crew) }),
        make("p", { text: `${crew.members.length} members, led by ${agentName(crew.leader)}` }),
      ),
    );
    const rows = crew.members.map((member) => {
      const duty = dutyOf(member);
      return make(
        "tr",
        {},
        make("td", {}, choose(member)),
        make("td", { text: duty?.role || "no role" }),
        make("td", { class: "quiet", text: duty?.reason ?? "" }),
      );
    });
    const scrolled = this.node.parentElement?.scrollTop ?? 0;
    fill(
      this.node,
      head,
      make("h3", { text: "Roles" }),
      make("table", { class: "members" }, ...rows),
      ...this.section.view(this.tree, `crew ${this.number}`),
    );
    if (this.node.parentElement) this.node.parentElement.scrollTop = scrolled;
  }
}
