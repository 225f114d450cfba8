// WebGL2 for the 3D view: programs, and lists of triangles, lines and instances that are drawn with one call each.

const WIDE = 1024; // cells in a row of the texture of colours

const HEAD = `#version 300 es
precision highp float;
uniform mat4 u_view;
uniform float u_bias;
`;
// Colours are lit when they are made, so that pixels cost next to nothing.
const PLAIN = {
  vertex: `${HEAD}
in vec3 a_xyz;
in vec4 a_colour;
out vec4 v_colour;
out float v_z;
void main() {
  v_colour = a_colour;
  v_z = a_xyz.z;
  gl_Position = u_view * vec4(a_xyz, 1.0);
  gl_Position.z -= u_bias * gl_Position.w;
}`,
  fragment: (cut) => `#version 300 es
precision mediump float;
in vec4 v_colour;
in highp float v_z;
uniform highp float u_cut;
out vec4 o_colour;
void main() {
  ${cut ? "if (v_z > u_cut) discard;" : ""}
  o_colour = v_colour;
}`,
};
const FRAME = `vec2 edge = abs(vec2(v_at.x - float(cell), v_at.y) - 0.5);
  if (max(edge.x, edge.y) > 0.45) o_colour = mix(o_colour, u_line, u_line.a);`;
// Rows of cells on a plane: a rectangle each, whose pixels look up the colour of their cell. A rectangle per cell,
// or instances of one, take renderers without a graphics card many times as long.
const CELLS = {
  vertex: `${HEAD}
in vec4 a_corner;
in vec3 a_xyz;
out vec3 v_at;
flat out vec2 v_ends;
void main() {
  v_at = vec3(a_corner.xy, a_xyz.z);
  v_ends = a_corner.zw;
  gl_Position = u_view * vec4(a_xyz, 1.0);
  gl_Position.z -= u_bias * gl_Position.w;
}`,
  fragment: (framed) => `#version 300 es
precision highp float;
in vec3 v_at;
flat in vec2 v_ends;
uniform highp sampler2D u_colours;
uniform vec4 u_line;
uniform float u_cut;
out vec4 o_colour;
void main() {
  if (v_at.z > u_cut) discard;
  int cell = int(clamp(floor(v_at.x), v_ends.x, v_ends.y));
  o_colour = texelFetch(u_colours, ivec2(cell & ${WIDE - 1}, cell / ${WIDE}), 0);
  ${framed ? FRAME : ""}
}`,
};
// Bodies: one shape, many places.
const BODIES = {
  vertex: `${HEAD}
in vec3 a_corner;
in vec3 a_normal;
in vec4 a_place;
in vec4 a_size;
in vec4 a_colour;
uniform float u_cut;
out vec4 v_colour;
void main() {
  vec2 way = vec2(cos(a_place.w), sin(a_place.w));
  mat2 turn = mat2(way.x, way.y, -way.y, way.x);
  vec3 at = vec3(turn * (a_corner.xy * a_size.x), a_corner.z * a_size.y) + a_place.xyz;
  vec3 normal = vec3(turn * a_normal.xy, a_normal.z);
  float light = 0.62 + 0.25 * normal.z + 0.2 * dot(normal, vec3(-0.5, -0.6, 0.6));
  v_colour = vec4(a_colour.rgb * light, a_colour.a);
  gl_Position = a_place.z < u_cut ? u_view * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_Position.z -= u_bias * gl_Position.w;
}`,
  fragment: () => `#version 300 es
precision mediump float;
in vec4 v_colour;
uniform float u_alpha;
out vec4 o_colour;
void main() { o_colour = vec4(v_colour.rgb, v_colour.a * u_alpha); }`,
};
const PLACES = { a_xyz: 0, a_colour: 1, a_corner: 2, a_normal: 3, a_place: 4, a_size: 5 };

