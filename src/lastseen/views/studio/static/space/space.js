// The 3D view: draws the level, its cells and its agents below the map's canvas, which keeps signs, names and speech.

import { on, say, studio } from "../studio.js";
import { bytesOf, theme } from "../colours.js";
import { make } from "../dom.js";
import { meshNow } from "../map/navmesh.js";
import { Bodies } from "./bodies.js";
import { openGpu, useProgram } from "./gpu.js";
import { GroundCover } from "./ground.js";
import { Orbit } from "./orbit.js";
import { Sights } from "./sights.js";
import { SolidLevel } from "./solid.js";

const SLOW = 21; // milliseconds between pictures from which fewer pixels are drawn while something moves
const FAST = 17.5;
const COARSEST = 0.6; // pixels of the picture per pixel of the page
const REST = 140; // milliseconds without a change after which the picture is drawn finely
const FINEST = 2;
const MISSING = "The 3D view needs WebGL2, which this browser does not offer. The map works without it.";
const LOST = "The graphics card stopped drawing the 3D view; the map works without it.";
const BIAS = { edge: 0.0004, cell: 0.0003, border: 0.0006 };
const STOREY = 2.4; // metres above a floor at which the floors above are cut off

export class Space {
  // `changed` is called when another picture is needed.
  constructor(stage, changed) {
    this.canvas = make("canvas", { id: "space", "aria-hidden": "true" });
    this.canvas.hidden = true;
    stage.prepend(this.canvas);
    this.camera = new Orbit();
    this.changed = changed;
    this.gpu = null;
    this.key = null;
    this.share = 1; // of the pixels of the page, while something moves
    this.pictures = 0;
    this.movedAt = 0;
    this.timer = 0;
    on("message solid", (message) => this.#take(message));
    on("theme", () => this.#paint());
    this.canvas.addEventListener("webglcontextlost", (event) => this.#lose(event));
    this.canvas.addEventListener("webglcontextrestored", () => (this.gpu = null));
  }

  // Whether 3D can be shown; says why if it cannot.
  prepare() {
    this.gpu ??= openGpu(this.canvas);
    if (!this.gpu) say(MISSING, "wrong");
    if (!this.gpu || this.solid) return Boolean(this.gpu);
    this.solid = new SolidLevel(this.gpu);
    this.cover = new GroundCover(this.gpu);
    this.bodies = new Bodies(this.gpu);
    this.sights = new Sights(this.gpu);
    this.#ask();
    return true;
  }

  // A level is opened; `cells` are its cells, and the same level keeps its triangles.
  begin(level, cells, isSame) {
    this.cells = cells;
    this.camera.begin(level, cells);
    this.key = null;
    if (this.solid) this.#ask(isSame);
  }

  #ask(isSame = false) {
    if (!this.cells) return;
    this.cover.begin(this.cells);
    if (isSame && this.solid.given) return;
    this.solid.begin();
    studio.send("solid");
  }

  #take(message) {
    this.solid?.take(message);
    this.key = null;
  }

  #paint() {
    this.solid?.paint();
    this.key = null;
  }

