"""Exact answers that the samplers are tested against, written without any of the samplers' code."""
