"""Optimizers as Keras computes them, on pytrees of weights.

An optimizer is a pair of functions: init(weights) returns its slots, and update(weights,
gradients, slots, step) new weights and slots. step is the number of steps before this one.
"""

import jax
import jax.numpy as jnp


def zeros(weights):
    return jax.tree.map(jnp.zeros_like, weights)


def adam(learning_rate=0.001, b1=0.9, b2=0.999, epsilon=1e-7):
    def update(weights, gradients, slots, step):
        t = (step + 1).astype(jnp.float32)
        alpha = learning_rate * jnp.sqrt(1 - b2**t) / (1 - b1**t)
        m = jax.tree.map(lambda m, g: m + (g - m) * (1 - b1), slots["m"], gradients)
        v = jax.tree.map(lambda v, g: v + (g * g - v) * (1 - b2), slots["v"], gradients)
        return jax.tree.map(lambda w, m, v: w - alpha * m / (jnp.sqrt(v) + epsilon), weights, m, v), {"m": m, "v": v}

    return lambda weights: {"m": zeros(weights), "v": zeros(weights)}, update


def rmsprop(learning_rate=0.001, rho=0.9, epsilon=1e-7):
    def update(weights, gradients, slots, step):
        v = jax.tree.map(lambda v, g: rho * v + (1 - rho) * g * g, slots["v"], gradients)
        return jax.tree.map(lambda w, g, v: w - learning_rate * g * jax.lax.rsqrt(v + epsilon), weights, gradients, v), {"v": v}

    return lambda weights: {"v": zeros(weights)}, update


def sgd(learning_rate=0.01, momentum=0.0):
    def update(weights, gradients, slots, step):
        m = jax.tree.map(lambda m, g: momentum * m - learning_rate * g, slots["m"], gradients)
        return jax.tree.map(jnp.add, weights, m), {"m": m}

    return lambda weights: {"m": zeros(weights)}, update


OPTIMIZERS = {f.__name__: f for f in (adam, rmsprop, sgd)}
