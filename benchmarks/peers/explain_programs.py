#!/usr/bin/env python3
"""Exports programs with layouts and locations from JAX, as StableHLO text.

Writes compile/explain/testdata/*.mlir: an embedding with its gradient, and a
training step with a scan, a function that is called twice and JAX's locations
(debug_info), of which many ops share a line. The tests of compile/explain follow
their values through the compiler.

    python benchmarks/peers/explain_programs.py [-o DIR]
"""

import argparse
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec

OUT = pathlib.Path(__file__).resolve().parents[2] / "compile" / "explain" / "testdata"
MESH = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def on(*axes):
    return NamedSharding(MESH, PartitionSpec(*axes))


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def embedding(table, head, tokens):
    """Looks tokens up in a table, and trains the table and the head."""

    def loss(p):
        x = p[0][tokens]
        x = lax.with_sharding_constraint(x, on("data", None, "model"))
        return jnp.mean(jax.nn.logsumexp(x @ p[1], -1))

    value, grads = jax.value_and_grad(loss)((table, head))
    return jax.tree.map(lambda p, g: p - 0.1 * g, (table, head), grads), value


def located(params, x):
    """A recurrence between two calls of one function, and its gradient."""

    @jax.jit
    def layer(w, h): return jnp.tanh(h @ w) * 2 + h

    def loss(p):
        h = layer(p["w1"], x); h = layer(p["w2"], h)
        h, _ = lax.scan(lambda h, _: (jnp.sin(h @ p["w3"]), None), h, None, length=3)
        return jnp.mean(lax.with_sharding_constraint(h, on("data", None)) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=pathlib.Path, default=OUT)
    out = parser.parse_args().o
    out.mkdir(parents=True, exist_ok=True)
    weights = {k: on(None, "model") for k in ("w1", "w2", "w3")}
    for fn, args, shardings in [
        (embedding, (f32(64, 32), f32(32, 48), jax.ShapeDtypeStruct((16, 8), jnp.int32)), (on("model", None), on(None, "model"), on("data", None))),
        (located, ({k: f32(128, 128) for k in weights}, f32(64, 128)), (weights, on("data", None))),
    ]:
        text = jax.jit(fn, in_shardings=shardings).lower(*args).as_text(debug_info=fn is located)
        text = text.replace(str(pathlib.Path(__file__).resolve().parents[2]) + "/", "")
        (out / (fn.__name__ + ".mlir")).write_text(text)


main()
