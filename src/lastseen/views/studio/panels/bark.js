// The panel Why this line: the rule behind a spoken line.

import { BarkPanel } from "../rules/barks.js";

export const panel = { id: "bark", title: "Why this line", create: () => new BarkPanel() };
