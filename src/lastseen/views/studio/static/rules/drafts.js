// Drafts of unsaved rules: the changed files.

import { draftsOf } from "../drafts.js";

const isFile = ({ name, text, value }) => typeof name === "string" && typeof text === "string" && typeof value === "object";
const isWhole = (data) => Array.isArray(data?.files) && data.files.every(isFile);

export const drafts = draftsOf("rules", isWhole);
