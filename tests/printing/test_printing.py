"""Whatever text comes from outside is shown on a terminal and never obeyed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from wfibp.printing import print_json, print_line, print_lines, visible
from wfibp.printing.rich_console import plain_text, rich_console

SOURCE = Path(__file__).resolve().parents[2] / "src" / "wfibp"
HOSTILE = "\x1b[31mred\x1b]0;title\x07 \x9b2J \u202eabc \udcff \x7f back\b\r[bold]m[/] :smile:"
SHOWN = r"\x1b[31mred\x1b]0;title\x07 \x9b2J \u202eabc \udcff \x7f back\x08\r[bold]m[/] :smile:"


def test_control_characters_are_written_as_python_writes_them():
    assert visible(HOSTILE) == SHOWN
    assert visible("a\nb\tc\u2028d") == r"a\nb\tc\u2028d"
    assert visible("a\nb", keep="\n") == "a\nb"


@pytest.mark.parametrize(
    "text", ["Größe", "नमस्ते", "می\u200cخواهم", "👩\u200d🔬", "non\u00a0breaking", "co\u00adoperate", "–"]
)
def test_words_of_all_languages_stay_as_they_are(text):
    assert visible(text) == text


def test_a_line_breaks_only_at_its_ends(capsys):
    print_line("\nname 'a\nwfibp: all is well'\n")
    print_line("\n")
    print_line()
    assert capsys.readouterr().out == "\nname 'a\\nwfibp: all is well'\n\n\n\n\n"


def test_errors_go_to_standard_error_line_by_line(capsys):
    print_lines("Traceback\n  \x1b[2J\n", file=sys.stderr)
    assert capsys.readouterr().err == "Traceback\n  \\x1b[2J\n"


def test_json_stays_valid_and_means_the_same(capsys):
    content = {"name": HOSTILE, "bidi\u2066": ["\u2028", "Größe", "\U000e0001"]}
    print_json(content)
    printed = capsys.readouterr().out
    assert json.loads(printed) == content
    assert "Größe" in printed
    assert printed.replace("\n", "").isprintable()


def test_a_table_shows_hostile_cells_and_headers_and_keeps_its_columns_in_line(capsys):
    table = Table(HOSTILE, "number", box=None)
    table.add_row(HOSTILE, "1")
    table.add_row(Text(HOSTILE), "2")
    rich_console(width=400).print(table)
    printed = capsys.readouterr().out
    assert printed.count(SHOWN) == 2
    assert printed.replace("\n", "").isprintable()
    header, first, _ = printed.splitlines()
    assert header.index("number") == first.rindex("1")


def test_a_console_shows_segments_whoever_made_them(capsys):
    class Renderable:
        def __rich_console__(self, *_):
            yield Segment("\x1b[2J")

    rich_console(width=80).print(Renderable())
    assert capsys.readouterr().out.strip() == r"\x1b[2J"


def test_a_sign_of_life_reads_no_markup():
    with rich_console(to_stderr=True).status(plain_text("Writing [/oops] \x1b[2J")):
        pass


def test_nothing_else_prints():
    elsewhere = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _prints(node.func) and path.parent.name != "printing"
    ]
    assert elsewhere == []


def _prints(function: ast.expr) -> bool:
    name = ast.unparse(function)
    return name in ("print", "Console", "rich.print") or name.endswith(("stderr.write", "stdout.write"))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_the_encoding_of_the_terminal_lacks_is_escaped(encoding):
    script = "from wfibp.printing import *; prepare_output(); print_line('\\u03b1 \\u2026 \\udcff')"
    command = [sys.executable, "-X", "utf8=0", "-c", script]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == r"\u03b1 \u2026 \udcff"
