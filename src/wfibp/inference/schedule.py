"""How often is each move tried, and why? The one place for these numbers.

None of them changes the posterior: they share the time of a sweep among the moves. Three commands show what they do:
`python -m benchmarks.moves` prints how often each move is tried and accepted, and its time;
`python -m benchmarks moves` fails if the moves of many words or whole rows take more than a quarter of a sweep;
`python -m verification.starts` (documents) and `python -m verification.feature_starts` (measurements) run chains from
different starts, which have to agree on K: verification/results/starts.md has what they found.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """Periods in sweeps, shares of sweeps, documents or words, and numbers of tries."""

    # All models ------------------------------------------------------------------------------------------------------
    # Sweeps from one draw of all paths and hyper-parameters, with the paths integrated out, to the next; and of those,
    # the draws from one move of whole features, which integrates them out too, to the next.
    path_period: int = 1
    draws_per_whole_feature_move: int = 1

    # Whole features while a chain warms up (`verification.starts`) ---------------------------------------------------
    # First part of the warm-up in which whole features are moved without regard to balance; in the rest the chain
    # settles under the exact moves.
    warmup_only_share: float = 0.5
    # Path periods without such moves at the very start: until then features are what the random start made of them.
    periods_to_form: int = 5

    # Measurements (`verification.feature_starts`) --------------------------------------------------------------------
    # Probability that rows of Z are drawn in a sweep, and of how many objects then: tabulating the rates of histories
    # takes most of the time, whatever the number of objects, so they are drawn rarely and many at once.
    row_probability: float = 0.25
    row_objects: int = 24
    # Searches for a better start go evenly over one part in so many of the warm-up, so that the rest can settle.
    search_part: int = 3

    # Topics: a sweep -------------------------------------------------------------------------------------------------
    # Words move slowly: paths drawn in every sweep would be drawn in vain. `python -m benchmarks.whole_sweeps` shows
    # its share of a sweep and the effective draws of time_scale.
    topic_path_period: int = 4
    topic_draws_per_whole_feature_move: int = 2
    # Sweeps from one draw of φ, γ, p and η to the next: they follow the words.
    parameter_period: int = 2
    # Steps of the random walk of γ in each such sweep: each costs next to nothing.
    shape_steps: int = 5
    # Documents of which many words are moved at once, before single words are: at most this share in a sweep, and less
    # where a document has more than 100 words, so that about 10 words per document are weighed whatever its length.
    rearranged_share: float = 0.1
    rearranged_words: int = 10
    # Of the two ways to do that, open a topic or close one: each is the other's way back.
    open_probability: float = 0.5
    # On threads: the share of documents that go first, with the topics' words integrated out. That is where topics are
    # born, and what no second thread makes faster.
    first_share: float = 0.0625

    # Topics: splits and merges, every path period --------------------------------------------------------------------
    # One try per so many words of the corpus, up to a limit: the cost of a try is bounded, that of a sweep grows with
    # the corpus. More are allowed in the first part of the warm-up, when most are accepted.
    words_per_split: int = 4_000
    most_splits: int = 13
    most_warmup_splits: int = 32
    # A try is a split with this probability, else a merge: a merge that is refused costs less.
    split_probability: float = 0.25
    # The partner of a merge is the topic of any word, rather than of an equal word, with this probability: topics that
    # share words are worth merging, yet every pair must be possible.
    any_partner_probability: float = 0.1
    # A move of more than this share of the corpus is tried as much more rarely as it is larger, which bounds the
    # expected cost of a try; in warm-up, larger ones.
    split_share_of_corpus: float = 0.02
    warmup_share_of_corpus: float = 0.05
    warmup_split_share_of_corpus: float = 0.2
    # Passes over the documents before the one that counts, and how many of them keep documents whole; one of these is
    # chosen at random. None finds the two halves of one topic again; four find what separates two topics in one, by
    # words alone or first by documents.
    split_passes: tuple[tuple[int, int], ...] = ((0, 0), (0, 0), (4, 0), (4, 2))
    # In the first part, one topic in so many is tried to be dissolved into the others.
    topics_per_dissolution: int = 2

    # Topics: those of a single document, every path period after the first part ---------------------------------------
    # Documents tried, as a share of all where they have at most so many words; fewer where they have more.
    single_document_share: float = 0.33
    single_document_words: float = 200.0
    fewest_single_document_tries: int = 16
    most_single_document_tries: int = 2_048
    # Four tries in five are for such a topic to come and one for one to go: there are many documents to come to and few
    # such topics, so that a try to go finds each of them often enough. The acceptance ratio accounts for it.
    birth_probability: float = 0.8


SCHEDULE = Schedule()
