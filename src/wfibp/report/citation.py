"""Whom to cite."""

from __future__ import annotations

CITATION = (
    "V. Perrone, P. A. Jenkins, D. Spanò and Y. W. Teh (2017). Poisson Random Fields for Dynamic Feature Models. "
    "Journal of Machine Learning Research 18, 1–45."
)
BIBTEX = """@article{perrone2017poisson,
  title   = {Poisson Random Fields for Dynamic Feature Models},
  author  = {Perrone, Valerio and Jenkins, Paul A. and Span{\\`o}, Dario and Teh, Yee Whye},
  journal = {Journal of Machine Learning Research},
  volume  = {18},
  pages   = {1--45},
  year    = {2017}
}"""
