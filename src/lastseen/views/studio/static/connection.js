// The connection to the server: one socket that reports when it breaks and reconnects.

import { decodeFrame } from "./frames.js";
import { token } from "./requests.js";

export const isServed = true;

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

export function connect({ onMessage, onFrame, onState }) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  let socket = null;
  let wait = FIRST_WAIT;

  function open() {
    socket = new WebSocket(`${scheme}://${location.host}/ws?token=${encodeURIComponent(token())}`);
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT;
      onState({ connected: true });
    });
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") onMessage(JSON.parse(data));
      else onFrame(decodeFrame(data));
    });
    socket.addEventListener("close", (event) => {
      onState({ connected: false, refused: event.code === 4401 || event.code === 4403, wait });
      setTimeout(open, wait);
      wait = Math.min(LONGEST_WAIT, wait * 1.6);
    });
  }

  open();
  return (type, more = {}) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, ...more }));
  };
}
