// What of work that was not saved? It is kept in the browser under a prefix, until it is saved or given up.

// `key` names the field that holds a draft's own name; `isWhole` tells a draft from what somebody else wrote there.
export function draftsUnder(prefix, key, isWhole) {
  function readDraft(place) {
    try {
      const draft = JSON.parse(localStorage.getItem(place));
      return isWhole(draft) && draft[key] === place.slice(prefix.length) ? draft : null;
    } catch {
      return null;
    }
  }
  return {
    keepDraft(name, draft) {
      try {
        localStorage.setItem(prefix + name, JSON.stringify({ ...draft, [key]: name, at: Date.now() }));
        return true;
      } catch {
        return false;
      }
    },
    dropDraft(name) {
      try {
        localStorage.removeItem(prefix + name);
      } catch {
        return;
      }
    },
    // The newest first.
    allDrafts() {
      try {
        const places = Object.keys(localStorage).filter((place) => place.startsWith(prefix));
        return places.map(readDraft).filter(Boolean).sort((one, other) => other.at - one.at);
      } catch {
        return [];
      }
    },
  };
}

export function ageOf({ at }) {
  const minutes = Math.round((Date.now() - at) / 60000);
  if (minutes < 1) return "less than a minute ago";
  if (minutes < 90) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
  return new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
