"""Where the page of an algorithm is, how it is loaded and what its head says: one loader for every table of algorithms.

A row of a table names its page as `module:Class` inside a home (`graphveil.local`). Rows that another package adds have
that package as their home. A page is loaded only when asked for, so that listing names costs nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Generic, TypeVar

from graphveil.errors import ParameterError, unknown_name

HEADER_KEYS = ("Paper", "Unit", "Trust", "Guarantee", "Estimator", "Cost", "Differs")
OWN = "graphveil"

PageType = TypeVar("PageType")
Built = TypeVar("Built", bound=Any)


class Located(Generic[PageType]):
    """What every row of a table can do, given its fields `home` and `location`."""

    __slots__ = ()
    home: str
    location: str

    @property
    def page(self) -> type[PageType]:
        """The page's class."""
        _, _, name = self.location.partition(":")
        page: type[PageType] = getattr(import_module(self.module), name)
        return page

    @property
    def module(self) -> str:
        """The module that holds the page."""
        module, _, _ = self.location.partition(":")
        return ".".join(filter(None, (self.home, module)))

    @property
    def package(self) -> str:
        """The other package that brought this row; empty for our own."""
        return foreign_package(self.module)

    @property
    def document(self) -> str:
        """The docstring of the page's module, with its keyed head."""
        return inspect.getdoc(inspect.getmodule(self.page)) or ""

    @property
    def header(self) -> dict[str, str]:
        """The keyed lines of that docstring."""
        return parse_header(self.document)


def check_options(owner: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a public parameter that an algorithm does not have."""
    for name in sorted(set(given) - set(known)):
        raise unknown_name("option", name, known, where=f"of {owner}")


def marked(row: Located[Any], page: Built) -> Built:
    """A page that was built for a row; a plug-in's may not pass for one that was reviewed here."""
    if page.guarantee.package != row.package:
        raise ParameterError(
            f"the guarantee of {row.location} hides that it came with package {row.package}: write it as "
            f"`replace(super().guarantee, …)`, or give it package={row.package!r}"
        )
    return page


def proof_of(page: type[Any]) -> str:
    """The module whose docstring proves what a page promises."""
    return page.__module__.removeprefix(f"{OWN}.")


def foreign_package(module: str) -> str:
    """The package a module belongs to; empty for our own."""
    package, _, _ = module.partition(".")
    return "" if package == OWN else package


def parse_header(docstring: str) -> dict[str, str]:
    """Keyed lines (`Paper  …`) of a page's docstring; indented lines continue the one before."""
    header: dict[str, str] = {}
    key = None
    for line in docstring.splitlines():
        word, _, rest = line.partition(" ")
        if word in HEADER_KEYS:
            key = word
            header[key] = rest.strip()
        elif key and line.startswith(" "):
            header[key] += " " + line.strip()
        else:
            key = None
    return header
