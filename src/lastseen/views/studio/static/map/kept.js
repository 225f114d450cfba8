// A cached picture as large as the map, redrawn only when its key changes.

export class Kept {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.key = null;
  }

  draw(ink, camera, ratio, key, paint) {
    const wanted = `${key}|${camera.key}|${ratio}`;
    if (wanted !== this.key) {
      this.key = wanted;
      const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
      const own = this.canvas.getContext("2d");
      if (this.canvas.width !== width || this.canvas.height !== height) {
        [this.canvas.width, this.canvas.height] = [width, height];
      }
      own.setTransform(1, 0, 0, 1, 0, 0);
      own.clearRect(0, 0, width, height);
      own.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(own);
    }
    ink.drawImage(this.canvas, 0, 0, camera.width, camera.height);
  }

  forget() {
    this.key = null;
  }
}
