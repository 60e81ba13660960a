"""Names for the array types that are used everywhere."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

AnyArray: TypeAlias = NDArray[Any]
AnyIntegers: TypeAlias = NDArray[np.signedinteger[Any]]
Integers: TypeAlias = NDArray[np.int64]
SmallIntegers: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]
Bits: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]
