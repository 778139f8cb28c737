"""Every command explains itself."""

from __future__ import annotations

import pytest

import wfibp
from tests.cli.command import run


@pytest.mark.parametrize("arguments", [[], ["--help"], ["simulate"], ["simulate", "--help"]])
def test_a_group_shows_what_it_offers(capsys, arguments):
    finished = run(capsys, *arguments)
    assert finished.code == 0
    assert "simulate" in finished.out


@pytest.mark.parametrize("command", ["diffusion", "field", "allocations"])
def test_a_command_explains_its_table_and_shows_examples(capsys, command):
    printed = run(capsys, "simulate", command, "--help").out
    for word in ("--seed", "--output", "--plot", "--overwrite", "Examples", "columns", "frequency"):
        assert word in printed


def test_the_version_is_the_packages(capsys):
    assert run(capsys, "--version").out == f"wfibp {wfibp.__version__}\n"
