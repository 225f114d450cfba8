// The level editor's requests to the server, and its drafts.

import { draftsOf } from "../drafts.js";
import { posted, request } from "../requests.js";

const drawn = (text, signal) => posted(text, signal, "application/geo+json");

export const openLevel = (name) => request("level", { name });
export const checkLevel = (text, signal) => request("level/check", {}, drawn(text, signal));
export const saveLevel = (name, text, digest) => request("level/save", { name, digest }, drawn(text));
export const uploadLevel = (name, text) => request("upload", { name }, drawn(text));

const isWhole = (data) => ["file", "digest", "text"].every((key) => typeof data?.[key] === "string");

export const drafts = draftsOf("level", isWhole);
