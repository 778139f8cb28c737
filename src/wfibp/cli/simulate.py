"""`wfibp simulate`: draw from a diffusion, a random field or an Indian buffet, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from wfibp.cli.options import Destination, help_when_bare, takes_options
from wfibp.cli.output import deliver, working
from wfibp.cli.parsing import parse_counts, parse_times

app = typer.Typer(invoke_without_command=True, rich_markup_mode="markdown")

TIMES_HELP = "Times in diffusion units: start:stop:step with the stop included, or a list such as 0,0.5,2."
Alpha = Annotated[float, typer.Option(help="Mass α of the random field: an object has α/β features on average.")]
Beta = Annotated[float, typer.Option(help="Concentration β of the random field: the larger, the rarer each feature.")]


@app.callback()
def _simulate(context: typer.Context) -> None:
    """Draw from a diffusion, a Poisson random field or an Indian buffet, without a time-discretisation error."""
    help_when_bare(context)


@dataclass(frozen=True)
class DiffusionOptions:
    """What `wfibp simulate diffusion` asks for."""

    mu: Annotated[
        float, typer.Option(help="Mutation rate μ away from 0; with 0, a path that reaches 0 stays there.")
    ] = 0.0
    beta: Annotated[
        float, typer.Option(help="Mutation rate β away from 1; with 0, a path that reaches 1 stays there.")
    ] = 1.0
    start: Annotated[float, typer.Option(help="Where every path starts, from 0 to 1.")] = 0.5
    times: Annotated[str, typer.Option(help=TIMES_HELP)] = "0:1:0.01"
    num_paths: Annotated[int, typer.Option(min=1, help="Number of paths.")] = 5
    method: Annotated[
        str, typer.Option(help="exact, or split-step: the approximation of Dangerfield et al. (2012).")
    ] = "exact"
    step: Annotated[
        float | None, typer.Option(help="Time step, for --method split-step alone.", show_default="0.001")
    ] = None


@app.command()
@takes_options
def diffusion(options: DiffusionOptions, destination: Destination) -> None:
    """Paths of one Wright–Fisher diffusion WF(μ, β).

    The table has one row for each path at each time, with columns **path**, **time** and **frequency**; paths are
    numbered from 0. Without --output and --plot a summary is printed.

    Examples:

        wfibp simulate diffusion --mu 1 --beta 1 --num-paths 200 --plot paths.png

        wfibp simulate diffusion --start 0.02 --times 0,0.12,1,10 --num-paths 1000 -o paths.parquet
    """
    destination.check()
    times = parse_times(options.times)

    import numpy as np

    from wfibp import WrightFisher
    from wfibp.report.diffusion_figure import diffusion_figure
    from wfibp.report.summaries import summarise_diffusion
    from wfibp.report.tables import paths_table

    process = WrightFisher(options.mu, options.beta, method=options.method, step=options.step)
    with working():
        paths = process.draw_path(np.full(options.num_paths, options.start), times, rng=destination.chosen_seed)
    deliver(
        destination,
        table=lambda: paths_table("path", paths, times),
        figure=lambda: diffusion_figure(paths, times),
        summary=lambda: summarise_diffusion(paths, times),
    )


@dataclass(frozen=True)
class FieldOptions:
    """What `wfibp simulate field` asks for."""

    alpha: Alpha = 1.0
    beta: Beta = 1.0
    times: Annotated[str, typer.Option(help=TIMES_HELP)] = "0:1:0.01"
    level: Annotated[
        float, typer.Option(help="Draw every feature whose probability reaches this level, in (0, 1), at some time.")
    ] = 0.01
    scale: Annotated[str, typer.Option(help="Vertical axis of the figure: square-root, log or linear.")] = "square-root"


@app.command()
@takes_options
def field(options: FieldOptions, destination: Destination) -> None:
    """Features of a Poisson random field PRF(α, β): born, popular for a while, extinct.

    The table has one row for each feature at each time, with columns **feature**, **time** and **frequency** (0 before
    birth and after death); features are numbered from 0. Without --output and --plot a summary is printed.

    Examples:

        wfibp simulate field --alpha 2 --times 0:1:0.005 --level 0.02 --plot field.svg

        wfibp simulate field --times 0,0.1 --level 0.01 --seed 1 -o field.csv
    """
    destination.check()
    times = parse_times(options.times)

    from wfibp import PoissonRandomField
    from wfibp.report.field_figure import field_figure
    from wfibp.report.style import check_scale
    from wfibp.report.summaries import summarise_field
    from wfibp.report.tables import paths_table

    check_scale(options.scale)
    process = PoissonRandomField(options.alpha, options.beta)
    with working():
        frequencies = process.draw_paths(times, options.level, rng=destination.chosen_seed)
    deliver(
        destination,
        table=lambda: paths_table("feature", frequencies, times),
        figure=lambda: field_figure(frequencies, times, options.level, options.scale),
        summary=lambda: summarise_field(frequencies, times, options.level),
    )


@dataclass(frozen=True)
class AllocationsOptions:
    """What `wfibp simulate allocations` asks for."""

    alpha: Alpha = 1.0
    beta: Beta = 1.0
    times: Annotated[str, typer.Option(help=TIMES_HELP)] = "0:1:0.1"
    objects: Annotated[
        str, typer.Option(help="Number of objects: one for all times (20) or one for each (20,5,0).")
    ] = "20"
    num_features: Annotated[
        int | None,
        typer.Option(min=1, help="Draw from the truncation with this many features instead.", show_default="unbounded"),
    ] = None


@app.command()
@takes_options
def allocations(options: AllocationsOptions, destination: Destination) -> None:
    """Which objects have which features, over time: the Wright–Fisher Indian buffet process.

    The table has one row for each feature of each object at each time, with columns **time**, **object**, **feature**,
    **frequency** (the probability of the feature at that time) and **active** (whether the object has it); objects are
    numbered from 0 within a time, features from 0. A time without objects has no rows.
    In pandas, `table.pivot(index=["time", "object"], columns="feature", values="active")` gives the matrices.
    Without --output and --plot a summary is printed.

    Examples:

        wfibp simulate allocations --alpha 3 --times 0:2:0.1 --objects 20 --plot allocations.png

        wfibp simulate allocations --times 0,0.5,2 --objects 10,20,5 --num-features 30 -o allocations.csv
    """
    destination.check()
    times = parse_times(options.times)
    num_objects = parse_counts("--objects", options.objects)

    from wfibp import PoissonRandomField
    from wfibp.report.allocations_figure import allocations_figure
    from wfibp.report.summaries import summarise_allocations
    from wfibp.report.tables import allocations_table

    unbounded = PoissonRandomField(options.alpha, options.beta)
    process = unbounded if options.num_features is None else unbounded.truncate(options.num_features)
    with working():
        drawn = process.draw_allocations(times, num_objects, rng=destination.chosen_seed)
    expected = unbounded.expected_num_features(times, num_objects) if options.num_features is None else None
    deliver(
        destination,
        table=lambda: allocations_table(drawn),
        figure=lambda: allocations_figure(drawn),
        summary=lambda: summarise_allocations(drawn, expected),
    )
