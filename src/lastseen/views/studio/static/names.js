// Is that a name for a file? Said here, where it is typed; the server asks the same again.

export const KINDS = {
  recording: [".rec"],
  scenario: [".yaml", ".yml", ".toml"],
  level: [".txt", ".level", ".geojson", ".json", ".tmj", ".map", ".mesh", ".obj", ".glb", ".ply", ".stl", ".off"],
};
const ENDINGS = Object.values(KINDS).flat();
const LARGEST = 16 * 1024 * 1024; // bytes of a file that is sent

const SAFE = /^[\p{L}\p{N}_][\p{L}\p{N}_ .+-]{0,99}$/u;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

// What is wrong with a name, in words; "": nothing.
export function nameFault(name) {
  const isName = SAFE.test(name) && !RESERVED.test(name) && !/[. ]$/.test(name);
  return isName ? "" : `“${name}” is no name for a file: use letters, digits, spaces, points, - and _.`;
}

// Why a file cannot be sent; "": it can.
export function fileFault({ name, size }) {
  if (nameFault(name)) return nameFault(name);
  if (!ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))) {
    return `“${name}” is no kind of file that can be opened: its name ends in none of ${ENDINGS.join(", ")}.`;
  }
  return size > LARGEST ? `“${name}” has ${size.toLocaleString("en")} bytes; at most ${LARGEST.toLocaleString("en")} can be sent.` : "";
}
