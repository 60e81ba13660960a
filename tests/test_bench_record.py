"""Benchmarks keep ratios by commit and say what moved."""

import json

import pytest
from benchmarks import _record


@pytest.fixture
def save_at(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_record, "RECORD", tmp_path / "record.json")

    def save(commit, rows):
        monkeypatch.setattr(_record, "_commit", lambda: commit)
        return _record.save("speed", rows, {})

    return save


def test_what_moved_by_more_than_a_quarter_since_the_last_commit_is_said(save_at):
    assert save_at("a", {"reading, igraph": 10.0, "cores, igraph": 2.0}) == []
    assert save_at("b", {"reading, igraph": 7.0, "cores, igraph": 2.4}) == ["reading, igraph: 10 at a, 7 now"]
    assert save_at("b", {"reading, igraph": 9.0}) == []  # a second run of a commit goes over the first
    record = json.loads(_record.RECORD.read_text())["speed"]
    assert record["a"] == {"reading, igraph": 10.0, "cores, igraph": 2.0}
    assert record["b"] == {"reading, igraph": 9.0, "cores, igraph": 2.4}
