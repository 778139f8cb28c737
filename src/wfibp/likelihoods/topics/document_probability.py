"""p_i, which decides how long documents are: one for each document, or one fixed number (docs/model.md, section 6).

Kept as ℓ_i = −log(1 − p_i). Under a Beta(a, b) prior, p_i | · ~ Beta(a + W_i, b + Σ_k Z_ik φ_kt); a = b = 0 amounts to
conditioning on the lengths of the documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wfibp.checks import Floats, Integers
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts
from wfibp.likelihoods.topics.proportions import document_strengths

FIRST_EXPOSURE = 4.0  # p = 0.98, what real documents come to
SMALLEST_GAMMA = 1e-300


@dataclass(frozen=True)
class DocumentProbability:
    """A fixed p for all documents, or a Beta(a, b) prior for the p of each."""

    fixed: float | None = None
    a: float = 0.0
    b: float = 0.0

    def start(self, num_documents: int) -> Floats:
        """First ℓ (N,)."""
        return np.full(num_documents, FIRST_EXPOSURE if self.fixed is None else -np.log1p(-self.fixed))

    def draw(
        self,
        document_topics: DocumentTopicCounts,
        lengths: Integers,
        document_time: Integers,
        proportions: Floats,
        rng: np.random.Generator,
    ) -> Floats:
        """ℓ (N,) given the lengths W_i (N,) and Z; 0 for an empty document under the improper prior."""
        num_documents = document_time.size
        if self.fixed is not None:
            return self.start(num_documents)
        strengths = self.b + document_strengths(document_topics, document_time, proportions)
        success = rng.standard_gamma(self.a + lengths)  # a shape of 0 gives 0
        failure = np.maximum(rng.standard_gamma(strengths), SMALLEST_GAMMA)
        return np.log1p(success / failure)

    def draw_from_prior(self, num_documents: int, rng: np.random.Generator) -> Floats:
        """ℓ (N,) from its prior, which has to be proper."""
        if self.fixed is not None:
            return self.start(num_documents)
        return -np.log1p(-rng.beta(self.a, self.b, num_documents))
