"""Topic samplers with one mistake each, to see that the tests notice; every one of them runs and looks fine.

A mistake is a kernel, or several, to be called in place of those of the same name.
"""

from __future__ import annotations

import numpy as np

from tests.likelihoods.topics.plain_kernels import Names
from wfibp.checks import Floats, Integers
from wfibp.inference import allocation_columns
from wfibp.inference.moves import MoveInfo
from wfibp.inference.priors import Gamma
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics import births, document_sweep, proportions, topic_smoothing, word_sampler
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.document_sweep import Ends, OutputLists, PassContext
from wfibp.likelihoods.topics.document_topic_counts import DocumentTopicCounts
from wfibp.likelihoods.topics.topic_state import TopicState
from wfibp.likelihoods.topics.word_sampler import Tokens, TopicCounts, Workspace
from wfibp.numerics import simd_rows
from wfibp.numerics.simd_rows import Singles

Rng = np.random.Generator

# --- mistakes in births ----------------------------------------------------------------------------------------------


def slice_ratio_forgotten() -> Names:
    """x*₀/x*₁ is forgotten in the odds of a birth."""

    def prior_log_odds(x: float, num_others: int, elsewhere: float, sliced: bool) -> float:
        return allocation_columns.prior_log_odds(x, num_others, elsewhere, False)

    return {"prior_log_odds": prior_log_odds}


def no_words_forgotten_in_births() -> Names:
    """(1 + ℓ)^{−γ}, the chance that a document has no word of a topic newly its own, is taken as 1."""

    def find_birth(first: int, t: int, exposure: float, those: Documents, shape: float, rng: Rng) -> int:
        return births.find_birth(first, t, exposure, those, 0.0, rng)

    return {"find_birth": find_birth}


def seen_topics_first() -> Names:
    """Topics are scanned as the list holds them: seen ones first, then unseen, an order that looks at Z."""

    def draw_births_and_deaths(
        order: Integers, paths: TopicPaths, sole: Integers, those: Documents, shape: float, rng: Rng
    ) -> tuple[Integers, Integers]:
        return births.draw_births_and_deaths(np.sort(order), paths, sole, those, shape, rng)

    return {"draw_births_and_deaths": draw_births_and_deaths}


def proportions_not_drawn_at_birth() -> Names:
    """φ of a topic taken up is what it is at the start of a chain, until the next update of φ."""

    def _draw_proportion(shape: float, exposure: float, rng: Rng) -> float:
        return 0.5

    return {"_draw_proportion": _draw_proportion}


def proportions_from_the_prior_at_birth() -> Names:
    """φ of a topic taken up is Gamma(γ, 1), though the decision looked at the document: its rate is 1 + ℓ."""

    def _draw_proportion(shape: float, exposure: float, rng: Rng) -> float:
        return rng.standard_gamma(shape)

    return {"_draw_proportion": _draw_proportion}


# --- mistakes in the weights of words --------------------------------------------------------------------------------


def probability_without_words_forgotten() -> Names:
    """The base of a shared topic is φ rather than φπ while words move; wordless topics are drawn rightly."""
    right: list[Floats] = []

    def open_document(i: int, before: DocumentTopicCounts, exposure: float, workspace: Workspace) -> None:
        document_sweep.open_document(i, before, exposure, workspace)
        right.append(workspace.base.copy())
        workspace.base[:] = np.where(workspace.base > 0.0, workspace.proportion, 0.0)

    def draw_wordless(present: Integers, workspace: Workspace, state: int, page: OutputLists, ends: Ends) -> Ends:
        workspace.base[:] = right.pop()
        return document_sweep.draw_wordless(present, workspace, np.uint64(state), page, ends)

    return {"open_document": open_document, "draw_wordless": draw_wordless}


def the_papers_minus_one() -> Names:
    """(n_kw + η)/(n_k + ηV − 1), the present word left out already."""

    def draw_documents(
        tokens: Tokens,
        before: DocumentTopicCounts,
        paths: TopicPaths,
        those: Documents,
        counts: TopicCounts,
        chosen: Booleans,
        context: PassContext,
    ) -> DocumentTopicCounts:
        less = counts._replace(smoothing_total=counts.smoothing_total - 1.0)
        return document_sweep.draw_documents(tokens, before, paths, those, less, chosen, context)

    return {"draw_documents": draw_documents}


