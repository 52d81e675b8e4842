#!/usr/bin/env python3
"""Exports programs of many kinds from JAX, with the numbers that JAX gets.

Writes cmd/gospmd/testdata/jax/NAME.mlir, each program's StableHLO text with
layouts on a mesh of 2x4, and numbers.json, the sums over each of its outputs
for the inputs that elements() makes. The test cmd/gospmd/jax_test.go reads,
propagates, partitions and runs them.

    python benchmarks/peers/jax_programs.py [-o DIR]
"""

import argparse
import functools
import json
import os
import pathlib

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

OUT = pathlib.Path(__file__).resolve().parents[2] / "cmd" / "gospmd" / "testdata" / "jax"
MESH = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
PROGRAMS = {}


def spec(*shape, dtype=jnp.float32, on=()):
    """A parameter of that shape, sharded by the axes in on."""
    return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(MESH, P(*on)))


def program(*args, donate=(), platform="cpu"):
    """Lists a program. The platform is the one that it is exported for; the CPU makes calls of LAPACK of linear algebra."""

    def add(f):
        PROGRAMS[f.__name__] = (f, args, donate, platform)
        return f

    return add


def elements(number, arg):
    """The elements of a parameter: small numbers of both signs, in rows that all differ."""
    k = np.arange(int(np.prod(arg.shape)))
    if jnp.issubdtype(arg.dtype, jnp.integer):
        return ((k * 7 + number * 3) % 5).astype(arg.dtype).reshape(arg.shape)
    return (((k * 37 + number * 11) % 101) / 64 - 0.75).astype(arg.dtype).reshape(arg.shape)


@program([spec(16, 32, on=(None, "model")), spec(32, on=("model",)), spec(32, 8, on=("model",))], spec(8, 16, on=("data",)), spec(8, 8, on=("data",)), donate=0)
def mlp_step(params, x, y):
    def loss(p):
        h = jax.nn.relu(x @ p[0] + p[1])
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(h @ p[2]) * y, -1))

    value, grads = jax.value_and_grad(loss)(params)
    return [p - 0.1 * g for p, g in zip(params, grads)], value


@program([spec(3, 3, 2, 8, on=(None, None, None, "model")), spec(128, 4)], spec(4, 8, 8, 2, on=("data",)), spec(4, 4, on=("data",)))
def conv_step(params, x, y):
    def loss(p):
        h = lax.conv_general_dilated(x, p[0], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        h = lax.reduce_window(jnp.tanh(h), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return jnp.mean((h.reshape(h.shape[0], -1) @ p[1] - y) ** 2)

    return jax.value_and_grad(loss)(params)


@program([spec(16, 4, 4, on=(None, "model")), spec(16, 4, 4, on=(None, "model")), spec(16, 4, 4, on=(None, "model")), spec(4, 4, 16, on=("model",)),
          spec(16, 32, on=(None, "model")), spec(32, 16, on=("model",))], spec(4, 6, 16, on=("data",)))
def transformer_grad(params, x):
    def norm(v):
        v = v - v.mean(-1, keepdims=True)
        return v * lax.rsqrt((v * v).mean(-1, keepdims=True) + 1e-5)

    @jax.checkpoint
    def block(p, x):
        q, k, v = (jnp.einsum("bsd,dhk->bshk", norm(x), w) for w in p[:3])
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
        x = x + jnp.einsum("bhqk,bkhd,hdm->bqm", jax.nn.softmax(scores), v, p[3])
        return x + jax.nn.gelu(norm(x) @ p[4]) @ p[5]

    return jax.value_and_grad(lambda p: (block(p, x) ** 2).mean())(params)


@program(spec(8, 8, on=(None, "model")), spec(5, 4, 8, on=(None, "data")))
def rnn_grad(w, xs):
    def run(w):
        def step(h, x):
            h = jnp.tanh(h @ w + x)
            return h, h.sum()

        h, sums = lax.scan(step, jnp.zeros(xs.shape[1:]), xs)
        return (h**2).sum() + sums.sum()

    return jax.value_and_grad(run)(w)


@program(spec(8, 16, on=("data",)))
def fourier(x):
    return jnp.abs(jnp.fft.rfft(x)), jnp.fft.ifft(x).real, jnp.fft.fft2(x).imag


@program(spec(8, 12, on=("data", "model")))
def order(x):
    return (*lax.top_k(x, 3), jnp.sort(x, 0), jnp.argsort(-x, 1), jnp.argmax(x, 0), jnp.argmin(x, 1), jnp.cumsum(x, 1), lax.cummax(x, 0),
            jnp.median(x), lax.sort((x, -x), num_keys=1)[1])


@program(spec(16, 8, on=("model",)), spec(6, dtype=jnp.int32, on=("data",)), spec(6, 8, on=("data",)))
def indexing(x, i, u):
    return (x[i], x.at[i].add(u), x.at[i].max(u), x.at[:, 1].set(0.0), jnp.take_along_axis(x, x.argsort(-1), -1), lax.dynamic_slice(x, (i[1], 0), (4, 8)),
            x[:, ::2], x[::-1], jnp.zeros((5, 8)).at[i].add(u), jax.grad(lambda x: (x[i] ** 2).sum())(x))


@program(spec(8, 4, on=("data",)), spec(dtype=jnp.int32))
def branches(x, n):
    y = lax.switch(n, [jnp.sin, jnp.cos, lambda v: v * 2], x)
    z = lax.cond(x[0, 0] > 0, lambda v: v @ v.T, lambda v: -(v @ v.T), y)
    return y, z, lax.fori_loop(0, 3, lambda i, v: v * 0.5 + i, x), lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, c[1] + x.sum()), (n, 0.0))[1]


