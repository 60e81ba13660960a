"""How every command reads its options: one that takes a single value may stand once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand, TyperOption

from graphveil.errors import ParameterError


class Command(TyperCommand):
    """A command that refuses a repeated option rather than take the last one silently."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual, after a count of what was given."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for option, times in Counter(order).items():
            if times > 1 and isinstance(option, TyperOption) and not (option.multiple or option.is_flag):
                raise ParameterError(f"{option.opts[0]} was given {times} times; it takes one value")
        return super().parse_args(ctx, args)
