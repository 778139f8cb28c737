"""The likelihoods, one file each: how data arise from the features of each object."""
