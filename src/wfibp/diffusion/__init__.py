"""Wright–Fisher diffusions: lineage tables, exact transitions, exact smoothing, and the approximations by name."""

from wfibp.diffusion.chain import WrightFisherChain
from wfibp.diffusion.selection.posterior import SelectionPosterior, infer_selection
from wfibp.diffusion.wright_fisher import WrightFisher

__all__ = ["SelectionPosterior", "WrightFisher", "WrightFisherChain", "infer_selection"]
