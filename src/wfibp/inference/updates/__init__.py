"""The updates of a sweep, one file per conditional law (model: section 4)."""
