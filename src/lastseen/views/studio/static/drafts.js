// Drafts of unsaved work, one each: stored in the browser at once and soon after on the server, where another port, tab
// or browser finds them again, but only for the same folder.

import { posted, request } from "./requests.js";

const PREFIX = "lastseen.draft";
const SMALL = 60_000; // characters a page may still send while it closes
let home = ""; // the server's name for the open folder

// Not `randomUUID`: browsers lack it on plain HTTP from another machine.
const newId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const lockName = (id) => `${PREFIX} ${id}`;

// Small requests survive the page, unless too many are in flight.
const send = (path, query, text) => {
  const isSmall = text.length < SMALL;
  return request(path, query, { ...posted(text), keepalive: isSmall }).catch((error) => {
    if (!isSmall) throw error;
    return request(path, query, posted(text));
  });
};

// `kind`: "rules", "level", "scenario" or "tree"; `isWhole` tells valid drafts from foreign data in the same storage.
export function draftsOf(kind, isWhole) {
  let id = newId();
  let release = () => {};
  let sent = null; // the last request about the current draft; null: none yet
  const gone = new Set(); // discarded here, though the server may not know yet

  const placeOf = (one) => `${PREFIX}.${kind}.${home}.${one}`;

  // Start other work, as a new draft or as an existing one; the previous draft stays as it is.
  function begin(given = newId()) {
    release();
    [id, sent] = [given, null];
    const held = (lock) => lock && id === given && new Promise((done) => (release = done));
    navigator.locks?.request(lockName(given), { ifAvailable: true }, held).catch(() => {});
  }

  // Returns whether it is stored anywhere. The server keeps the newest version, in whatever order they arrive.
  async function keep(name, title, data) {
    const draft = { id, kind, name, title: title.slice(0, 200), at: Date.now() };
    const isHere = write(placeOf(id), { ...draft, data });
    sent = send("draft", {}, JSON.stringify({ ...draft, data })).then(() => true, () => false);
    return (await sent) || isHere;
  }

  function write(place, draft) {
    try {
      localStorage.setItem(place, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  // The work is saved or unchanged. Later changes start another draft, since this one is only removed a moment later.
  function drop() {
    if (sent === null) return;
    forget(id, sent);
    begin();
  }

  function forget(one, before = Promise.resolve()) {
    gone.add(one);
    localStorage.removeItem(placeOf(one));
    before.then(() => send("draft/drop", { id: one }, "")).catch(() => {});
  }

  function local() {
    const start = placeOf("");
    try {
      return Object.keys(localStorage).filter((place) => place.startsWith(start)).map(readDraft).filter(Boolean);
    } catch {
      return [];
    }
  }

  function readDraft(place) {
    try {
      const draft = JSON.parse(localStorage.getItem(place));
      return isWhole(draft.data) && placeOf(draft.id) === place && typeof draft.name === "string" ? draft : null;
    } catch {
      return null;
    }
  }

  // All drafts but the current one, newest first; `isOpen`: another tab is editing it.
  async function all() {
    const told = await request("drafts", { kind }).catch(() => ({ home, drafts: [] }));
    home = told.home;
    const held = new Set(((await navigator.locks?.query().catch(() => null))?.held ?? []).map(({ name }) => name));
    const found = new Map(told.drafts.map((draft) => [draft.id, draft]));
    for (const draft of local()) if (!(found.get(draft.id)?.at > draft.at)) found.set(draft.id, draft);
    const others = [...found.values()].filter((draft) => draft.id !== id && !gone.has(draft.id));
    return others.map((draft) => ({ ...draft, isOpen: held.has(lockName(draft.id)) })).sort((one, other) => other.at - one.at);
  }

  // Restore a draft: returns its data, or null. A draft that is open in another tab is copied.
  async function take(draft) {
    const data = draft.data ?? (await request("draft", { id: draft.id }).catch(() => ({}))).data;
    if (!data || !isWhole(data)) return null;
    begin(draft.isOpen ? undefined : draft.id);
    if (!draft.isOpen) sent = Promise.resolve(true);
    return data;
  }

  return { begin, keep, drop, all, take, discard: ({ id: one }) => forget(one) };
}

export function ageOf({ at, isOpen = false }) {
  const minutes = Math.round((Date.now() - at) / 60000);
  const when =
    minutes < 1
      ? "less than a minute ago"
      : minutes < 90
        ? minutes === 1
          ? "a minute ago"
          : `${minutes} minutes ago`
        : new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return isOpen ? `${when}; open in another tab, so this opens a copy` : when;
}
