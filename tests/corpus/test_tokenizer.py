"""What counts as a word, and which words are kept."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from wfibp import Corpus
from wfibp.corpus.selection import Thresholds, choose_thresholds
from wfibp.corpus.tokenizer import TOKEN_PATTERN, WordCounter, WordRules

ALL_WORDS = {"stop_words": None, "min_count": 1, "min_documents": 1, "max_share": 1.0}


def words_of(text: str, **rules) -> list[str]:
    return WordRules(**{"stop_words": None, **rules}).analyzer()(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("War and Peace", ["war", "and", "peace"]),
        ("in 1994, 50 % of 3.5 a 19th", ["in", "of"]),
        ("CO2, H1N1 and covid19", ["co2", "h1n1", "and", "covid19"]),
        ("don't isn’t CAN'T", []),
        ("we've they’ll Anna's I'm", ["we", "they", "anna"]),
        ("l'économie d’Italie", ["économie", "italie"]),
        ("_emphasis_ and snake_case", ["emphasis", "and", "snake_case"]),
        ("AI, UN; a b c", ["ai", "un"]),
        ("well-known", ["well", "known"]),
        ("Привет мир", ["привет", "мир"]),
        ("", []),
    ],
)
def test_words_are_taken_from_text_as_a_reader_would(text, expected):
    assert words_of(text) == expected


def test_case_can_be_kept_and_neighbours_joined():
    assert words_of("War and Peace", lowercase=False) == ["War", "and", "Peace"]
    assert words_of("war and peace", ngram_range=(2, 2)) == ["war and", "and peace"]


def test_stop_words_are_english_a_list_or_none():
    assert WordRules().analyzer()("the war of the worlds") == ["war", "worlds"]
    assert words_of("the war don't", stop_words=["The", "don't"]) == ["war"]
    assert words_of("the war", stop_words=[]) == ["the", "war"]


def test_an_accent_is_one_letter_however_it_is_encoded():
    corpus = Corpus.from_documents(["caf\u00e9", "cafe\u0301"], **ALL_WORDS)
    assert corpus.vocabulary == ("caf\u00e9",)
    assert corpus.num_words == 2


@given(texts=st.lists(st.text("abc de12'_", max_size=40), max_size=8))
def test_the_counts_are_those_of_scikit_learn(texts):
    counter = WordCounter(WordRules(**ALL_WORDS))
    for text in texts:
        counter.add([text])
    counts, vocabulary = counter.finish()
    try:
        reference = CountVectorizer(token_pattern=TOKEN_PATTERN)
        expected = reference.fit_transform(texts).toarray()
    except ValueError:  # no words at all
        assert counts.shape == (len(texts), 0)
        return
    assert vocabulary == tuple(reference.get_feature_names_out())
    np.testing.assert_array_equal(counts.toarray(), expected)


def test_a_given_vocabulary_keeps_its_order_and_its_unused_words():
    corpus = Corpus.from_documents(["peace war war", "love"], vocabulary=["war", "unused", "peace"])
    assert corpus.vocabulary == ("war", "unused", "peace")
    assert corpus.counts.toarray().tolist() == [[2, 0, 1], [0, 0, 0]]
    assert any("1 document without any word left" in line for line in corpus.description)


def test_thresholds_keep_words_within_their_bounds_ends_included():
    texts = ["aa bb cc dd", "aa bb cc dd dd dd", "aa bb", "aa ee ee"]
    kept = {**ALL_WORDS, "min_count": 2, "max_count": 3, "min_documents": 2, "max_share": 0.75}
    assert Corpus.from_documents(texts, **kept).vocabulary == ("bb", "cc")
    assert Corpus.from_documents(texts, **ALL_WORDS).keep_words(max_count=3).vocabulary == ("bb", "cc", "ee")


def test_small_corpora_lose_no_word_by_default():
    corpus = Corpus.from_documents(["alpha beta", "beta gamma"])
    assert corpus.vocabulary == ("alpha", "beta", "gamma")


def test_thresholds_grow_with_the_corpus_and_are_said():
    rng = np.random.default_rng(1)
    topics = [" ".join(rng.choice([f"word{c}{j}" for j in range(500)], 200)) for c in "abcd" for _ in range(100)]
    corpus = Corpus.from_documents([f"common{'' if i % 3 else ' frequent'} {t}" for i, t in enumerate(topics)])
    chosen = choose_thresholds(WordRules(), corpus.counts)
    assert chosen == Thresholds(5, None, 2, 0.5)
    assert "common" not in corpus.vocabulary
    assert "frequent" in corpus.vocabulary
    (line,) = [line for line in corpus.description if "min_count" in line]
    assert "at least 5 times (min_count)" in line
    assert "at most 50% of them (max_share)" in line


def test_in_long_documents_common_words_are_spared_until_enough_are_left():
    texts = [" ".join(f"word{(i + j) % 40}" for j in range(30)) for i in range(40)]  # every word in 3 of 4 documents
    corpus = Corpus.from_documents(texts)
    assert len(corpus.vocabulary) == 40
    assert any("at most 80% of them" in line for line in corpus.description)


@pytest.mark.parametrize(
    ("rules", "fragment"),
    [
        ({"min_count": 0}, "min_count must be at least 1"),
        ({"min_documents": 1.5}, "min_documents must be a whole number"),
        ({"max_share": 0}, "max_share must be greater than 0"),
        ({"max_share": 50}, "max_share must lie between 0 and 1"),
        ({"stop_words": "french"}, "stop_words must be 'english', a list of words or None, got 'french'"),
        ({"ngram_range": 2}, "ngram_range must be two whole numbers"),
        ({"ngram_range": (0, 1)}, "ngram_range must be two whole numbers"),
        ({"ngram_range": (2, 1)}, "must not decrease"),
        ({"vocabulary": []}, "at least one word"),
        ({"vocabulary": ["war", "war"]}, "each word once, got 'war' 2 times"),
        ({"vocabulary": "war"}, "must be a list of words"),
        ({"min_count": 100}, "no word is left of 3"),
        ({"token_pattern": "("}, "token_pattern must be a regular expression"),
        ({"token_pattern": "(a)(b)"}, "token_pattern must be a regular expression"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rules, fragment):
    with pytest.raises(ValueError, match=re.escape(fragment)):
        Corpus.from_documents(["alpha beta", "beta gamma"], **rules)


def test_an_option_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(TypeError, match=r"'stopwords' is not an option.*stop_words"):
        Corpus.from_documents(["alpha beta", "beta gamma"], stopwords=None)
