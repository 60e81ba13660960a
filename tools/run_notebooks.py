"""Run the notebooks of examples/ and store what they show, without Jupyter.

`python tools/run_notebooks.py` runs all and writes their outputs; tests/docs/test_notebooks.py runs them and writes
nothing. A notebook runs in an empty folder. What a cell prints, and what its last line gives, become its outputs: HTML
where the object shows itself so, a picture for matplotlib's axes, else text.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"


def notebooks() -> list[Path]:
    """The notebooks, by name."""
    return sorted(EXAMPLES.glob("*.ipynb"))


def run(path: Path) -> dict[str, Any]:
    """The notebook with fresh outputs; an error in a cell is raised."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
            for number, cell in enumerate(code, 1):
                cell["outputs"], cell["execution_count"] = _outputs("".join(cell["source"]), names, number), number
        finally:
            os.chdir(before)
    return notebook


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)  # the notebooks are our own
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)  # type: ignore[attr-defined]
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        outputs.append(
            {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": _shown(value)}
        )
    return outputs


def _shown(value: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        shown["text/html"] = str(value._repr_html_()).splitlines(keepends=True)
    elif hasattr(value, "get_figure"):
        picture = io.BytesIO()
        value.get_figure().savefig(picture, format="png", dpi=80, metadata={"Software": None})
        shown["image/png"] = base64.b64encode(picture.getvalue()).decode()
    return shown


def main() -> None:
    """Run the notebooks that are named, or all."""
    import matplotlib as mpl

    mpl.use("Agg")
    for path in [Path(name).resolve() for name in sys.argv[1:]] or notebooks():
        print(path.name, file=sys.stderr)
        path.write_text(json.dumps(run(path), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
