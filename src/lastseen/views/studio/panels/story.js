// The story: plain sentences, each a link to its moment.

import { clockText } from "../bars/clock.js";
import { button, fill, make } from "../dom.js";
import { isFeed } from "../feed.js";
import { history } from "../history.js";
import { on, studio } from "../studio.js";

const NEAR = 60; // pixels from the end that count as the end, since a new crew shifts the panel by a line

export const panel = { id: "story", title: "Story", create: () => new StoryPanel() };

class StoryPanel {
  constructor() {
    this.list = make("ol", { class: "story", "aria-live": "polite" });
    this.node = this.list;
    this.drawn = [];
    on("story", () => this.show());
    on("history", () => history.sentences.length === 0 && this.show());
    on("status", () => !this.drawn.length && this.show()); // the clock has started
  }

  show() {
    const { sentences } = history;
    if (!sentences.length) {
      this.drawn = [];
      const more =
        studio.hello?.mode === "play" && studio.status.ticks <= 1
          ? ` ${matchMedia("(pointer: coarse)").matches ? "Drag from yourself to walk" : "Move with W A S D"}: that starts the clock.`
          : isFeed() && !studio.status.ticks
            ? " Run your game with feed = lastseen.studio.connect() and call feed.frame() in its loop."
            : "";
      const begin = `Nothing has happened yet.${more}`;
      return fill(this.list, make("li", { class: "quiet", text: begin }));
    }
    const same = this.drawn.findIndex((text, at) => text !== key(sentences[at]));
    const kept = same < 0 ? Math.min(this.drawn.length, sentences.length) : same;
    const box = this.list.parentElement;
    this.#watch(box);
    const isAtEnd = box && (this.follows || isNearEnd(box));
    if (!this.drawn.length) fill(this.list);
    while (this.list.children.length > kept) this.list.lastChild.remove();
    for (const sentence of sentences.slice(kept)) this.list.append(line(sentence));
    this.drawn = sentences.map(key);
    // Keep the scroll position of a reader further up; a recording starts at its beginning.
    this.follows = isAtEnd && sentences.at(-1).tick <= studio.status.tick;
    if (this.follows) box.scrollTop = box.scrollHeight;
  }

  // The end stays in sight when the legend below grows or shrinks.
  #watch(box) {
    if (!box || box === this.box) return;
    this.box = box;
    box.addEventListener("scroll", () => (this.follows = isNearEnd(box)));
    new ResizeObserver(() => {
      if (this.follows && this.list.isConnected) box.scrollTop = box.scrollHeight;
    }).observe(box);
  }
}

const isNearEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;

const key = (sentence) => sentence && `${sentence.tick} ${sentence.text}`;

function line({ tick, text }) {
  const one = button("", () => studio.seek(tick), { class: "sentence", title: "Go to this moment" });
  one.append(make("time", { text: clockText(tick) }), make("span", { text }));
  return make("li", {}, one);
}
