"""Each layer imports only from the layers below it, and looking at the package costs no heavy import.

`python -m tests.test_layers` prints the picture of the layers that docs/architecture.md shows.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "wfibp"
PAGE = ROOT / "docs" / "architecture.md"
LAYERS = [
    "__main__",
    "cli",
    "reproduction",
    "report",
    "models",
    "posterior",
    "corpus",
    "likelihoods",
    "inference",
    "field",
    "diffusion",
    "numerics",
    "printing",
    "files",
    "checks",
    "parameters",
    "work_progress",
]
HEAVY = {"numba", "pandas", "scipy", "matplotlib", "pyarrow", "sklearn"}


def layer_of(module: str) -> str:
    """The layer of a module of the package: wfibp.field.points -> field."""
    return module.split(".")[1]


def imported_modules(source: str, public_homes: dict[str, str]) -> set[str]:
    """The modules of the package that a source imports anywhere, public names traced to their homes."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name.startswith("wfibp."))
            if any(alias.name == "wfibp" for alias in node.names):
                found.update(public_homes.values())
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the layer they reach for; write them out"
            if node.module == "wfibp":
                found.update(public_homes.get(alias.name, f"wfibp.{alias.name}") for alias in node.names)
            elif (node.module or "").startswith("wfibp."):
                found.add(str(node.module))
    found.discard("wfibp.__version__")
    return found


def upward_imports(layer: str, source: str, public_homes: dict[str, str]) -> list[str]:
    """What a source in `layer` imports from layers above it."""
    own = LAYERS.index(layer)
    return sorted(m for m in imported_modules(source, public_homes) if LAYERS.index(layer_of(m)) < own)


def public_homes() -> dict[str, str]:
    """Where each public name of the package lives."""
    import wfibp

    return wfibp._HOMES


def modules() -> list[Path]:
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


def layer_of_file(path: Path) -> str:
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def draw_layers() -> str:
    """One line per layer, from the top: its name, and the layers it imports from."""
    homes = public_homes()
    doors: dict[str, set[str]] = {layer: set() for layer in LAYERS}
    for path in modules():
        found = imported_modules(path.read_text(encoding="utf-8"), homes)
        doors[layer_of_file(path)] |= {layer_of(module) for module in found}
    rows = []
    for layer in LAYERS:
        below = [other for other in LAYERS if other in doors[layer] - {layer}]
        rows.append(f"{layer:<13}-> {', '.join(below) or 'nothing'}")
    return "\n".join(rows)


def test_the_page_on_the_architecture_shows_the_layers_as_they_are():
    assert draw_layers() in PAGE.read_text(encoding="utf-8"), "paste what `python -m tests.test_layers` prints"


def test_the_page_on_the_architecture_names_files_that_exist():
    named = re.findall(r"`((?:src|tests|docs|benchmarks|verification)/[\w/.-]+)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_source_file_belongs_to_a_layer():
    assert {layer_of_file(path) for path in modules()} <= set(LAYERS)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_imports_only_from_layers_below(path: Path):
    assert upward_imports(layer_of_file(path), path.read_text(encoding="utf-8"), public_homes()) == []


@pytest.mark.parametrize(
    "source",
    [
        "from wfibp.report.tables import field_table",
        "def later():\n    from wfibp import PoissonRandomField",
        "from wfibp import field",
        "import wfibp.models",
        "import wfibp",
    ],
)
def test_an_upward_import_is_noticed_however_it_is_written(source: str):
    assert upward_imports("diffusion", source, {"PoissonRandomField": "wfibp.field"}) != []


@pytest.mark.parametrize(
    "source", ["from wfibp import checks", "from wfibp.diffusion.lineages import q", "import numpy"]
)
def test_downward_imports_and_those_beside_are_allowed(source: str):
    assert upward_imports("diffusion", source, {"PoissonRandomField": "wfibp.field"}) == []


@pytest.mark.parametrize(
    "statement",
    [
        "import wfibp; dir(wfibp); wfibp.__version__",
        "from wfibp.cli import main; main(['--help'])",
        "from wfibp.cli import main; main(['simulate', 'allocations', '--help'])",
        "from wfibp.cli import main; main(['--version'])",
    ],
)
def test_looking_at_the_package_imports_nothing_heavy(statement: str):
    script = f"import atexit, sys\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n{statement}"
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(finished.stderr.split())
    assert "wfibp" in finished.stderr.split()


if __name__ == "__main__":
    print(draw_layers())
