"""Kernels are compiled once, and again when anything they are made of has changed."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import graphveil.graph.pairs as module
from graphveil.kernels import kernel

ARRAY = np.arange(3)
INNER = (
    "import numpy as np\nfrom graphveil.kernels import kernel\n"
    "SIZE = {size}\n@kernel\ndef inner(x):\n    return x + {add}\n"
)
OUTER = (
    "from graphveil.kernels import kernel\nfrom first import SIZE, inner\n"
    "@kernel\ndef middle(x):\n    return inner(x)\n@kernel\ndef outer(x):\n    return middle(x) * SIZE\n"
)


def answer(folder: Path) -> int:
    code = "import second; print(second.outer(1), second.outer.compiled.stats.cache_hits.total())"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    shown = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return tuple(map(int, shown.stdout.split()))


def test_a_change_in_a_called_kernel_or_a_constant_of_another_file_is_compiled(tmp_path):
    (tmp_path / "second.py").write_text(OUTER)
    (tmp_path / "first.py").write_text(INNER.format(size=10, add=1))
    assert answer(tmp_path) == (20, 0)
    assert answer(tmp_path) == (20, 1)  # from the disk
    (tmp_path / "first.py").write_text(INNER.format(size=10, add=22))
    assert answer(tmp_path) == (230, 0)
    (tmp_path / "first.py").write_text(INNER.format(size=11, add=22))
    assert answer(tmp_path) == (253, 0)
    (tmp_path / "first.py").write_text(INNER.format(size="np.int64(11)", add=22))
    assert answer(tmp_path)[0] == 253
    (tmp_path / "first.py").write_text(INNER.format(size="np.int64(12)", add=22))
    assert answer(tmp_path) == (276, 0)


def read_array(i):
    return ARRAY[i]


def call_through_module(i):
    return module.has_pair(i)


def square_root(x):
    return np.sqrt(float(x))


@pytest.mark.parametrize(("function", "name"), [(read_array, "ARRAY"), (call_through_module, "module")])
def test_what_the_cache_cannot_compare_is_refused(function, name):
    with pytest.raises(TypeError, match=f"uses {name}; a kernel may use numpy, numbers and other kernels"):
        kernel(function)(1)


def test_numpy_and_python_need_no_comparison():
    assert kernel(square_root).dependencies() == ()


def test_a_kernel_runs_where_nothing_can_be_written(monkeypatch) -> None:
    """As under an account of its own, with the package in a folder of root's and no home."""

    def no_place(*_: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr("numba.core.caching.FunctionCache.__init__", no_place)

    def double(number):
        return 2 * number

    assert kernel(double)(21) == 42
