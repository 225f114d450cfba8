// The state of the level editor and the operations on a drawing; every change goes through `apply`.

import { nudgeCorner, removeCorner } from "./corners.js";
import { boundsOf, tidy } from "./geometry.js";
import { drawsGround, pointsOf, TOOLS } from "./kinds.js";
import { changed, emptyDrawing, freeName, isOn, moved, newId, storeysOf, textOf } from "./model.js";
import { Undoable } from "./undo.js";

export const GRIDS = [0.1, 0.25, 0.5, 1, 2];

// It notifies about: "drawing", "selection", "tool", "faults", "file".
export class Editor extends Undoable {
  #seen = null;

  constructor() {
    super(emptyDrawing(""));
    Object.assign(this, { source: "", file: "", digest: "", note: "", saved: null, isReady: false });
    Object.assign(this, { selected: new Set(), corner: null, storey: 0, moreStoreys: [], tool: "select" });
    Object.assign(this, { grid: 0.5, isSnapping: true, wallWidth: 0.2, doorWidth: 0.2, faults: [], checked: null, pointer: null });
  }

  get drawing() {
    return this.undoing.now;
  }

  get features() {
    return this.drawing.features;
  }

  // The features, and the floors of the mesh they are placed on.
  get all() {
    return this.#derived().all;
  }

  // The mesh the features are placed on; "": none.
  get mesh() {
    return this.drawing.backdrop ? this.source : "";
  }

  get isDirty() {
    return this.isReady && this.drawing !== this.saved;
  }

  get storeys() {
    return this.#derived().storeys;
  }

  // The features that can be seen and edited on the current storey.
  get here() {
    return this.#derived().here;
  }

  // Everything that can be seen on a storey.
  seenOn(storey) {
    const { storeys, drawing } = this;
    return this.all.filter((feature) => isOn(feature, storey, storeys, drawing.backdrop));
  }

