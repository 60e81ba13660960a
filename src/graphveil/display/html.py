"""Small pieces of HTML for notebooks: a titled table of facts, escaped, that reads in light and dark themes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_TITLE = "font-weight:600;margin:0 0 .3em"
_CELL = "text-align:left;padding:.15em .8em .15em 0;vertical-align:top;border:0;background:none"


def card(title: str, facts: Sequence[tuple[str, str]], *, figure: str = "", notes: Sequence[str] = ()) -> str:
    """A title over a table with a row for each fact, then a figure (SVG text of this package) and notes.

    >>> "3 &lt; 4" in card("Graph", [("people", "3 < 4")])
    True
    """
    rows = "".join(
        f'<tr><th scope="row" style="{_CELL}">{escape(name)}</th><td style="{_CELL}">{escape(text)}</td></tr>'
        for name, text in facts
    )
    under = "".join(f'<p style="margin:.3em 0;opacity:.8">{escape(text)}</p>' for text in notes)
    return f'<div><p style="{_TITLE}">{escape(title)}</p><table>{rows}</table>{figure}{under}</div>'


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain table with a header, escaped."""
    head = "".join(f'<th scope="col" style="{_CELL}">{escape(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
