"""What happens around every command: version, help, one sentence for an error, exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from wfibp.cli import simulate
from wfibp.cli.options import help_when_bare

WRONG_INPUT, INTERRUPTED = 2, 130  # 130 = 128 + SIGINT, as shells report it
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # type: ignore[assignment]  # typer exports no more of it

app = typer.Typer(name="wfibp", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")
app.add_typer(simulate.app, name="simulate")


def _print_version(wanted: bool) -> None:
    if wanted:
        import wfibp

        print(f"wfibp {wfibp.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _wfibp(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Count, date and follow the hidden features of time-stamped data.

    Today: exact simulation. Start with `wfibp simulate field`, and add `--help` to any command.
    """
    help_when_bare(context)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave: 0 done, 2 wrong input (one sentence says what), 130 interrupted."""
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    """The exit code; an error that the user can mend becomes one sentence, any other keeps its traceback."""
    try:
        return app(arguments, prog_name="wfibp", standalone_mode=False) or 0
    except _UsageError as error:
        path = error.ctx.command_path if error.ctx else "wfibp"  # type: ignore[attr-defined]
        return _complain(f"{error.format_message()} See '{path} --help'.")  # type: ignore[attr-defined]
    except OSError as error:
        return _complain(f"{error.strerror}: {error.filename}" if error.filename else str(error))
    except (ValueError, MemoryError) as error:
        return _complain(str(error) or "out of memory; ask for fewer times, paths or objects")
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED


def _complain(sentence: str) -> int:
    print(f"wfibp: {sentence}", file=sys.stderr)
    return WRONG_INPUT
