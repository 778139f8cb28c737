"""A real browser for tests: Chromium without a window, which notes all that a page does beside being shown."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str:
    """Its path; a test that needs it fails without, for a page nobody has looked at is not tested."""
    chosen = os.environ.get("CHROMIUM")
    for name in (chosen,) if chosen else CHROMIUM:
        if path := shutil.which(name):
            return path
    pytest.fail(
        "the page is tested in Chromium, and none was found; install it (Debian, Ubuntu: apt-get install chromium; "
        "macOS: brew install --cask chromium), or say where it is: CHROMIUM=/path/to/chromium make test",
        pytrace=False,
    )


@dataclass
class Visit:
    """A page that is open, and what it did."""

    page: Any
    address: str
    complaints: list[str] = field(default_factory=list)  # console errors and warnings, exceptions, dialogs
    requests: list[str] = field(default_factory=list)

    def count(self, selector: str) -> int:
        """Elements that match and are shown."""
        return self.page.locator(f"{selector}:visible").count()

    def text(self, selector: str) -> str:
        """Of the first element that matches."""
        return self.page.locator(selector).first.inner_text()


@contextmanager
def visiting(browser: Any, path: Path, width: int = 1280, height: int = 800, **options: Any) -> Iterator[Visit]:
    """Open a file; at the end the page must not have complained, nor asked for anything but itself."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    visit = Visit(context.new_page(), path.resolve().as_uri())
    visit.page.set_default_timeout(5_000)
    visit.page.on("console", lambda message: visit.complaints.append(f"{message.type}: {message.text}"))
    visit.page.on("pageerror", lambda error: visit.complaints.append(f"exception: {error}"))
    visit.page.on("dialog", lambda dialog: (visit.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    visit.page.on("request", lambda request: visit.requests.append(request.url))
    try:
        visit.page.goto(visit.address)
        yield visit
        assert visit.complaints == []
        assert {url.partition("#")[0] for url in visit.requests} == {visit.address}
    finally:
        context.close()
