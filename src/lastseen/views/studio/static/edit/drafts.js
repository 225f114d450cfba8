// What of work that was not saved? It is kept in the browser, one draft for each level, until it is saved or given up.

const PREFIX = "lastseen.draft.";

export function keepDraft(source, draft) {
  try {
    localStorage.setItem(PREFIX + source, JSON.stringify({ ...draft, source, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(source) {
  try {
    localStorage.removeItem(PREFIX + source);
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

function readDraft(name) {
  try {
    const draft = JSON.parse(localStorage.getItem(name));
    const isWhole = ["source", "file", "digest", "text"].every((key) => typeof draft[key] === "string");
    return isWhole && draft.source === name.slice(PREFIX.length) ? draft : null;
  } catch {
    return null;
  }
}

export function ageOf({ at }) {
  const minutes = Math.round((Date.now() - at) / 60000);
  if (minutes < 1) return "less than a minute ago";
  if (minutes < 90) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
  return new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
