// Checks the drawing on the server soon after every change, by the rules of `lastseen level check`.

import { boundsOf } from "./geometry.js";
import { KINDS, pointsOf } from "./kinds.js";
import { checkLevel } from "./server.js";

const WAIT = 250; // milliseconds without a change

export function makeChecking(editor) {
  let timer = 0;
  let asking = null;

  async function check() {
    const { drawing } = editor;
    asking?.abort();
    asking = new AbortController();
    try {
      const { faults } = await checkLevel(editor.text(), editor.mesh, asking.signal);
      if (editor.drawing !== drawing) return;
      Object.assign(editor, { faults: faults.map((fault) => placed(fault, editor.features)), checked: drawing });
    } catch (error) {
      if (error.name === "AbortError") return;
      Object.assign(editor, {
        faults: [{ severity: "error", what: error.message, advice: "", where: "", at: null, id: null }],
        checked: drawing,
      });
    }
    editor.tell("faults");
  }

  return () => {
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  };
}

// Group doors, number 2 is the third door of the drawing; group features counts all features.
function placed(fault, features) {
  const list = fault.group === "features" ? features : features.filter(({ kind }) => KINDS[kind].group === fault.group);
  const feature = list[fault.number];
  return { ...fault, id: feature?.id ?? null, at: fault.at ?? (feature ? middle(feature) : null) };
}

function middle(feature) {
  const [x0, y0, x1, y1] = boundsOf(pointsOf(feature));
  return [(x0 + x1) / 2, (y0 + y1) / 2, pointsOf(feature)[0][2]];
}
