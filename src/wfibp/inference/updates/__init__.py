"""The updates of a sweep, one file per conditional law (docs/model.md, section 4)."""
