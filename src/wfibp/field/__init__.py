"""Poisson random fields of Wright–Fisher diffusions: points, paths, allocations, truncations and expected numbers."""

from wfibp.field.allocations import Allocations
from wfibp.field.indian_buffet import draw_indian_buffet
from wfibp.field.random_field import PoissonRandomField
from wfibp.field.truncation import TruncatedField, relabel_births_and_deaths

__all__ = ["Allocations", "PoissonRandomField", "TruncatedField", "draw_indian_buffet", "relabel_births_and_deaths"]
