"""The page: everything a run found in one HTML file that needs nothing else."""

from wfibp.report.page.document import write_page

__all__ = ["write_page"]
