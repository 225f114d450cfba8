// A split map: two maps of the same size, side by side, or one above the other where the map is higher than wide.

// Return the size of each and how far the second one is from the first, in pixels.
export function halvesOf(width, height) {
  if (height > width) return { width, height: height / 2, dx: 0, dy: height / 2 };
  return { width: width / 2, height, dx: width / 2, dy: 0 };
}

// Let `draw` draw on one of the two only; a line between them stays empty.
export function inHalf(ink, camera, { dx = 0, dy = 0 }, part, draw) {
  ink.save();
  ink.translate(part * dx, part * dy);
  ink.beginPath();
  ink.rect(0, 0, camera.width - (dx && !part ? 1 : 0), camera.height - (dy && !part ? 1 : 0));
  ink.clip();
  draw();
  ink.restore();
}
