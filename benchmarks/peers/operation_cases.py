"""Writes what Keras on JAX computes for single operations, keras.ops, with arguments that the
model of ops_reference.py does not have: other types and ranks, no axis, vectors of weights.

    KERAS_BACKEND=jax python operation_cases.py [-o FILE]

A case has the class of the operation, its arguments and attributes as Keras writes them into a
.keras file, and its results. Those of INFINITE also have the gradients of the weighed sum of the
result, whose weights are 1, 2, 3, …
"""

import argparse
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import keras
import numpy as np
from keras import ops, tree

from reference import ROOT, floats, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/layers/internal/operations/testdata/cases.json")

A = np.array([[1.5, -2, 0.25], [-0.5, 3, 4]], "float32")
B = np.array([[1.5, 2, -0.25], [0.5, -3, 2]], "float32")
V = np.array([0.5, 2, 1], "float32")
N = np.array([[3, -1, 4], [1, 5, -9]], "int32")
K = np.array([[2, 1, 0], [3, 1, 2]], "int32")
U = np.array([[200, 7, 255], [16, 1, 128]], "uint8")
T = np.array([[True, False, True], [False, False, True]])
S = np.array([[True, True, False], [False, True, True]])
C = np.array([[1 + 2j, -3 + 0j], [0.5j, -1 - 1j]], "complex64")
H = np.array([[70000, -3.5, 300.25], [1, -70000, 2]], "float32")
I = (np.arange(2 * 4 * 5 * 3) % 17).reshape(2, 4, 5, 3).astype("float32") / 16
TURN = np.array([1, 0.2, -1, 0.1, 1, 0.5, 0, 0], "float32")
SQUARE = np.array([[0, 0], [4, 0], [0, 3], [4, 3]], "float32")

