"""Compiled kernels whose compiler is only loaded when one of them is first called.

numba takes over a second to import, so a module that defines kernels must not import it: `graphveil --help`
would wait for a compiler it never uses. `@kernel` marks a plain function of arrays and numbers; its first call
loads numba and compiles it, without the interpreter lock and cached on disk. Kernels may call other kernels.

numba's disk cache notices a change in the file that holds a kernel, not in the files of kernels it calls:
delete `__pycache__` after such an edit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function compiled at its first call; reads as the function itself."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.python = function
        update_wrapper(self, function)

    @cached_property
    def compiled(self) -> Any:
        """The numba dispatcher."""
        from numba import njit

        return njit(nogil=True, cache=True)(self.python)

    @property
    def _numba_type_(self) -> Any:
        """How numba sees this object when another kernel calls it."""
        return self.compiled._numba_type_

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function."""
        result: R = self.compiled(*args, **kwargs)
        return result


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function of arrays and numbers for compilation at its first call."""
    return Kernel(function)
