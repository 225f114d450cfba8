"""Tree files: definition, readers, writer, JSON Schema, and the builder of trees."""
