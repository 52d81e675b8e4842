#!/usr/bin/env python3
"""Exports programs with layouts from JAX, as StableHLO text.

Writes compile/testdata/jax/*.mlir: a train step, a recurrence, a convolution
and a mix of rarer ops, each with pinned inputs on a mesh of 4x2. The test
compile/jax_test.go compiles them and compares the mesh with one device.

    python benchmarks/peers/compile_programs.py [-o DIR]
"""

import argparse
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec

OUT = pathlib.Path(__file__).resolve().parents[2] / "compile" / "testdata" / "jax"
MESH = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def on(*axes):
    return NamedSharding(MESH, PartitionSpec(*axes))


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def train_step(params, x, y):
    """A two-layer perceptron, its gradients and one step of SGD."""

    def loss(p):
        h = jax.nn.relu(x @ p["w1"] + p["b1"])
        h = lax.with_sharding_constraint(h, on("data", "model"))
        logits = jax.nn.log_softmax(h @ p["w2"] + p["b2"])
        return -jnp.mean(jnp.sum(logits * y, -1))

    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


def recurrence(w, xs):
    """A while loop with a captured weight."""

    def step(h, x):
        h = jnp.tanh(h @ w + x)
        return h, h

    h, hs = lax.scan(step, jnp.zeros(xs.shape[1:]), xs)
    return h, hs.sum(0)


def convolution(kernel, x):
    """A convolution, a pooling, and the gradient of a strided convolution."""
    dims = ("NHWC", "HWIO", "NHWC")

    def conv(k, stride):
        return lax.conv_general_dilated(x, k, (stride, stride), "SAME", dimension_numbers=dims)

    pooled = lax.reduce_window(conv(kernel, 1), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jax.grad(lambda k: (conv(k, 2) ** 2).sum())(kernel), pooled


def rarer_ops(x, i):
    """Sorting, look-ups, random bits, a branch, a scan and a transform."""
    rows = i % x.shape[0]
    return (
        *lax.top_k(x, 3),
        jnp.sort(x, axis=-1),
        jnp.argmax(x, -1),
        x[rows],
        jnp.zeros_like(x).at[rows].add(1.0),
        jax.random.uniform(jax.random.key(1), (16, 8)),
        lax.cond(x[0, 0] > 0, lambda x: x * 2, lambda x: x - 1, x),
        jnp.cumsum(x, 0),
        jnp.fft.rfft(x).real,
    )


PARAMS = {"w1": f32(64, 32), "b1": f32(32), "w2": f32(32, 10), "b2": f32(10)}
PARAM_LAYOUTS = {"w1": on(None, "model"), "b1": on("model"), "w2": on("model", None), "b2": on()}

PROGRAMS = [
    (train_step, (PARAMS, f32(16, 64), f32(16, 10)), (PARAM_LAYOUTS, on("data"), on("data"))),
    (recurrence, (f32(16, 16), f32(5, 8, 16)), (on(None, "model"), on(None, "data"))),
    (convolution, (f32(3, 3, 4, 8), f32(8, 8, 8, 4)), (on(None, None, None, "model"), on("data"))),
    (rarer_ops, (f32(16, 8), jax.ShapeDtypeStruct((6,), jnp.int32)), (on("data", "model"), on())),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=pathlib.Path, default=OUT)
    out = parser.parse_args().o
    out.mkdir(parents=True, exist_ok=True)
    for function, args, layouts in PROGRAMS:
        text = jax.jit(function, in_shardings=layouts).lower(*args).as_text()
        (out / f"{function.__name__}.mlir").write_text(f"// Made by compile_programs.py with JAX {jax.__version__}.\n{text}")


if __name__ == "__main__":
    main()
