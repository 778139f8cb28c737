"""How is the page put together and written?

Charts are drawn in the browser by a few hundred lines of our own, as SVG: plotly would do more than is needed and add
more than 4 MB to every page, where a page of ours, data and all, weighs some 100 to 800 kB.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from wfibp.files import replace_file
from wfibp.posterior import Posterior
from wfibp.printing import visible
from wfibp.report.page.content import page_content

SCRIPTS = (
    *("dom", "scales", "state", "labels"),
    *("compare", "cursor", "curves", "lifelines", "documents", "cards", "search", "prevalence", "method"),
    "main",
)
# What could end the element or the line that data stand in, or begin another.
UNSAFE = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def write_page(posterior: Posterior, path: str | Path, *, command: str | None = None) -> None:
    """Write the page about a run: one self-contained HTML file.

    Parameters
    ----------
    posterior : Posterior
        The posterior.
    path : str or Path
        Where to write it.
    command : str, default=None
        The command that made the run, to be shown; None shows the one that the run recorded.
    """
    page = render_page(page_content(posterior, command))
    with replace_file(Path(path)) as file:
        file.write(page.encode("utf-8"))


def render_page(content: dict[str, Any]) -> str:
    """The page as text."""
    style, script, content = _read("page.css"), _script(), made_visible(content)
    return Template(_read("page.html")).substitute(
        title=escape(content["title"]),
        headline=escape(content["headline"]),
        policy=f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        data=encode_data(content),
    )


def made_visible(content: Any) -> Any:
    """The same with every text as a reader should see it: without control characters, none that turns it round."""
    if isinstance(content, str):
        return visible(content, keep="\n\t")
    if isinstance(content, dict):
        return {made_visible(name): made_visible(item) for name, item in content.items()}
    return [made_visible(item) for item in content] if isinstance(content, list | tuple) else content


def encode_data(content: dict[str, Any]) -> str:
    """JSON that can stand in a script element whatever the texts in it are."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(UNSAFE)


def _script() -> str:
    """The parts in order, in a scope of their own."""
    parts = "\n".join(_read(f"script/{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();'


def _read(name: str) -> str:
    return files("wfibp.report.page").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """By which a browser knows the one script and the one style that the page may use."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
