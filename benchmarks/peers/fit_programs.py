#!/usr/bin/env python3
"""Exports training steps whose activations take most of the memory, with their batch on a mesh of 2.

Writes compile/testdata/memory/*.mlir, which package compile makes fit into less memory.

    python benchmarks/peers/fit_programs.py [-o DIR]
"""

import argparse
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.sharding import AxisType, NamedSharding, PartitionSpec

OUT = pathlib.Path(__file__).resolve().parents[2] / "compile" / "testdata" / "memory"
MESH = jax.make_mesh((2,), ("data",), axis_types=(AxisType.Auto,))


def on(*axes):
    return NamedSharding(MESH, PartitionSpec(*axes))


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def i32(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.int32)


def sgd(loss, params, *args):
    """One step: the new parameters, which take the memory of the old ones, and the loss."""
    value, grads = jax.value_and_grad(loss)(params, *args)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


def mlp(params, x, y):
    """Twelve layers."""

    def loss(p, x, y):
        for w in p:
            x = jax.nn.gelu(x @ w)
        return jnp.mean((x - y) ** 2)

    return sgd(loss, params, x, y)


def adam(params, x, y):
    """Four layers, and two moments of each gradient."""

    def loss(p, x, y):
        for w in p:
            x = jnp.tanh(x @ w)
        return jnp.mean((x - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params["w"], x, y)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, params["m"], grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, params["v"], grads)
    w = jax.tree.map(lambda w, m, v: w - 0.01 * m / (jnp.sqrt(jnp.abs(v)) + 0.1), params["w"], m, v)
    return {"w": w, "m": m, "v": v}, value


def conv_net(params, x, y):
    """Eight convolutions, with a nonlinearity that keeps two values of each."""

    def loss(p, x, y):
        for k in p["kernels"]:
            x = lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.silu(x)
        return jnp.mean((x.mean((1, 2)) @ p["head"] - y) ** 2)

    return sgd(loss, params, x, y)


def block(p, x, heads):
    """A pre-norm block of a transformer with causal attention."""

    def norm(x):
        x = x - x.mean(-1, keepdims=True)
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)

    batch, length, dim = x.shape
    q, k, v = (jnp.einsum("btd,dhe->bthe", norm(x), p[n]) for n in "qkv")
    scores = jnp.einsum("bthe,bshe->bhts", q, k) / jnp.sqrt(dim // heads)
    mask = jnp.tril(jnp.ones((length, length), bool))
    attention = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    x = x + jnp.einsum("bhts,bshe,hed->btd", attention, v, p["o"])
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]


def transformer(params, tokens, targets, wrap=lambda f: f):
    """Four blocks."""

    def loss(p, tokens, targets):
        x = p["embedding"][tokens]
        for b in p["blocks"]:
            x = wrap(lambda b, x: block(b, x, 4))(b, x)
        logits = x @ p["embedding"].T
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1))

    return sgd(loss, params, tokens, targets)


def checkpointed(params, tokens, targets):
    """Two blocks, each in a jax.checkpoint."""
    return transformer(params, tokens, targets, jax.checkpoint)


def recurrent(params, x, y):
    """Four layers, a recurrence of 16 steps, and four layers."""

    def loss(p, x, y):
        for w in p["before"]:
            x = jax.nn.gelu(x @ w)

        def step(h, x):
            h = jnp.tanh(h @ p["w"] + x)
            return h, h

        _, x = lax.scan(step, jnp.zeros(x.shape[1:]), x)
        for w in p["after"]:
            x = jax.nn.gelu(x @ w)
        return jnp.mean((x - y) ** 2)

    return sgd(loss, params, x, y)


def residual(wrap, scan=False):
    """A step of four residual blocks, each in wrap; with scan they are the steps of a loop."""

    def block(x, p):
        return x + jax.nn.gelu(checkpoint_name(x @ p["up"], "up")) @ p["down"], None

    def step(params, x, y):
        def loss(p, x, y):
            if scan:
                x, _ = lax.scan(wrap(block), x, p)
            else:
                for i in range(4):
                    x, _ = wrap(block)(x, jax.tree.map(lambda a: a[i], p))
            return jnp.mean((x - y) ** 2)

        return sgd(loss, params, x, y)

    return step


def checkpoint(policy):
    return lambda f: jax.checkpoint(f, policy=policy)


