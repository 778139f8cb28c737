"""The paper's experiments, each done again with its settings, laid beside what the paper shows."""
