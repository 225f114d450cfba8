// Opening the user's own files: each is uploaded, read by the server, and opened by the name it got there.

import { make } from "./dom.js";
import { posted, request } from "./requests.js";
import { say, studio } from "./studio.js";

// Names and sizes are checked by the rules of the server, which come with the greeting: as they are typed, and before
// an upload.
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

// Upload a file; returns {kind, name} to open it by, or null after reporting the error.
export async function sendFile(file) {
  const fault = fileFault(file);
  if (fault) {
    say(fault, "wrong");
    return null;
  }
  try {
    const silent = `Could not upload ${file.name}: the server does not respond.`;
    return await request("upload", { name: file.name }, posted(file, undefined, "application/octet-stream"), silent);
  } catch (error) {
    say(error.message, "wrong");
    return null;
  }
}

export function choose(kinds, act) {
  const input = make("input", { type: "file", accept: kinds, hidden: true, "aria-label": "File to open" });
  input.addEventListener("change", () => {
    if (input.files.length) act(input.files[0]);
    input.remove();
  });
  input.addEventListener("cancel", () => input.remove());
  document.body.append(input);
  input.click();
}

export function openFile() {
  choose(endings().join(), open);
}

async function open(file) {
  const sent = await sendFile(file);
  if (sent) studio.send("open", { [sent.kind]: sent.name });
}

// Files can also be dropped anywhere on the page.
export function takeDrops() {
  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    open(file);
  });
}
