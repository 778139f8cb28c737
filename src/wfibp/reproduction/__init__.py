"""The paper's experiments, each repeated with its settings and compared with what the paper shows."""
