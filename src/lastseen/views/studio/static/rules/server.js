// The rules editor's requests to the server, and its drafts: the changed files.

import { draftsOf } from "../drafts.js";
import { posted, request } from "../requests.js";

const ask = (path, body, signal) => request(`rules/${path}`, {}, posted(body, signal));

export const listRules = async () => (await request("rules/menu")).rules;
export const openRules = (name) => request("rules", { name });
export const checkRules = (files, facts, signal) => ask("check", { files, facts }, signal);
export const sortRules = (files, handlers) => ask("sorted", { files, handlers });
export const tryRules = (files, handlers, facts) => ask("why", { files, handlers, facts });
export const saveRules = (body) => ask("save", body);

const isFile = ({ name, text, value }) => typeof name === "string" && typeof text === "string" && typeof value === "object";
const isWhole = (data) => Array.isArray(data?.files) && data.files.every(isFile);

export const drafts = draftsOf("rules", isWhole);
