"""What README shows is what happens."""

import re
import shlex
from pathlib import Path

import pytest

import graphveil as gv
from commands import Commands

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    return [text for name, text in fenced if name == language]


def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = blocks("python")
    assert len(example.strip().splitlines()) <= 13
    assert "ledger=" in example  # what is spent must be recorded from the first line on
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "0.5-differential privacy for one edge, central model" in printed
    assert "left: 1.5" in printed
    assert "│ degree ┆ value" in printed


def test_the_chinese_readme_shows_the_same_example_and_links_lead_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    chinese = (ROOT / "README.zh.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", chinese, flags=re.MULTILINE | re.DOTALL)
    exec(compile(example, "README.zh.md", "exec"), {})
    assert "0.5-differential privacy for one edge, central model" in capsys.readouterr().out
    for target in re.findall(r"\]\(([^)#:]+)\)", chinese):
        assert (ROOT / target).exists(), target


def shown_commands() -> list[str]:
    text = "\n".join(blocks("")).replace("\\\n", " ")
    return [line.partition("#")[0].strip() for line in text.splitlines() if line.startswith("graphveil ")]


def test_the_commands_run_in_order(tmp_path: Path, commands: Commands) -> None:
    assert len(shown_commands()) >= 4
    gv.write_graph(gv.power_law_cluster(300, 4, 0.5, seed=1), tmp_path / "friends.txt.gz")
    for command in shown_commands():
        done = commands.run(shlex.split(command)[1:], tmp_path)
        assert done.returncode == 0, (command, done.stderr)


def test_the_two_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
