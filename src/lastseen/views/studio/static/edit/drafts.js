// What of levels that were not saved? One draft for each.

import { draftsUnder } from "../drafts.js";

const isWhole = (draft) => ["source", "file", "digest", "text"].every((key) => typeof draft[key] === "string");

export const { keepDraft, dropDraft, allDrafts } = draftsUnder("lastseen.draft.", "source", isWhole);
