// Drafts of unsaved levels.

import { draftsOf } from "../drafts.js";

const isWhole = (data) => ["file", "digest", "text"].every((key) => typeof data?.[key] === "string");

export const drafts = draftsOf("level", isWhole);
