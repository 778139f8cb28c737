"""How many words a second does a whole sweep of the topic model draw, next to tomotopy's LDA and HDP and gensim's LDA?

python -m benchmarks topics       # the ratios, on the NIPS papers of 1987–2003 (see `nips`)
python -m benchmarks.topics       # how the time of a sweep grows with the corpus, from 10⁵ to 10⁷ simulated words
"""

from __future__ import annotations

import time

import numpy as np
from scipy import sparse

from benchmarks.nips import as_bags, as_texts, read_nips
from benchmarks.table import Row, format_time
from benchmarks.timing import seconds_each
from wfibp import Corpus, DynamicTopicModel
from wfibp.inference.setup import Chain

SMOOTHING = 0.01  # η, for all alike
FIRST_SWEEPS = 200  # from words assigned at random, until most words stay where they are, as in most sweeps of a fit
ROUNDS, SWEEPS_A_ROUND = 6, 8  # paths are drawn every eight sweeps
SIZES = (100_000, 1_000_000, 10_000_000)


def rows() -> list[Row]:
    """Full sweeps at 50 and 200 topics next to LDA, unbounded next to HDP, variational LDA; two threads next to one."""
    import tomotopy

    corpus = read_nips()
    texts = as_texts(corpus)
    lda = {k: _trained(tomotopy.LDAModel(k=k, alpha=0.1, eta=SMOOTHING, seed=1), texts) for k in (50, 200)}
    hdp = _trained(tomotopy.HDPModel(initial_k=150, alpha=0.1, gamma=1.0, eta=SMOOTHING, seed=1), texts)
    found = [_next_to(corpus, {"num_topics": k}, f"LDA of tomotopy, {k} topics", lda[k], at_least)
             for k, at_least in ((50, 1.5), (200, 3.0))]  # fmt: skip
    found.append(_next_to(corpus, {"initial_topics": 150}, "HDP of tomotopy", hdp, 4.0))
    return [*found, _next_to_gensim(corpus), _two_threads(corpus)]


def _next_to(corpus: Corpus, settings: dict[str, object], name: str, peer: object, at_least: float) -> Row:
    chain = make_chain(corpus, **settings)
    jobs = {"ours": lambda: sweep(chain, SWEEPS_A_ROUND), "theirs": lambda: _train(peer, SWEEPS_A_ROUND)}
    seconds = seconds_each(jobs, ROUNDS, time.process_time)
    each = SWEEPS_A_ROUND * chain.likelihood.data.words.size
    what = f"a word of a sweep, {chain.state.num_features} topics"
    return Row(what, seconds["ours"] / each, name, seconds["theirs"] / each, at_least)


def _next_to_gensim(corpus: Corpus) -> Row:
    """A pass of online variational Bayes, which needs fewer of them than a Gibbs sampler needs sweeps."""
    from gensim.models import LdaModel

    chain = make_chain(corpus, num_topics=50)
    bags, names = as_bags(corpus), dict(enumerate(corpus.vocabulary))
    model = LdaModel(id2word=names, num_topics=50, eta=SMOOTHING, random_state=1)
    jobs = {"ours": lambda: sweep(chain, SWEEPS_A_ROUND), "theirs": lambda: model.update(bags)}
    seconds, num_words = seconds_each(jobs, 1, time.process_time), chain.likelihood.data.words.size
    ours, theirs = seconds["ours"] / SWEEPS_A_ROUND / num_words, seconds["theirs"] / num_words
    return Row("a word of a sweep, 50 topics", ours, "a pass of gensim's LDA, 50 topics", theirs, 1.0)


def _two_threads(corpus: Corpus) -> Row:
    """The sampler on threads: two of them next to one, by the clock on the wall."""
    chains = {n: make_chain(corpus, num_topics=50, word_sampler="threaded", num_threads=n) for n in (1, 2)}
    seconds = seconds_each({str(n): lambda chain=chain: sweep(chain, SWEEPS_A_ROUND) for n, chain in chains.items()}, ROUNDS)  # fmt: skip # noqa: E501
    return Row("a threaded sweep, two threads", seconds["2"], "one thread", seconds["1"], 1.6)


def _trained(model: object, texts: list[list[str]]) -> object:
    for text in texts:
        model.add_doc(text)
    _train(model, FIRST_SWEEPS)
    return model


def _train(model: object, num_sweeps: int) -> None:
    import tomotopy

    model.train(num_sweeps, workers=1, parallel=tomotopy.ParallelScheme.NONE)


def make_chain(corpus: Corpus, **settings: object) -> Chain:
    """A chain past its first sweeps, all else as by default."""
    model = DynamicTopicModel(topic_smoothing=SMOOTHING, **settings)
    chain = model.start_chain(model.check_data(corpus), np.random.SeedSequence(1))
    sweep(chain, FIRST_SWEEPS)
    return chain


def sweep(chain: Chain, num_sweeps: int) -> None:
    """That many whole sweeps."""
    for _, _ in zip(range(num_sweeps), chain.sweeps(), strict=False):
        pass


def simulate_corpus(num_words: int, num_topics: int = 50, num_times: int = 20) -> Corpus:
    """Documents of about 300 words from topics over 3000 words; two topics in three are there at a time."""
    rng = np.random.default_rng(3)
    num_documents, vocabulary_size = max(num_times, num_words // 300), 3_000
    topics = rng.dirichlet(np.full(vocabulary_size, 0.02), num_topics)
    alive = rng.random((num_times, num_topics)) < 0.67
    times = np.arange(num_documents) * num_times // num_documents
    rows = []
    for t in times:
        shares = rng.dirichlet(np.full(num_topics, 0.1)) * alive[t] + 1e-12
        rows.append(sparse.csr_array(rng.multinomial(300, shares / shares.sum() @ topics)))
    return Corpus.from_counts(sparse.vstack(rows), times.astype(float), [f"word{j}" for j in range(vocabulary_size)])


def main() -> None:
    """Print the time of a sweep by the size of the corpus, and the power with which it grows."""
    words, seconds = [], []
    for size in SIZES:
        chain = make_chain(simulate_corpus(size), num_topics=50)
        taken = seconds_each({"sweep": lambda chain=chain: sweep(chain, SWEEPS_A_ROUND)}, 2, time.process_time)
        words.append(chain.likelihood.data.words.size)
        seconds.append(taken["sweep"] / SWEEPS_A_ROUND)
        each = 1e9 * seconds[-1] / words[-1]
        print(f"{words[-1]:>12,} words  {format_time(seconds[-1]):>8} a sweep  {each:.1f} ns a word")
    print(f"the time grows as words to the power {np.polyfit(np.log(words), np.log(seconds), 1)[0]:.2f}")


if __name__ == "__main__":
    main()
