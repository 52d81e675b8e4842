"""Random compositions of functions for jax_suite.py: grown by seeds, vmapped and differentiated."""

import random

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jax_suite_inputs import F, I

SIZES = (1, 2, 3, 4, 5, 6, 8)
UNARY = (jnp.sin, jnp.tanh, jnp.abs, lambda x: x * x, lambda x: jnp.exp(-x * x), lambda x: jnp.maximum(x, 0.25), jax.nn.sigmoid, lambda x: -x)
BINARY = (jnp.add, jnp.multiply, jnp.subtract, jnp.maximum, lambda x, y: x / (1 + y * y), lambda x, y: jnp.where(x > y, x, 0.5 * y))


def axis(r, x):
    return r.randrange(x.ndim)


def steps(r, smooth):
    """The moves by which a composition grows: each takes the values so far and returns a new one, or None.

    JAX does not differentiate windows from an initial value that is not neutral. The value is not the one of the paddings
    before it: XLA makes such a padding part of the window, and then leaves it out of the sum.
    """

    def matrix_product(vs):
        pairs = [(a, b) for a in vs for b in vs if a.ndim == 2 and b.ndim == 2 and a.shape[1] == b.shape[0]]
        if not pairs:
            x = r.choice([v for v in vs if v.ndim == 2] or [None])
            return None if x is None else x @ x.T / 4
        a, b = r.choice(pairs)
        return a @ b / 4

    def paired(vs):
        x = r.choice(vs)
        same = [v for v in vs if v.shape == x.shape]
        return r.choice(BINARY)(x, r.choice(same))

    def reduced(vs):
        x = r.choice(vs)
        return r.choice((jnp.sum, jnp.max, jnp.mean, jnp.min))(x, axis(r, x), keepdims=r.random() < 0.6) if x.ndim > 1 else None

    def moved(vs):
        x = r.choice(vs)
        d = axis(r, x)
        n = x.shape[d]
        return r.choice((
            lambda: jnp.flip(x, d), lambda: jnp.roll(x, 1, d), lambda: jnp.swapaxes(x, 0, d), lambda: jnp.concatenate([x, x * 2], d), lambda: x.reshape(-1, n) if x.ndim > 1 else x[:, None],
            lambda: lax.slice_in_dim(x, 0, n, 2, d), lambda: jnp.pad(x, [(1, 0) if k == d else (0, 0) for k in range(x.ndim)], constant_values=0.5), lambda: jnp.repeat(x, 2, d), lambda: x.reshape(x.shape[:d] + (1,) + x.shape[d:]) if x.ndim < 3 else x,
        ))()

    def ordered(vs):
        x = r.choice(vs)
        d = axis(r, x)
        return r.choice((lambda: jnp.sort(x, d), lambda: jnp.cumsum(x, d) / 4, lambda: lax.cummax(x, d), lambda: jax.nn.softmax(x, d), lambda: jnp.take(x, jnp.array([0, x.shape[d] - 1, 0]), d)))()

    def indexed(vs):
        x = r.choice(vs)
        i = jnp.array([r.randrange(x.shape[0]) for _ in range(3)])
        return r.choice((lambda: x.at[i].add(0.5), lambda: x[i], lambda: x.at[i[0]].set(0.25), lambda: lax.dynamic_slice_in_dim(x, i[1], 1, 0), lambda: x.at[i].max(x[i] * 2)))()

    def looped(vs):
        x = r.choice(vs)
        g = r.choice(UNARY)
        return r.choice((lambda: lax.fori_loop(0, 3, lambda k, v: g(v) * 0.5 + x, x), lambda: lax.scan(lambda c, row: (g(c) + row, c * row), x[0] * 0, x)[1], lambda: lax.map(g, x), lambda: jax.vmap(lambda v: g(v) * jnp.sum(v))(x)))()

    def windowed(vs):
        x = r.choice(vs)
        w = tuple(min(2, n) for n in x.shape)
        return r.choice((lambda: lax.reduce_window(x, 0.0 if smooth else 0.25, lax.add, w, (1,) * x.ndim, "SAME"), lambda: lax.reduce_window(x, -jnp.inf, lax.max, w, w, "VALID")))()

    mapped = lambda vs: r.choice(UNARY)(r.choice(vs))
    return (mapped, mapped, paired, paired, matrix_product, reduced, moved, moved, ordered, indexed, looped, windowed)


def composition(seed, length, smooth):
    def run(*args):
        r = random.Random(seed)
        vs = list(args)
        moves = steps(r, smooth)
        while len(vs) < len(args) + length:
            new = r.choice(moves)(vs)
            if new is not None and 0 < new.ndim <= 3 and new.size <= 400:
                vs.append(new)
        return vs[-1], vs[-2]

    return run


def programs(seeds=range(72)):
    for seed in seeds:
        r = random.Random(10_000 + seed)
        a, b, c = (r.choice(SIZES) for _ in range(3))
        args = [F(a, b), F(b, c), F(a, b)]
        kind = ("plain", "grad", "vmap")[seed % 3]
        f = composition(seed, 4 + seed % 5, kind == "grad")
        if kind == "grad":
            loss = lambda *args, f=f: sum(jnp.sum(jnp.sin(v)) for v in f(*args))
            f = jax.value_and_grad(loss, (0, 1))
        elif kind == "vmap":
            f = jax.vmap(f, in_axes=(0, None, 0))
            args = [F(3, a, b), F(b, c), F(3, a, b)]
        yield f"composed/{kind}/{seed}", f, args, 200
