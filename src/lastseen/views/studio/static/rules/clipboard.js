// Copy and paste of rules as text on the clipboard, also between windows and databases.

import { say } from "../studio.js";

const KIND = "lastseen rules";
const MOST = 2000;

export function listenForCopies(editor, isHere) {
  const isWriting = () =>
    document.activeElement?.matches("input, textarea, select") || document.querySelector("dialog[open]") || String(getSelection());

  function copied(event, isCut) {
    if (!isHere() || isWriting() || !editor.selected.size) return;
    const rules = [...editor.selected].map((id) => editor.find(id).entry.rule);
    event.clipboardData.setData("text/plain", JSON.stringify({ kind: KIND, rules }, null, 1));
    event.preventDefault();
    if (isCut) editor.remove();
    say(`${rules.length} rule${rules.length > 1 ? "s" : ""} ${isCut ? "cut" : "copied"}.`);
  }
  document.addEventListener("copy", (event) => copied(event, false));
  document.addEventListener("cut", (event) => copied(event, true));
  document.addEventListener("paste", (event) => {
    if (!isHere() || document.activeElement?.matches("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const text = event.clipboardData.getData("text/plain");
    if (!text.trim()) return;
    event.preventDefault();
    const rules = rulesIn(text);
    if (rules) paste(editor, rules);
    else say("Only rules copied in this editor can be pasted. Paste other text into the file itself.", "wrong");
  });
}

function rulesIn(text) {
  try {
    const { kind, rules } = JSON.parse(text);
    const isRule = (rule) => rule !== null && typeof rule === "object" && !Array.isArray(rule) && typeof rule.name === "string";
    return kind === KIND && Array.isArray(rules) && rules.length && rules.length <= MOST && rules.every(isRule) ? rules : null;
  } catch {
    return null;
  }
}

// Paste after the selected rule, or at the end of the selected handler.
function paste(editor, rules) {
  const place = editor.current?.id ? editor.find(editor.current.id) : null;
  const name = place?.handler.name ?? editor.current?.handler;
  const target = name && editor.handler(name);
  if (!target || target.file.isLocked) return say("Select a rule or a handler to paste after.");
  editor.insert(rules, name, place ? place.index + 1 : target.handler.rules.length, "paste");
}
