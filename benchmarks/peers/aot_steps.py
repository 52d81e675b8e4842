#!/usr/bin/env python3
"""Exports training steps from JAX, with the input shardings that a practitioner gives.

Writes benchmarks/aot/testdata/*.mlir.gz. The command benchmarks/aot compiles them
for TPUs and GPUs, through our partitioner and through XLA's.

Each step computes a loss, its gradients and an update by Adam; it donates the
parameters and Adam's moments. Layouts are on the axes "data" and "model", of language
models that shard their weights by two axes on "data", "fsdp" and "model". A text depends
on the mesh in one line only, the mesh's own, so the sizes there are an example. --check
compares the texts for two meshes.

The steps of --small have the same layers and ops on fewer numbers, so that a CPU runs them in a
second: testdata/small.

    python benchmarks/peers/aot_steps.py [-o DIR] [--check] [--small]
"""

import argparse
import gzip
import os
import pathlib
import re

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16"

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

OUT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "aot" / "testdata"
f32, bf16, i32 = jnp.float32, jnp.bfloat16, jnp.int32
BOTH = ("data", "model")  # pure data parallelism: the batch over all devices
MESH = {"data": 4, "model": 4}
MESH_3D = {"data": 2, "fsdp": 2, "model": 4}


class W:
    """A parameter or an input: its shape, its layout and its type."""

    def __init__(self, *shape, on=(), dtype=f32):
        self.shape, self.on, self.dtype = shape, on, dtype


def norm(x, scale):
    """RMS normalization, computed in f32."""
    y = x.astype(f32)
    return (y * lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-6) * scale).astype(x.dtype)


def cross_entropy(logits, labels):
    logits = logits.astype(f32)
    picked = jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)


# A perceptron in f32. Its kernels are sharded by columns and by rows alternately (Megatron-LM).


def mlp(p, x, labels):
    for w, b in p["hidden"]:
        x = jax.nn.relu(x @ w + b)
    return cross_entropy(x @ p["head"], labels)


def mlp_arguments():
    columns = [W(512, 1024, on=(None, "model")), W(1024, on=("model",))]
    rows = [W(1024, 512, on=("model",)), W(512)]
    first = [W(784, 512), W(512)]
    return {"hidden": [first, columns, rows, columns, rows], "head": W(512, 10)}, W(2048, 784, on=("data",)), W(2048, on=("data",), dtype=i32)


# A network of convolutions in f32, data parallel over all devices.


def conv(x, kernel, stride=1):
    return lax.conv_general_dilated(x, kernel.astype(x.dtype), (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def conv_net(p, x, labels):
    for a, b in p["blocks"]:
        x = jax.nn.relu(conv(jax.nn.relu(conv(x, a)), b))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.relu(x.reshape(x.shape[0], -1) @ p["dense"])
    return cross_entropy(x @ p["head"], labels)


def conv_net_arguments():
    blocks = [[W(3, 3, 3, 32), W(3, 3, 32, 32)], [W(3, 3, 32, 64), W(3, 3, 64, 64)], [W(3, 3, 64, 128), W(3, 3, 128, 128)]]
    return {"blocks": blocks, "dense": W(4 * 4 * 128, 256), "head": W(256, 10)}, W(256, 32, 32, 3, on=(BOTH,)), W(256, on=(BOTH,), dtype=i32)


# Blocks of ResNet50 (its third stage) in bf16, with batch normalization over the global batch.


def batch_norm(x, scale, offset):
    y = x.astype(f32)
    mean, square = y.mean((0, 1, 2)), (y * y).mean((0, 1, 2))
    return ((y - mean) * lax.rsqrt(square - mean * mean + 1e-3) * scale + offset).astype(x.dtype)


def resnet50_blocks(p, x, labels):
    x = x.astype(bf16)
    for stride, b in zip((2, 1), p["blocks"]):
        y = jax.nn.relu(batch_norm(conv(x, b["k1"], stride), *b["n1"]))
        y = jax.nn.relu(batch_norm(conv(y, b["k2"]), *b["n2"]))
        y = batch_norm(conv(y, b["k3"]), *b["n3"])
        x = jax.nn.relu(y + (batch_norm(conv(x, b["k0"], stride), *b["n0"]) if "k0" in b else x))
    return cross_entropy(x.mean((1, 2)).astype(f32) @ p["head"], labels)


def resnet50_arguments():
    def block(n, wide, narrow):
        return {"k1": W(1, 1, n, narrow), "n1": [W(narrow)] * 2, "k2": W(3, 3, narrow, narrow), "n2": [W(narrow)] * 2,
                "k3": W(1, 1, narrow, wide), "n3": [W(wide)] * 2}

    blocks = [block(256, 512, 128) | {"k0": W(1, 1, 256, 512), "n0": [W(512)] * 2}, block(512, 512, 128)]
    return {"blocks": blocks, "head": W(512, 1000)}, W(64, 56, 56, 256, on=(BOTH,)), W(64, on=(BOTH,), dtype=i32)


# Transformers: attention and a feed-forward layer in bf16, weights in f32, sharded as Megatron-LM does.

DIM, HEADS, FEED, VOCABULARY, LENGTH, BATCH = 256, 4, 1024, 2048, 128, 64


def attention(p, x):
    y = norm(x, p["n1"])
    q, k, v = (jnp.einsum("btd,dhe->bthe", y, p[n].astype(bf16)) for n in "qkv")
    scores = jnp.einsum("bthe,bshe->bhts", q, k).astype(f32) / (DIM // HEADS) ** 0.5
    scores = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool)), scores, -1e9)
    y = jnp.einsum("bhts,bshe->bthe", jax.nn.softmax(scores).astype(bf16), v)
    return x + jnp.einsum("bthe,hed->btd", y, p["o"].astype(bf16))