@program(spec(8, 4, 4, on=("data",)), spec(8, 4, on=("data",)))
def vmapped(a, b):
    f = jax.vmap(lambda m, v: (m @ v, jnp.outer(v, v), jnp.linalg.norm(m), m[0].at[1].set(v[2])))
    return f(a, b), jax.vmap(jax.grad(lambda m, v: jnp.tanh(m @ v).sum()))(a, b)


@program(spec(8, 4, on=("data",)))
def random(x):
    k1, k2 = jax.random.split(jax.random.key(7))
    mask = jax.random.bernoulli(k1, 0.5, x.shape)
    bits = lax.rng_bit_generator(jnp.arange(4, dtype=jnp.uint32), (8, 4), algorithm=lax.RandomAlgorithm.RNG_THREE_FRY)[1]
    return jnp.where(mask, x, 0), jax.random.normal(k2, (8, 4)), jax.random.permutation(k1, 8), (bits >> 20).astype(jnp.int32)


@program(spec(4, 4, 4, on=("data",)), spec(4, 4, 2, on=("data",)), platform="tpu")
def linear_algebra(a, b):
    s = jnp.einsum("bij,bkj->bik", a, a) + 4 * jnp.eye(4)
    low = lax.linalg.cholesky(s)
    return jnp.tril(low), lax.linalg.triangular_solve(low, b, left_side=True, lower=True), jnp.trace(s, axis1=1, axis2=2)


@program(spec(4, 4, on=("data",)))
def factors(a):
    q, r = jnp.linalg.qr(a)
    return q @ r, jnp.linalg.eigh(a + a.T)[0]


@program(spec(8, 16, dtype=jnp.bfloat16, on=("data",)), spec(16, 8, dtype=jnp.bfloat16, on=(None, "model")), spec(8, 16, dtype=jnp.int8, on=("data",)), spec(16, 8, dtype=jnp.int8))
def narrow(a, b, c, d):
    return (jnp.einsum("ij,jk->ik", a, b, preferred_element_type=jnp.float32), jnp.einsum("ij,jk->ik", c, d, preferred_element_type=jnp.int32), (a * 2).astype(jnp.float16).astype(jnp.float32))


