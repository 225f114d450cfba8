// Requests to the server over HTTP, all with the token: drawings, rules and files exceed the message limit of the socket.

const LATER = "The server does not respond. Your changes are stored in this browser.";

export const token = () => new URLSearchParams(location.search).get("token") ?? "";

// Whether there is a server: a replay opened from disk has none.
export const hasServer = () => location.protocol.startsWith("http") && !document.querySelector("#embedded");

const address = (path, query) => `/api/${path}?${new URLSearchParams({ ...query, token: token() })}`;

// The address of a file the server made, which it gives once; "exported" tells its ticket.
export const fileAddress = (ticket) => `/api/download?ticket=${encodeURIComponent(ticket)}`;

export async function madeFile(ticket) {
  const answer = await fetch(fileAddress(ticket));
  if (!answer.ok) throw new Error("the file has expired");
  return answer;
}

// A POST of text, or of another value as JSON.
export const posted = (body, signal = undefined, type = "application/json") => ({
  method: "POST",
  body: typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
  headers: { "Content-Type": type },
  signal,
});

// The answer of the server; throws what it complains of, or `silent` if it does not respond.
export async function request(path, query = {}, settings = {}, silent = LATER) {
  // A request that is called off may have been answered in part.
  const unless = (otherwise) => (error) => {
    if (error.name === "AbortError") throw error;
    return otherwise();
  };
  const answer = await fetch(address(path, query), settings).catch(unless(() => Promise.reject(new Error(silent))));
  const values = await answer.json().catch(unless(() => ({})));
  if (!answer.ok) throw new Error(values.message ?? `the server answered ${answer.status}`);
  return values;
}
