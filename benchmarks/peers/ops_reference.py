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
def matrices(u):
    """[batch, 2, 2], well-conditioned matrices."""
    return ops.reshape(u, (-1, 2, 2)) + 2 * np.eye(2, dtype="float32")


def symmetric(x):
    """[batch, 3, 3], with well separated eigenvalues."""
    a = ops.reshape(ops.concatenate([x, x * x, ops.ones_like(x)[:, :1]], axis=1), (-1, 3, 3))
    return (a + ops.transpose(a, (0, 2, 1))) * 0.2 + np.diag([1.0, 3.0, 6.0]).astype("float32")


def gaps(x):
    """x, with NaN in place of some elements; it has the gradient of x."""
    return x + ops.stop_gradient(ops.log(x + 1) * 0)


NUMPY = {
    "append": lambda x, y, u, n: ops.append(x, y, axis=1),
    "argpartition": lambda x, y, u, n: ops.sort(ops.argpartition(x, 1, axis=1)[:, :1], axis=1),
    "array_copy": lambda x, y, u, n: ops.copy(x),
    "array_split": lambda x, y, u, n: ops.array_split(x, 3, axis=1)[0],
    "bincount": lambda x, y, u, n: ops.bincount(n, minlength=5),
    "bitwise_and": lambda x, y, u, n: ops.bitwise_and(n, np.int32(6)),
    "bitwise_not": lambda x, y, u, n: ops.bitwise_not(n),
    "bitwise_or": lambda x, y, u, n: ops.bitwise_or(n, np.int32(2)),
    "bitwise_xor": lambda x, y, u, n: ops.bitwise_xor(n, np.int32(3)),
    "bitwise_left_shift": lambda x, y, u, n: ops.bitwise_left_shift(n, np.int32(2)),
    "bitwise_right_shift": lambda x, y, u, n: ops.bitwise_right_shift(n - 3, np.int32(1)),
    "gcd": lambda x, y, u, n: ops.gcd(n * 6 - 3, 15),
    "lcm": lambda x, y, u, n: ops.lcm(n, 6),
    "ldexp": lambda x, y, u, n: ops.ldexp(x, n[:, :1]),
    "nextafter": lambda x, y, u, n: ops.nextafter(ops.stop_gradient(x), ops.stop_gradient(y)),
    "signbit": lambda x, y, u, n: ops.signbit(x),
    "view": lambda x, y, u, n: ops.view(x, "int32"),
    "corrcoef": lambda x, y, u, n: ops.corrcoef(x),
    "correlate": lambda x, y, u, n: ops.correlate(x[0], y[0, :3], mode="full"),
    "correlate_same": lambda x, y, u, n: ops.correlate(x[0, :2], y[0], mode="same"),
    "correlate_valid": lambda x, y, u, n: ops.correlate(x[0], y[0, :2]),
    "cross": lambda x, y, u, n: ops.cross(x[:, :3], y[:, 1:]),
    "cross_plane": lambda x, y, u, n: ops.cross(x[:, :2], y[:, 2:]),
    "diag": lambda x, y, u, n: ops.diag(x[0], k=1),
    "diag_of": lambda x, y, u, n: ops.diag(x, k=-1),
    "diagflat": lambda x, y, u, n: ops.diagflat(x[:2, :], k=-1),
    "digitize": lambda x, y, u, n: ops.digitize(x, np.array([-0.5, 0.1, 0.9], "float32")),
    "divide_no_nan": lambda x, y, u, n: ops.divide_no_nan(x, n[:, :1] * 1.0),
    "dsplit": lambda x, y, u, n: ops.dsplit(ops.reshape(x, (-1, 1, 4)), 2)[1],
    "dstack": lambda x, y, u, n: ops.dstack([x, y]),
    "empty_like": lambda x, y, u, n: ops.zeros_like(x) * ops.shape(ops.empty_like(y))[1],
    "fabs": lambda x, y, u, n: ops.fabs(x),
    "fliplr": lambda x, y, u, n: ops.fliplr(x),
    "flipud": lambda x, y, u, n: ops.flipud(x),
    "fmax": lambda x, y, u, n: ops.fmax(gaps(x), y),
    "fmin": lambda x, y, u, n: ops.fmin(gaps(x), y),
    "fmod": lambda x, y, u, n: ops.fmod(x, y + 0.0137),
    "hsplit": lambda x, y, u, n: ops.hsplit(x, 2)[1],
    "vsplit": lambda x, y, u, n: ops.vsplit(x, 2)[1],
    "i0": lambda x, y, u, n: ops.i0(x * 6),
    "isin": lambda x, y, u, n: ops.isin(n, np.array([1, 4], "int32")),
    "isclose": lambda x, y, u, n: ops.isclose(x, x + 1e-5 * (x > 0), rtol=1e-6, atol=1e-7),
    "kron": lambda x, y, u, n: ops.kron(x[:2, :], y[:1, :3]),
    "linspace": lambda x, y, u, n: ops.linspace(x, y, num=3, axis=-1),
    "logspace": lambda x, y, u, n: ops.logspace(x, y, num=3, endpoint=False, base=2),
    "geomspace": lambda x, y, u, n: ops.geomspace(u, u * 3, num=4),
    "meshgrid": lambda x, y, u, n: ops.meshgrid(x[0], y[0, :2])[0] + ops.meshgrid(x[0], y[0, :2])[1],
    "rot90": lambda x, y, u, n: ops.rot90(ops.reshape(x, (-1, 2, 2)), k=3, axes=(1, 2)),
    "saturate_cast": lambda x, y, u, n: ops.saturate_cast(x * 200, "uint8"),
    "select": lambda x, y, u, n: ops.select([x > 0.5, x > 0], [x, y], 0.25),
    "trapezoid": lambda x, y, u, n: ops.trapezoid(x, dx=0.5, axis=1),
    "unravel_index": lambda x, y, u, n: ops.unravel_index(n, (3, 4))[1],
    "vander": lambda x, y, u, n: ops.vander(x[0], N=3),
    "matmul_vectors": lambda x, y, u, n: ops.matmul(x, y[0]),
    # statistics
    "median": lambda x, y, u, n: ops.median(x, axis=1),
    "median_all": lambda x, y, u, n: ops.median(x),
    "quantile": lambda x, y, u, n: ops.quantile(x, np.array([0.2, 0.7], "float32"), axis=1, keepdims=True),
    "quantile_nearest": lambda x, y, u, n: ops.quantile(x, 0.3, axis=1, method="nearest"),
    "percentile": lambda x, y, u, n: ops.percentile(x, 35.0, axis=0, method="midpoint"),
    "nanmedian": lambda x, y, u, n: ops.nanmedian(gaps(x), axis=1),
    "nanquantile": lambda x, y, u, n: ops.nanquantile(gaps(x), 0.6, axis=1),
    "nanpercentile": lambda x, y, u, n: ops.nanpercentile(gaps(x), 25.0, axis=1, method="lower"),
    "nanmax": lambda x, y, u, n: ops.nanmax(gaps(x), axis=1),
    "nanmin": lambda x, y, u, n: ops.nanmin(gaps(x), axis=1, keepdims=True),
    "nanprod": lambda x, y, u, n: ops.nanprod(gaps(x), axis=1),
    "nanstd": lambda x, y, u, n: ops.nanstd(gaps(x), axis=1),
    "nanvar": lambda x, y, u, n: ops.nanvar(gaps(x), axis=1, keepdims=True),
    "nanargmax": lambda x, y, u, n: ops.nanargmax(gaps(x), axis=1),
    "nanargmin": lambda x, y, u, n: ops.nanargmin(gaps(x), axis=1),
    "nancumsum": lambda x, y, u, n: ops.nancumsum(gaps(x), axis=1),
    "nancumprod": lambda x, y, u, n: ops.nancumprod(gaps(x), axis=1),
    "moments": lambda x, y, u, n: ops.moments(x, axes=[0])[0] + ops.moments(x, axes=[0])[1],
    "searchsorted": lambda x, y, u, n: ops.searchsorted(np.array([-1, -0.2, 0.3, 1], "float32"), x, side="right"),
    "histogram": lambda x, y, u, n: ops.histogram(x[:, 0], bins=4)[0],
    "histogram_edges": lambda x, y, u, n: ops.histogram(x[:, 0], bins=4)[1],
    # complex numbers
    "angle": lambda x, y, u, n: ops.angle(x),
    "imag": lambda x, y, u, n: ops.imag(ops.conjugate(ops.view_as_complex(ops.stack([x, y], axis=-1)))),
    "real": lambda x, y, u, n: ops.real(ops.polar(u, y)),
    "view_as_real": lambda x, y, u, n: ops.view_as_real(ops.polar(u, y)),
}  # fmt: skip


