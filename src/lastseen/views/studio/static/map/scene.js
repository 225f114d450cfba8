// Draws one moment in layers, from the floor up to the labels.

import { agentColour, theme } from "../colours.js";
import { recentEvents } from "../history.js";
import { isOffered } from "../overlays.js";
import { seconds, studio, timings } from "../studio.js";
import { Camera, storeyOf } from "./camera.js";
import { Cells, Raster } from "./cells.js";
import { drawCrews, drawRoles } from "./crews.js";
import { drawFights } from "./fights.js";
import { drawCandidates, drawChosen } from "./chosen.js";
import { FloodPicture, floodNow } from "./flood.js";
import { drawAges, drawGhosts } from "./ghosts.js";
import { drawLinks, drawMesh, hasMesh, isNear, sayTooFar } from "./navmesh.js";
import { Kept } from "./kept.js";
import { drawLines, drawPointMarks } from "./marks.js";
import { drawNames, drawPeople, isShown, signOf } from "./people.js";
import { drawPowers } from "./powers.js";
import { Place } from "./place.js";
import { drawViewEdges, drawViews } from "./sight.js";
import { drawTeam } from "./team.js";
import * as things from "./things.js";
import { Labels } from "./labels.js";

const JUMP = 20; // steps between two pictures after which labels are placed afresh

export class Scene {
  constructor() {
    this.flat = this.camera = new Camera();
    this.space = null; // the 3D view, once the page has one
    this.labels = new Labels();
    this.drawn = [];
  }

  get isDeep() {
    return this.camera !== this.flat;
  }

  // Switch between the map and the 3D view.
  goDeep(isDeep) {
    const { width, height } = this.camera;
    this.camera = isDeep ? this.space.camera : this.flat;
    this.camera.resize(width, height);
    this.space.show(isDeep);
    this.labels.forget();
  }

  // Show a level before its game is ready.
  preview(level) {
    this.place = new Place(level);
    this.heights = level.storeys.map((storey) => storey.z);
    this.standing = null;
    this.flat.begin(level);
  }

  begin(hello, isSame = false) {
    this.preview(hello.level);
    this.cells = new Cells(hello.cells);
    this.space?.begin(hello.level, this.cells, isSame);
    this.rasters = hello.layers.map((layer) => this.#raster(layer));
    this.kept = new Map(this.rasters.map((raster) => [raster, new Kept()]));
    this.floor = new Kept();
    this.floods = [0, 1].map(() => new FloodPicture(this.cells, this.heights.length));
    this.grids = new Map();
  }

  #raster(layer) {
    const raster = new Raster(this.cells, this.heights.length, layer.scale);
    raster.high = layer.steps ? layer.steps + 1 : layer.high;
    raster.isTurned = layer.is_turned ?? false;
    return raster;
  }

  take(frame) {
    if (frame.full) for (const raster of this.rasters) raster.clear();
    for (const { layer, cells, values } of frame.layers) {
      const raster = this.rasters[layer];
      for (let at = 0; raster && at < cells.length; at++) raster.set(cells[at], values[at]);
    }
  }

  // The storey in front: the chosen one, or the one of the followed agent.
  front(moment) {
    if (studio.storey !== null) return Math.min(studio.storey, this.heights.length - 1);
    const followed = studio.selected?.kind === "agent" ? studio.selected.number : studio.hello.player;
    const agent = moment?.agents[followed ?? 0];
    return agent ? storeyOf(agent.z, this.heights) : 0;
  }

  // Visible storeys from the bottom, with their opacity.
  storeys() {
    if (this.camera.tilt > 0.02) return this.heights.map((_, storey) => ({ storey, alpha: 1 }));
    const lower = this.heights.map((_, storey) => storey).filter((storey) => this.heights[storey] < this.heights[this.active]);
    return [...lower.map((storey) => ({ storey, alpha: 0.28 })), { storey: this.active, alpha: 1 }];
  }

  // The position under a pixel: on the storey in front; when stacked, on the highest storey with a cell there.
  under(px, py) {
    if (this.isDeep) return this.space.under(px, py);
    const on = (storey) => {
      const z = this.heights?.[storey] ?? 0;
      const [x, y] = this.camera.unproject(px, py, z);
      return { x, y, z, storey };
    };
    const front = this.active ?? 0;
    if (!this.cells || this.camera.tilt < 0.5) return on(front);
    const all = this.heights.map((_, storey) => on(storey)).sort((one, other) => other.z - one.z);
    return all.find(({ x, y, z, storey }) => this.cells.storey[this.cells.at(x, y, z)] === storey) ?? on(front);
  }

  strength(z) {
    if (this.isDeep) return z > this.space.cut ? 0 : 1;
    return this.camera.tilt > 0.02 || storeyOf(z, this.heights) === this.active ? 1 : 0.25;
  }