  // Values derived from the drawing, computed once per drawing.
  #derived() {
    const now = this.#seen;
    if (now?.features === this.features && now.storey === this.storey && now.more === this.moreStoreys) return now;
    const all = [...(this.drawing.backdrop ?? []), ...this.features];
    const storeys = storeysOf(all, this.moreStoreys);
    const storey = Math.min(this.storey, storeys.length - 1);
    const here = this.features.filter((feature) => isOn(feature, storey, storeys, this.drawing.backdrop));
    this.#seen = { features: this.features, storey: this.storey, more: this.moreStoreys, all, storeys, here };
    return this.#seen;
  }

  get z() {
    return this.storeys[Math.min(this.storey, this.storeys.length - 1)];
  }

  open({ drawing, source, file, digest, note = "", isSaved }) {
    this.undoing.begin(drawing);
    Object.assign(this, { source, file, digest, note, saved: isSaved ? drawing : null, isReady: true });
    Object.assign(this, { storey: 0, moreStoreys: [], faults: [], checked: null });
    if (!this.canUse(this.tool)) this.tool = "select";
    this.choose([]);
    this.tell("file");
    this.tell("drawing");
  }

  // Make a change that can be undone.
  apply(features, label, merge = "") {
    this.change({ ...this.drawing, features }, label, merge);
  }

  rename(title) {
    this.change({ ...this.drawing, title }, "rename", "title");
  }

  settle() {
    const known = new Set(this.features.map(({ id }) => id));
    this.selected = new Set([...this.selected].filter((id) => known.has(id)));
    if (this.corner && !this.cornerPoint()) this.corner = null;
    this.storey = Math.min(this.storey, this.storeys.length - 1);
    this.tell("drawing");
  }

  choose(ids, corner = null) {
    this.selected = new Set(ids);
    this.corner = corner;
    this.tell("selection");
  }

  chosen() {
    return this.features.filter(({ id }) => this.selected.has(id));
  }

  // The selected feature if there is exactly one.
  single() {
    return this.selected.size === 1 ? this.features.find(({ id }) => this.selected.has(id)) : undefined;
  }

  cornerPoint() {
    if (!this.corner) return undefined;
    return this.features.find(({ id }) => id === this.corner.id)?.parts[this.corner.part]?.[this.corner.index];
  }

  // A mesh is the only floor of what is placed on it.
  canUse(name) {
    return !this.mesh || !drawsGround(TOOLS.find((tool) => tool.name === name));
  }

  useTool(name) {
    this.tool = name;
    this.tell("tool");
  }

  useStorey(storey) {
    this.storey = Math.max(0, Math.min(this.storeys.length - 1, storey));
    this.choose(this.here.filter(({ id }) => this.selected.has(id)).map(({ id }) => id));
    this.tell("tool");
  }

  addStorey() {
    this.moreStoreys = [...this.storeys, this.storeys.at(-1) + 3];
    this.useStorey(this.storeys.length - 1);
  }

  add(kind, parts, properties, label, more = (features) => features) {
    const feature = { id: newId(), kind, parts, properties };
    this.apply(more([...this.features, feature]), label);
    this.choose([feature.id]);
    return feature;
  }

  // Replace features by their new versions.
  replace(changes, label, merge = "") {
    const byId = new Map(changes.map((feature) => [feature.id, feature]));
    this.apply(this.features.map((feature) => byId.get(feature.id) ?? feature), label, merge);
  }

  // `changesOf(feature)` returns the changes to the current feature, which may be newer than the field that changes it.
  update(id, changesOf, label, merge = "") {
    const now = this.features.find((one) => one.id === id);
    if (now) this.replace([{ ...now, ...changesOf(now) }], label, merge);
  }

  set(properties, label) {
    const merge = `${Object.keys(properties)} of ${[...this.selected]}`;
    this.replace(this.chosen().map((feature) => changed(feature, properties)), label, merge);
  }

  remove() {
    if (this.corner && removeCorner(this)) return;
    if (!this.selected.size) return;
    this.apply(this.features.filter(({ id }) => !this.selected.has(id)), "delete");
  }

  nudge(dx, dy) {
    if (this.corner) return nudgeCorner(this, dx, dy);
    this.replace(this.chosen().map((feature) => moved(feature, dx, dy)), "move", `nudge ${[...this.selected]}`);
  }

  // Rotate by 90° about the middle of the selection; `way` 1: counter-clockwise.
  turn(way) {
    const features = this.chosen();
    if (!features.length) return;
    const [x0, y0, x1, y1] = boundsOf(features.flatMap(pointsOf));
    const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2];
    const place = ([x, y, z]) => [tidy(mx - way * (y - my)), tidy(my + way * (x - mx)), z];
    const faces = (heading) => (heading === undefined ? undefined : tidy(heading + (way * Math.PI) / 2));
    const turned = features.map((one) => {
      const { heading, stops } = one.properties;
      const canFace = one.kind === "spawn" || one.kind === "hide";
      const around = stops?.map((stop) => (stop.action === "turn" ? { ...stop, heading: faces(stop.heading ?? 0) } : stop));
      return changed(
        { ...one, parts: one.parts.map((points) => points.map(place)) },
        { heading: canFace ? faces(heading ?? 0) : heading, stops: around },
      );
    });
    this.replace(turned, "rotate", `turn ${[...this.selected]}`);
  }

  // A guard at the start of a route is assigned to it.
  addRoute(kind, points) {
    const name = freeName(this.features, kind, `${kind} 1`);
    const walks = (one) => one.kind === "spawn" && !one.properties.patrol && (one.properties.who ?? "guard") === "guard";
    const [[x, y]] = points;
    const starts = (one) => pointsOf(one).some(([px, py]) => px === x && py === y);
    const join = (features) =>
      kind === "patrol"
        ? features.map((one) => (walks(one) && starts(one) ? changed(one, { patrol: name }) : one))
        : features;
    return this.add(kind, [points], { name }, `draw ${kind}`, join);
  }

  text(drawing = this.drawing) {
    return textOf(drawing);
  }
}
