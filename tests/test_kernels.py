"""Kernels are compiled once, and again when anything they are made of has changed."""

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import graphveil.graph.pairs as module
from graphveil import kernels
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.graph.statistics.clustering import capped_class_sums
from graphveil.graph.statistics.components import exact_components
from graphveil.graph.statistics.cores import exact_core_numbers
from graphveil.graph.statistics.degrees import exact_degree_products, neighbour_degree_sums
from graphveil.graph.statistics.pareto_pairs import heaviest_pair, neighbour_front, star_front
from graphveil.graph.statistics.triangles import exact_triangles_per_node
from graphveil.kernels import Kernel, LightKernel, kernel, light_kernel, light_kernel_of
from graphveil.mechanisms.noise.bernoulli import flip_exp_coins, flip_odds
from graphveil.mechanisms.noise.bulk import bulk_discrete_gaussian, bulk_discrete_laplace, bulk_geometric
from graphveil.mechanisms.noise.source import SeededNoise

GRAPH = power_law_cluster(150, 4, 0.6, seed=3)
HUB = Graph.from_edges([(0, friend) for friend in range(1, 301)] + [(1, 2), (2, 3)])  # no byte holds its degree
CLASSES, CAPS = np.arange(GRAPH.n_nodes) % 2, np.array([1, 2, 9])
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


def no_place(*_: object) -> None:
    raise RuntimeError("cannot cache function: no locator available")


def test_a_kernel_runs_where_nothing_can_be_written(monkeypatch) -> None:
    """As under an account of its own, with the package in a folder of root's and no home."""

    monkeypatch.setattr("numba.core.caching.FunctionCache.__init__", no_place)

    def double(number):
        return 2 * number

    assert kernel(double)(21) == 42


LIGHT = {
    "triangles": lambda: exact_triangles_per_node(GRAPH),
    "components": lambda: exact_components(GRAPH).labels,
    "cores": lambda: exact_core_numbers(GRAPH),
    "degree products": lambda: exact_degree_products(GRAPH),
    "neighbour degrees": lambda: neighbour_degree_sums(GRAPH),
    "pairs in common": lambda: neighbour_front(GRAPH),
    "pairs by degree": lambda: star_front(GRAPH),
    "heaviest pair": lambda: heaviest_pair(GRAPH, GRAPH.degrees**2, np.arange(GRAPH.n_nodes)),
    "heaviest pair with a hub": lambda: heaviest_pair(HUB, np.arange(302) ** 2, np.arange(302)),
    "pairs in common with a hub": lambda: neighbour_front(HUB),
    "pairs by degree with a hub": lambda: star_front(HUB),
    "clustering": lambda: capped_class_sums(GRAPH, CLASSES, 0 * CLASSES, 0 * CLASSES + 2, CAPS),
    "geometric": lambda: bulk_geometric(SeededNoise(1), Fraction(1, 7), 300),
    "Laplace": lambda: bulk_discrete_laplace(SeededNoise(2), Fraction(2**49 - 1, 2**50), 300),
    "Gaussian": lambda: bulk_discrete_gaussian(SeededNoise(3), Fraction(91, 2), 100),
    "coins": lambda: flip_exp_coins(SeededNoise(4), np.arange(200), Fraction(1, 30)),
    "odds": lambda: flip_odds(SeededNoise(5), Fraction(3, 2), 200),
}


@pytest.fixture
def no_compiler(monkeypatch):
    """As in a process that has not loaded numba; compiling is an error."""

    def refuse(self: Kernel) -> None:
        pytest.fail(f"{self.__name__} was compiled")

    monkeypatch.setattr(kernels, "compiler_is_loaded", lambda: False)
    monkeypatch.setattr(LightKernel, "seconds", -100.0)
    monkeypatch.setattr(kernels, "MANY", 10**6)
    return lambda: monkeypatch.setattr(Kernel, "compiled", property(refuse))


@pytest.mark.parametrize("name", LIGHT)
def test_light_kernels_give_the_same_as_python_and_compiled(name, no_compiler, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(kernels, "compiler_is_loaded", lambda: True)
        compiled = LIGHT[name]()
    no_compiler()
    assert np.array_equal(LIGHT[name](), compiled)


def test_a_light_kernel_is_compiled_for_many_entries_and_after_much_time(no_compiler, monkeypatch):
    def total(values):
        return values.sum()

    few, many = np.ones(3), np.ones(kernels.FEW + 1)
    light = light_kernel(total)
    assert light(few) == 3
    assert "compiled" not in vars(light)
    assert light(many) == len(many)
    assert "compiled" in vars(light)
    later = light_kernel(total)
    monkeypatch.setattr(LightKernel, "seconds", 2 * kernels.PATIENCE)
    assert later(few) == 3
    assert "compiled" in vars(later)


def test_a_light_kernel_of_many_steps_is_compiled(no_compiler):
    def total(values):
        return values.sum()

    values = np.ones(3)
    for steps in (kernels.MANY, kernels.MANY + 1):
        light = light_kernel_of(lambda _, steps=steps: steps)(total)
        assert light(values) == 3
        assert ("compiled" in vars(light)) == (steps > kernels.MANY)


@pytest.mark.parametrize(("seconds", "words"), [(0.0, 1), (1e9, 0)])
def test_whoever_waits_for_the_compiler_is_told_once(seconds, words, monkeypatch):
    monkeypatch.setattr("numba.core.caching.FunctionCache.__init__", no_place)  # or it may be read from disk
    monkeypatch.setattr(kernels, "WORTH_A_WORD", seconds)
    said = []
    monkeypatch.setattr(Kernel, "waiting", [lambda: said.append("compiling")])
    for _ in range(2):
        kernel(lambda number: 2 * number)(21)
    assert len(said) == words
