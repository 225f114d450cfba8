// Checks of file names as they are typed; the server repeats them.

export const KINDS = {
  recording: [".rec"],
  scenario: [".yaml", ".yml", ".toml"],
  level: [".txt", ".level", ".geojson", ".json", ".tmj", ".map", ".mesh", ".obj", ".glb", ".ply", ".stl", ".off"],
};
const ENDINGS = Object.values(KINDS).flat();
const LARGEST = 16 * 1024 * 1024; // bytes of an upload

const SAFE = /^[\p{L}\p{N}_][\p{L}\p{N}_ .+-]{0,99}$/u;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

// Returns the error in a name; "": none.
export function nameFault(name) {
  const isName = SAFE.test(name) && !RESERVED.test(name) && !/[. ]$/.test(name);
  return isName ? "" : `“${name}” is not a valid file name: use letters, digits, spaces, dots, - and _.`;
}

// Returns why a file cannot be uploaded; "": it can.
export function fileFault({ name, size }) {
  if (nameFault(name)) return nameFault(name);
  if (!ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))) {
    return `“${name}” cannot be opened: its extension must be one of ${ENDINGS.join(", ")}.`;
  }
  return size > LARGEST ? `“${name}” has ${size.toLocaleString("en")} bytes; the limit is ${LARGEST.toLocaleString("en")}.` : "";
}
