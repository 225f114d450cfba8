// The scenario editor's requests to the server, and its drafts.

import { draftsOf } from "../drafts.js";
import { isValueFile } from "../editing/value_file.js";
import { posted, request } from "../requests.js";

export const openScenario = (name, level) => request("scenario", { name, level });
export const checkScenario = (name, value, signal) => request("scenario/check", {}, posted({ name, value }, signal));
export const saveScenario = (name, digest, text, value) => request("scenario/save", {}, posted({ name, digest, text, value }));

export const drafts = draftsOf("scenario", isValueFile);
