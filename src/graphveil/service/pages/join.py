"""The page on which a person answers: one file, the same for everybody, that needs nothing else.

Its parts are scripts without imports, put one after the other into the page. The invitation's token stands after the #
of its address and never reaches this server's log; the friend list never leaves the page. Texts are in `messages`, one
file a language. The policy that goes with the
page lets it talk to this collector only (with two servers, to the second one too) and run nothing but the script whose
hash is named.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import lru_cache
from importlib.resources import files

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from graphveil.service.pages.render import FOLDER, SAFE, PageRoute, see_other
from graphveil.service.routes.parts import CampaignId

router = APIRouter(route_class=PageRoute, include_in_schema=False)
LANGUAGES = ("en", "zh")
# the first of them need no page
CALCULATING = (
    *("language", "arithmetic", "sha256", "noise", "degrees", "pairs", "triangles", "joint", "question", "classes"),
    *("suggestions", "campaign"),
    *("two_servers/seal", "two_servers/terms"),
)
TALKING = ("diary", "api", "friends", "answers", "consent", "visit")
TALKING_TO_TWO = ("two_servers/consent", "two_servers/servers", "two_servers/visit")
SCRIPTS = (*CALCULATING, *TALKING, *TALKING_TO_TWO, "join")


@router.get("/")
def start() -> Response:
    """Whoever comes without an invitation is taken for an operator."""
    return see_other("/operator")


@router.get("/join/{campaign_id}")
def join(campaign_id: CampaignId) -> Response:  # noqa: ARG001 - the page reads its own address
    """The web page on which a person takes part."""
    return serve_page()


def serve_page(other_server: str = "") -> Response:
    """The page; it may talk to the server that it came from, and to one other where a campaign has two."""
    policy = _policy(f"'self' {other_server}".strip())
    return HTMLResponse(_page(), headers=SAFE | {"Content-Security-Policy": policy, "Cache-Control": "no-cache"})


def script(*, parts: tuple[str, ...] = SCRIPTS) -> str:
    """The page's script, or some parts of it."""
    sources = [(FOLDER / "browser" / f"{part}.js").read_text(encoding="utf-8") for part in parts]
    return f'"use strict";\nconst MESSAGES = {json.dumps(messages())};\n' + "\n".join(sources)


def messages() -> dict[str, dict[str, str]]:
    """The texts of the page in each language, by their keys."""
    places = {name: FOLDER / "browser" / "messages" / f"{name}.json" for name in LANGUAGES}
    return {name: json.loads(place.read_text(encoding="utf-8")) for name, place in places.items()}


@lru_cache(maxsize=1)
def _page() -> str:
    frame = (FOLDER / "browser" / "join.html").read_text(encoding="utf-8")
    return frame.replace("/*STYLE*/", _style()).replace("/*SCRIPT*/", script())


def _style() -> str:
    """What all pages and reports share, then what the pages of a collector add."""
    shared = files("graphveil.display").joinpath("static", "style.css")
    return shared.read_text(encoding="utf-8") + (FOLDER / "static" / "pages.css").read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def _policy(talks_to: str) -> str:
    nothing = "; ".join(f"{kind} 'none'" for kind in ("default-src", "base-uri", "form-action", "frame-ancestors"))
    return (
        f"{nothing}; connect-src {talks_to}; img-src data:; script-src {_hash(script())}; style-src {_hash(_style())}"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
