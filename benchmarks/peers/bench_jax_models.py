"""The models of the benchmarks in plain JAX: a model is a function of its weights.

Weights are nested dicts with Keras' names: {"d1": {"kernel": ..., "bias": ...}}. A model
is called as model(weights, x, step, at, layer): step is the number of the training step,
at(path, y) lays out the output of a layer, and layer(f) returns f, a function of the
activations for a layer or a block of layers, possibly with jax.checkpoint. It returns the
outputs, and the statistics that are updated by means other than gradients (batch
normalization's), by layer.
"""

import jax
import jax.numpy as jnp
from jax import lax


def dense(p, x):
    y = x @ p["kernel"]
    return y + p["bias"] if "bias" in p else y


def conv(p, x, stride=1, padding="VALID"):
    return p["bias"] + lax.conv_general_dilated(
        x, p["kernel"], (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def max_pool(x, size, stride):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, size, size, 1), (1, stride, stride, 1), "VALID")


def quickstart(p, x, step, at, layer):
    x = jax.nn.relu(dense(p["d1"], x.reshape(x.shape[0], -1)))
    key = jax.random.wrap_key_data(jnp.stack([jnp.uint32(15), step.astype(jnp.uint32)]))  # as Keras' SeedGenerator(15)
    x = jnp.where(jax.random.bernoulli(key, 0.6, x.shape), x / 0.6, 0)
    return at("d2/output", jax.nn.softmax(dense(p["d2"], x))), {}


def mlp(p, x, step, at, layer):
    for name in ("d1", "d2"):
        x = layer(lambda x: jax.nn.relu(dense(p[name], x)))(x)
    return dense(p["d3"], x), {}


def conv_net(p, x, step, at, layer):
    for name in ("c1", "c2"):
        x = layer(lambda x: max_pool(jax.nn.relu(conv(p[name], x)), 2, 2))(x)
    return dense(p["d1"], x.reshape(x.shape[0], -1)), {}


def batch_norm(p, x, momentum=0.99, epsilon=1.001e-5):
    mean, variance = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
    y = (x - mean) * (lax.rsqrt(variance + epsilon) * p["gamma"]) + p["beta"]
    now = {"moving_mean": mean, "moving_variance": variance}
    return y, {name: momentum * p[name] + (1 - momentum) * value for name, value in now.items()}


STAGES = [(3, 1), (4, 2), (6, 2), (3, 2)]  # blocks, and the stride of the first


def resnet50(p, x, step, at, layer):
    def conv_bn(now, name, x, stride=1, padding="VALID"):
        y, now[f"{name}_bn"] = batch_norm(p[f"{name}_bn"], conv(p[f"{name}_conv"], x, stride, padding))
        return y

    def stem(x):
        now = {}
        x = jnp.pad(x, [(0, 0), (3, 3), (3, 3), (0, 0)])
        x = jax.nn.relu(conv_bn(now, "conv1", x, 2))
        return max_pool(jnp.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)]), 3, 2), now

    def block(name, stride):
        def run(x):
            now = {}
            shortcut = conv_bn(now, f"{name}_0", x, stride) if f"{name}_0_conv" in p else x
            y = jax.nn.relu(conv_bn(now, f"{name}_1", x, stride))
            y = jax.nn.relu(conv_bn(now, f"{name}_2", y, padding="SAME"))
            return jax.nn.relu(shortcut + conv_bn(now, f"{name}_3", y)), now

        return run

    x, statistics = layer(stem)(x)
    for stage, (blocks, stride) in enumerate(STAGES, 2):
        for i in range(1, blocks + 1):
            x, now = layer(block(f"conv{stage}_block{i}", stride if i == 1 else 1))(x)
            statistics |= now
    return dense(p["predictions"], jnp.mean(x, (1, 2))), statistics


def layer_norm(p, x, epsilon=1e-3):
    mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + epsilon) * p["gamma"] + p["beta"]


def attention(p, x):
    q, k, v = (jnp.einsum("btd,dhe->bthe", x, p[n]["kernel"]) + p[n]["bias"] for n in ("query", "key", "value"))
    y = jax.nn.dot_product_attention(q, k, v, is_causal=True)
    return jnp.einsum("bthe,hed->btd", y, p["attention_output"]["kernel"]) + p["attention_output"]["bias"]


def transformer(p, x, step, at, layer):
    def block(b):
        part = lambda name: p[f"block{b}_{name}"]

        def run(x):
            x = x + attention(part("attention"), layer_norm(part("norm1"), x))
            h = jax.nn.gelu(dense(part("up"), layer_norm(part("norm2"), x)), approximate=False)
            return x + dense(part("down"), h)

        return run

    x = p["words"]["embeddings"][x]
    for b in range(sum(name.endswith("_attention") for name in p)):
        x = layer(block(b))(x)
    return dense(p["next"], layer_norm(p["norm"], x)), {}


def lstm(p, x, step, at, layer):
    cell = p["lstm"]["lstm_cell"]

    def one(state, x):
        h, c = state
        z = x @ cell["kernel"] + h @ cell["recurrent_kernel"] + cell["bias"]
        i, f, g, o = jnp.split(z, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    zeros = jnp.zeros((x.shape[0], cell["recurrent_kernel"].shape[0]), x.dtype)
    (h, _), _ = lax.scan(layer(one), (zeros, zeros), x.swapaxes(0, 1))
    return dense(p["d1"], h), {}


def scan(p, x, step, at, layer):
    def one(x, w):
        h = layer_norm(w, x, epsilon=1e-7)
        return x + jax.nn.gelu(h @ w["up"], approximate=False) @ w["down"], None

    return dense(p["d1"], lax.scan(layer(one), x, p["stack"])[0]), {}


# Losses. All models except quickstart end with logits: the softmax is part of the loss.


def mse(outputs, y):
    return jnp.mean(jnp.square(outputs - y))


def categorical_crossentropy(logits, y):
    return -jnp.mean(jnp.sum(y * jax.nn.log_softmax(logits), -1))


def sparse_categorical_crossentropy(logits, y):
    y = y.reshape(logits.shape[:-1])
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[..., None], -1))


MODELS = {f.__name__: f for f in (quickstart, mlp, conv_net, resnet50, transformer)}
MODELS |= {"lstm12": lstm, "lstm400": lstm, "scan": scan}
LOSSES = {f.__name__: f for f in (mse, categorical_crossentropy, sparse_categorical_crossentropy)}