CASES = {
    "allclose": (lambda a, b: ops.allclose(a, b), A, A + 1e-6),
    "allclose_not": (lambda a, b: ops.allclose(a, b), A, B),
    "angle_complex": (lambda c: ops.angle(c), C),
    "angle_real": (lambda a: ops.angle(a), A),
    "isreal_complex": (lambda c: ops.isreal(c), C),
    "isreal_real": (lambda a: ops.isreal(a), A),
    "view_as_real": (lambda a: ops.view_as_real(a), A),
    "append_flat": (lambda a, b: ops.append(a, b), A, V),
    "dstack_vectors": (lambda v, w: ops.dstack([v, w]), V, V * 2),
    "hsplit_vector": (lambda v: ops.hsplit(v, 3), V),
    "rot90_once": (lambda a: ops.rot90(a, 1), A),
    "rot90_twice": (lambda a: ops.rot90(a, 2), A),
    "rot90_thrice": (lambda a: ops.rot90(a, 3), A),
    "rot90_all": (lambda a: ops.rot90(a, 4), A),
    "isclose_nan": (lambda a, b: ops.isclose(a, b, equal_nan=True), np.array([np.nan, np.nan, 1], "float32"), np.array([np.nan, 1, 1], "float32")),
    "isin_invert": (lambda n, v: ops.isin(n, v, invert=True), N, N[0]),
    "argpartition_flat": (lambda a: ops.argpartition(a, 2, axis=None), A),
    "amax_integers": (lambda n: ops.amax(n, axis=1), N),
    "amin_integers": (lambda n: ops.amin(n, axis=0), N),
    "matmul_vector_matrix": (lambda v, a: ops.matmul(v, a), V, A.T),
    "matmul_matrix_vector": (lambda a, v: ops.matmul(a, v), A, V),
    "argmax_flat": (lambda a: ops.argmax(a), A),
    "average": (lambda a: ops.average(a, axis=1), A),
    "average_vector": (lambda a, v: ops.average(a, axis=1, weights=v), A, V),
    "norm_inf": (lambda a: ops.norm(a, ord=np.inf, axis=1), A),
    "norm_matrix_minus_inf": (lambda a: ops.norm(a, ord=-np.inf, axis=(0, 1)), A),
    "norm_matrix_minus_one": (lambda a: ops.norm(a, ord=-1, axis=(0, 1)), A),
    "norm_minus_inf": (lambda a: ops.norm(a, ord=-np.inf, axis=1), A),
    "norm_zero": (lambda a: ops.norm(a, ord=0, axis=1), np.maximum(A, 0)),
    "norm_minus_two": (lambda a: ops.norm(a, ord=-2, axis=1), A),
    "norm_three": (lambda a: ops.norm(a, ord=3, axis=0), A),
    "normalize_three": (lambda a: ops.normalize(a, axis=-1, order=3), A),
    "dot_scalar": (lambda a, s: ops.dot(a, s), A, np.float32(2)),
    "tensordot_count": (lambda a, b: ops.tensordot(a, b, axes=1), A, B.T),
    "bitwise_and_booleans": (lambda t, s: ops.bitwise_and(t, s), T, S),
    "bitwise_xor_booleans": (lambda t, s: ops.bitwise_xor(t, s), T, S),
    "bitwise_not_booleans": (lambda t: ops.bitwise_not(t), T),
    "bitwise_not_unsigned": (lambda u: ops.bitwise_not(u), U),
    "right_shift_unsigned": (lambda u, k: ops.right_shift(u, k), U, K.astype("uint8")),
    "right_shift_negative": (lambda n, k: ops.right_shift(n, k), N, K),
    "signbit_unsigned": (lambda u: ops.signbit(u), U),
    "signbit_integers": (lambda n: ops.signbit(n), N),
    "view_smaller": (lambda a: ops.view(a, "uint8"), A),
    "view_larger": (lambda u: ops.view(u, "int32"), np.arange(16, dtype="uint8").reshape(2, 8)),
    "saturate_cast_int8": (lambda h: ops.saturate_cast(h, "int8"), H),
    "saturate_cast_int32": (lambda h: ops.saturate_cast(h, "int32"), H * np.float32(1e6)),
    "saturate_cast_uint8": (lambda n: ops.saturate_cast(n, "uint8"), N * 100),
    "saturate_cast_float16": (lambda h: ops.saturate_cast(h, "float16"), H),
    "saturate_cast_bfloat16": (lambda h: ops.saturate_cast(h, "bfloat16"), H),
    "take_number": (lambda a: ops.take(a, 1, axis=1), A),
    "take_flat": (lambda a, k: ops.take(a, k), A, K),
    "take_along_flat": (lambda v, k: ops.take_along_axis(v, k, axis=None), A, K[1]),
    "argsort_flat": (lambda a: ops.argsort(a, axis=None), A),
    "get_item_step": (lambda a: a[:, ::2], A),
    "svd": (lambda a: ops.svd(a, compute_uv=False), A),
    "round_integers": (lambda n: ops.round(n), N),
    "nansum_integers": (lambda n: ops.nansum(n, axis=0), N),
    "nanmax_integers": (lambda n: ops.nanmax(n, axis=0), N),
    "squeeze_all": (lambda x: ops.squeeze(x), A.reshape(1, 2, 1, 3)),
    "vstack_vectors": (lambda v, w: ops.vstack([v, w]), V, V * 2),
    "broadcast_to": (lambda v: ops.broadcast_to(v, (2, 3)), V),
    "repeat_flat": (lambda a: ops.repeat(a, 2), A),
    "roll_flat": (lambda a: ops.roll(a, 2), A),
    "roll_all": (lambda a: ops.roll(a, 3, axis=1), A),
    "tile_more": (lambda v: ops.tile(v, (2, 2)), V),
    "cumsum_flat": (lambda a: ops.cumsum(a), A),
    "flip_all": (lambda a: ops.flip(a), A),
    "median_flat": (lambda a: ops.median(a), A),
    "quantile_higher": (lambda a: ops.quantile(a, 0.3, axis=1, method="higher"), A),
    "quantile_lower": (lambda a: ops.quantile(a, 0.3, axis=1, method="lower"), A),
    "quantile_nearest": (lambda a: ops.quantile(a, 0.3, axis=1, method="nearest"), A),
    "quantile_midpoint": (lambda a: ops.quantile(a, 0.3, axis=1, method="midpoint"), A),
    "histogram_range": (lambda v: ops.histogram(v, bins=4, range=(-1, 3)), A[0]),
    "segment_max_integers": (lambda n, s: ops.segment_max(n, s, 4), N[0], np.array([0, 2, 2], "int32")),
    "categorical_crossentropy": (lambda t, p: ops.categorical_crossentropy(t, p), np.eye(3, dtype="float32")[:2], np.abs(A)),
    "sparse_categorical_crossentropy_column": (lambda t, p: ops.sparse_categorical_crossentropy(t, p), np.array([[0], [2]], "int32"), np.abs(A)),
    "stft_no_window": (lambda v: ops.stft(v, 4, 2, 8, window=None, center=False), I.reshape(-1)[:16]),
    "istft_length": (lambda r, i: ops.istft((r, i), 4, 2, 8, length=10), I.reshape(2, 60)[:, :35].reshape(2, 7, 5), I.reshape(2, 60)[:, 20:55].reshape(2, 7, 5)),
    "irfft_longer": (lambda r, i: ops.irfft((r, i), 12), A, B),
    "clip_integers": (lambda n: ops.clip(n, -1, 4), N),
    "where_booleans": (lambda t, n: ops.where(t, n, 0), T, N),
    "mod_negative": (lambda n, k: ops.mod(n, k), N, K + 1),
    "floor_divide_negative": (lambda n, k: ops.floor_divide(n, k), N, K + 1),
    "power_integers": (lambda n, k: ops.power(n, k), N, K),
    "mean_integers": (lambda n: ops.mean(n, axis=1), N),
    "var_flat": (lambda a: ops.var(a), A),
    "prod_integers": (lambda n: ops.prod(n, axis=1), N),
    "min_initial": (lambda n: ops.min(n, axis=0, initial=0), N),
    "max_initial": (lambda a: ops.max(a, axis=1, initial=3.5), A),
    "any_numbers": (lambda n: ops.any(n, axis=0), N - 3),
    "count_nonzero_flat": (lambda n: ops.count_nonzero(n), N - 3),
    "diff_twice": (lambda a: ops.diff(a, 2, axis=1), A),
    "one_hot_outside": (lambda n: ops.one_hot(n, 4), N),
    "multi_hot": (lambda n: ops.multi_hot(n, 4), K),
    "top_k": (lambda a: ops.top_k(a, 2), A),
    "in_top_k": (lambda k, a: ops.in_top_k(k, a, 2), K[0, :2], A),
    "searchsorted_right": (lambda v, a: ops.searchsorted(v, a, side="right"), np.sort(A[1]), A[1]),
    "scatter_twice": (lambda i, v: ops.scatter(i, v, (4,)), np.array([[1], [1], [3]], "int32"), V),
    "slice_whole": (lambda a: ops.slice(a, (0, 1), (2, 2)), A),
    "slice_update": (lambda a, v: ops.slice_update(a, (1, 1), v), A, V[:1].reshape(1, 1)),
    "cross_vectors": (lambda v, w: ops.cross(v, w), V, A[0]),
    "kron_vectors": (lambda v, w: ops.kron(v, w), V, A[0]),
    "outer_matrices": (lambda a, b: ops.outer(a, b), A, B),
    "unravel_index": (lambda k: ops.unravel_index(k, (2, 3)), K),
    "logsumexp_flat": (lambda a: ops.logsumexp(a), A),
    "std_keepdims": (lambda a: ops.std(a, axis=0, keepdims=True), A),
    "nanmean_flat": (lambda a: ops.nanmean(a), np.array([[np.nan, 1], [2, np.nan]], "float32")),
    "nanstd_axis": (lambda a: ops.nanstd(a, axis=0), np.array([[np.nan, 1], [2, 5]], "float32")),
    "nanquantile_row": (lambda a: ops.nanquantile(a, 0.25, axis=1), np.array([[np.nan, 1, 4], [2, 5, np.nan]], "float32")),
    "gcd_integers": (lambda n, k: ops.gcd(n, k), N, K),
    "lcm_integers": (lambda n, k: ops.lcm(n, k), N, K),
    "left_shift": (lambda n, k: ops.left_shift(n, k), N, K),
    "fmod_negative": (lambda a, b: ops.fmod(a, b), A, B),
    "sign_integers": (lambda n: ops.sign(n), N - 3),
    "sort_axis": (lambda a: ops.sort(a, axis=0), A),
    "argmin_keepdims": (lambda a: ops.argmin(a, axis=1, keepdims=True), A),
    "glu_axis": (lambda a: ops.glu(a, axis=0), A),
    "softmax_axes": (lambda a: ops.softmax(a, axis=0), A),
    "log_softmax": (lambda a: ops.log_softmax(a, axis=0), A),
    "leaky_relu_slope": (lambda a: ops.leaky_relu(a, 0.3), A),
    "hard_shrink": (lambda a: ops.hard_shrink(a, 1.5), A),
    "pad_reflect": (lambda a: ops.pad(a, ((1, 1), (0, 2)), mode="reflect"), A),
    "pad_symmetric": (lambda a: ops.pad(a, ((1, 0), (2, 1)), mode="symmetric"), A),
    "moveaxis_several": (lambda i: ops.moveaxis(i, (0, 2), (-1, 0)), I[:, :2, :2]),
    "transpose": (lambda i: ops.transpose(i), I[:, :2, :2]),
    "image_crop_one": (lambda i: ops.image.crop_images(i, top_cropping=1, left_cropping=1, target_height=2, target_width=3), I[0]),
    "image_resize_nearest": (lambda i: ops.image.resize(i, (3, 7), interpolation="nearest"), I),
    "image_resize_bicubic": (lambda i: ops.image.resize(i, (6, 3), interpolation="bicubic", antialias=True), I),
    "image_hsv_back": (lambda i: ops.image.hsv_to_rgb(i), I),
    "image_one": (lambda i: ops.image.resize(i, (2, 3)), I[0]),
    "image_resize_bytes": (lambda i: ops.image.resize(i, (4, 3)), (I * 255).astype("uint8")),
    "image_patches_one": (lambda i: ops.image.extract_patches(i, (2, 2)), I[0]),
    "image_affine_one": (lambda i, t: ops.image.affine_transform(i, t), I[0], TURN),
    "image_affine_all": (lambda i, t: ops.image.affine_transform(i, t), I, np.stack([TURN, TURN])),
    "image_perspective_one": (lambda i, p, q: ops.image.perspective_transform(i, p, q), I[0], SQUARE, SQUARE * np.float32(0.9)),
    "image_blur_one": (lambda i: ops.image.gaussian_blur(i, (3, 3), (1, 2), data_format="channels_last"), I[0]),
    "image_hsv_one": (lambda i: ops.image.rgb_to_hsv(i), I[0]),
    "image_grayscale_one": (lambda i: ops.image.rgb_to_grayscale(i), I[0]),
    "average_pool_same": (lambda i: ops.average_pool(i, 2, strides=1, padding="same"), I),
}