  // Navmesh and cells of a level baked otherwise are shown in place of the layers.
  has(name) {
    const { trial } = studio;
    if (trial && ["mesh", "cells"].includes(name)) return trial[name] !== null;
    if (trial && (name.startsWith("layer ") || ["flood", "links"].includes(name))) return false;
    return studio.overlays.has(name) && isOffered(name);
  }

  get gridCells() {
    return studio.trial ? studio.trial.cells : this.cells;
  }

  grid(storey) {
    const { gridCells: cells } = this;
    if (this.grids.cells !== cells) this.grids = Object.assign(new Map(), { cells });
    if (!this.grids.has(storey)) this.grids.set(storey, cells.outline(Array(cells.count).keys(), storey));
    return this.grids.get(storey);
  }

  drawPreview(ink, ratio) {
    this.active = Math.min(studio.storey ?? 0, this.heights.length - 1);
    this.ratio = ratio;
    this.drawn = ["preview"];
    this.labels.begin(this.camera.width, this.camera.height);
    this.place.draw(ink, this.camera, this.storeys(), `preview ${this.active}`, ratio);
    things.drawPlatforms(ink, this, { doors: things.doorsAsDrawn(this) });
    things.drawDoors(ink, this, { doors: things.doorsAsDrawn(this) });
    things.drawPoints(ink, this);
    things.drawZones(ink, this);
  }

  // Draw into a part of the screen as large as the camera; `below` and `more` draw the mode's own additions.
  draw(ink, moment, ratio, below = () => {}, more = () => {}) {
    const { camera, labels } = this;
    const has = (name) => this.has(name);
    this.active = this.front(moment);
    this.ratio = ratio;
    this.drawn = [];
    // After a jump, a moment looks the same wherever the jump began.
    if (Math.abs(moment?.tick - this.last) > JUMP) labels.forget();
    this.last = moment?.tick;
    labels.begin(camera.width, camera.height);
    const near = isNear(camera, this.gridCells ?? this.cells);
    const grid = (own) => near && has("cells") && things.drawGrid(own, this);
    this.place.draw(ink, camera, this.storeys(), `${this.active} ${has("cells")} ${studio.trial?.number}`, ratio, grid);
    if (!this.isDeep) things.drawPlatforms(ink, this, moment ?? { doors: things.doorsAsDrawn(this) });
    if (!near && (has("cells") || has("links"))) sayTooFar(ink, this);
    const flood = moment && has("flood") && studio.mode !== "whatif" ? floodNow(moment.tick) : null;
    this.#part("mesh", has("mesh") && hasMesh(), () => drawMesh(ink, this));
    this.#part("views", has("views") && moment?.views.length > 0, () => drawViews(ink, this, moment));
    if (near && has("cells")) this.drawn.push("cells");
    this.rasters.forEach((raster, number) => {
      const { name } = studio.hello.layers[number];
      this.#part(name, moment && has(`layer ${name}`) && raster.filled > 0, () => this.#layer(ink, raster));
    });
    if (flood) this.drawFlood(ink, 0, flood.flood, flood.age, flood.alpha);
    this.#part("links", near && has("links") && hasMesh(), () => drawLinks(ink, this));
    if (moment) below(ink, this, moment);
    if (this.drawn.includes("views")) drawViewEdges(ink, this, moment);
    this.#part("patrols", has("patrols"), () => things.drawPatrols(ink, this));
    if (moment) this.#moment(ink, moment, has, more);
  }

  drawFlood(ink, side, flood, age, alpha) {
    this.floods[side].draw(ink, this, flood, age, alpha);
    this.#nameFlood(flood);
  }

