"""What drawing paths under selection needs beyond messages: the functions of the basis on panels (see `panels`)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from wfibp.checks import Floats
from wfibp.diffusion.path_tables import PathTables, tabulate_paths
from wfibp.diffusion.selection.basis import SelectionBasis
from wfibp.diffusion.selection.tables import SelectionTables
from wfibp.diffusion.spectral import tabulate_spectrum


class SelectionPaths(NamedTuple):
    """What drawing paths needs beyond messages."""

    panels: PathTables  # the functions φ_n in the place of polynomials
    rotation: Floats  # (polynomials, D)
    tilt: Floats  # (D,) see `SelectionBasis`
    survival: Floats  # (D,)


def tabulate_selection_paths(basis: SelectionBasis, tables: SelectionTables) -> SelectionPaths:
    """The panels of a neutral path, fine enough for densities that selection makes as narrow as |σ| more objects do."""
    size, widest = basis.eigenvalues.size, tables.decay.shape[1]
    spectrum = tabulate_spectrum(tables.mu, tables.beta, tables.gaps, tables.num_objects)
    sharper = tables.num_objects + math.ceil(abs(tables.sigma))
    panels = tabulate_paths(spectrum._replace(degree=tables.degree, num_objects=sharper, unseen=np.zeros((1, size))))
    width = panels.decay.shape[1]
    layout, blocks, begin = panels.layout.copy(), [], 0
    for number in np.unique(layout[:, :, 0]):
        here = layout[:, :, 0] == number
        entry, points = layout[here][0, 2:]
        polynomials = panels.by_degree[entry : entry + width * points].reshape(width, points)
        blocks.append((basis.rotation[:, :widest].T @ polynomials[:size]).ravel())
        layout[here, 2] = begin
        begin += blocks[-1].size
    panels = panels._replace(layout=layout, by_degree=np.concatenate(blocks))
    return SelectionPaths(
        panels, np.ascontiguousarray(basis.rotation[:, :widest]), basis.tilt[:widest], basis.survival[:widest]
    )
