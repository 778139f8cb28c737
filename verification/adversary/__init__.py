"""Hostile inputs, arguments, files and signals: a bounded, seeded trial of the whole product."""