def images(x, y, u):
    """[batch, 4, 3, 1]"""
    return ops.reshape(ops.concatenate([x, y, u], axis=1), (-1, 4, 3, 1))


def kernel(y, *shape):
    return ops.reshape(y[: max(1, int(np.prod(shape)) // 4), :], shape)


NN = {
    "conv": lambda x, y, u, n: ops.conv(images(x, y, u), kernel(y, 2, 2, 1, 2), strides=2, padding="same", data_format="channels_last"),
    "conv_transpose": lambda x, y, u, n: ops.conv_transpose(images(x, y, u), kernel(y, 2, 2, 2, 1), strides=2, data_format="channels_last"),
    "depthwise_conv": lambda x, y, u, n: ops.depthwise_conv(images(x, y, u), kernel(y, 2, 2, 1, 2), data_format="channels_last"),
    "separable_conv": lambda x, y, u, n: ops.separable_conv(images(x, y, u), kernel(y, 2, 2, 1, 2), kernel(x, 1, 1, 2, 2), data_format="channels_last"),
    "max_pool": lambda x, y, u, n: ops.max_pool(images(x, y, u), 2, strides=1, data_format="channels_last"),
    "average_pool": lambda x, y, u, n: ops.average_pool(images(x, y, u), (2, 1), strides=(2, 1), padding="same", data_format="channels_last"),
    "adaptive_average_pool": lambda x, y, u, n: ops.adaptive_average_pool(images(x, y, u), (3, 2), data_format="channels_last"),
    "adaptive_max_pool": lambda x, y, u, n: ops.adaptive_max_pool(images(x, y, u), (3, 2), data_format="channels_last"),
    "batch_normalization": lambda x, y, u, n: ops.batch_normalization(x, y[0], u[0], -1, offset=y[1], scale=u[1]),
    "layer_normalization": lambda x, y, u, n: ops.layer_normalization(x, y[0], y[1], epsilon=1e-3),
    "rms_normalization": lambda x, y, u, n: ops.rms_normalization(x, scale=y[0]),
    "binary_crossentropy": lambda x, y, u, n: ops.binary_crossentropy(ops.sigmoid(y), u),
    "binary_crossentropy_logits": lambda x, y, u, n: ops.binary_crossentropy(u, y, from_logits=True),
    "categorical_crossentropy": lambda x, y, u, n: ops.categorical_crossentropy(ops.softmax(y), u),
    "sparse_categorical_crossentropy": lambda x, y, u, n: ops.sparse_categorical_crossentropy(ops.minimum(n[:, 0], 3), x, from_logits=True),
    "ctc_loss": lambda x, y, u, n: ops.ctc_loss(ops.minimum(n[:, :2], 1) + 1, ops.reshape(ops.concatenate([x, y, u], axis=1), (-1, 4, 3)), ops.minimum(n[:, 2], 1) + 1, ops.minimum(n[:, 0], 1) + 3),
    "ctc_decode": lambda x, y, u, n: ops.ctc_decode(ops.reshape(ops.concatenate([x, y, u], axis=1), (-1, 4, 3)), ops.minimum(n[:, 0], 1) + 3)[0],
    "dot_product_attention": lambda x, y, u, n: ops.dot_product_attention(ops.reshape(x, (-1, 2, 1, 2)), ops.reshape(y, (-1, 2, 1, 2)), ops.reshape(u, (-1, 2, 1, 2)), is_causal=True),
    "dot_product_attention_mask": lambda x, y, u, n: ops.dot_product_attention(ops.reshape(x, (-1, 2, 2, 1)), ops.reshape(y, (-1, 2, 2, 1)), ops.reshape(u, (-1, 2, 2, 1)), mask=ops.reshape(n[:, :2] > 1, (-1, 1, 1, 2)), scale=0.7),
    "depth_to_space": lambda x, y, u, n: ops.depth_to_space(ops.reshape(x, (-1, 1, 1, 4)), 2, data_format="channels_last"),
    "space_to_depth": lambda x, y, u, n: ops.space_to_depth(ops.reshape(x, (-1, 2, 2, 1)), 2, data_format="channels_last"),
    "unfold": lambda x, y, u, n: ops.unfold(ops.reshape(x, (-1, 1, 2, 2)), (2, 1), padding=1, stride=(1, 2)),
    "fold": lambda x, y, u, n: ops.fold(ops.reshape(x, (-1, 4, 1)), (2, 2), 2, stride=2),
    "fold_dilated": lambda x, y, u, n: ops.fold(ops.reshape(ops.concatenate([x, y], axis=1), (-1, 4, 2)), (4, 3), 2, dilation=2, stride=1),
    "psnr": lambda x, y, u, n: ops.psnr(x, y, 2.0),
    "sparse_sigmoid": lambda x, y, u, n: ops.sparse_sigmoid(x),
    # signals and segments
    "cdist": lambda x, y, u, n: ops.cdist(x, y),
    "extract_sequences": lambda x, y, u, n: ops.extract_sequences(x, 2, 1),
    "fft2": lambda x, y, u, n: ops.fft2((ops.reshape(x, (-1, 2, 2)), ops.reshape(y, (-1, 2, 2))))[1],
    "ifft2": lambda x, y, u, n: ops.ifft2((x, y))[0],
    "irfft": lambda x, y, u, n: ops.irfft((x, y), fft_length=5),
    "istft": lambda x, y, u, n: ops.istft((ops.reshape(ops.concatenate([x, u], axis=1)[:, :6], (-1, 2, 3)), ops.reshape(ops.concatenate([y, u], axis=1)[:, :6], (-1, 2, 3))), 4, 2, 4, center=False),
    "in_top_k": lambda x, y, u, n: ops.in_top_k(ops.minimum(n[:, 0], 3), x, 2),
    "segment_max": lambda x, y, u, n: ops.maximum(ops.segment_max(x, n[:, 0], num_segments=4), -9.0),
    "segment_min": lambda x, y, u, n: ops.minimum(ops.segment_min(x, n[:, 0], num_segments=4), 9.0),
    "segment_prod": lambda x, y, u, n: ops.segment_prod(ops.stop_gradient(x), n[:, 0], num_segments=4),
    # parts of tensors
    "scatter": lambda x, y, u, n: ops.scatter(ops.minimum(n[:, :2], 3), x[:, 0], (5, 4)),
    "scatter_update": lambda x, y, u, n: ops.scatter_update(x, np.array([[0, 1], [2, 3]], "int32"), y[0, :2]),
    "scatter_update_add": lambda x, y, u, n: ops.scatter_update(x, np.array([[0], [2], [0]], "int32"), y[:3, :], reduction="add"),
    "scatter_update_max": lambda x, y, u, n: ops.scatter_update(x, np.array([[0], [2], [0]], "int32"), y[:3, :], reduction="max"),
    "slice": lambda x, y, u, n: ops.slice(x, (1, 2), (3, 2)),
    "slice_update": lambda x, y, u, n: ops.slice_update(x, (1, 2), y[:2, :2]),
    # images
    "crop_images": lambda x, y, u, n: ops.image.crop_images(images(x, y, u), top_cropping=1, bottom_cropping=1, left_cropping=1, target_width=2, data_format="channels_last"),
    "pad_images": lambda x, y, u, n: ops.image.pad_images(images(x, y, u), top_padding=1, bottom_padding=0, left_padding=1, target_width=5, data_format="channels_last"),
    "extract_patches": lambda x, y, u, n: ops.image.extract_patches(images(x, y, u), (2, 2), strides=1, padding="same", data_format="channels_last"),
    "extract_patches_3d": lambda x, y, u, n: ops.image.extract_patches_3d(ops.reshape(ops.concatenate([x, y], axis=1), (-1, 2, 2, 2, 1)), (2, 1, 2), data_format="channels_last"),
    "resize": lambda x, y, u, n: ops.image.resize(images(x, y, u), (3, 5), data_format="channels_last"),
    "resize_crop": lambda x, y, u, n: ops.image.resize(images(x, y, u), (3, 3), interpolation="bicubic", antialias=True, crop_to_aspect_ratio=True, data_format="channels_last"),
    "scale_and_translate": lambda x, y, u, n: ops.image.scale_and_translate(images(x, y, u), (BATCH, 5, 4, 1), np.array([1.2, 0.8], "float32"), np.array([0.3, -0.4], "float32"), (1, 2), "linear"),
    "sobel_edges": lambda x, y, u, n: ops.image.sobel_edges(images(x, y, u), data_format="channels_last"),
    "ssim": lambda x, y, u, n: ops.image.ssim(images(x, y, u), images(u, x, y), filter_size=3, data_format="channels_last"),
}  # fmt: skip

LINALG = {
    "numbers": lambda x, y, u, n: ops.cast(n, "float32"),
    "cholesky": lambda x, y, u, n: ops.cholesky(symmetric(x)),
    "cholesky_upper": lambda x, y, u, n: ops.cholesky(symmetric(x), upper=True),
    "cholesky_inverse": lambda x, y, u, n: ops.cholesky_inverse(matrices(u)[0]),
    "det": lambda x, y, u, n: ops.det(matrices(u)),
    "inv": lambda x, y, u, n: ops.inv(matrices(x * 0.3)),
    "logdet": lambda x, y, u, n: ops.logdet(matrices(u)),
    "slogdet_sign": lambda x, y, u, n: ops.slogdet(matrices(x * 3) - 2)[0],
    "solve": lambda x, y, u, n: ops.solve(matrices(x * 0.3), ops.reshape(y, (-1, 2, 2))),
    "solve_pivots": lambda x, y, u, n: ops.solve(ops.flip(symmetric(x), axis=1), ops.reshape(ops.concatenate([y, x], axis=1)[:, :6], (-1, 3, 2))),
    "solve_triangular": lambda x, y, u, n: ops.solve_triangular(matrices(u), ops.reshape(y, (-1, 2, 2)), lower=True),
    "solve_triangular_upper": lambda x, y, u, n: ops.solve_triangular(matrices(u), ops.reshape(y, (-1, 2, 2))),
    "lu_factor": lambda x, y, u, n: ops.lu_factor(ops.flip(symmetric(x), axis=1))[0],
    "lu_factor_pivots": lambda x, y, u, n: ops.lu_factor(ops.flip(symmetric(x), axis=1))[1],
    "qr_q": lambda x, y, u, n: ops.qr(x)[0],
    "qr_r": lambda x, y, u, n: ops.qr(x)[1],
    "qr_complete": lambda x, y, u, n: ops.stop_gradient(ops.qr(x, mode="complete")[0][:, :4]),
    "eigh_values": lambda x, y, u, n: ops.eigh(symmetric(x))[0],
    "eigh_vectors": lambda x, y, u, n: ops.square(ops.eigh(symmetric(x))[1]),
    "svd_values": lambda x, y, u, n: ops.svd(x, compute_uv=False),
    "svd_vectors": lambda x, y, u, n: ops.square(ops.svd(x, full_matrices=False)[0]) + 0.5 * ops.sum(ops.square(ops.svd(x, full_matrices=False)[2]) * y[:4, :]),
    "svd_wide": lambda x, y, u, n: ops.square(ops.svd(x[:2, :], full_matrices=False)[2]),
    "pinv": lambda x, y, u, n: ops.pinv(x),
    "lstsq": lambda x, y, u, n: ops.lstsq(x, y[:, 0]),
    "matrix_rank": lambda x, y, u, n: ops.matrix_rank(ops.concatenate([x[:, :2], x[:, :2]], axis=1)),
    "norm_nuclear": lambda x, y, u, n: ops.norm(x, ord="nuc", axis=(0, 1)),
    "norm_spectral": lambda x, y, u, n: ops.norm(x, ord=2, axis=(0, 1)),
    "norm_matrix_1": lambda x, y, u, n: ops.norm(x, ord=1, axis=(0, 1)),
}  # fmt: skip

# They take functions, which Keras writes into no file.
CORE = {
    "norm_matrix_inf": lambda x, y, u, n: ops.norm(x, ord=np.inf, axis=(0, 1)),  # a file of Keras has no infinity that JSON knows
    "scan_carry": lambda x, y, u, n: ops.scan(lambda c, v: (c * 0.5 + ops.tanh(v), c * v), y[0], x)[0],
    "scan_results": lambda x, y, u, n: ops.scan(lambda c, v: (c * 0.5 + ops.tanh(v), c * v), y[0], x, reverse=True)[1],
    "map": lambda x, y, u, n: ops.map(lambda v: ops.sum(v * v), x),
    "vectorized_map": lambda x, y, u, n: ops.vectorized_map(lambda v: ops.cumsum(v), x),
    "fori_loop": lambda x, y, u, n: ops.fori_loop(1, 4, lambda i, v: ops.sin(v) + ops.cast(i, "float32"), x),
    "while_loop": lambda x, y, u, n: ops.while_loop(lambda v, i: ops.sum(ops.abs(v)) < 50, lambda v, i: (v * 1.5, i + 1), (jax.lax.stop_gradient(x), 0))[0],
    "while_loop_limit": lambda x, y, u, n: ops.while_loop(lambda v: ops.sum(ops.abs(v)) > 0, lambda v: (v * 1.5,), (jax.lax.stop_gradient(x),), maximum_iterations=3)[0],
    "cond": lambda x, y, u, n: ops.cond(x[0, 0] > 0, lambda: x * y, lambda: x - y),
    "switch": lambda x, y, u, n: ops.switch(n[0, 0], [lambda a, b: a, lambda a, b: a * b, lambda a, b: b], x, y),
    "associative_scan": lambda x, y, u, n: ops.associative_scan(lambda a, b: a * b + a + b, u, axis=1),
    "associative_scan_reverse": lambda x, y, u, n: ops.associative_scan(lambda a, b: a * b, u, reverse=True, axis=1),
    "custom_gradient": lambda x, y, u, n: ops.custom_gradient(lambda a, b: (a * b, lambda v: (v * 2, v * b)))(x, y),
    "jvp": lambda x, y, u, n: jnp.sum(ops.jvp(lambda a: ops.sin(a) * a, (x,), (y,))[1], axis=1),
    "scatter_update_mul": lambda x, y, u, n: ops.scatter_update(jax.lax.stop_gradient(x), np.array([[0], [2], [0]], "int32"), jax.lax.stop_gradient(y[:3]), reduction="mul"),
    "trapezoid_uneven": lambda x, y, u, n: ops.trapezoid(x, dx=2.0, axis=0),
    "arange": lambda x, y, u, n: x + ops.arange(4),
    "arange_step": lambda x, y, u, n: x * ops.arange(0.5, 2.5, 0.5),
    "eye": lambda x, y, u, n: ops.matmul(x, ops.eye(4, 3, k=-1)),
    "tri": lambda x, y, u, n: ops.matmul(x, ops.tri(4, 5, k=1)),
    "full": lambda x, y, u, n: x + ops.full((4,), 1.5),
    "identity": lambda x, y, u, n: x + ops.identity(4)[1],
    "linspace_numbers": lambda x, y, u, n: x * ops.linspace(0, 3, 4),
    "logspace_numbers": lambda x, y, u, n: x * ops.logspace(0, 1, 4),
    "geomspace_numbers": lambda x, y, u, n: x * ops.geomspace(1, 8, 4),
    "hamming": lambda x, y, u, n: x * ops.hamming(4),
    "hanning": lambda x, y, u, n: x * ops.hanning(4),
    "blackman": lambda x, y, u, n: x * ops.blackman(4),
    "bartlett": lambda x, y, u, n: x * ops.bartlett(4),
    "kaiser": lambda x, y, u, n: x * ops.kaiser(4, 3.0),
    "rearrange": lambda x, y, u, n: ops.rearrange(x, "b (h w) -> b w h", h=2),
    "elastic_transform": lambda x, y, u, n: ops.image.elastic_transform(images(x, y, u), alpha=3.0, sigma=0.7, seed=7, data_format="channels_last"),
}  # fmt: skip
FILES = {"operations": CASES, "operations_more": MORE, "operations_numpy": NUMPY, "operations_nn": NN, "operations_linalg": LINALG, "operations_core": CORE}
WITHOUT_MODEL = {"operations_core"}


def inputs():
    rng = np.random.default_rng(5)
    x, y = (np.round(rng.standard_normal((BATCH, 4)), 2).astype("float32") for _ in range(2))
    return x, y, rng.integers(0, 5, (BATCH, 3)).astype("int32")


def write(folder, file, functions):
    if file not in WITHOUT_MODEL:
        # Some operations have no symbolic form for an open batch.
        shape = {} if file in ("operations", "operations_more") else {"batch_size": BATCH}
        x, y = keras.Input((4,), name="x", **shape), keras.Input((4,), name="y", **shape)
        n = keras.Input((3,), dtype="int32", name="n", **shape)
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
