"""The draws of a run: kept on disk as they come, read back as a posterior."""

from wfibp.posterior.posterior import Posterior

__all__ = ["Posterior"]
