// The level editor's requests to the server: HTTP with the token, since drawings exceed the message limit.

const token = () => new URLSearchParams(location.search).get("token") ?? "";

// Whether there is a server: a replay opened from disk has none.
export const hasServer = () => location.protocol.startsWith("http") && !document.querySelector("#embedded");

async function ask(path, query, settings = {}) {
  const address = `/api/${path}?${new URLSearchParams({ ...query, token: token() })}`;
  const answer = await fetch(address, settings).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not respond. Your changes are stored in this browser.");
  });
  const values = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(values.message ?? `the server answered ${answer.status}`);
  return values;
}

const sent = (text, signal) => ({ method: "POST", body: text, headers: { "Content-Type": "application/geo+json" }, signal });

export const openLevel = (name) => ask("level", { name });
export const checkLevel = (text, signal) => ask("level/check", {}, sent(text, signal));
export const saveLevel = (name, text, digest) => ask("level/save", { name, digest }, sent(text));
export const uploadLevel = (name, text) => ask("upload", { name }, sent(text));
