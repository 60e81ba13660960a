"""A figure as one page: the picture, and beside it what the paper states about it and what came out here."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

from graphveil.evaluation.statements import DEPENDS, NOT_REPRODUCED, NOT_TESTED, REPRODUCED, Statement

STYLE = """
body { font-family: sans-serif; margin: 1.5rem auto; max-width: 78rem; padding: 0 1rem; color: #222; }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
figure, section { flex: 1 1 26rem; margin: 0; min-width: 0; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { border-bottom: 1px solid #ccc; padding: .4rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
.yes { color: #00664b; } .no { color: #a33c00; } .open { color: #00507d; }
td:last-child { font-weight: bold; white-space: nowrap; }
@media print { main { display: block; } }
"""
CLASSES = {REPRODUCED: "yes", NOT_REPRODUCED: "no", DEPENDS: "open", NOT_TESTED: "open"}


def figure_page(title: str, picture: bytes, statements: Sequence[Statement]) -> str:
    """The page as HTML that needs no other file."""
    image = base64.b64encode(picture).decode("ascii")
    rows = "".join(
        f"<tr><td>{escape(each.paper)}</td><td>{escape(each.ours)}</td>"
        f'<td class="{CLASSES[each.verdict]}">{escape(each.verdict)}</td></tr>'
        for each in statements
    )
    table = (
        f"<section><h2>What the paper states, and what this run gives</h2><table><thead><tr><th>paper</th>"
        f"<th>here</th><th>verdict</th></tr></thead><tbody>{rows}</tbody></table></section>"
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><title>{escape(title)}</title><style>{STYLE}</style></head>'
        f'<body><h1>{escape(title)}</h1><main><figure><img alt="{escape(title)}" src="data:image/png;base64,{image}">'
        f"</figure>{table if statements else ''}</main></body></html>\n"
    )
