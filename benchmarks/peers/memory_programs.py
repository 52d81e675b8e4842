#!/usr/bin/env python3
"""Exports programs of many kinds from JAX, with layouts on a mesh of 2x4.

Writes benchmarks/memory/testdata/*.mlir. The command benchmarks/memory compiles
them and compares the memory that we predict for a device with XLA's.

    python benchmarks/peers/memory_programs.py [-o DIR]
"""

import argparse
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec

OUT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "memory" / "testdata"
MESH = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


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
    def loss(p, x, y):
        for i in range(3):
            x = jax.nn.gelu(x @ p[f"w{i}"] + p[f"b{i}"])
        return jnp.mean((x - y) ** 2)

    return sgd(loss, params, x, y)


MLP = {f"w{i}": f32(512, 512) for i in range(3)} | {f"b{i}": f32(512) for i in range(3)}
MLP_LAYOUT = {f"w{i}": on(*((None, "model") if i % 2 == 0 else ("model", None))) for i in range(3)} | {f"b{i}": on() for i in range(3)}


def conv_net(params, x, labels):
    def loss(p, x, labels):
        for k in ("k0", "k1"):
            x = lax.conv_general_dilated(x, p[k], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.relu(x)
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        logits = x.reshape(x.shape[0], -1) @ p["head"]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * labels, -1))

    return sgd(loss, params, x, labels)


CONV = {"k0": f32(3, 3, 3, 32), "k1": f32(3, 3, 32, 64), "head": f32(8 * 8 * 64, 16)}
CONV_LAYOUT = {"k0": on(), "k1": on(), "head": on()}


def fft(x):
    """A filter in the space of frequencies."""
    spectrum = jnp.fft.rfft(x)
    return jnp.fft.irfft(spectrum * jnp.exp(-jnp.arange(spectrum.shape[-1]) / 100.0))


def block(p, x, heads):
    """A pre-norm block of a transformer with causal attention."""

    def norm(x, scale):
        x = x - x.mean(-1, keepdims=True)
        return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale

    batch, length, dim = x.shape
    y = norm(x, p["n1"])
    q, k, v = (jnp.einsum("btd,dhe->bthe", y, p[n]) for n in "qkv")
    scores = jnp.einsum("bthe,bshe->bhts", q, k) / jnp.sqrt(dim // heads)
    mask = jnp.tril(jnp.ones((length, length), bool))
    attention = jax.nn.softmax(jnp.where(mask, scores, -1e9))
    x = x + jnp.einsum("bhts,bshe,hed->btd", attention, v, p["o"])
    y = norm(x, p["n2"])
    return x + jax.nn.gelu(y @ p["up"]) @ p["down"]


def transformer(depth, heads=8, dim=128, vocabulary=512, length=64):
    def loss(p, tokens, targets):
        x = p["embedding"][tokens]
        for b in p["blocks"]:
            x = block(b, x, heads)
        logits = x @ p["embedding"].T
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1))

    def step(params, tokens, targets):
        return sgd(loss, params, tokens, targets)

    step.__name__ = f"transformer_{depth}"
    head = dim // heads
    shapes = {"q": f32(dim, heads, head), "k": f32(dim, heads, head), "v": f32(dim, heads, head), "o": f32(heads, head, dim),
              "up": f32(dim, 4 * dim), "down": f32(4 * dim, dim), "n1": f32(dim), "n2": f32(dim)}
    layouts = {"q": on(None, "model"), "k": on(None, "model"), "v": on(None, "model"), "o": on("model"),
               "up": on(None, "model"), "down": on("model"), "n1": on(), "n2": on()}
    params = {"embedding": f32(vocabulary, dim), "blocks": [shapes] * depth}
    layout = {"embedding": on("model"), "blocks": [layouts] * depth}
    return step, (params, i32(8, length), i32(8, length)), (layout, on("data"), on("data")), True


def scan(w, xs):
    """A recurrence whose weight does not change."""

    def step(h, x):
        h = jnp.tanh(h @ w + x)
        return h, h

    return lax.scan(step, jnp.zeros(xs.shape[1:]), xs)


def scan_grad(w, xs):
    """The gradient of a recurrence."""

    def loss(w, xs):
        h, hs = scan(w, xs)
        return jnp.sum(hs * hs)

    return jax.value_and_grad(loss)(w, xs)


def power_method(w, x):
    """A loop that ends when it has converged, with an invariant weight."""

    def more(state):
        i, x, change = state
        return (i < 100) & (change > 1e-3)

    def step(state):
        i, x, _ = state
        y = w @ x
        y = y / jnp.linalg.norm(y, axis=0)
        return i + 1, y, jnp.sum((y - x) ** 2)

    return lax.while_loop(more, step, (0, x, jnp.float32(1.0)))


def sort(x, keys):
    """A sort, and one of pairs."""
    order, values = lax.sort((keys, x), num_keys=1)
    return jnp.sort(x, axis=-1), order, values * 2


def pooling(x):
    """Pooling by maximum and mean, and its gradient."""

    def pool(x):
        a = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        b = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        return jnp.sum(a * b)

    return jax.value_and_grad(pool)(x)


def embedding(table, tokens, targets):
    """Look-ups and the update of the rows that were used."""

    def loss(table):
        x = table[tokens].mean(1)
        return jnp.mean((x - targets) ** 2)

    value, grad = jax.value_and_grad(loss)(table)
    return table - 0.1 * grad, value


