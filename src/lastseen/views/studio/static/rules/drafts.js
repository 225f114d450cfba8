// What of rules that were not saved? The files that were changed are kept.

import { draftsUnder } from "../drafts.js";

const isFile = ({ name, text, value }) => typeof name === "string" && typeof text === "string" && typeof value === "object";
const isWhole = (draft) => Array.isArray(draft.files) && draft.files.every(isFile);

export const { keepDraft, dropDraft, allDrafts } = draftsUnder("lastseen.rules draft.", "name", isWhole);
