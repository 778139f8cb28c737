"""What happens around every command: version, help, one sentence for an error, exit codes."""

from __future__ import annotations

import errno
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from wfibp.cli import simulate
from wfibp.cli.command_line import remember
from wfibp.cli.demo import demo
from wfibp.cli.diagnose import diagnose
from wfibp.cli.export import export
from wfibp.cli.fit import fit
from wfibp.cli.forecast import forecast
from wfibp.cli.interrupts import INTERRUPTED, STOPPED, Stopped, interrupts_noted
from wfibp.cli.options import help_when_bare
from wfibp.cli.report import report
from wfibp.cli.reproduce import reproduce
from wfibp.cli.resume import resume
from wfibp.cli.selection import selection
from wfibp.cli.topics import topics
from wfibp.cli.transform import transform
from wfibp.cli.wording import in_options, name_options
from wfibp.parameters import sentence_of
from wfibp.printing import give_up_output, prepare_output, print_line, print_lines, visible

TROUBLE, WRONG_INPUT = 1, 2
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
RUN_WARNING = "RunWarning"  # by name: the class comes with imports that take a second
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # type: ignore[assignment]  # typer exports no more of it

app = typer.Typer(name="wfibp", pretty_exceptions_enable=False, rich_markup_mode="markdown")
for command in (demo, fit, resume, report, topics, diagnose, transform, forecast, export, selection, reproduce):
    app.command()(command)
app.add_typer(simulate.app, name="simulate")


def _print_version(wanted: bool) -> None:
    if wanted:
        import wfibp

        print_line(f"wfibp {wfibp.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _wfibp(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Count, date and follow the hidden features of time-stamped data: topics in texts, factors in measurements.

    Add `--help` to any command. Exit codes: 0 success, 1 failure, 2 wrong input, 130 stopped by Ctrl-C.

    Examples:

        wfibp demo

        wfibp fit talks.csv --text speech --time date -o run
    """
    help_when_bare(context)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave: 0 done, 1 trouble, 2 wrong input (one sentence says what), 130 interrupted."""
    prepare_output()
    code = _run(arguments)
    give_up_output()
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    """The exit code; after a Ctrl-C, whatever else went wrong because of it, there is one sentence about that."""
    with interrupts_noted() as was_interrupted:
        try:
            code = _run_command(arguments, was_interrupted)
        except Stopped as stopped:
            return _complain(str(stopped), INTERRUPTED)
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except Exception:
            if not was_interrupted():
                raise
            code = INTERRUPTED
    return _complain(STOPPED, INTERRUPTED) if code == INTERRUPTED else code


def _run_command(arguments: Sequence[str] | None, was_interrupted: Callable[[], bool]) -> int:
    """An error that the user can fix becomes one sentence, any other keeps its traceback."""
    try:
        with _notes_as_sentences():
            given = sys.argv[1:] if arguments is None else list(arguments)
            remember(given)
            name_options({})
            code = app(given, prog_name="wfibp", standalone_mode=False) or 0
            sys.stdout.flush()  # a full disk may be noticed only now
            return code
    except _UsageError as error:
        path = error.ctx.command_path if error.ctx else "wfibp"  # type: ignore[attr-defined]
        return _complain(f"{error.format_message()} See '{path} --help'.")  # type: ignore[attr-defined]
    except BrokenPipeError:  # the reader of our output has seen enough, as `head` does
        return TROUBLE
    except OSError as error:
        return _complain(_of_disk(error))
    except (ValueError, MemoryError) as error:
        return _complain(sentence_of(error) or "out of memory; ask for fewer times, paths or objects")
    except RuntimeError as error:
        return _complain_of_run(error)
    except (KeyboardInterrupt, typer.Abort, Stopped):
        raise
    except Exception as error:
        if was_interrupted():
            raise
        return _show_fault(error)


def _of_disk(error: OSError) -> str:
    """What the system says of a file, and where room is wanted, that."""
    if error.filename and error.errno in NO_ROOM:
        return f"cannot write {error.filename} ({error.strerror}); make room, or choose another folder"
    return f"{error.strerror}: {error.filename}" if error.filename else str(error)


def _complain(sentence: str, code: int = WRONG_INPUT) -> int:
    print_line(f"wfibp: {in_options(sentence)}", file=sys.stderr)
    return code


def _show_fault(error: Exception) -> int:
    """A fault of the program keeps its traceback."""
    print_lines("".join(traceback.format_exception(error)), file=sys.stderr)
    return TROUBLE


def _complain_of_run(error: RuntimeError) -> int:
    """What is wrong with a run as one sentence; a fault of the program inside a chain is trouble, not wrong input."""
    from wfibp.posterior.errors import ChainError, RunError

    if not isinstance(error, RunError):
        return _show_fault(error)
    return _complain(str(error), TROUBLE if isinstance(error, ChainError) else WRONG_INPUT)


@contextmanager
def _notes_as_sentences() -> Iterator[None]:
    """Warnings about a run are sentences on standard error; those of libraries are as ever."""
    as_ever = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if category.__name__ == RUN_WARNING:
            print_line(f"wfibp: note: {message}", file=sys.stderr)
        else:
            as_ever(visible(str(message)), category, *where, **more)

    warnings.showwarning = show  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.showwarning = as_ever