def tables(tables, tokens):
    """Means of rows of several tables, whose gradients are scattered one after the other."""

    def loss(tables):
        x = jnp.stack([t[tokens[:, i]].mean(1) for i, t in enumerate(tables)], 1)
        return jnp.sum(jnp.einsum("bif,bjf->bij", x, x) ** 2)

    return jax.tree.map(lambda t, g: t - 0.1 * g, tables, jax.grad(loss)(tables))


def batch_norm(scale, offset, mean, variance, x):
    """Batch normalization in training, its moving averages and its gradient."""

    def f(scale, offset, x):
        m, v = x.mean((0, 1, 2)), x.var((0, 1, 2))
        y = (x - m) * lax.rsqrt(v + 1e-3) * scale + offset
        return jnp.sum(jax.nn.relu(y) ** 2), (m, v)

    (_, (m, v)), grads = jax.value_and_grad(f, argnums=(0, 1, 2), has_aux=True)(scale, offset, x)
    return grads, 0.99 * mean + 0.01 * m, 0.99 * variance + 0.01 * v


def cumulative(x):
    return jnp.cumsum(x, 0), lax.cummax(x, axis=1)


def top_k(x):
    values, index = lax.top_k(x, 16)
    return values, index, jnp.argmax(x, -1)


def dropout(key, x, w):
    """Random numbers: dropout between two products."""
    keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.9, x.shape)
    return jnp.where(keep, x / 0.9, 0) @ w


def chain(x, y):
    """Element-wise ops and reductions, several of them with more than one use."""
    a = jnp.exp(x) + jnp.sin(y)
    b = jnp.tanh(a * x) - a / (1 + y * y)
    c = jnp.log1p(jnp.abs(b)) * jnp.sqrt(jnp.abs(a))
    return c - c.mean(-1, keepdims=True), b.max(0), (a + b + c).sum()


def inference(params, x):
    """The forward pass of a deep perceptron."""
    for w, b in params:
        x = jax.nn.silu(x @ w + b)
    return jax.nn.softmax(x)


def branches(flag, w, x):
    """A conditional between two computations of different size."""
    return lax.cond(flag > 0, lambda: jnp.tanh(x @ w) @ w.T, lambda: x * 2)


def kv_cache(cache, q, k, position):
    """A step of generation: the cache is updated in place."""
    cache = lax.dynamic_update_slice(cache, k[:, None], (0, position, 0))
    scores = jax.nn.softmax(jnp.einsum("bd,btd->bt", q, cache))
    return cache, jnp.einsum("bt,btd->bd", scores, cache)


LAYERS = [(f32(256, 256), f32(256))] * 6
LAYERS_LAYOUT = [(on(None, "model"), on("model"))] * 6

PROGRAMS = [
    (mlp, (MLP, f32(128, 512), f32(128, 512)), (MLP_LAYOUT, on("data"), on("data")), True),
    (conv_net, (CONV, f32(16, 32, 32, 3), f32(16, 16)), (CONV_LAYOUT, on("data"), on("data")), True),
    (fft, (f32(64, 4096),), (on("data"),), False),
    transformer(2),
    transformer(4),
    (scan, (f32(256, 256), f32(64, 16, 256)), (on(None, "model"), on(None, "data")), False),
    (scan_grad, (f32(256, 256), f32(32, 16, 256)), (on(), on(None, "data")), False),
    (power_method, (f32(1024, 1024), f32(1024, 8)), (on("model"), on()), False),
    (sort, (f32(64, 8192), i32(64, 8192)), (on("data"), on("data")), False),
    (pooling, (f32(16, 64, 64, 16),), (on("data"),), False),
    (embedding, (f32(8192, 64), i32(64, 32), f32(64, 64)), (on("model"), on("data"), on("data")), True),
    (tables, ([f32(256, 64)] * 6, i32(1024, 6, 4)), ([on()] * 6, on("data")), True),
    (batch_norm, (f32(32), f32(32), f32(32), f32(32), f32(16, 32, 32, 32)), (on(), on(), on(), on(), on("data")), False),
    (cumulative, (f32(1024, 256),), (on(None, "model"),), False),
    (top_k, (f32(64, 16384),), (on("data"),), False),
    (dropout, (jax.ShapeDtypeStruct((2,), jnp.uint32), f32(256, 1024), f32(1024, 256)), (on(), on("data"), on("model")), False),
    (chain, (f32(512, 1024), f32(512, 1024)), (on("data", "model"), on("data")), False),
    (inference, (LAYERS, f32(64, 256)), (LAYERS_LAYOUT, on("data")), False),
    (branches, (i32(), f32(512, 512), f32(64, 512)), (on(), on("model"), on("data")), False),
    (kv_cache, (f32(8, 512, 128), f32(8, 128), f32(8, 128), i32()), (on("data"), on("data"), on("data"), on()), True),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=pathlib.Path, default=OUT)
    out = parser.parse_args().o
    out.mkdir(parents=True, exist_ok=True)
    for function, args, layouts, donate in PROGRAMS:
        step = jax.jit(function, in_shardings=layouts, donate_argnums=(0,) if donate else ())
        text = step.lower(*args).as_text()
        (out / f"{function.__name__}.mlir").write_text(f"// Made by memory_programs.py with JAX {jax.__version__}.\n{text}")


if __name__ == "__main__":
    main()
