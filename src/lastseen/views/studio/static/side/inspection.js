// Read-only values of the page for browser tests, as `window.lastseenTest`. The step, agents, overlays and all else that is
// on the map are those of the last picture, so that they belong together; `newestTick` and `status` may be ahead of it.

import { costs } from "../costs.js";
import { feed } from "../feed.js";
import { history } from "../history.js";
import { badgesOf } from "../map/crews.js";
import { ghostsOf } from "../map/ghosts.js";
import { allBreakpoints } from "./breakpoints.js";
import { currentMode } from "../modes/modes.js";
import { surveyedLayer } from "../overlays.js";
import { on, studio } from "../studio.js";

// The 3D view: its camera, and how much it draws.
function spaceOf(scene) {
  if (!scene.isDeep) return null;
  const { camera, solid, cover, pictures, share, cut, canvas } = scene.space;
  const cells = scene.has("cells") || cover.hasColour ? cover.given?.count : 0;
  const faces = scene.has("mesh") ? cover.faces.count / 3 : 0;
  const drawn = { triangles: solid.triangles, cells, faces, pictures, share, pixels: canvas.width * canvas.height };
  return { ...camera.place, ...drawn, cut: Number.isFinite(cut) ? cut : null };
}

export function showInspection({ scene, pace, shown, newest }) {
  const said = []; // all messages so far: on the page they go away by themselves
  on("notice", ({ words }) => said.push(words));
  const agents = () =>
    (shown()?.agents ?? []).map((agent, number) => ({
      ...agent,
      name: studio.hello.agents[number].name,
      pixel: scene.camera.project(agent.x, agent.y, agent.z),
    }));
  const values = {
    fps: () => pace.fps,
    pictures: () => pace.pictures,
    tick: () => shown()?.tick ?? -1,
    newestTick: () => newest()?.tick ?? -1,
    overlays: () => [...scene.drawn],
    layer: () => surveyedLayer()?.name ?? null,
    status: () => ({ ...studio.status }),
    mode: () => studio.mode,
    selected: () => studio.selected,
    said: () => [...said],
    story: () => history.sentences.map(({ text }) => text),
    events: () => history.events.map(({ tick, kind, agent }) => ({ tick, kind, agent })),
    costs: () => ({ totals: [...costs.totals], budget: costs.budget }),
    scale: () => scene.camera.scale,
    tilt: () => scene.camera.tilt,
    space: () => spaceOf(scene),
    ways: () => shown()?.ways.length ?? 0,
    ghosts: () => (shown() ? ghostsOf(shown()) : []),
    agents,
    breakpoints: () => allBreakpoints(),
    crews: () => studio.crews,
    badges: () => (shown() ? badgesOf(scene, shown()).map(({ crew, at }) => ({ number: crew.number, at })) : []),
    bake: () => studio.bake?.() ?? null,
    fights: () => shown()?.fights ?? null,
    objects: () => shown()?.objects ?? [],
    creatures: () => (shown()?.creatures ?? []).map((at) => [...at]),
    whatif: () => (currentMode().name === "whatif" ? { ...currentMode().state } : null),
    edit: () => studio.edit?.() ?? null,
    rules: () => studio.rules?.() ?? null,
    trees: () => studio.trees?.() ?? null,
    scenario: () => studio.scenario?.() ?? null,
    guards: () => studio.guards?.() ?? null,
    marks: () => shown()?.marks ?? null,
    feed: () => ({ ...feed, series: Object.fromEntries(feed.series), marks: [...feed.marks.keys()] }),
    bubbles: () => scene.labels.bubbles.map((one) => ({ ...one })),
  };
  const seen = { project: (x, y, z = 0) => scene.camera.project(x, y, z) };
  for (const [name, get] of Object.entries(values)) Object.defineProperty(seen, name, { get, enumerable: true });
  window.lastseenTest = Object.freeze(seen);
}
