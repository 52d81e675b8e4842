"""Writes a model of operations, keras.ops, and what Keras on JAX computes for them.

The model has an output for each operation, named after its case. Beside it stand the outputs
for fixed inputs, and the gradients of the sum of output * cos(position) with respect to both
float inputs.

    KERAS_BACKEND=jax python ops_reference.py [-o FOLDER]

writes operations.keras and operations.json, operations_more.keras and operations_more.json.
"""

import argparse
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import keras
import numpy as np
from keras import ops

from reference import ROOT, floats, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/ops/testdata")
BATCH = 6

# x and y are [batch, 4] numbers, u is sigmoid(x), n are [batch, 3] integers from 0 to 4.
CORNERS = np.array([[0.1, 0.2], [1.1, 0.1], [0.2, 1.2], [1.3, 1.1]], "float32")
CASES = {
    # element by element
    "arccos": lambda x, y, u, n: ops.arccos(u),
    "arccosh": lambda x, y, u, n: ops.arccosh(u + 1.5),
    "arcsin": lambda x, y, u, n: ops.arcsin(u),
    "arcsinh": lambda x, y, u, n: ops.arcsinh(x),
    "arctan": lambda x, y, u, n: ops.arctan(x),
    "arctan2": lambda x, y, u, n: ops.arctan2(x, y),
    "arctanh": lambda x, y, u, n: ops.arctanh(u),
    "ceil": lambda x, y, u, n: ops.ceil(x),
    "cosh": lambda x, y, u, n: ops.cosh(x),
    "exp2": lambda x, y, u, n: ops.exp2(x),
    "expm1": lambda x, y, u, n: ops.expm1(x),
    "floor": lambda x, y, u, n: ops.floor(x),
    "floor_divide": lambda x, y, u, n: ops.floor_divide(x, y + 0.0137),
    "floor_divide_integers": lambda x, y, u, n: ops.floor_divide(n - 2, 3),
    "isfinite": lambda x, y, u, n: ops.isfinite(x / (n[:, :1] * 1.0)),
    "isinf": lambda x, y, u, n: ops.isinf(x / (n[:, :1] * 1.0)),
    "isnan": lambda x, y, u, n: ops.isnan(ops.log(x)),
    "log10": lambda x, y, u, n: ops.log10(u),
    "log2": lambda x, y, u, n: ops.log2(u),
    "logaddexp": lambda x, y, u, n: ops.logaddexp(x, y),
    "logical_xor": lambda x, y, u, n: ops.logical_xor(x > 0, y > 0),
    "mod": lambda x, y, u, n: ops.mod(x, y + 0.0137),  # whose quotients are not near whole numbers
    "mod_integers": lambda x, y, u, n: ops.mod(n - 2, 3),
    "nan_to_num": lambda x, y, u, n: ops.nan_to_num(ops.log(x), nan=0.5),
    "ones_like": lambda x, y, u, n: ops.ones_like(x) + x,
    "reciprocal": lambda x, y, u, n: ops.reciprocal(u),
    "round": lambda x, y, u, n: ops.round(x),
    "round_decimals": lambda x, y, u, n: ops.round(x, 1),
    "sign": lambda x, y, u, n: ops.sign(x),
    "sinh": lambda x, y, u, n: ops.sinh(x),
    "tan": lambda x, y, u, n: ops.tan(x),
    "trunc": lambda x, y, u, n: ops.trunc(x * 2),
    "zeros_like": lambda x, y, u, n: ops.zeros_like(x) + y,
    "full_like": lambda x, y, u, n: ops.full_like(x, 1.5) + y,
    "erf": lambda x, y, u, n: ops.erf(x),
    "erfinv": lambda x, y, u, n: ops.erfinv(u),
    "stop_gradient": lambda x, y, u, n: ops.stop_gradient(x) * y,
    # activations
    "celu": lambda x, y, u, n: ops.celu(x, alpha=0.7),
    "elu": lambda x, y, u, n: ops.elu(x, alpha=0.7),
    "gelu": lambda x, y, u, n: ops.gelu(x),
    "gelu_exact": lambda x, y, u, n: ops.gelu(x, approximate=False),
    "glu": lambda x, y, u, n: ops.glu(x),
    "hard_shrink": lambda x, y, u, n: ops.hard_shrink(x, threshold=0.4),
    "hard_sigmoid": lambda x, y, u, n: ops.hard_sigmoid(x),
    "hard_silu": lambda x, y, u, n: ops.hard_silu(x),
    "hard_tanh": lambda x, y, u, n: ops.hard_tanh(x),
    "leaky_relu": lambda x, y, u, n: ops.leaky_relu(x, negative_slope=0.3),
    "log_sigmoid": lambda x, y, u, n: ops.log_sigmoid(x),
    "log_softmax": lambda x, y, u, n: ops.log_softmax(x),
    "relu6": lambda x, y, u, n: ops.relu6(x * 5),
    "selu": lambda x, y, u, n: ops.selu(x),
    "soft_shrink": lambda x, y, u, n: ops.soft_shrink(x, threshold=0.4),
    "softsign": lambda x, y, u, n: ops.softsign(x),
    "sparse_plus": lambda x, y, u, n: ops.sparse_plus(x),
    "squareplus": lambda x, y, u, n: ops.squareplus(x, b=3),
    "tanh_shrink": lambda x, y, u, n: ops.tanh_shrink(x),
    "threshold": lambda x, y, u, n: ops.threshold(x, 0.2, -1.0),
    # along axes
    "argmax": lambda x, y, u, n: ops.argmax(x, axis=1),
    "argmin": lambda x, y, u, n: ops.argmin(x, axis=-1, keepdims=True),
    "argsort": lambda x, y, u, n: ops.argsort(x, axis=-1),
    "average": lambda x, y, u, n: ops.average(x, axis=1, weights=u),
    "count_nonzero": lambda x, y, u, n: ops.count_nonzero(n, axis=1),
    "cumprod": lambda x, y, u, n: ops.cumprod(u, axis=1),
    "cumsum": lambda x, y, u, n: ops.cumsum(x, axis=1),
    "diff": lambda x, y, u, n: ops.diff(x, axis=1),
    "logsumexp": lambda x, y, u, n: ops.logsumexp(x, axis=1, keepdims=True),
    "norm": lambda x, y, u, n: ops.norm(x, axis=1),
    "norm_1": lambda x, y, u, n: ops.norm(x, ord=1, axis=1, keepdims=True),
    "normalize": lambda x, y, u, n: ops.normalize(x, axis=-1),
    "prod": lambda x, y, u, n: ops.prod(x, axis=1),
    "sort": lambda x, y, u, n: ops.sort(x, axis=1),
    "std": lambda x, y, u, n: ops.std(x, axis=1, keepdims=True),
    "top_k_values": lambda x, y, u, n: ops.top_k(x, 2)[0],
    "top_k_indices": lambda x, y, u, n: ops.top_k(x, 2)[1],
    "var": lambda x, y, u, n: ops.var(x, axis=1),
    # products
    "dot": lambda x, y, u, n: ops.dot(x, ops.transpose(y)),
    "einsum": lambda x, y, u, n: ops.einsum("bi,bj->bij", x, y),
    "outer": lambda x, y, u, n: ops.outer(x[0], y[1]),
    "tensordot": lambda x, y, u, n: ops.tensordot(x, y, axes=[[0], [0]]),
    # shapes
    "broadcast_to": lambda x, y, u, n: ops.broadcast_to(x[0], (3, 4)),
    "flip": lambda x, y, u, n: ops.flip(x, axis=1),
    "hstack": lambda x, y, u, n: ops.hstack([x, y]),
    "moveaxis": lambda x, y, u, n: ops.moveaxis(ops.reshape(x, (-1, 2, 2, 1)), 1, -1),
    "pad": lambda x, y, u, n: ops.pad(x, [[0, 0], [1, 2]], constant_values=0.5),
    "pad_reflect": lambda x, y, u, n: ops.pad(x, [[0, 0], [1, 2]], mode="reflect"),
    "ravel": lambda x, y, u, n: ops.ravel(x),
    "repeat": lambda x, y, u, n: ops.repeat(x, 2, axis=1),
    "roll": lambda x, y, u, n: ops.roll(x, 1, axis=1),
    "split": lambda x, y, u, n: ops.split(x, 2, axis=1)[1],
    "split_at": lambda x, y, u, n: ops.split(x, [1, 3], axis=1)[1],
    "swapaxes": lambda x, y, u, n: ops.swapaxes(ops.reshape(x, (-1, 2, 2)), 1, 2),
    "tile": lambda x, y, u, n: ops.tile(x, [1, 2]),
    "tril": lambda x, y, u, n: ops.tril(ops.reshape(x, (-1, 2, 2))),
    "triu": lambda x, y, u, n: ops.triu(ops.reshape(x, (-1, 2, 2)), k=1),
    "unstack": lambda x, y, u, n: ops.unstack(x, axis=1)[2],
    "vstack": lambda x, y, u, n: ops.vstack([x, y]),
    # indices
    "multi_hot": lambda x, y, u, n: ops.multi_hot(n, 5),
    "one_hot": lambda x, y, u, n: ops.one_hot(n, 5),
    "take": lambda x, y, u, n: ops.take(x, [2, 0], axis=1),
    "take_tensor": lambda x, y, u, n: ops.take(x, n[0], axis=0),
    "take_along_axis": lambda x, y, u, n: ops.take_along_axis(x, ops.minimum(n, 3), axis=1),
    # Of images.
    "gaussian_blur": lambda x, y, u, n: ops.image.gaussian_blur(ops.reshape(x, (-1, 2, 2, 1)), kernel_size=(3, 1), sigma=(0.5, 1.5), data_format="channels_last"),
    "hsv_to_rgb": lambda x, y, u, n: ops.image.hsv_to_rgb(ops.reshape(ops.concatenate([u, u * 0.5, u], axis=1), (-1, 2, 2, 3))),
    "rgb_to_grayscale": lambda x, y, u, n: ops.image.rgb_to_grayscale(ops.reshape(ops.concatenate([x, y, u], axis=1), (-1, 2, 2, 3))),
    "rgb_to_hsv": lambda x, y, u, n: ops.image.rgb_to_hsv(ops.reshape(ops.concatenate([u, u * 0.5, u], axis=1), (-1, 2, 2, 3))),
}  # fmt: skip


