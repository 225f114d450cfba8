"""Words that all stages share: what happens in a run, as data. Holds no sentences and imports no stage."""
