import numpy as np
import pytest

from graphveil.anonymity.key import read_key, write_key
from graphveil.errors import GraphFormatError
from graphveil.graph.core import Graph

ORIGINAL = Graph.from_edges([(0, 1), (1, 2)], labels=["ann", "bob", "cy, jr"])
PUBLISHED = Graph.from_edges([(0, 2), (1, 2)], n_nodes=3)
KEY = np.array([2, 0, 1])


def test_a_key_comes_back(tmp_path):
    write_key(tmp_path / "key.csv", KEY, published=PUBLISHED, original=ORIGINAL)
    assert read_key(tmp_path / "key.csv", published=PUBLISHED, original=ORIGINAL).tolist() == KEY.tolist()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "line 1"),
        ("a,b\n", "line 1"),
        ("published,original\n0,ann\n1,zoe\n", "line 3"),
        ("published,original\n0,ann\n1,bob\n", "leaves out 1"),
        ("published,original\n0,ann,x\n", "line 2"),
    ],
)
def test_a_damaged_key_is_refused_with_its_line(tmp_path, text, hint):
    (tmp_path / "key.csv").write_text(text)
    with pytest.raises(GraphFormatError, match=hint):
        read_key(tmp_path / "key.csv", published=PUBLISHED, original=ORIGINAL)
