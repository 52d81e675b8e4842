"""The inputs of the programs of jax_suite.py: arrays of few and exact numbers."""

import dataclasses

import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Input:
    """An array: multiples of 1/16 between low and high, or integers between them."""

    shape: tuple
    dtype: object
    low: float
    high: float
    edit: object = None  # what becomes of the drawn array

    def draw(self, rng):
        if self.dtype == np.bool_:
            out = rng.integers(0, 2, self.shape).astype(bool)
        elif np.issubdtype(self.dtype, np.integer):
            out = rng.integers(int(self.low), int(self.high) + 1, self.shape).astype(self.dtype)
        else:
            part = lambda: rng.integers(int(self.low * 16), int(self.high * 16) + 1, self.shape) / 16
            complex_numbers = np.issubdtype(self.dtype, np.complexfloating)
            out = (part() + 1j * part() if complex_numbers else part()).astype(self.dtype)
        return np.asarray(self.edit(out) if self.edit else out, self.dtype)


def F(*shape, dtype=np.float32, low=-2, high=2, edit=None):
    return Input(shape, np.dtype(dtype), low, high, edit)


def I(*shape, dtype=np.int32, low=-5, high=9, edit=None):
    return Input(shape, np.dtype(dtype), low, high, edit)


def B(*shape):
    return Input(shape, np.dtype(bool), 0, 1)


def of(dtype, *shape, low=-2, high=2):
    """An input of any type."""
    if dtype == np.bool_:
        return B(*shape)
    if np.issubdtype(dtype, np.unsignedinteger):
        return I(*shape, dtype=dtype, low=0, high=9)
    if np.issubdtype(dtype, np.integer):
        return I(*shape, dtype=dtype)
    return F(*shape, dtype=dtype, low=low, high=high)


F16, BF16, F32, F64, C64, C128 = np.float16, jnp.bfloat16, np.float32, np.float64, np.complex64, np.complex128
