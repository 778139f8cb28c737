"""The updates of a sweep, one file per conditional distribution (docs/model.md, section 4)."""
