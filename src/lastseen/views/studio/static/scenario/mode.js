// The Scenario mode: place agents, draw patrols and edit the script on the map of the open level.

import { guardColour, theme } from "../colours.js";
import { make, fill } from "../dom.js";
import { drawDoors, drawObjects, drawPoints, drawTraps } from "../map/things.js";
import { drawGaze, drawSign } from "../map/signs.js";
import { IDLE, signSize } from "../map/people.js";
import { hasServer } from "../requests.js";
import { on, say, studio } from "../studio.js";
import { typedIn, watchTyping } from "../typing.js";
import { placeOf, ScenarioEditor } from "./editor.js";
import { makeFiles } from "./files.js";
import { makeForm } from "./form.js";

const NEAR = 14; // pixels within which a press takes an agent

export function scenarioMode(scene, shown, redraw) {
  const editor = new ScenarioEditor();
  const panel = make("div", {}, make("p", { class: "quiet", text: "Open a level or a scenario to edit." }));
  const files = makeFiles(editor, () => typedIn(panel));
  const undo = () => say(`Undo: ${editor.undo() ?? "nothing to undo"}.`);
  const redo = () => say(`Redo: ${editor.redo() ?? "nothing to redo"}.`);
  const form = makeForm(editor, { files, pick, drawPatrol, undo, redo });
  let isHere = false;
  let route = []; // points of the patrol being drawn

  editor.onChange((what) => {
    if (what === "scenario") {
      files.check();
      files.keepSoon();
    }
    if (form.node.parentElement !== panel) fill(panel, form.node);
    form.draw();
    redraw();
  });

  // The next click on the map gives the value at this path; the same path again cancels.
  function pick(path) {
    editor.picking = editor.picking?.join() === path.join() ? null : path;
    route = [];
    editor.tell("picking");
  }

  function drawPatrol() {
    if (editor.picking?.[0] !== "new patrol") return pick(["new patrol"]), say("Click the stops of the patrol, then press Enter.");
    const points = route;
    editor.picking = null;
    route = [];
    if (points.length < 2) return say("A patrol needs at least two points."), editor.tell("picking");
    const name = editor.freeName("patrol");
    const chosen = editor.agents[editor.selected];
    const agents = chosen ? { agents: editor.agents.map((one) => (one === chosen ? { ...one, patrol: name } : one)) } : {};
    editor.change({ ...editor.value, ...agents, patrols: { ...editor.patrols, [name]: points } }, "draw patrol");
    say(chosen ? `${chosen.name} walks ${name}.` : `Drew ${name}. Enter it as the patrol of an agent.`);
  }

  function back() {
    route = route.slice(0, -1);
    redraw();
  }

  const isOther = () => editor.source !== studio.hello.source && editor.file !== studio.hello.source;

  async function follow() {
    if (!isHere || !hasServer() || !["level", "scenario"].includes(studio.hello?.kind)) return;
    if (editor.isReady && !isOther()) return;
    if (editor.isDirty) {
      await files.keep();
      say(`Unsaved changes of ${editor.file} are kept as a draft.`);
    }
    await files.open();
  }
  on("hello", follow);
  watchTyping([panel], { keep: files.keep, keepSoon: files.keepSoon, isDirty: () => editor.isDirty });

  function agentAt({ px, py }) {
    const distance = ({ at: [x, y, z] }) => {
      const [ax, ay] = scene.camera.project(x, y, z);
      return Math.hypot(ax - px, ay - py);
    };
    const starts = editor.agents.map((agent, number) => [editor.startOf(agent), number]).filter(([start]) => start);
    const near = starts.map(([start, number]) => [distance(start), number]).sort(([one], [other]) => one - other)[0];
    return near && near[0] <= NEAR ? near[1] : null;
  }

  function place(at) {
    const [what] = editor.picking;
    if (what === "new patrol") {
      route = [...route, placeOf(at)];
      return redraw();
    }
    const path = editor.picking;
    editor.picking = null;
    if (what === "new object")
      return editor.add("objects", { name: editor.freeName("item"), kind: "item", place: placeOf(at) }, "add object");
    if (what !== "new agent") return editor.set(path, placeOf(at), "place");
    editor.selected = editor.agents.length;
    editor.add("agents", { name: editor.freeName("guard"), at: placeOf(at) }, "add agent");
  }

  function paint(ink, ratio) {
    scene.draw(ink, null, ratio);
    if (shown()) drawDoors(ink, scene, shown());
    drawPoints(ink, scene);
    drawTraps(ink, scene, -1);
    const placed = editor.objects.filter(({ kind, place: at }) => Array.isArray(at) && editor.choices?.object_kinds[kind]);
    drawObjects(ink, scene, placed.map(({ name = "?", kind, place: at }) => ({ name, kind, at: [...at, 0].slice(0, 3), state: 0 })));
    const line = (points, colour, isClosed) => {
      ink.strokeStyle = colour;
      ink.lineWidth = 2;
      ink.setLineDash([5, 4]);
      ink.beginPath();
      const at = (point) => (typeof point === "string" ? editor.objects.find(({ name }) => name === point)?.place : point);
      for (const [x, y, z = 0] of points.map(at).filter(Array.isArray)) ink.lineTo(...scene.camera.project(x, y, z));
      if (isClosed) ink.closePath();
      ink.stroke();
      ink.setLineDash([]);
    };
    Object.values(editor.patrols).forEach((points, number) => Array.isArray(points) && line(points, guardColour(number), true));
    if (route.length) line(route, theme.ink.accent, false);
    editor.script.forEach(({ place: at }, row) => Array.isArray(at) && mark(ink, at, String(row + 1)));
    editor.agents.forEach((agent, number) => {
      const start = editor.startOf(agent);
      if (start) drawAgent(ink, agent, start, number);
    });
  }

  // The number of a row at the place it concerns.
  function mark(ink, [x, y, z = 0], text) {
    const [px, py] = scene.camera.project(x, y, z);
    ink.fillStyle = theme.ink.accent;
    ink.beginPath();
    ink.arc(px, py, 8, 0, 2 * Math.PI);
    ink.fill();
    ink.fillStyle = theme.ink.halo;
    ink.font = "600 10px system-ui, sans-serif";
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    ink.fillText(text, px, py);
  }

  function drawAgent(ink, agent, { at: [x, y, z], heading }, number) {
    const [px, py] = scene.camera.project(x, y, z);
    const size = signSize(scene.camera) * (editor.selected === number ? 1.35 : 1);
    const side = editor.sideOf(agent);
    const colour = side === "intruders" ? theme.ink.player : theme.ink.guard;
    drawGaze(ink, px, py, scene.camera.angle(heading), size * 1.15, colour);
    drawSign(ink, IDLE[side] ?? "patrol", px, py, scene.camera.angle(heading), size, colour);
    ink.font = "600 11px system-ui, sans-serif";
    scene.labels.label(ink, agent.name ?? "?", px, py + size * 2.2, { colour, key: `agent ${number}` });
  }

  studio.scenario = () => ({
    isReady: editor.isReady, isDirty: editor.isDirty, file: editor.file, source: editor.source, digest: editor.digest,
    value: structuredClone(editor.value), faults: editor.checked === editor.value ? editor.faults : null,
    selected: editor.selected, picking: editor.picking, undo: editor.undoing.past.map(({ label }) => label),
  });

  return {
    name: "scenario",
    title: "Scenario",
    key: "8",
    panel: () => panel,
    enter() {
      isHere = true;
      if (studio.status.running) studio.send("run", { running: false });
      follow();
    },
    leave() {
      isHere = false;
      files.keep();
    },
    paint,
    grab(at) {
      const number = editor.isReady && !editor.picking ? agentAt(at) : null;
      if (number === null) return null;
      if (editor.selected !== number) editor.revealed = ["agents", number];
      editor.selected = number;
      editor.tell("selection");
      return { claims: true, move: (to) => editor.set(["agents", number, "at"], placeOf(to), "move agent"), end() {} };
    },
    click(at) {
      if (editor.isReady && editor.picking) place(at);
      return true;
    },
    keydown(event) {
      const isCommand = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      if (isCommand && key === "z") (event.shiftKey ? redo : undo)();
      else if (isCommand && key === "y") redo();
      else if (isCommand && key === "s") files.save();
      else if (isCommand && key === "enter") files.run();
      else if (key === "enter" && editor.picking?.[0] === "new patrol") drawPatrol();
      else if (key === "escape" && editor.picking) pick(editor.picking);
      else if (key === "backspace" && route.length) back();
      else if ((key === "delete" || key === "backspace") && editor.selected !== null)
        editor.set(["agents", editor.selected], undefined, "remove agent");
      else return false;
      event.preventDefault();
      return true;
    },
    keys: (lists) => [
      [
        "Scenario",
        [
          ["drag", "move an agent"], ["click", "place what was chosen in the panel"], ["Enter", "finish the patrol"],
          ["Delete", "remove the selected agent"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"], ["Ctrl+S", "save"],
          ["Ctrl+Enter", "save and run"],
        ],
      ],
      ...lists.filter(([title]) => title === "Page"),
    ],
  };
}
