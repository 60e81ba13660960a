"""Open every page of the documentation site in a browser and report what is wrong with it.

    make docs && python tools/docs_check.py

Every page is opened from the disk, wide and as narrow as a telephone. Prints which pages log an error, ask another
server for something, fail to load a part or are wider than the window, and checks that search finds a word.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SITE = ROOT / "site"
WIDE, NARROW = (1280, 820), (390, 760)


def main() -> None:
    sys.path.insert(0, str(ROOT / "tests" / "service"))
    from chromium import Browser

    browser, found = Browser(), 0
    try:
        tab = browser.open()
        pages = sorted(set(SITE.rglob("*.html")) - {SITE / "404.html"})  # which only a server shows
        for window in (WIDE, NARROW):
            tab.resize(*window)
            for page in pages:
                browser.said.clear()
                tab.go(page.as_uri())
                for complaint in complaints(tab, browser.said):
                    found += 1
                    print(f"{page.relative_to(SITE)} at {window[0]} pixels: {complaint}")
        print(f"{len(pages)} pages at two widths, {found} complaints")
        tab.resize(*WIDE)
        tab.go((SITE / "index.html").as_uri())
        search(tab, "triangles")
    finally:
        browser.close()
    sys.exit(bool(found))


def complaints(tab: Any, events: list[dict[str, Any]]) -> list[str]:
    """What is wrong with the page that is open."""
    told = [f"logs {e['params']['entry']['text']}" for e in events if e.get("method") == "Log.entryAdded"]
    told += ["fails to load a part" for e in events if e.get("method") == "Network.loadingFailed"]
    asked = [e["params"]["request"]["url"] for e in events if e.get("method") == "Network.requestWillBeSent"]
    told += [f"asks for {url}" for url in asked if not url.startswith(("file:", "data:", "blob:"))]
    over = tab.run("document.documentElement.scrollWidth - innerWidth")
    return told + ([f"is {over} pixels too wide"] if over > 0 else [])


def search(tab: Any, word: str) -> None:
    """Type a word where search is, and wait for pages that hold it."""
    tab.run("document.head.insertAdjacentHTML('beforeend', '<style>* {transition: none !important}</style>')")
    tab.run("document.querySelector('[data-md-component=search-query]').focus()")
    tab.call("Input.insertText", text=word)
    tab.wait("document.querySelectorAll('.md-search-result__item').length")


if __name__ == "__main__":
    main()
