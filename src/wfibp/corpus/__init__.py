"""Text and files: dated documents in, counts of words on a clock out."""

from wfibp.corpus.calendars import Calendar
from wfibp.corpus.corpus import Corpus
from wfibp.corpus.tokenizer import WordRules

__all__ = ["Calendar", "Corpus", "WordRules"]