def word_not_taken_out() -> Names:
    """A word that looks for another topic may find its own, at the weight with itself counted."""

    def find_slot(ends: Singles, less: int, by: float, left: float) -> tuple[int, np.float32]:
        return simd_rows.find_slot(ends, less, 0.0, left)

    return {"find_slot": find_slot}


def own_part_not_less() -> Names:
    """A word is counted among those of its document while it is drawn, if it is not the only one of its topic."""

    def part(here: float, proportion: float, base: float) -> float:
        return word_sampler.part(here + 1.0 if here > 0.0 else here, proportion, base)

    return {"part": part}


# --- mistakes in who has which topic ---------------------------------------------------------------------------------


def sole_holders_as_shared() -> Names:
    """A topic that this document alone has is integrated out too, as if another had it: x* moves unnoticed."""

    def open_document(i: int, before: DocumentTopicCounts, exposure: float, workspace: Workspace) -> None:
        one_more = workspace._replace(held=workspace.held + (workspace.held > 0))
        document_sweep.open_document(i, before, exposure, one_more)

    return {"open_document": open_document}


def no_words_forgotten_in_wordless() -> Names:
    """π is x: that the document has no word of the topic is not held against its having it."""

    def probability_without_words(x: float, proportion: float, exposure: float) -> float:
        return x

    return {"probability_without_words": probability_without_words}


# --- mistakes in φ ---------------------------------------------------------------------------------------------------


def one_table_too_few() -> Names:
    """The first customer, who always opens a table, is left out."""

    def draw_num_tables(num_customers: int, strength: float, state: np.uint64) -> tuple[int, np.uint64]:
        tables, state = proportions.draw_num_tables(num_customers, strength, state)
        return tables - 1, np.uint64(state)

    return {"draw_num_tables": draw_num_tables}


def one_customer_too_many() -> Names:
    """The restaurant counts one word more than there is."""

    def draw_num_tables(num_customers: int, strength: float, state: np.uint64) -> tuple[int, np.uint64]:
        tables, state = proportions.draw_num_tables(num_customers + 1, strength, state)
        return tables, np.uint64(state)

    return {"draw_num_tables": draw_num_tables}


def idle_documents_not_exposed() -> Names:
    """Documents that have a topic without a word of it are left out of the distribution of its φ."""

    def draw_proportions(
        document_topics: DocumentTopicCounts,
        time: Integers,
        exposure: Floats,
        shape: float,
        counts: Integers,
        phi: Floats,
        rng: Rng,
    ) -> None:
        proportions.draw_proportions(_without_wordless(document_topics), time, exposure, shape, counts, phi, rng)

    return {"draw_proportions": draw_proportions}


# --- mistakes in p and η, which an enumeration with these held fixed cannot see --------------------------------------


def idle_topics_do_not_strengthen() -> Names:
    """p is drawn as if a document had only the topics of which it has words."""

    def document_strengths(document_topics: DocumentTopicCounts, time: Integers, phi: Floats) -> Floats:
        return proportions.document_strengths(_without_wordless(document_topics), time, phi)

    return {"document_strengths": document_strengths}


def smoothing_without_jacobian() -> Names:
    """η walks on its logarithm, the density is not of it."""

    def update_topic_smoothing(state: TopicState, prior: Gamma, counts: TopicCounts, rng: Rng) -> MoveInfo:
        less = Gamma(prior.shape - 1.0, prior.rate)
        return topic_smoothing.update_topic_smoothing(state, less, counts, rng)

    return {"update_topic_smoothing": update_topic_smoothing}


def _without_wordless(document_topics: DocumentTopicCounts) -> DocumentTopicCounts:
    """No document has a wordless topic."""
    return document_topics._replace(
        wordless_start=np.zeros_like(document_topics.wordless_start), wordless=np.empty(0, np.int64)
    )
