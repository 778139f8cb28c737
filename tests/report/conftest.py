"""One browser for all tests of pages."""

from __future__ import annotations

import matplotlib as mpl
import pytest

from tests.report.browser import find_chromium

mpl.use("Agg")


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find_chromium())
        yield running
        running.close()
