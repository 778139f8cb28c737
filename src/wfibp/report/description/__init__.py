"""What are the features of a run, how are they called, and what is there to say of them?

Runs of texts and runs of measurements differ here and nowhere else: tables, figures, the page and the terminal ask the
description of a run.
"""

from wfibp.posterior import Posterior
from wfibp.report.description.description import Content, Description, Measure
from wfibp.report.description.measurements import MeasurementDescription
from wfibp.report.description.texts import TextDescription

__all__ = ["Content", "Description", "Measure", "describe"]


def describe(posterior: Posterior) -> Description:
    """The description of a run."""
    return TextDescription(posterior) if posterior.has_topics else MeasurementDescription(posterior)
