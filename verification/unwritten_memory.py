"""Does any result depend on memory that was never written? Tests run on a copy in which every `np.empty` is filled.

    python -m verification.unwritten_memory [arguments of pytest]

Floats are filled with NaN, integers with numbers far out of range: whoever reads one fails, hangs or crashes. Kernels
are compiled again, which takes minutes.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
TESTS = ["tests/numerics", "tests/diffusion", "tests/field", "tests/inference", "tests/likelihoods"]
FILLS = {None: "np.nan", "float64": "np.nan", "bool_": "True", "int8": "-127"}
FAR_OUT = "-2147483000"


class FillEmpty(ast.NodeTransformer):
    """`np.empty(shape, dtype)` becomes `np.full(shape, fill, dtype)`, and the same for `np.empty_like`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name not in ("np.empty", "np.empty_like"):
            return node
        given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        dtype = ast.unparse(given[0]).rpartition(".")[2] if given else None
        fill = FAR_OUT if name == "np.empty_like" else FILLS.get(dtype, FAR_OUT)
        node.func = ast.parse("np.full_like" if name == "np.empty_like" else "np.full", mode="eval").body
        node.args.insert(1, ast.parse(fill, mode="eval").body)
        return node


def fill_every_empty(package: Path) -> int:
    """Rewrite all files of a copy of the package; the number of calls that were filled."""
    num_filled = 0
    for path in package.rglob("*.py"):
        text = path.read_text()
        if "np.empty" in text:
            num_filled += text.count("np.empty(") + text.count("np.empty_like(")
            path.write_text(ast.unparse(FillEmpty().visit(ast.parse(text))))
    return num_filled


def main(arguments: list[str]) -> int:
    with TemporaryDirectory() as folder:
        package = Path(folder) / "wfibp"
        shutil.copytree(ROOT / "src" / "wfibp", package, ignore=shutil.ignore_patterns("__pycache__"))
        print(f"{fill_every_empty(package)} calls of np.empty filled", flush=True)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, str(ROOT)])}
        command = [sys.executable, "-m", "pytest", *(arguments or TESTS)]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
