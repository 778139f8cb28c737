"""Figures for papers: what a posterior found, each a function that returns matplotlib axes."""

from wfibp.report.figures.feature_matrix import plot_allocations
from wfibp.report.figures.lifelines import plot_lifelines
from wfibp.report.figures.popularity import plot_popularity
from wfibp.report.figures.prevalence import plot_prevalence
from wfibp.report.figures.topic_words import plot_topics
from wfibp.report.figures.trace import plot_trace

__all__ = ["plot_allocations", "plot_lifelines", "plot_popularity", "plot_prevalence", "plot_topics", "plot_trace"]
