"""Wright–Fisher diffusions: lineage tables, exact transitions, exact smoothing, and the approximations by name."""

from wfibp.diffusion.chain import WrightFisherChain
from wfibp.diffusion.wright_fisher import WrightFisher

__all__ = ["WrightFisher", "WrightFisherChain"]
