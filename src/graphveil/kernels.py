"""Compiled kernels whose compiler is only loaded when one of them is first called.

numba takes over a second to import, so a module that defines kernels must not import it: `graphveil --help`
would wait for a compiler it never uses. `@kernel` marks a plain function of arrays and numbers; its first call
loads numba and compiles it, without the interpreter lock and cached on disk. Kernels may call other kernels.

numba's disk cache notices a change in the file that holds a kernel, not in what the kernel takes from other files. So
the files of the kernels it calls, and the constants it uses, are made part of what the cache compares. What cannot be
compared that way, such as an array of a module or a kernel reached as `module.kernel`, is refused at the first call.

Loading numba and the first kernels takes half a second, as long as everything else that a question about a few hundred
people needs. So `@light_kernel` marks kernels whose work is in proportion to their arguments, about: they run as plain
Python as long as arguments are small, with the same result (tests/test_kernels.py), until numba is there or so much
time has gone into them that it pays to load it. `@light_kernel_of(steps)` marks kernels of more work,
whose steps are computed from their arguments.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dis import get_instructions
from functools import cached_property, update_wrapper
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

FEW = 5_000  # entries of the longest argument
MANY = 100_000  # steps of about half a microsecond
PATIENCE = 0.2  # seconds in which kernels run as Python
WORTH_A_WORD = 1.0  # seconds of compiling


class Kernel(Generic[P, R]):
    """A function compiled at its first call; reads as the function itself.

    What is in `waiting` is called once, when numba has compiled for a second rather than read from disk.
    """

    waiting: ClassVar[list[Callable[[], None]]] = []

    def __init__(self, function: Callable[P, R]) -> None:
        self.python = function
        update_wrapper(self, function)

    @cached_property
    def compiled(self) -> Any:
        """The function as numba compiles it, with its cache on disk, or without one where nothing can be written."""
        from numba import njit

        while Kernel.waiting:
            _call_after_a_second(Kernel.waiting.pop())
        dispatcher: Any
        try:
            dispatcher = njit(nogil=True, cache=True)(self.python)
        except RuntimeError:  # neither the package's folder nor the user's own can be written: compile in each process
            dispatcher = njit(nogil=True)(self.python)
        dependencies = self.dependencies()
        cache = getattr(dispatcher._cache, "_cache_file", None)  # None without a cache
        if cache is not None:
            cache._source_stamp = (cache._source_stamp, dependencies)
        return dispatcher

    def dependencies(self) -> tuple[str, ...]:
        """Return what the compiled code depends on besides its own file: constants, and the files of called kernels."""
        import numpy as np

        found: dict[str, str] = {}
        waiting, seen = [self.python], {self.python}
        while waiting:
            function = waiting.pop()
            for name in _names_of_globals(function):
                value = function.__globals__.get(name, np)  # a name that is no global is one of Python's own
                if isinstance(value, Kernel):
                    if value.python not in seen:
                        waiting.append(value.python)
                        seen.add(value.python)
                        file = Path(value.python.__code__.co_filename).stat()
                        found[f"{value.__module__}.{name}"] = f"{file.st_mtime_ns} {file.st_size}"
                elif isinstance(value, int | float | tuple | np.generic):
                    found[f"{function.__module__}.{name}"] = repr(value)
                elif value is not np:
                    raise TypeError(
                        f"kernel {function.__module__}.{function.__name__} uses {name}; a kernel may use numpy, "
                        "numbers and other kernels by their own names: pass arrays as arguments, import single kernels"
                    )
        return tuple(f"{name} {found[name]}" for name in sorted(found))

    @property
    def _numba_type_(self) -> Any:
        """How numba sees this object when another kernel calls it."""
        return self.compiled._numba_type_

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function; the first call compiles it or loads it from disk."""
        result: R = self.compiled(*args, **kwargs)
        return result


class LightKernel(Kernel[P, R]):
    """A kernel that runs as Python on small arguments while no compiler is loaded."""

    seconds: ClassVar[float] = 0.0  # spent so far
    nested: ClassVar[threading.local] = threading.local()

    def __init__(self, function: Callable[P, R], steps: Callable[..., int] | None = None) -> None:
        super().__init__(function)
        self.steps = steps

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function as Python, or compiled; what it calls runs in the same way."""
        if hasattr(self.nested, "inside"):
            return self.python(*args, **kwargs)
        if compiler_is_loaded() or LightKernel.seconds > PATIENCE or self._takes_long(*args, **kwargs):
            return super().__call__(*args, **kwargs)
        self.nested.inside, start = True, perf_counter()
        try:
            return self.python(*args, **kwargs)
        finally:
            del self.nested.inside
            LightKernel.seconds += perf_counter() - start

    def _takes_long(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether the function would take much longer as Python than loading the compiler takes."""
        if max(map(_entries, args), default=0) > FEW:
            return True
        return self.steps is not None and self.steps(*args, **kwargs) > MANY


def _call_after_a_second(say: Callable[[], None]) -> None:
    from numba.core.event import TimingListener, register

    listener: Any = TimingListener()  # type: ignore[no-untyped-call]
    ended = listener.on_end
    left = [say]

    def on_end(event: Any) -> None:
        ended(event)
        if left and listener.done and listener.duration > WORTH_A_WORD:
            left.pop()()

    listener.on_end = on_end
    register("numba:compile", listener)  # type: ignore[no-untyped-call]


def compiler_is_loaded() -> bool:
    """Whether something has imported numba, so that the first compiled kernel costs little."""
    return "numba" in sys.modules


def _entries(argument: object) -> int:
    return int(getattr(argument, "size", 0))


def _names_of_globals(function: Callable[..., Any]) -> set[str]:
    """The names that a function takes from its module, or from Python itself."""
    return {str(step.argval) for step in get_instructions(function) if step.opname == "LOAD_GLOBAL"}


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a function of arrays and numbers for compilation at its first call."""
    return Kernel(function)


def light_kernel(function: Callable[P, R]) -> LightKernel[P, R]:
    """Mark a kernel whose work is in proportion to its arguments, about, and whose sums do not depend on rounding."""
    return LightKernel(function)


def light_kernel_of(steps: Callable[..., int]) -> Callable[[Callable[P, R]], LightKernel[P, R]]:
    """Mark a kernel that takes about `steps(*arguments)` steps, which may be many more than there are entries."""
    return lambda function: LightKernel(function, steps)