# Operations on infinities and NaN: alone, and all pairs.
E = np.array([[np.inf, 1, 2], [-np.inf, 1, 2], [np.inf, np.inf, 1], [-np.inf] * 3, [np.inf, -np.inf, 0], [np.nan, 1, np.inf], [np.nan, -np.inf, -np.inf], [1, 2, 3]], "float32")
X, Y = np.array([(x, y) for x in (np.inf, -np.inf, np.nan, 1) for y in (np.inf, -np.inf, np.nan, 1, 2)], "float32").T
P = np.array([np.inf, -np.inf, np.nan, 0, 100, -200], "float32")

INFINITE = {
    "logaddexp_infinite": (lambda x, y: ops.logaddexp(x, y), X, Y),
    "logaddexp2_infinite": (lambda x, y: ops.logaddexp2(x, y), X, Y),
    "logsumexp_infinite": (lambda e: ops.logsumexp(e, axis=-1), E),
    "softmax_infinite": (lambda e: ops.softmax(e), E),
    "log_softmax_infinite": (lambda e: ops.log_softmax(e), E),
    "softplus_infinite": (lambda p: ops.softplus(p), P),
    "sigmoid_infinite": (lambda p: ops.sigmoid(p), P),
    "log_sigmoid_infinite": (lambda p: ops.log_sigmoid(p), P),
    "tanh_infinite": (lambda p: ops.tanh(p), P),
    "binary_crossentropy_infinite": (lambda t, p: ops.binary_crossentropy(t, p, from_logits=True), np.array([0, 1, 0, 1, 0, 1], "float32"), P),
    "categorical_crossentropy_infinite": (lambda t, e: ops.categorical_crossentropy(t, e, from_logits=True), np.eye(3, dtype="float32")[[0, 1, 2, 0, 1, 2, 0, 1]], E),
    "sparse_crossentropy_infinite": (lambda t, e: ops.sparse_categorical_crossentropy(t, e, from_logits=True), np.array([0, 1, 2, 0, 1, 2, 0, 1], "int32"), E),
}