// The context and the programs; null if the browser offers no WebGL2.
export function openGpu(canvas) {
  const gl = canvas.getContext("webgl2", { alpha: true, antialias: false, depth: true, powerPreference: "low-power" });
  if (!gl) return null;
  const programs = {
    plain: programOf(gl, PLAIN, false),
    sliced: programOf(gl, PLAIN, true),
    cells: programOf(gl, CELLS, false),
    framed: programOf(gl, CELLS, true),
    bodies: programOf(gl, BODIES, false),
  };
  return { gl, programs };
}

function programOf(gl, { vertex, fragment }, cut) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment(cut)]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  for (const [name, place] of Object.entries(PLACES)) gl.bindAttribLocation(program, place, name);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
  const found = { program, at: {} };
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
  for (let at = 0; at < count; at++) {
    const { name } = gl.getActiveUniform(program, at);
    found.at[name] = gl.getUniformLocation(program, name);
  }
  return found;
}

// Use a program with its values: numbers, or lists of two or four.
export function useProgram({ gl }, { program, at }, view, values = {}) {
  gl.useProgram(program);
  gl.uniformMatrix4fv(at.u_view, false, view);
  for (const [name, value] of Object.entries({ u_bias: 0, ...values })) {
    if (at[name] === undefined) continue;
    if (typeof value === "number") gl.uniform1f(at[name], value);
    else gl[`uniform${value.length}fv`](at[name], value);
  }
}

// Arrays on the graphics card. `shape` gives the size of each attribute and whether it advances once per instance.
export class Batch {
  constructor({ gl }, shape) {
    this.gl = gl;
    this.shape = shape;
    this.vao = gl.createVertexArray();
    this.buffers = {};
    this.count = 0;
    gl.bindVertexArray(this.vao);
    for (const [name, [size, each, isBytes]] of Object.entries(shape)) {
      this.buffers[name] = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
      gl.enableVertexAttribArray(PLACES[name]);
      gl.vertexAttribPointer(PLACES[name], size, isBytes ? gl.UNSIGNED_BYTE : gl.FLOAT, Boolean(isBytes), 0, 0);
      gl.vertexAttribDivisor(PLACES[name], each);
    }
    gl.bindVertexArray(null);
  }

  // Replace arrays; `count` is the number of vertices, or of instances.
  upload(arrays, count = this.count, usage = this.gl.STATIC_DRAW) {
    const { gl } = this;
    for (const [name, values] of Object.entries(arrays)) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
      gl.bufferData(gl.ARRAY_BUFFER, values, usage);
    }
    this.count = count;
  }

  // Draw vertices by their numbers from now on.
  index(numbers) {
    const { gl } = this;
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, (this.numbers ??= gl.createBuffer()));
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.count = numbers.length;
  }

  draw(mode, vertices = null) {
    if (!this.count) return;
    this.gl.bindVertexArray(this.vao);
    if (vertices !== null) this.gl.drawArraysInstanced(mode, 0, vertices, this.count);
    else if (this.numbers) this.gl.drawElements(mode, this.count, this.gl.UNSIGNED_INT, 0);
    else this.gl.drawArrays(mode, 0, this.count);
    this.gl.bindVertexArray(null);
  }
}

// The colours of cells, looked up by their number.
export class ColourTable {
  constructor({ gl }) {
    this.gl = gl;
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
  }

  // `colours` has four bytes for each cell.
  upload(colours) {
    const { gl } = this;
    const rows = Math.max(1, Math.ceil(colours.length / 4 / WIDE));
    const whole = new Uint8Array(4 * WIDE * rows);
    whole.set(colours);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, WIDE, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, whole);
  }
}

export const LIT = { a_xyz: [3, 0], a_colour: [4, 0, true] };
export const ROWS = { a_corner: [4, 0], a_xyz: [3, 0] };
export const SHAPES = { a_corner: [3, 0], a_normal: [3, 0], a_place: [4, 1], a_size: [4, 1], a_colour: [4, 1, true] };
