// The scenario editor's requests to the server, and its drafts.

import { draftsOf } from "../drafts.js";
import { posted, request } from "../requests.js";

export const openScenario = (name, level) => request("scenario", { name, level });
export const checkScenario = (name, value, signal) => request("scenario/check", {}, posted({ name, value }, signal));
export const saveScenario = (name, digest, text, value) => request("scenario/save", {}, posted({ name, digest, text, value }));

const isWhole = (data) =>
  ["file", "digest", "text"].every((key) => typeof data?.[key] === "string") && typeof data.value === "object" && data.value !== null;

export const drafts = draftsOf("scenario", isWhole);
