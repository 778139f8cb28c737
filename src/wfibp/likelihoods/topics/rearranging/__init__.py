"""Moves of many words of one document at once: to another topic, to one newly opened, or to one of their own."""
