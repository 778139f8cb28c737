"""Tables in files, read in chunks: which columns there are, and their rows."""

from wfibp.corpus.tables.formats import open_table
from wfibp.corpus.tables.table import Chunk, Table

__all__ = ["Chunk", "Table", "open_table"]
