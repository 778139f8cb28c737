"""Tables in files, read in pieces: which columns there are, and their rows."""

from wfibp.corpus.tables.opening import open_table
from wfibp.corpus.tables.table import Piece, Table

__all__ = ["Piece", "Table", "open_table"]
