// The top bar: level, difficulty, intruder, overlays and menus.

import { theme, useTheme } from "../colours.js";
import { button, fill, find, iconButton, make, plain } from "../dom.js";
import { feed, isFeed, isMarkShown, toggleMark } from "../feed.js";
import { showKeys } from "../help/keys.js";
import { allOverlays, chooseLayer, surveyedLayer, surveyedLayers, toggle } from "../overlays.js";
import { shareMenu } from "../share.js";
import { on, studio } from "../studio.js";

const MOST_MARKS = 40; // names of points and lines in the bar
const MOON = "M12.5 9.8A5.2 5.2 0 0 1 6.2 3.5a5.2 5.2 0 1 0 6.3 6.3z";

export function beginTop(scene) {
  const level = make("select", { class: "runs", title: "Level or scenario", "aria-label": "Level or scenario", on: { change: opened } });
  const difficulty = make("select", { title: "Difficulty", "aria-label": "Difficulty", on: { change: opened } });
  const opponent = make("select", { title: "Who moves the intruder", "aria-label": "Intruder", on: { change: opened } });
  const chips = make("div", { class: "chips", role: "group", "aria-label": "Overlays" });
  const layer = make("select", {
    class: "layer",
    title: "Show a layer as a heat map (J, Shift+J)",
    "aria-label": "Layer",
    on: { change: () => chooseLayer(layer.value) },
  });
  fill(
    find("#top"),
    make("strong", { class: "mark", text: "lastseen" }),
    level,
    difficulty,
    opponent,
    chips,
    layer,
    make(
      "div",
      { class: "tools" },
      iconButton(MOON, "Light or dark theme", () => useTheme(theme.name === "dark" ? "light" : "dark")),
      shareMenu(scene),
      button("?", showKeys, { title: "Keyboard shortcuts (?)", "aria-label": "Keyboard shortcuts" }),
    ),
  );

  function opened() {
    const [kind, name] = split(level.value);
    // A live view has no difficulty yet.
    const more = difficulty.value ? { difficulty: difficulty.value, opponent: opponent.value || "you" } : {};
    studio.send("open", kind === "level" ? { level: name, ...more } : { [kind]: name });
  }

  function drawMenu(hello) {
    const groups = [
      ["Live", "feed", hello.feeds],
      ["Levels", "level", hello.levels],
      ["Scenarios", "scenario", hello.scenarios],
      ["Recordings", "recording", hello.recordings],
    ];
    fill(level, ...groups.filter(([, , list]) => list?.length).map((group) => options(...group)));
    const now = [...level.options].find((one) => split(one.value)[1] === hello.source && isKind(split(one.value)[0], hello.kind));
    if (now) level.value = now.value;
    else level.prepend(make("option", { value: "level:", text: hello.title, selected: true, disabled: true }));
    if (!now) level.selectedIndex = 0;
  }

  on("message error", ({ about }) => about === "open" && studio.hello && drawMenu(studio.hello));
  on("message menus", (menus) => drawMenu(Object.assign(studio.hello, menus, { type: "hello" })));
  on("hello", (hello) => {
    drawMenu(hello);
    fill(difficulty, ...(hello.difficulties ?? []).map((name) => make("option", { value: name, text: name })));
    difficulty.value = hello.difficulty ?? "normal";
    difficulty.hidden = hello.kind !== "level";
    const titleOf = (name) => (name === "you" ? "you play" : `watch ${name}`);
    fill(opponent, ...(hello.opponents ?? []).map((name) => make("option", { value: name, text: titleOf(name) })));
    opponent.value = hello.opponent;
    opponent.hidden = hello.kind !== "level";
    drawChips(chips);
    drawLayers(layer);
    document.title = plain(`${hello.title} · lastseen`);
  });
  on("overlays", () => {
    drawChips(chips);
    drawLayers(layer);
  });
}

// A feed that was saved is opened as a recording.
const isKind = (kind, open) => (kind === "feed") === (open === "feed") || (kind === "recording" && open === "feed");

const split = (value) => [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)];

function options(title, kind, list) {
  const one = (entry) => {
    const name = entry.name ?? entry;
    return make("option", { value: `${kind}:${name}`, text: name, title: entry.about ?? "" });
  };
  return make("optgroup", { label: title }, ...list.map(one));
}

function drawLayers(menu) {
  const all = surveyedLayers();
  menu.hidden = !all.length;
  fill(
    menu,
    make("option", { value: "", text: "Layer … J" }),
    ...all.map(({ name, title, about }) => make("option", { value: name, text: title, title: about })),
  );
  menu.value = surveyedLayer()?.name ?? "";
  menu.classList.toggle("chosen", menu.value !== "");
}

function drawChips(chips) {
  const made = allOverlays().map(({ name, title, key, about }) => {
    const pressed = studio.overlays.has(name);
    const chip = button(title, () => toggle(name), {
      class: "chip",
      "aria-pressed": String(pressed),
      title: `${about} (${key.toUpperCase()})`,
      "data-overlay": name,
    });
    if (key) chip.append(make("kbd", { text: key.toUpperCase() }));
    return chip;
  });
  const marks = isFeed() ? [...feed.marks.keys()].slice(0, MOST_MARKS) : [];
  const named = marks.map((name) =>
    button(name, () => toggleMark(name), {
      class: "chip",
      "aria-pressed": String(isMarkShown(name)),
      title: "Points and lines of this name",
      "data-mark": name,
    }),
  );
  fill(chips, ...made, ...named);
}