def encode(value):
    """Returns an argument or a result: a tensor as its type, its shape and its numbers."""
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {k: encode(v) for k, v in value.items()}
    if isinstance(value, (bool, int, float, str)) or value is None:
        return str(value) if value in (np.inf, -np.inf) else value  # JSON has none
    array = np.asarray(value)
    dtype = array.dtype.name
    if dtype == "complex64":
        array = np.stack([array.real, array.imag], -1)
    numbers = [None if np.isnan(v) else str(v) if np.isinf(v) else floats(v) for v in array.astype("float64").reshape(-1)]
    return {"dtype": dtype, "shape": list(array.shape), "numbers": numbers}  # None for NaN, "inf" and "-inf"


def case(function, *arrays):
    """Returns the operation that a function of tensors makes, and its results."""
    symbolic = [keras.KerasTensor(a.shape, dtype=a.dtype.name) for a in arrays]
    results = tree.flatten(function(*symbolic))
    operation = results[0]._keras_history.operation
    arguments = operation._inbound_nodes[0].arguments
    values = {id(s): a for s, a in zip(symbolic, arrays)}
    if any(id(t) not in values for t in arguments.keras_tensors):
        raise ValueError("%s is not one operation" % operation)
    args, kwargs = tree.map_structure(lambda t: values.get(id(t), t), (list(arguments.args), dict(arguments.kwargs)))
    attrs = {k: v for k, v in operation.get_config().items() if k not in ("name", "trainable") and not (k == "dtype" and isinstance(v, dict))}
    return {
        "class": type(operation).__name__,
        "args": encode(args),
        "kwargs": encode(kwargs),
        "attrs": encode(attrs),
        "results": [encode(r) for r in tree.flatten(function(*map(ops.convert_to_tensor, arrays)))],
    }


def gradients(function, *arrays):
    """Returns the gradients of the weighed sum of a function's result with respect to the arrays
    of fractions, by their positions."""

    def weighed(*values):
        y = function(*values)
        return ops.sum(y * ops.reshape(ops.arange(1, 1 + y.size, dtype="float32"), y.shape))

    wanted = tuple(i for i, a in enumerate(arrays) if a.dtype.kind == "f")
    return {str(i): encode(g) for i, g in zip(wanted, jax.grad(weighed, argnums=wanted)(*map(ops.convert_to_tensor, arrays)))}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", default=OUTPUT)
    cases = {name: case(function, *arrays) for name, (function, *arrays) in CASES.items()}
    for name, (function, *arrays) in INFINITE.items():
        cases[name] = case(function, *arrays) | {"gradients": gradients(function, *arrays)}
    write_json(parser.parse_args().o, {"made_with": versions(), "cases": cases})


main()