MORE = {
    "affine_transform": lambda x, y, u, n: ops.image.affine_transform(ops.reshape(x, (-1, 2, 2, 1)), ops.concatenate([u, u * 0.5 - 0.2], axis=1), fill_mode="constant", fill_value=0.5, data_format="channels_last"),
    "affine_transform_mirror": lambda x, y, u, n: ops.image.affine_transform(ops.reshape(x, (-1, 2, 2, 1)), ops.concatenate([y, y], axis=1), interpolation="nearest", fill_mode="mirror", data_format="channels_last"),
    "perspective_transform": lambda x, y, u, n: ops.image.perspective_transform(
        ops.reshape(x, (-1, 2, 2, 1)), ops.reshape(ops.concatenate([u, u + 1.3], axis=1), (-1, 4, 2)) * CORNERS, ops.reshape(ops.concatenate([u * 0.5, u + 0.9], axis=1), (-1, 4, 2)) * CORNERS, data_format="channels_last"),
    "map_coordinates": lambda x, y, u, n: ops.image.map_coordinates(x, ops.stack([u * 2.5 - 0.4, u * 4.1 - 0.3]), order=1, fill_mode="constant", fill_value=0.5),
    "map_coordinates_reflect": lambda x, y, u, n: ops.image.map_coordinates(x, ops.stack([y, u * 5.3]), order=1, fill_mode="reflect"),
    "map_coordinates_nearest": lambda x, y, u, n: ops.image.map_coordinates(x, ops.stack([y, u * 5.3]), order=0, fill_mode="wrap"),
    # of signals
    "fft_real": lambda x, y, u, n: ops.fft((x, y))[0],
    "fft_imaginary": lambda x, y, u, n: ops.fft((x, y))[1],
    "rfft_real": lambda x, y, u, n: ops.rfft(x)[0],
    "rfft_imaginary": lambda x, y, u, n: ops.rfft(x, fft_length=6)[1],
    "rfft_odd": lambda x, y, u, n: ops.rfft(x, fft_length=3)[1],
    "stft_real": lambda x, y, u, n: ops.stft(x, 3, 1, 4)[0],
    "stft_imaginary": lambda x, y, u, n: ops.stft(ops.concatenate([x, y], axis=1), 3, 2, 3, window="hamming", center=False)[1],
    # more of numpy
    "cbrt": lambda x, y, u, n: ops.cbrt(x),
    "deg2rad": lambda x, y, u, n: ops.deg2rad(x),
    "rad2deg": lambda x, y, u, n: ops.rad2deg(x),
    "erfc": lambda x, y, u, n: ops.erfc(x),
    "heaviside": lambda x, y, u, n: ops.heaviside(x, y) + x,
    "hypot": lambda x, y, u, n: ops.hypot(x, y),
    "isneginf": lambda x, y, u, n: ops.isneginf(x / (n[:, :1] * 1.0)),
    "isposinf": lambda x, y, u, n: ops.isposinf(x / (n[:, :1] * 1.0)),
    "logaddexp2": lambda x, y, u, n: ops.logaddexp2(x, y),
    "sinc": lambda x, y, u, n: ops.sinc(x),
    "amax": lambda x, y, u, n: ops.amax(x, axis=1),
    "amin": lambda x, y, u, n: ops.amin(x, axis=1, keepdims=True),
    "ptp": lambda x, y, u, n: ops.ptp(x, axis=1),
    "nansum": lambda x, y, u, n: ops.nansum(x, axis=1),
    "nanmean": lambda x, y, u, n: ops.nanmean(x, axis=1, keepdims=True),
    "diagonal": lambda x, y, u, n: ops.diagonal(ops.reshape(x, (-1, 2, 2)), offset=1, axis1=1, axis2=2),
    "trace": lambda x, y, u, n: ops.trace(x, offset=-1),
    "inner": lambda x, y, u, n: ops.inner(x, y),
    "vdot": lambda x, y, u, n: ops.vdot(x, y),
    "segment_sum": lambda x, y, u, n: ops.segment_sum(x, n[:, 0], num_segments=4),
}  # fmt: skip
FILES = {"operations": CASES, "operations_more": MORE}


