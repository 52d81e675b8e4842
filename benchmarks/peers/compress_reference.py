"""Writes compile/testdata/memory/compress.json: a training step whose layers keep bfloat16 in place of
float32 for the backward pass, by JAX on a CPU. Package compile compares its memory policy of
Compress with it (TestCompressIsJAXs), on the step that its function layered makes.

Usage: python compress_reference.py FILE
"""

import json
import sys

import jax
import jax.numpy as jnp
import numpy as np

LAYERS, BATCH, WIDTH = 4, 32, 8


def number(shape, seed):
    """Returns numbers that float32 has exactly."""
    i = np.arange(np.prod(shape))
    return (((7 * i + 3 * i * i + seed) % 13 - 6) / 8).reshape(shape).astype(np.float32)


def layer(first, last):
    """Returns a layer whose backward pass multiplies the gradient by the square of its output."""

    def kept(v, exact):
        return v if exact else v.astype(jnp.bfloat16)

    @jax.custom_vjp
    def call(x, w):
        return jnp.tanh(x @ w)

    def forward(x, w):
        h = call(x, w)
        return h, (kept(x, first), w, kept(h, last))

    def backward(saved, g):
        x, w, h = saved
        x, h = x.astype(jnp.float32), h.astype(jnp.float32)
        e = (h * h) * g
        return e @ w.T, x.T @ e

    call.defvjp(forward, backward)
    return call


def loss(weights, x):
    for i, w in enumerate(weights):
        x = layer(i == 0, i == LAYERS - 1)(x, w)
    return 0.5 * jnp.sum(x * x)


def main():
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_default_matmul_precision", "highest")
    x = number((BATCH, WIDTH), 1)
    weights = [number((WIDTH, WIDTH), 2 + i) for i in range(LAYERS)]
    gradients = jax.jit(jax.grad(loss))(weights, x)
    results = [(w - g).ravel().tolist() for w, g in zip(weights, gradients)]
    with open(sys.argv[1], "w") as f:
        json.dump({"layers": LAYERS, "batch": BATCH, "width": WIDTH, "results": results}, f)
        f.write("\n")


main()
