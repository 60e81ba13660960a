"""Every Python block of tutorials and guides runs, page by page, and prints the text block that follows it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import graphveil as gv

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
ELSEWHERE = {"audit-your-own-mechanism.md"}  # tests/audit/test_audit_documents.py
PAGES = sorted(
    str(page.relative_to(DOCS))
    for page in (DOCS / "quick-start.md", *(DOCS / "tutorials").glob("*.md"), *(DOCS / "guides").glob("*.md"))
    if "```python\n" in page.read_text(encoding="utf-8") and page.name not in ELSEWHERE
)


@pytest.mark.parametrize("name", PAGES)
def test_python_of_a_page_prints_what_the_page_shows(name, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    gv.write_graph(gv.power_law_cluster(300, 4, 0.5, seed=1), tmp_path / "friends.txt.gz")
    module = ModuleType("__main__")  # a page's classes want a module to live in
    monkeypatch.setitem(sys.modules, "__main__", module)
    waiting = None
    for language, text in BLOCK.findall((DOCS / name).read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(text, name, "exec"), vars(module))
            waiting = capsys.readouterr().out
        elif language == "text" and waiting:
            assert waiting == text
            waiting = None