@program(spec(2, 8, 4, 4, on=("data", None, "model")), spec(2, 1, 4, 4, on=("data", None, "model")), spec(2, 4, 4, on=("data", "model")), spec(dtype=jnp.int32))
def kv_cache(cache, new, q, at):
    cache = lax.dynamic_update_slice(cache, new, (0, at, 0, 0))
    scores = jnp.where(jnp.arange(8) <= at, jnp.einsum("bhd,bshd->bhs", q, cache), -1e9)
    return cache, jnp.einsum("bhs,bshd->bhd", jax.nn.softmax(scores), cache)


@jax.custom_vjp
def clipped(x):
    return jnp.exp(x)


clipped.defvjp(lambda x: (jnp.exp(x), x), lambda x, g: (jnp.clip(g * x, -1, 1),))


@program(spec(8, 4, on=("data", "model")))
def custom_gradient(x):
    return jax.value_and_grad(lambda x: (clipped(x) * jax.remat(jnp.sin)(x)).sum())(x)


@program(spec(8, 16, on=("data",)), spec(16, 8, on=("model",)))
def manual(x, w):
    @functools.partial(jax.shard_map, mesh=MESH, in_specs=(P("data", "model"), P("model")), out_specs=P("data"))
    def product(x, w):
        return lax.psum(x @ w, "model")

    @functools.partial(jax.shard_map, mesh=MESH, in_specs=P("data", "model"), out_specs=P("data", "model"))
    def shifted(x):
        return lax.ppermute(x, "model", [(i, (i + 1) % 4) for i in range(4)]) + lax.all_gather(x, "data").sum(0) + lax.axis_index("data")

    return jnp.tanh(product(x, w)), shifted(x)


# The axis data stays automatic: JAX constrains the scalars inside the reducers.
@program(spec(8, 16, on=("data",)), spec(16, 8, on=("model",)))
def partial_manual(x, w):
    @functools.partial(jax.shard_map, mesh=MESH, in_specs=(P(None, "model"), P("model")), out_specs=(P(), P(None, "model"), P()), axis_names={"model"})
    def product(x, w):
        y = x @ w
        return lax.psum(y, "model"), lax.psum_scatter(y, "model", scatter_dimension=1, tiled=True), lax.pmax(y, "model")

    return product(x, w)


@program(spec(8, 16, on=("data",)), spec(16, on=("model",)))
def constrained(x, b):
    y = lax.with_sharding_constraint(x + b, NamedSharding(MESH, P("data", "model")))
    z = lax.with_sharding_constraint(y.T, NamedSharding(MESH, P(None, ("model", "data"))))
    return y, z, lax.with_sharding_constraint(z.reshape(4, 32), NamedSharding(MESH, P("model", P.UNCONSTRAINED)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=pathlib.Path, default=OUT)
    out = parser.parse_args().o
    out.mkdir(parents=True, exist_ok=True)
    numbers = {"jax": jax.__version__}
    for name, (f, args, donate, platform) in PROGRAMS.items():
        lowered = jax.jit(f, donate_argnums=donate).trace(*args).lower(lowering_platforms=(platform,))
        (out / f"{name}.mlir").write_text(f"// Made by jax_programs.py with JAX {jax.__version__}.\n{lowered.as_text()}")
        flat, tree = jax.tree.flatten(args)
        values = [elements(i, a) for i, a in enumerate(flat)]
        results = jax.tree.leaves(jax.jit(f)(*jax.tree.unflatten(tree, values)))
        # Two sums distinguish a wrong element from a wrong place.
        numbers[name] = [[float(np.sum(r)), float(np.sum(np.ravel(r) * np.cos(np.arange(r.size))))] for r in (np.asarray(r, np.float64) for r in results)]
        print(name, lowered.as_text().count("\n"), "lines,", len(results), "outputs")
    (out / "numbers.json").write_text(json.dumps(numbers, indent=1) + "\n")


if __name__ == "__main__":
    main()
