"""Writes programs that JAX exports, for ir's parser to read.

    KERAS_BACKEND=jax python benchmarks/peers/ir_programs.py ir/testdata/jax

One file for each program: the StableHLO text of the lowered function, every
second one with debug information (locations and their aliases).
"""
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

key = jax.random.key(0)
mesh = jax.sharding.Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
f32 = lambda *shape: jax.ShapeDtypeStruct(shape, jnp.float32)
i32 = lambda *shape: jax.ShapeDtypeStruct(shape, jnp.int32)


def mlp_loss(params, x, y):
    h = jax.nn.relu(x @ params["w1"] + params["b1"])
    return jnp.mean((jax.nn.softmax(h @ params["w2"]) - y) ** 2)


mlp_params = {"w1": f32(8, 16), "b1": f32(16), "w2": f32(16, 4)}


def conv_step(params, x, y):
    def loss(p):
        h = jax.lax.conv_general_dilated(x, p["k"], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        h = jax.lax.reduce_window(jax.nn.gelu(h), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        h = h.reshape(h.shape[0], -1) @ p["w"]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(h) * y, axis=-1))

    value, grads = jax.value_and_grad(loss)(params)
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)), v)


def rnn(w, xs):
    def step(h, x):
        h = jnp.tanh(h @ w + x)
        return h, h

    return jax.lax.scan(step, jnp.zeros(xs.shape[1:]), xs)


def indexing(x, i):
    return x[i], x.at[i].add(1.0), jax.lax.dynamic_slice(x, (i[0], 0), (2, 2)), jnp.take_along_axis(x, x.argsort(-1), -1)


def branches(x, n):
    y = jax.lax.switch(n, [jnp.sin, jnp.cos, lambda v: v * 2], x)
    return jax.lax.cond(n > 0, lambda v: v + 1, lambda v: v - 1, y), jax.lax.fori_loop(0, n, lambda i, v: v * 2, x)


def dropout(seed, x):
    k = jax.random.key(seed)
    return jnp.where(jax.random.bernoulli(k, 0.9, x.shape), x, 0), jax.random.normal(k, (3,)), jax.random.permutation(k, 5)


def sharded(x, w):
    h = jax.lax.with_sharding_constraint(x @ w, NamedSharding(mesh, P("data", "model")))
    return jax.shard_map(lambda v: jax.lax.psum(v, "model"), mesh=mesh, in_specs=P("data", "model"), out_specs=P("data"))(h)


PROGRAMS = {
    "mlp_grad": (jax.value_and_grad(mlp_loss), mlp_params, f32(4, 8), f32(4, 4)),
    "conv_step": (conv_step, {"k": f32(3, 3, 1, 4), "w": f32(64, 10)}, f32(2, 16, 16, 1), f32(2, 10)),
    "attention": (attention, f32(2, 5, 2, 4), f32(2, 5, 2, 4), f32(2, 5, 2, 4)),
    "rnn_grad": (jax.grad(lambda w, xs: rnn(w, xs)[0].sum()), f32(4, 4), f32(7, 2, 4)),
    "indexing": (indexing, f32(5, 4), i32(3)),
    "branches": (branches, f32(4), i32()),
    "random": (dropout, i32(), f32(3, 5)),
    "fft": (lambda x: (jnp.fft.rfft(x), jnp.fft.ifft2(x), jnp.abs(jnp.fft.fft(x))), f32(4, 8)),
    "order": (lambda x: (jax.lax.top_k(x, 3), jnp.sort(x), jnp.argmax(x, 0), jnp.cumsum(x, 1), jnp.median(x)), f32(4, 8)),
    "linalg": (lambda a, b: (jnp.linalg.cholesky(a), jax.scipy.linalg.solve_triangular(a, b), jnp.linalg.qr(a)), f32(4, 4), f32(4, 2)),
    "types": (lambda x: (x.astype(jnp.bfloat16), x.astype(jnp.float8_e4m3fn), x.astype(jnp.complex64), x > 0, x.astype(jnp.uint8),
                         np.array([1.5, np.inf, np.nan, -0.0], np.float32), np.arange(200), jax.lax.erf_inv(x), jax.lax.lgamma(x)), f32(4)),
    "sharded": (sharded, jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=NamedSharding(mesh, P("data"))),
                jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=NamedSharding(mesh, P(None, "model")))),
    "approximate": (lambda x: jax.lax.approx_max_k(x, 3), f32(4, 16)),
    "narrow": (lambda *xs: [x.astype(jnp.float32) for x in xs], *(jax.ShapeDtypeStruct((8,), t) for t in (
        jnp.float8_e4m3, jnp.float8_e3m4, jnp.float8_e8m0fnu, jnp.float4_e2m1fn, jnp.int2, jnp.uint4))),
}


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for i, (name, (fn, *args)) in enumerate(PROGRAMS.items()):
        fn.__name__ = name
        text = jax.jit(fn, donate_argnums=0 if name == "conv_step" else ()).lower(*args).as_text(debug_info=i % 2 == 1)
        text = text.replace(os.path.abspath(__file__), "ir_programs.py").replace(sys.prefix, "python")
        with open(os.path.join(folder, name + ".mlir"), "w") as f:
            f.write(text)
        print(name, text.count("\n"), "lines")


if __name__ == "__main__":
    main(sys.argv[1])