def feed_forward(p, x):
    y = norm(x, p["n2"])
    return x + jax.nn.gelu(y @ p["up"].astype(bf16)) @ p["down"].astype(bf16)


def experts(p, x):
    """A mixture of experts: two experts compute each token (Lepikhin and others, GShard, 2020)."""
    y = norm(x, p["n2"])
    groups, length, _ = y.shape
    n = p["router"].shape[-1]
    capacity = 2 * 2 * length // n
    gates = jax.nn.softmax(jnp.einsum("gtd,de->gte", y.astype(f32), p["router"]))
    weight, expert = lax.top_k(gates, 2)
    chosen = jax.nn.one_hot(expert, n)  # g t k e
    by_rank = chosen.swapaxes(1, 2).reshape(groups, 2 * length, n)  # first choices first
    place = (jnp.cumsum(by_rank, 1) - by_rank).reshape(groups, 2, length, n).swapaxes(1, 2)
    slot = jax.nn.one_hot(jnp.sum(place * chosen, -1).astype(i32), capacity)  # g t k c; none beyond the capacity
    combine = jnp.einsum("gtk,gtke,gtkc->gtec", weight, chosen, slot).astype(bf16)
    dispatch = (combine > 0).astype(bf16)
    inputs = jnp.einsum("gtec,gtd->egcd", dispatch, y)
    hidden = jax.nn.gelu(jnp.einsum("egcd,edf->egcf", inputs, p["up"].astype(bf16)))
    outputs = jnp.einsum("egcf,efd->egcd", hidden, p["down"].astype(bf16))
    return x + jnp.einsum("gtec,egcd->gtd", combine, outputs)


def transformer(p, tokens, targets):
    x = p["embedding"].astype(bf16)[tokens]
    for b in p["blocks"]:
        x = attention(b, x)
        x = experts(b, x) if "router" in b else feed_forward(b, x)
    return cross_entropy(norm(x, p["norm"]) @ p["head"].astype(bf16), targets)


def transformer_moe(p, tokens, targets):
    return transformer(p, tokens, targets)


def transformer_arguments(blocks):
    tokens = W(BATCH, LENGTH, on=("data",), dtype=i32)
    ends = {"embedding": W(VOCABULARY, DIM, on=(None, "model")), "norm": W(DIM), "head": W(DIM, VOCABULARY, on=(None, "model"))}
    return ends | {"blocks": blocks}, tokens, tokens


