"""How the tests call the command: in this process, as a shell would."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wfibp.cli import main


class Finished(NamedTuple):
    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Finished:
    """Exit code and what was printed."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as leaving:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return Finished(int(leaving.value.code or 0), out, err)