def inputs():
    rng = np.random.default_rng(5)
    x, y = (np.round(rng.standard_normal((BATCH, 4)), 2).astype("float32") for _ in range(2))
    return x, y, rng.integers(0, 5, (BATCH, 3)).astype("int32")


def write(folder, file, functions):
    x, y = keras.Input((4,), name="x"), keras.Input((4,), name="y")
    n = keras.Input((3,), dtype="int32", name="n")
    u = ops.sigmoid(x)
    model = keras.Model([x, y, n], {name: f(x, y, u, n) for name, f in functions.items()})
    model.save(os.path.join(folder, file + ".keras"))

    values = inputs()
    cases = {}
    for name, f in functions.items():

        def weighed(a, b):
            out = f(a, b, jax.nn.sigmoid(a), jnp.asarray(values[2]))
            if not jnp.issubdtype(out.dtype, jnp.floating):
                return jnp.zeros(()), out
            return jnp.sum(out * jnp.cos(jnp.arange(out.size).reshape(out.shape))), out

        gradients, out = jax.grad(weighed, argnums=(0, 1), has_aux=True)(*values[:2])
        cases[name] = {"output": floats(np.asarray(out, "float32"))}
        if jnp.issubdtype(out.dtype, jnp.floating):
            cases[name]["gradients"] = [floats(g) for g in gradients]
    write_json(os.path.join(folder, file + ".json"), {
        "made_with": versions(), "x": floats(values[0]), "y": floats(values[1]), "n": floats(values[2]), "cases": cases,
    })  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("files", nargs="*", help="which to write, all by default: " + ", ".join(FILES))
    args = parser.parse_args()
    os.makedirs(args.output, exist_ok=True)
    for file in args.files or FILES:
        write(args.output, file, FILES[file])


if __name__ == "__main__":
    main()