def dense_arguments():
    split = W(DIM, HEADS, DIM // HEADS, on=(None, "model"))
    block = {"q": split, "k": split, "v": split, "o": W(HEADS, DIM // HEADS, DIM, on=("model",)), "n1": W(DIM), "n2": W(DIM)}
    return block | {"up": W(DIM, FEED, on=(None, "model")), "down": W(FEED, DIM, on=("model",))}


def moe_arguments():
    experts = {"router": W(DIM, 8), "up": W(8, DIM, FEED, on=("model",)), "down": W(8, FEED, DIM, on=("model",))}
    return transformer_arguments([dense_arguments(), dense_arguments() | experts])


# A recommender (Naumov and others, DLRM, 2019) in f32. Its tables take nearly all of its memory.

TABLES, ROWS, COLUMNS = 8, 16384, 64


def recommender(p, dense, sparse, clicks):
    x = dense
    for w, b in p["bottom"]:
        x = jax.nn.relu(x @ w + b)
    looked_up = [t[sparse[:, i]].mean(1) for i, t in enumerate(p["tables"])]
    features = jnp.stack([x] + looked_up, 1)
    pairs = jnp.einsum("bie,bje->bij", features, features)
    y = jnp.concatenate([x, pairs.reshape(pairs.shape[0], -1)], -1)
    for w, b in p["top"][:-1]:
        y = jax.nn.relu(y @ w + b)
    logit = (y @ p["top"][-1][0] + p["top"][-1][1])[:, 0]
    return jnp.mean(jax.nn.softplus(logit) - clicks * logit)


def recommender_arguments(rows=None):
    def layers(*sizes):
        return [[W(a, b), W(b)] for a, b in zip(sizes, sizes[1:])]

    tables = [W(n, COLUMNS, on=("model",)) for n in rows or (ROWS,) * TABLES]
    top = layers(COLUMNS + (TABLES + 1) ** 2, 512, 256, 1)
    p = {"tables": tables, "bottom": layers(13, 256, COLUMNS), "top": top}
    return p, W(4096, 13, on=("data",)), W(4096, TABLES, 4, on=("data",), dtype=i32), W(4096, on=("data",))


# A decoder like Llama's (Touvron and others, 2023): rotary positions, groups of query heads
# that share keys and values, SwiGLU. It computes in bf16, and computes each layer again in the
# backward pass. Weights are sharded by "fsdp" and "model", the batch by "data" and "fsdp".

ROWS_3D = ("data", "fsdp")
LLAMA = dict(dim=1024, heads=16, groups=8, width=64, feed=2816, vocabulary=16384, length=512, batch=32, layers=2)


def rotated(x):
    """Rotary position embedding (Su and others, 2021)."""
    half = x.shape[-1] // 2
    angle = jnp.arange(x.shape[1])[:, None, None] * 10000.0 ** (-jnp.arange(half) / half)
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    a, b = jnp.split(x.astype(f32), 2, -1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1).astype(x.dtype)


def causal(length):
    return jnp.tril(jnp.ones((length, length), bool))


def grouped_attention(p, x):
    y = norm(x, p["n1"])
    q, k, v = (jnp.einsum("btd,dhe->bthe", y, p[n].astype(bf16)) for n in "qkv")
    q, k = rotated(q), rotated(k)
    b, t, h, e = q.shape
    q = q.reshape(b, t, k.shape[2], h // k.shape[2], e)
    scores = jnp.einsum("btgre,bsge->bgrts", q, k).astype(f32) / e**0.5
    weights = jax.nn.softmax(jnp.where(causal(t), scores, -1e9)).astype(bf16)
    y = jnp.einsum("bgrts,bsge->btgre", weights, v).reshape(b, t, h, e)
    return x + jnp.einsum("bthe,hed->btd", y, p["o"].astype(bf16))


def swiglu(p, x):
    y = norm(x, p["n2"])
    return x + (jax.nn.silu(y @ p["gate"].astype(bf16)) * (y @ p["up"].astype(bf16))) @ p["down"].astype(bf16)


def llama(p, tokens, targets):
    layer = jax.checkpoint(lambda b, x: swiglu(b, grouped_attention(b, x)))
    x = p["embedding"].astype(bf16)[tokens]
    for b in p["blocks"]:
        x = layer(b, x)
    return cross_entropy(norm(x, p["norm"]) @ p["head"].astype(bf16), targets)


def llama_arguments():
    c = LLAMA
    d, h, g, e, f, n = (c[k] for k in ("dim", "heads", "groups", "width", "feed", "vocabulary"))
    into, out = ("fsdp", "model"), ("model", "fsdp")
    block = {"q": W(d, h, e, on=into), "k": W(d, g, e, on=into), "v": W(d, g, e, on=into), "o": W(h, e, d, on=("model", None, "fsdp")),
             "gate": W(d, f, on=into), "up": W(d, f, on=into), "down": W(f, d, on=out), "n1": W(d), "n2": W(d)}
    tokens = W(c["batch"], c["length"], on=(ROWS_3D,), dtype=i32)
    return {"embedding": W(n, d, on=out), "norm": W(d), "head": W(d, n, on=into), "blocks": [block] * c["layers"]}, tokens, tokens


# A decoder like GPT-2's (Radford and others, 2019) in bf16. A scan runs its stacked layers,
# and each is computed again in the backward pass. The layouts are those of the decoder before.

GPT = dict(dim=768, heads=12, feed=3072, vocabulary=8192, length=256, batch=64, layers=6)


def layer_norm(x, scale, offset):
    y = x.astype(f32)
    y = y - y.mean(-1, keepdims=True)
    return (y * lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-5) * scale + offset).astype(x.dtype)


def self_attention(p, x, mask=None):
    """Attention with biases. Its three projections are one product."""
    y = layer_norm(x, *p["n1"])
    q, k, v = (jnp.einsum("btd,dhe->bthe", y, w.astype(bf16)) + b.astype(bf16) for w, b in zip(p["qkv"], p["qkv_bias"]))
    scores = jnp.einsum("bthe,bshe->bhts", q, k).astype(f32) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = jnp.where(mask, scores, -1e9)
    y = jnp.einsum("bhts,bshe->bthe", jax.nn.softmax(scores).astype(bf16), v)
    return x + jnp.einsum("bthe,hed->btd", y, p["o"].astype(bf16)) + p["o_bias"].astype(bf16)


def perceptron(p, x):
    y = layer_norm(x, *p["n2"])
    y = jax.nn.gelu(y @ p["up"].astype(bf16) + p["up_bias"].astype(bf16))
    return x + y @ p["down"].astype(bf16) + p["down_bias"].astype(bf16)


def gpt_scan(p, tokens, targets):
    length = tokens.shape[1]

    @jax.checkpoint
    def layer(x, b):
        return perceptron(b, self_attention(b, x, causal(length))), None

    x = p["embedding"].astype(bf16)[tokens] + p["positions"].astype(bf16)
    x, _ = lax.scan(layer, x, p["blocks"])
    return cross_entropy(layer_norm(x, *p["norm"]) @ p["embedding"].astype(bf16).T, targets)


def biased_block(d, h, f, before=(), across="fsdp"):
    """The weights of a layer with biases. before has dimensions to put in front of each."""
    stack = (None,) * len(before)

    def w(*shape, on=()):
        return W(*before, *shape, on=stack + on)

    split = w(d, h, d // h, on=(across, "model"))
    return {"n1": [w(d)] * 2, "n2": [w(d)] * 2, "qkv": [split] * 3, "qkv_bias": [w(h, d // h, on=("model",))] * 3,
            "o": w(h, d // h, d, on=("model", None, across)), "o_bias": w(d),
            "up": w(d, f, on=(across, "model")), "up_bias": w(f, on=("model",)), "down": w(f, d, on=("model", across)), "down_bias": w(d)}


def gpt_arguments():
    c = GPT
    d = c["dim"]
    blocks = biased_block(d, c["heads"], c["feed"], before=(c["layers"],))
    tokens = W(c["batch"], c["length"], on=(ROWS_3D,), dtype=i32)
    ends = {"embedding": W(c["vocabulary"], d, on=("model", "fsdp")), "positions": W(c["length"], d), "norm": [W(d)] * 2}
    return ends | {"blocks": blocks}, tokens, tokens


# A vision transformer (Dosovitskiy and others, 2020) in bf16, sharded as in Megatron-LM.


def vit(p, images, labels):
    x = lax.conv_general_dilated(images.astype(bf16), p["patches"].astype(bf16), (16, 16), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = x.reshape(x.shape[0], -1, x.shape[-1])
    x = jnp.concatenate([jnp.broadcast_to(p["class"].astype(bf16), (x.shape[0], 1, x.shape[-1])), x], 1) + p["positions"].astype(bf16)
    for b in p["blocks"]:
        x = perceptron(b, self_attention(b, x))
    return cross_entropy(layer_norm(x[:, 0], *p["norm"]).astype(f32) @ p["head"], labels)


def vit_arguments():
    d = 384
    block = biased_block(d, 12, 4 * d, across=None)
    p = {"patches": W(16, 16, 3, d), "class": W(1, 1, d), "positions": W(197, d), "blocks": [block] * 2, "norm": [W(d)] * 2, "head": W(d, 1000)}
    return p, W(128, 224, 224, 3, on=("data",)), W(128, on=("data",), dtype=i32)


# A U-Net (Ronneberger and others, 2015) that removes noise from images, as in diffusion models,
# in f32. The batch is sharded over all devices, and each kernel by "model" to save memory.


def group_norm(x, scale, offset, groups=8):
    b, h, w, c = x.shape
    y = x.reshape(b, h, w, groups, c // groups)
    y = y - y.mean((1, 2, 4), keepdims=True)
    y = y * lax.rsqrt((y * y).mean((1, 2, 4), keepdims=True) + 1e-5)
    return y.reshape(x.shape) * scale + offset


def residual(p, x, time):
    y = conv(jax.nn.silu(group_norm(x, *p["n1"])), p["k1"]) + (time @ p["time"])[:, None, None]
    y = conv(jax.nn.silu(group_norm(y, *p["n2"])), p["k2"])
    return (conv(x, p["k0"]) if "k0" in p else x) + y


def unet(p, images, noise, time):
    half = p["t"][0].shape[0] // 2
    angle = time[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    time = jax.nn.silu(jnp.concatenate([jnp.sin(angle), jnp.cos(angle)], -1) @ p["t"][0]) @ p["t"][1]
    x = conv(images + noise, p["first"])
    kept = []
    for b in p["down"]:
        x = residual(b, x, time)
        kept.append(x)
        x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    x = residual(p["middle"], x, time)
    for b in p["up"]:
        x = jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
        x = residual(b, jnp.concatenate([x, kept.pop()], -1), time)
    return jnp.mean((conv(jax.nn.silu(group_norm(x, *p["norm"])), p["last"]) - noise) ** 2)


def unet_arguments():
    on, times = (None, None, None, "model"), 128

    def block(n, to):
        b = {"n1": [W(n)] * 2, "k1": W(3, 3, n, to, on=on), "time": W(times, to), "n2": [W(to)] * 2, "k2": W(3, 3, to, to, on=on)}
        return b if n == to else b | {"k0": W(1, 1, n, to, on=on)}

    p = {"t": [W(times, times)] * 2, "first": W(3, 3, 3, 64), "down": [block(64, 64), block(64, 128)],
         "middle": block(128, 256), "up": [block(256 + 128, 128), block(128 + 64, 64)],
         "norm": [W(64)] * 2, "last": W(3, 3, 64, 3)}
    image = W(128, 32, 32, 3, on=(BOTH,))
    return p, image, image, W(128, on=(BOTH,))


# A language model of two LSTM layers (Hochreiter and Schmidhuber, 1997) in f32. Each is a scan
# over time. Their kernels are sharded by "model".


def lstm_layer(p, x):
    units = p["recurrent"].shape[0]
    x = x @ p["kernel"] + p["bias"]

    def cell(state, x):
        h, c = state
        i, f, g, o = jnp.split(x + h @ p["recurrent"], 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((x.shape[0], units))
    return lax.scan(cell, (zero, zero), x.swapaxes(0, 1))[1].swapaxes(0, 1)


def lstm(p, tokens, targets):
    x = p["embedding"][tokens]
    for layer in p["layers"]:
        x = lstm_layer(layer, x)
    return cross_entropy(x @ p["head"], targets)


def lstm_arguments():
    n, vocabulary = 512, 4096
    layer = {"kernel": W(n, 4 * n, on=(None, "model")), "recurrent": W(n, 4 * n, on=(None, "model")), "bias": W(4 * n, on=("model",))}
    tokens = W(256, 64, on=("data",), dtype=i32)
    return {"embedding": W(vocabulary, n, on=(None, "model")), "layers": [layer] * 2, "head": W(n, vocabulary, on=(None, "model"))}, tokens, tokens


# The recommender, with a table of a million rows and smaller ones.


def recommender_million(p, dense, sparse, clicks):
    return recommender(p, dense, sparse, clicks)


def steps(million=1_000_000):
    """The losses, with the sizes of the mesh and the arguments."""
    return [
        (mlp, MESH, mlp_arguments()),
        (conv_net, MESH, conv_net_arguments()),
        (resnet50_blocks, MESH, resnet50_arguments()),
        (transformer, MESH, transformer_arguments([dense_arguments()] * 4)),
        (transformer_moe, MESH, moe_arguments()),
        (recommender, MESH, recommender_arguments()),
        (llama, MESH_3D, llama_arguments()),
        (gpt_scan, MESH_3D, gpt_arguments()),
        (vit, MESH, vit_arguments()),
        (unet, MESH, unet_arguments()),
        (lstm, MESH, lstm_arguments()),
        (recommender_million, MESH, recommender_arguments((million,) + (ROWS,) * (TABLES - 1))),
    ]


# The sizes of --small that differ, and what part of its examples a step keeps.

SMALL = {
    "DIM": 128, "FEED": 512, "VOCABULARY": 512, "LENGTH": 64, "BATCH": 32, "ROWS": 1024,
    "LLAMA": dict(dim=128, heads=8, groups=4, width=16, feed=352, vocabulary=512, length=64, batch=32, layers=4),
    "GPT": dict(dim=128, heads=4, feed=512, vocabulary=512, length=64, batch=32, layers=8),
}
PARTS = {"conv_net": 4, "resnet50_blocks": 4, "vit": 8, "unet": 8, "lstm": 4, "recommender": 2, "recommender_million": 2}


def small_steps():
    """steps on fewer numbers."""
    globals().update(SMALL)

    def part(loss, w):
        return W(w.shape[0] // PARTS.get(loss.__name__, 1), *w.shape[1:], on=w.on, dtype=w.dtype)

    return [(loss, sizes, (params, *(part(loss, w) for w in batch))) for loss, sizes, (params, *batch) in steps(20_000)]


def adam(loss):
    """The training step of a loss, by Adam."""

    def step(state, *batch):
        params, first, second, count = state
        value, grads = jax.value_and_grad(loss)(params, *batch)
        count += 1
        rate = 1e-3 * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)
        params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, first, second)
        return (params, first, second, count), value

    step.__name__ = loss.__name__
    return step


def lower(loss, sizes, arguments):
    """The step's StableHLO on a mesh of these sizes."""
    mesh = jax.make_mesh(tuple(sizes.values()), tuple(sizes), axis_types=(AxisType.Auto,) * len(sizes))
    params, *batch = arguments
    state = (params, params, params, W(dtype=f32))

    def of(make):
        return jax.tree.map(make, (state, *batch), is_leaf=lambda w: isinstance(w, W))

    layouts = of(lambda w: NamedSharding(mesh, P(*w.on)))
    shapes = of(lambda w: jax.ShapeDtypeStruct(w.shape, w.dtype))
    return jax.jit(adam(loss), in_shardings=layouts, out_shardings=(layouts[0], NamedSharding(mesh, P())), donate_argnums=0).lower(*shapes).as_text()


def without_mesh(text):
    return re.sub(r'sdy\.mesh @mesh = .*|num_partitions = \d+', "", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=pathlib.Path, help="default: where the command reads them")
    parser.add_argument("--small", action="store_true", help="steps for CPUs")
    parser.add_argument("--check", action="store_true", help="check that texts for half of the mesh are alike but for the mesh")
    options = parser.parse_args()
    out = options.o or (OUT / "small" if options.small else OUT)
    out.mkdir(parents=True, exist_ok=True)
    for loss, sizes, arguments in small_steps() if options.small else steps():
        text = lower(loss, sizes, arguments)
        if options.check and without_mesh(text) != without_mesh(lower(loss, sizes | {"data": sizes["data"] // 2}, arguments)):
            raise SystemExit(f"{loss.__name__} depends on the mesh in more than one line")
        data = gzip.compress(f"// Made by aot_steps.py with JAX {jax.__version__}.\n{text}".encode(), mtime=0)
        (out / f"{loss.__name__}.mlir.gz").write_bytes(data)
        print(loss.__name__, text.count("\n"), "lines,", len(data), "bytes")


if __name__ == "__main__":
    main()
