// The tree editor's requests to the server, and its drafts.

import { draftsOf } from "../drafts.js";
import { isValueFile } from "../editing/value_file.js";
import { posted, request } from "../requests.js";

export const listTrees = async () => (await request("tree/menu")).trees;
export const openTree = (name) => request("tree", { name });
export const checkTree = (name, users, value, signal) => request("tree/check", {}, posted({ name, users, value }, signal));
export const saveTree = (body) => request("tree/save", {}, posted(body));

export const drafts = draftsOf("tree", isValueFile);
