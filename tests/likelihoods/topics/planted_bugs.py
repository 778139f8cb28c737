"""Topic samplers with one mistake each, to see that the tests notice; every one of them runs and looks fine.

A mistake is a kernel, or several, to be called in place of those of the same name.
"""

from __future__ import annotations

import numpy as np

from tests.likelihoods.topics.plain_kernels import Names
from wfibp.checks import Floats, Integers
from wfibp.inference import columns
from wfibp.inference.moves import MoveInfo
from wfibp.inference.priors import Gamma
from wfibp.inference.state import Booleans
from wfibp.likelihoods.topics import births, documents, proportions, smoothing, words
from wfibp.likelihoods.topics.births import Documents, TopicPaths
from wfibp.likelihoods.topics.documents import Ends, Page, PassContext
from wfibp.likelihoods.topics.sparse import Holdings
from wfibp.likelihoods.topics.state import TopicState
from wfibp.likelihoods.topics.words import Desk, Tokens, TopicCounts
from wfibp.numerics import lanes
from wfibp.numerics.lanes import Singles

Rng = np.random.Generator

# --- mistakes in births ----------------------------------------------------------------------------------------------


def slice_ratio_forgotten() -> Names:
    """x*₀/x*₁ is forgotten in the odds of a birth."""

    def prior_log_odds(x: float, num_others: int, elsewhere: float, sliced: bool) -> float:
        return columns.prior_log_odds(x, num_others, elsewhere, False)

    return {"prior_log_odds": prior_log_odds}


def silence_forgotten_in_births() -> Names:
    """(1 + ℓ)^{−γ}, the chance that a document has no word of a topic newly its own, is taken as 1."""

    def find_birth(first: int, t: int, log_odds: float, those: Documents, shape: float, rng: Rng) -> int:
        return births.find_birth(first, t, log_odds, those, 0.0, rng)

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

    def _draw_proportion(shape: float, log_odds: float, rng: Rng) -> float:
        return 0.5

    return {"_draw_proportion": _draw_proportion}


def proportions_from_the_prior_at_birth() -> Names:
    """φ of a topic taken up is Gamma(γ, 1), though the decision looked at the document: its rate is 1 + ℓ."""

    def _draw_proportion(shape: float, log_odds: float, rng: Rng) -> float:
        return rng.standard_gamma(shape)

    return {"_draw_proportion": _draw_proportion}


# --- mistakes in the weights of words --------------------------------------------------------------------------------


def chance_of_idling_forgotten() -> Names:
    """The base of a shared topic is φ rather than φπ while words move; idle topics are drawn rightly."""
    right: list[Floats] = []

    def open_document(i: int, before: Holdings, log_odds: float, desk: Desk) -> None:
        documents.open_document(i, before, log_odds, desk)
        right.append(desk.base.copy())
        desk.base[:] = np.where(desk.base > 0.0, desk.proportion, 0.0)

    def draw_idle(present: Integers, desk: Desk, state: int, page: Page, ends: Ends) -> Ends:
        desk.base[:] = right.pop()
        return documents.draw_idle(present, desk, np.uint64(state), page, ends)

    return {"open_document": open_document, "draw_idle": draw_idle}


def the_papers_minus_one() -> Names:
    """(n_kw + η)/(n_k + ηV − 1), the present word left out already."""

    def draw_documents(
        tokens: Tokens,
        before: Holdings,
        paths: TopicPaths,
        those: Documents,
        counts: TopicCounts,
        chosen: Booleans,
        context: PassContext,
    ) -> Holdings:
        less = counts._replace(smoothing_total=counts.smoothing_total - 1.0)
        return documents.draw_documents(tokens, before, paths, those, less, chosen, context)

    return {"draw_documents": draw_documents}


def word_not_taken_out() -> Names:
    """A word that looks for another topic may find its own, at the weight with itself counted."""

    def find_slot(ends: Singles, less: int, by: float, left: float) -> tuple[int, np.float32]:
        return lanes.find_slot(ends, less, 0.0, left)

    return {"find_slot": find_slot}


def own_part_not_less() -> Names:
    """A word is counted among those of its document while it is drawn, if it is not the only one of its topic."""

    def part(here: float, proportion: float, base: float) -> float:
        return words.part(here + 1.0 if here > 0.0 else here, proportion, base)

    return {"part": part}


# --- mistakes in who has which topic ---------------------------------------------------------------------------------


def sole_holders_as_shared() -> Names:
    """A topic that this document alone has is integrated out too, as if another had it: x* moves unnoticed."""

    def open_document(i: int, before: Holdings, log_odds: float, desk: Desk) -> None:
        one_more = desk._replace(held=desk.held + (desk.held > 0))
        documents.open_document(i, before, log_odds, one_more)

    return {"open_document": open_document}


def silence_forgotten_in_idling() -> Names:
    """π is x: that the document has no word of the topic is not held against its having it."""

    def chance_of_idling(x: float, proportion: float, log_odds: float) -> float:
        return x

    return {"chance_of_idling": chance_of_idling}


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
    """Documents that have a topic without a word of it are left out of the law of its φ."""

    def draw_proportions(
        holdings: Holdings,
        time: Integers,
        log_odds: Floats,
        shape: float,
        counts: Integers,
        phi: Floats,
        rng: Rng,
    ) -> None:
        proportions.draw_proportions(_without_idle(holdings), time, log_odds, shape, counts, phi, rng)

    return {"draw_proportions": draw_proportions}


# --- mistakes in p and η, which an enumeration with these held fixed cannot see --------------------------------------


def idle_topics_do_not_strengthen() -> Names:
    """p is drawn as if a document had only the topics of which it has words."""

    def document_strengths(holdings: Holdings, time: Integers, phi: Floats) -> Floats:
        return proportions.document_strengths(_without_idle(holdings), time, phi)

    return {"document_strengths": document_strengths}


def smoothing_without_jacobian() -> Names:
    """η walks on its logarithm, the density is not of it."""

    def update_topic_smoothing(state: TopicState, prior: Gamma, counts: TopicCounts, rng: Rng) -> MoveInfo:
        less = Gamma(prior.shape - 1.0, prior.rate)
        return smoothing.update_topic_smoothing(state, less, counts, rng)

    return {"update_topic_smoothing": update_topic_smoothing}


def _without_idle(holdings: Holdings) -> Holdings:
    """No document has an idle topic."""
    return holdings._replace(idle_start=np.zeros_like(holdings.idle_start), idle=np.empty(0, np.int64))
