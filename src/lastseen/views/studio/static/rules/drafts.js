// What of rules that were not saved? The files that were changed are kept in the browser, until they are saved or given up.

const PREFIX = "lastseen.rules draft.";

export function keepDraft(name, draft) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify({ ...draft, name, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    return;
  }
}

// All drafts, the newest first; what somebody else wrote under such a name is left alone.
export function allDrafts() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return names.map(readDraft).filter(Boolean).sort((one, other) => other.at - one.at);
  } catch {
    return [];
  }
}

function readDraft(key) {
  try {
    const draft = JSON.parse(localStorage.getItem(key));
    const isWhole = Array.isArray(draft.files) && draft.files.every((one) => typeof one.name === "string" && typeof one.text === "string" && typeof one.value === "object");
    return isWhole && draft.name === key.slice(PREFIX.length) ? draft : null;
  } catch {
    return null;
  }
}