  #nameFlood({ barrier }) {
    this.drawn.push("flood", ...(barrier.length ? ["barrier"] : []));
  }

  // Draw in 3D, and on the map's canvas what is drawn flat on the screen: signs, names, speech, views and paths.
  drawDeep(ink, moment, more = () => {}) {
    const { camera, labels } = this;
    const has = (name) => this.has(name);
    this.active = this.front(moment);
    this.drawn = ["space", ...["mesh", "cells", "links"].filter((name) => has(name) && (name === "cells" || hasMesh()))];
    if (Math.abs(moment?.tick - this.last) > JUMP) labels.forget();
    this.last = moment?.tick;
    labels.begin(camera.width, camera.height);
    const flood = moment && has("flood") ? floodNow(moment.tick) : null;
    if (flood) this.floods[0].update(flood.flood, flood.age);
    const layers = this.rasters.filter((raster, at) => has(`layer ${studio.hello.layers[at].name}`) && raster.filled > 0);
    this.drawn.push(...layers.map((raster) => studio.hello.layers[this.rasters.indexOf(raster)].name));
    const rasters = flood ? [...layers, this.floods[0].raster] : layers;
    this.space.draw(moment, { rasters, barrier: flood?.flood.barrier ?? [], alpha: flood?.alpha ?? 1, has });
    if (has("views") && moment?.views.length > 0) this.drawn.push("views");
    if (flood) {
      this.floods[0].drawFlag(ink, this, flood.flood, flood.age, flood.alpha);
      this.#nameFlood(flood.flood);
    }
    this.#part("patrols", has("patrols"), () => things.drawPatrols(ink, this));
    if (moment) this.#moment(ink, moment, has, more);
  }

  #moment(ink, moment, has, more) {
    if (!this.isDeep) things.drawDoors(ink, this, moment);
    drawChosen(ink, this);
    drawCandidates(ink, this);
    things.drawPoints(ink, this);
    things.drawTraps(ink, this, moment.tick);
    things.drawObjects(ink, this, things.objectsAt(moment));
    this.#part("lines", moment.marks, () => drawLines(ink, this, moment.marks));
    this.#part("ways", has("ways"), () => things.drawWays(ink, this, moment));
    this.#part("team", has("layer cleaned"), () => drawTeam(ink, this, moment));
    this.#part("noises", has("noises"), () => things.drawNoises(ink, this, moment.tick));
    this.#part("ghosts", has("ghosts"), () => drawGhosts(ink, this, moment));
    const crews = has("crews") && studio.hello.crews;
    this.#part("crews", crews, () => drawCrews(ink, this, moment));
    drawPeople(ink, this, moment);
    things.drawCreatures(ink, this, moment.creatures ?? []);
    drawPowers(ink, this, moment);
    this.#part("points", moment.marks, () => drawPointMarks(ink, this, moment.marks));
    if (has("ghosts")) drawAges(ink, this, moment);
    this.#part("fights", studio.hello.fights && moment.fights, () => drawFights(ink, this, moment));
    more(ink, this, moment);
    this.#part("words", has("words"), () => this.#said(ink, moment));
    if (crews) drawRoles(ink, this, moment);
    this.#part("names", has("names"), () => drawNames(ink, this, moment));
    this.#part("zones", has("names"), () => things.drawZones(ink, this));
  }

  #part(name, wanted, draw) {
    if (!wanted) return;
    draw();
    this.drawn.push(name);
  }

  #layer(ink, raster) {
    this.kept.get(raster).draw(ink, this.camera, this.ratio, `${raster.version} ${this.active} ${theme.name}`, (own) => {
      this.onFloors(own, (storey) => raster.draw(own, storey));
    });
  }

  // Draw in metres on the visible storeys, in a separate picture. A single storey is masked with its floor at the end,
  // since clipping each line against thousands of walls takes longer.
  onFloors(ink, draw) {
    const shown = this.storeys();
    if (shown.length > 1) {
      for (const { storey, alpha } of shown) this.onFloor(ink, storey, alpha, () => draw(storey));
      return;
    }
    const [{ storey }] = shown;
    ink.save();
    ink.transform(...this.camera.matrix(this.heights[storey]));
    draw(storey);
    ink.restore();
    ink.globalCompositeOperation = "destination-in";
    this.floor.draw(ink, this.camera, this.ratio, `${storey}`, (own) => {
      own.transform(...this.camera.matrix(this.heights[storey]));
      this.place.cutOut(own, storey);
    });
    ink.globalCompositeOperation = "source-over";
  }

  // Draw in metres on one storey, clipped to its floor.
  onFloor(ink, storey, alpha, draw) {
    ink.save();
    ink.transform(...this.camera.matrix(this.heights[storey]));
    ink.save();
    this.place.clip(ink, storey);
    ink.globalAlpha = alpha;
    draw();
    ink.restore();
    this.place.standing(ink, storey);
    ink.restore();
  }

  #said(ink, moment) {
    const speakers = new Set();
    for (const event of recentEvents(moment.tick, timings().speech, ["said", "reported"])) {
      const agent = moment.agents[event.agent];
      if (!agent || !isShown(agent) || speakers.has(event.agent)) continue;
      speakers.add(event.agent);
      const left = timings().speech - seconds(moment.tick - event.tick);
      const [x, y] = this.camera.project(agent.x, agent.y, agent.z);
      const alpha = Math.min(1, left / timings().speech_fade) * this.strength(agent.z);
      const edge = agentColour(event.agent, signOf(event.agent, agent));
      this.labels.bubble(ink, event.name ?? event.text, x, y, { alpha, edge, key: `said ${event.agent}` });
    }
  }

  repaint() {
    for (const raster of this.rasters ?? []) raster.repaint();
    this.place?.kept.forget();
    for (const one of this.kept?.values() ?? []) one.forget();
  }
}
