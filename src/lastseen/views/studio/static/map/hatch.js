// Hatching for cells whose mark is not a value of a scale: fine diagonal lines, the same at every zoom.

const tiles = new Map();
const STEP = 7;

function tile(colour, falling) {
  const key = colour + falling;
  if (!tiles.has(key)) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = STEP;
    const ink = canvas.getContext("2d");
    ink.strokeStyle = colour;
    ink.lineWidth = 1;
    for (const shift of [-STEP, 0, STEP]) {
      ink.moveTo(shift, falling ? 0 : STEP);
      ink.lineTo(shift + STEP, falling ? STEP : 0);
    }
    ink.stroke();
    tiles.set(key, ink.createPattern(canvas, "repeat"));
  }
  return tiles.get(key);
}

// `path` in pixels; call with the screen transform.
export function hatching(ink, path, colour, falling = false) {
  ink.fillStyle = tile(colour, falling);
  ink.fill(path, "evenodd");
}
