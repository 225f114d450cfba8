// The rules editor's requests to the server: HTTP with the token, since rules exceed the message limit.

const token = () => new URLSearchParams(location.search).get("token") ?? "";

async function ask(path, query = {}, body = null, signal = undefined) {
  const address = `/api/rules${path}?${new URLSearchParams({ ...query, token: token() })}`;
  const settings =
    body === null ? {} : { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal };
  const answer = await fetch(address, settings).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not respond. Your changes are stored in this browser.");
  });
  const values = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(values.message ?? `the server answered ${answer.status}`);
  return values;
}

export const listRules = async () => (await ask("/menu")).rules;
export const openRules = (name) => ask("", { name });
export const checkRules = (files, signal) => ask("/check", {}, { files }, signal);
export const sortRules = (files, handlers) => ask("/sorted", {}, { files, handlers });
export const tryRules = (files, handlers, facts) => ask("/why", {}, { files, handlers, facts });
export const saveRules = (body) => ask("/save", {}, body);
