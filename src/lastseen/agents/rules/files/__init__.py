"""Rule files: readers, conversion, and edits of YAML texts that keep every other byte."""
