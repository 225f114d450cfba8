// Opening the user's own files: each is uploaded, read by the server, and opened by the name it got there.

import { make } from "./dom.js";
import { endings, fileFault } from "./names.js";
import { say, studio } from "./studio.js";

const token = () => new URLSearchParams(location.search).get("token") ?? "";

// Upload a file; returns {kind, name} to open it by, or null after reporting the error.
export async function sendFile(file) {
  const fault = fileFault(file);
  if (fault) {
    say(fault, "wrong");
    return null;
  }
  const address = `/api/upload?${new URLSearchParams({ token: token(), name: file.name })}`;
  try {
    const answer = await fetch(address, { method: "POST", body: file });
    const told = await answer.json();
    if (answer.ok) return told;
    say(told.message, "wrong");
  } catch {
    say(`Could not upload ${file.name}: the server does not respond.`, "wrong");
  }
  return null;
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
