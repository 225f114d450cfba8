// Checks of files by the rules of the server, which come with the greeting: as names are typed, and before an upload.

import { studio } from "./studio.js";

const rules = () => studio.hello?.vocabulary.files;

// All extensions that can be opened.
export const endings = () => Object.values(rules().endings).flat();

const filled = (text, values) => `${text.replace(/\{(\w+)\}/g, (_, key) => values[key])}.`;

// Returns the error in a name; "": none.
export function nameFault(name) {
  if (!rules()) return "";
  const { name: pattern, reserved, wrong_name: words } = rules();
  const isName = new RegExp(`^${pattern}$`, "u").test(name) && !new RegExp(`^${reserved}$`, "i").test(name) && !/[. ]$/.test(name);
  return isName ? "" : filled(words, { name: `“${name}”` });
}

// Returns why a file cannot be uploaded; "": it can.
export function fileFault({ name, size }) {
  if (!rules() || nameFault(name)) return nameFault(name);
  const { wrong_ending: ending, too_large: large, most_bytes: most } = rules();
  const [quoted, shown] = [`“${name}”`, (number) => number.toLocaleString("en")];
  if (!endings().some((one) => name.toLowerCase().endsWith(one))) return filled(ending, { name: quoted, endings: endings().join(", ") });
  return size > most ? filled(large, { name: quoted, size: shown(size), most: shown(most) }) : "";
}
