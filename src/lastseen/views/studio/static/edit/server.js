// The level editor's requests to the server, and its drafts.

import { draftsOf } from "../drafts.js";
import { posted, request } from "../requests.js";

const drawn = (text, signal) => posted(text, signal, "application/geo+json");

export const openLevel = (name) => request("level", { name });
// `mesh`: the mesh a drawing is placed on; "": none.
export const checkLevel = (text, mesh, signal) => request("level/check", { mesh }, drawn(text, signal));
export const saveLevel = (name, text, digest, mesh) => request("level/save", { name, digest, mesh }, drawn(text));
export const uploadLevel = (name, text) => request("upload", { name }, drawn(text));

const isWhole = (data) => ["file", "digest", "text"].every((key) => typeof data?.[key] === "string");

export const drafts = draftsOf("level", isWhole);