  #lose(event) {
    event.preventDefault();
    [this.gpu, this.solid] = [null, null];
    if (studio.deep) this.lost?.(LOST);
  }

  show(isShown) {
    this.canvas.hidden = !isShown;
    this.key = null;
    this.last = 0;
  }

  // The height above which nothing is drawn: chosen by the slider, or below the floor above the chosen one.
  get cut() {
    if (studio.cut !== null) return studio.cut;
    if (studio.storey === null) return Infinity;
    const heights = studio.hello.level.storeys.map(({ z }) => z);
    const own = heights[Math.min(studio.storey, heights.length - 1)];
    const above = Math.min(...heights.filter((z) => z > own + 0.6));
    return Number.isFinite(above) ? Math.max(own + 0.2, Math.min(own + STOREY, above - 0.3)) : Infinity;
  }

  // Draw what has changed. `rasters` colour the cells; `barrier` and `alpha` belong to a flood.
  draw(moment, { rasters, barrier, alpha, has }, now = performance.now()) {
    this.has = has;
    const cells = studio.trial ? studio.trial.cells : this.cells;
    if (cells !== this.cover.given) this.cover.begin(cells);
    this.solid.moveDoors(moment?.doors ?? []);
    this.cover.colour(rasters, barrier, alpha);
    const ground = has("mesh") || has("links") ? meshNow() : null;
    this.cover.mesh(ground);
    const shown = ["mesh", "cells", "links", "views"].filter(has).join();
    const people = (moment?.agents ?? []).map(({ x, y, z, gaze, state, mode }) => `${x},${y},${z},${gaze},${state},${mode}`).join();
    const { colourKey, meshKey } = this.cover;
    const key = [this.camera.key, this.cut, shown, people, colourKey, meshKey, ground !== null, this.solid.doorKey].join("|");
    const isMoving = key !== this.key;
    if (!isMoving && !this.isDue) return;
    this.isDue = false;
    this.key = key;
    this.#pace(isMoving, now);
    this.bodies.move(moment);
    this.sights.move(moment, has("views") && Boolean(moment));
    this.#picture(isMoving);
  }

  // Draw fewer pixels while pictures are late, and a fine one when everything rests.
  #pace(isMoving, now) {
    clearTimeout(this.timer);
    if (!isMoving) return;
    const passed = now - this.movedAt;
    this.movedAt = now;
    if (passed < 400) {
      this.mean = 0.85 * (this.mean ?? passed) + 0.15 * passed;
      if (this.mean > SLOW) this.share = Math.max(COARSEST, this.share * 0.93);
      else if (this.mean < FAST) this.share = Math.min(1, this.share * 1.01);
    }
    this.timer = setTimeout(() => {
      this.isDue = true;
      this.changed();
    }, REST);
  }

  #picture(isMoving) {
    const { gl } = this.gpu;
    const ratio = isMoving ? Math.min(1.5, devicePixelRatio || 1) * this.share : FINEST;
    const [width, height] = [this.camera.width, this.camera.height].map((value) => Math.max(1, Math.round(value * ratio)));
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    const [red, green, blue] = bytesOf(theme.ink.page).map((value) => value / 255);
    gl.clearColor(red, green, blue, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.frontFace(this.camera.mirror < 0 ? gl.CW : gl.CCW);
    gl.depthFunc(gl.LEQUAL);
    this.#level(gl, this.has);
    this.#agents(gl);
    this.pictures++;
  }

  #level(gl, has) {
    const { matrix } = this.camera;
    const { cut } = this;
    const program = this.gpu.programs[cut < Infinity ? "sliced" : "plain"];
    const plain = (bias) => useProgram(this.gpu, program, matrix, { u_cut: Math.min(cut, 1e9), u_bias: bias });
    gl.disable(gl.BLEND);
    plain(0);
    this.solid.faces.draw(gl.TRIANGLES);
    this.solid.doors.draw(gl.TRIANGLES);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
    gl.depthMask(false);
    plain(BIAS.edge);
    this.solid.edges.draw(gl.LINES);
    this.solid.open.draw(gl.TRIANGLES);
    gl.disable(gl.CULL_FACE);
    if (has("mesh")) this.cover.faces.draw(gl.TRIANGLES);
    if (this.cover.given && (this.cover.hasColour || has("cells"))) this.#cells(gl, matrix, cut, has("cells"));
    plain(BIAS.border);
    this.sights.batch.draw(gl.TRIANGLES);
    if (has("mesh")) this.cover.borders.draw(gl.LINES);
    if (has("links")) this.cover.links.draw(gl.LINES);
    gl.depthMask(true);
    gl.enable(gl.CULL_FACE);
  }

  #cells(gl, matrix, cut, isFramed) {
    const line = [...bytesOf(theme.ink.hatch).map((value) => value / 255), 0.75];
    const values = { u_bias: BIAS.cell, u_cut: Math.min(cut, 1e9), u_frame: isFramed ? 1 : 0, u_line: line };
    useProgram(this.gpu, this.gpu.programs[isFramed ? "framed" : "cells"], matrix, values);
    gl.bindTexture(gl.TEXTURE_2D, this.cover.table.texture);
    this.cover.cells.draw(gl.TRIANGLES);
  }

  // Agents behind something shine through.
  #agents(gl) {
    const { batch, vertices } = this.bodies;
    const program = this.gpu.programs.bodies;
    const values = { u_cut: Math.min(this.cut, 1e9), u_bias: 0.0003 };
    gl.depthMask(false);
    gl.depthFunc(gl.GREATER);
    useProgram(this.gpu, program, this.camera.matrix, { ...values, u_alpha: 0.3 });
    batch.draw(gl.TRIANGLES, vertices);
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
    useProgram(this.gpu, program, this.camera.matrix, { ...values, u_alpha: 1 });
    batch.draw(gl.TRIANGLES, vertices);
  }

  // The nearest visible cell under a pixel; -1: none.
  cellAt(px, py) {
    const { from, way } = this.camera.ray(px, py);
    const { xyz, size, count } = this.cells;
    const [wide, deep] = [size[0] / 2, size[1] / 2];
    const { cut } = this;
    let found = -1;
    let nearest = Infinity;
    for (let cell = 0; cell < count; cell++) {
      const z = xyz[3 * cell + 2];
      const length = (z - from[2]) / way[2];
      if (length <= 0 || length >= nearest || z > cut) continue;
      if (Math.abs(from[0] + length * way[0] - xyz[3 * cell]) > wide) continue;
      if (Math.abs(from[1] + length * way[1] - xyz[3 * cell + 1]) > deep) continue;
      [found, nearest] = [cell, length];
    }
    return found;
  }

  // The point of the floor under a pixel: on a cell, else at the height the camera looks at.
  under(px, py) {
    const cell = this.cellAt(px, py);
    const z = cell < 0 ? this.camera.z : this.cells.xyz[3 * cell + 2];
    const [x, y] = this.camera.unproject(px, py, z);
    return { x, y, z, storey: cell < 0 ? 0 : this.cells.storey[cell] };
  }

  // Draw into another canvas, as a screenshot needs it.
  copyTo(ink, width, height) {
    this.#picture(false);
    ink.drawImage(this.canvas, 0, 0, width, height);
  }
}
