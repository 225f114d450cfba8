"""The words all stages share: enums and typed events. Holds no sentences and imports no stage."""
