"""The exact sampler of dynamic feature models: its state, its updates in order, and what it asks of a likelihood."""
