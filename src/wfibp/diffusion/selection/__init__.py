"""Wright–Fisher diffusions with selection: the eigenbasis, likelihoods of counts, draws, times to extinction."""
