#!/usr/bin/env python3
"""Exports the program of examples/stablehlo from JAX, and the losses JAX gets.

Writes step.mlir, one training step of a small classifier as jax.jit lowers it,
and losses.json.

    python benchmarks/peers/stablehlo_example.py [-o DIR]
"""

import argparse
import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
OUT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "stablehlo"
STEPS = 10
SHAPES = {"d1_kernel": (64, 96), "d1_bias": (96,), "d2_kernel": (96, 10), "x": (40, 64), "labels": (40,)}


def step(d1_kernel, d1_bias, d2_kernel, x, labels):
    def loss(d1_kernel, d1_bias, d2_kernel):
        logits = jax.nn.relu(x @ d1_kernel + d1_bias) @ d2_kernel
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1).mean()

    params = d1_kernel, d1_bias, d2_kernel
    value, grads = jax.value_and_grad(loss, argnums=(0, 1, 2))(*params)
    return [p - 0.5 * g for p, g in zip(params, grads)], value


def elements(number, shape, dtype):
    """The example's values of an input. They are exact in both languages."""
    k = np.arange(int(np.prod(shape)))
    if dtype == jnp.int32:
        return (k * 7 % 10).astype(np.int32).reshape(shape)
    return (((k * 37 + number * 11) % 101 - 50) / 128).astype(np.float32).reshape(shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=pathlib.Path, default=OUT, help="the folder to write to")
    out = parser.parse_args().o
    args = [jax.ShapeDtypeStruct(s, jnp.int32 if name == "labels" else jnp.float32) for name, s in SHAPES.items()]
    jitted = jax.jit(step, donate_argnums=(0, 1, 2))
    text = jitted.lower(*args).as_text(debug_info=True)
    (out / "step.mlir").write_text(f"// Made by {pathlib.Path(__file__).name} with JAX {jax.__version__}.\n{text}")
    values = [elements(i, a.shape, a.dtype) for i, a in enumerate(args)]
    losses = []
    for _ in range(STEPS):
        params, value = jitted(*values)
        values[:3] = params
        losses.append(float(value))
    (out / "losses.json").write_text(json.dumps(losses) + "\n")


if __name__ == "__main__":
    main()
