"""One file for each experiment of the paper, with its `EXPERIMENT`; what several share stands beside them."""
