// Formats a moment as minutes and seconds since the start.

import { seconds } from "../studio.js";

export const clockText = (tick) => {
  const now = Math.max(0, seconds(tick));
  return `${Math.floor(now / 60)}:${(now % 60).toFixed(1).padStart(4, "0")}`;
};