def scanned(params, tokens, targets):
    """A scan over eight blocks."""

    def loss(p, tokens, targets):
        x = p["embedding"][tokens]
        x, _ = lax.scan(lambda x, b: (block(b, x, 4), None), x, p["blocks"])
        logits = x @ p["embedding"].T
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1))

    return sgd(loss, params, tokens, targets)


def lstm(params, x, y):
    """An LSTM of 64 steps, of which the last output is used."""

    def loss(p, x, y):
        def step(carry, x):
            h, c = carry
            i, f, g, o = jnp.split(x @ p["w"] + h @ p["u"] + p["b"], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), None

        zero = jnp.zeros(x.shape[1:])
        (h, _), _ = lax.scan(step, (zero, zero), x)
        return jnp.mean((h - y) ** 2)

    return sgd(loss, params, x, y)


DIM = 64
BLOCK = {"q": f32(DIM, 4, 16), "k": f32(DIM, 4, 16), "v": f32(DIM, 4, 16), "o": f32(4, 16, DIM), "up": f32(DIM, 4 * DIM), "down": f32(4 * DIM, DIM)}
REMAT = {
    "remat_none": residual(lambda f: f),
    "remat_nothing": residual(checkpoint(jax.checkpoint_policies.nothing_saveable)),  # the default
    "remat_dots": residual(checkpoint(jax.checkpoint_policies.dots_saveable)),
    "remat_scan_none": residual(lambda f: f, scan=True),
    "remat_scan": residual(jax.checkpoint, scan=True),
}
# JAX writes moves to the host for GPUs and TPUs only
OFFLOADED = {
    "offload_names": residual(
        checkpoint(
            jax.checkpoint_policies.save_and_offload_only_these_names(
                names_which_can_be_saved=[], names_which_can_be_offloaded=["up"], offload_src="device", offload_dst="pinned_host"
            )
        )
    ),
    "offload_dots": residual(checkpoint(jax.checkpoint_policies.offload_dot_with_no_batch_dims("device", "pinned_host"))),
}
REMAT |= OFFLOADED
for name, step in REMAT.items():
    step.__name__ = name
TRANSFORMER = {"embedding": f32(64, DIM), "blocks": [BLOCK] * 4}

STACKED = {k: f32(8, *v.shape) for k, v in BLOCK.items()}

# function, arguments, and where the axis of the batch is
PROGRAMS = [
    (mlp, ([f32(32, 32)] * 12, f32(512, 32), f32(512, 32)), 0),
    (adam, ({k: [f32(256, 256)] * 4 for k in "wmv"}, f32(512, 256), f32(512, 256)), 0),
    (conv_net, ({"kernels": [f32(3, 3, 4, 8)] + [f32(3, 3, 8, 8)] * 7, "head": f32(8, 4)}, f32(8, 16, 16, 4), f32(8, 4)), 0),
    (transformer, (TRANSFORMER, i32(16, 32), i32(16, 32)), 0),
    (checkpointed, (TRANSFORMER | {"blocks": [BLOCK] * 2}, i32(16, 32), i32(16, 32)), 0),
    *[
        (step, ({"up": f32(4, 16, 64), "down": f32(4, 64, 16)}, f32(512, 16), f32(512, 16)), 0)
        for step in REMAT.values()
    ],
    (recurrent, ({"before": [f32(32, 32)] * 4, "w": f32(32, 32), "after": [f32(32, 32)] * 4}, f32(16, 64, 32), f32(16, 64, 32)), 1),
    (scanned, (TRANSFORMER | {"blocks": STACKED}, i32(16, 32), i32(16, 32)), 0),
    (lstm, ({"w": f32(32, 128), "u": f32(32, 128), "b": f32(128)}, f32(64, 32, 32), f32(32, 32)), 1),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", type=pathlib.Path, default=OUT)
    out = parser.parse_args().o
    out.mkdir(parents=True, exist_ok=True)
    for f, args, axis in PROGRAMS:
        layouts = (jax.tree.map(lambda _: on(), args[0]),) + (on(*[None] * axis, "data"), on(*[None] * (axis if len(args[2].shape) > 2 else 0), "data"))
        # JAX names the result that takes over a donated input only if both have layouts
        results = (layouts[0], on()) if f is adam else None
        traced = jax.jit(f, in_shardings=layouts, out_shardings=results, donate_argnums=0).trace(*args)
        text = traced.lower(lowering_platforms=("cuda",) if f in OFFLOADED.values() else ("cpu",)).as_text()
        (out / f"{f.__name__}.mlir").write_text(f"// Made by fit_programs.py with JAX {jax.__version__}.\n{text}")


if __name__ == "__main__":
    main()
