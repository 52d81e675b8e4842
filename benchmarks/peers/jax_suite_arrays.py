"""Programs of ops on whole arrays for jax_suite.py: shapes, indices, sums, windows, order, loops, Fourier transforms, random numbers."""

import functools

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import numpy as np
from jax import lax

from jax_suite_inputs import BF16, C64, C128, F16, F32, F64, B, F, I, of

PROGRAMS = []


def add(name, f, *args, tolerance=4):
    PROGRAMS.append((name, f, list(args), tolerance))


def each(prefix, table, *args, tolerance=4):
    """A program for each function in a table, all of the same arguments."""
    for name, f in table.items():
        add(f"{prefix}/{name}", f, *args, tolerance=tolerance)


grad = lambda f, n=0: jax.grad(lambda *a: jnp.sum(jnp.sin(f(*a))), n)

# Shapes.
each("shape", {
    "reshape": lambda x: x.reshape(4, 15), "reshape_merge": lambda x: x.reshape(-1), "transpose": lambda x: x.transpose(2, 0, 1), "broadcast": lambda x: jnp.broadcast_to(x[:, None], (5, 2, 4, 3)),
    "concatenate": lambda x: jnp.concatenate([x, x[:, :1], x[:, ::2]], 1), "pad": lambda x: lax.pad(x, 1.5, ((1, 2, 0), (0, 1, 2), (-1, 0, 1))), "pad_reflect": lambda x: jnp.pad(x, ((2, 1), (0, 0), (1, 1)), mode="reflect"),
    "pad_wrap": lambda x: jnp.pad(x, ((2, 1), (1, 3), (0, 0)), mode="wrap"), "slice": lambda x: x[1:4, ::3, 2:], "reverse": lambda x: x[::-1, :, ::-1], "tile": lambda x: jnp.tile(x, (2, 1, 3)),
    "roll": lambda x: jnp.roll(x, (2, -1), (0, 1)), "repeat": lambda x: jnp.repeat(x, 2, 1), "stack": lambda x: jnp.stack([x, 2 * x], 2), "split": lambda x: jnp.split(x, [1, 3], 1),
    "rot90": lambda x: jnp.rot90(x, 1, (0, 2)), "moveaxis": lambda x: jnp.moveaxis(x, 0, -1).reshape(12, 5), "tril": lambda x: (jnp.tril(x, 1), jnp.triu(x, -1)), "diagonal": lambda x: jnp.diagonal(x, 1, 0, 1),
    "trace": lambda x: jnp.trace(x, axis1=0, axis2=1), "squeeze": lambda x: jnp.squeeze(x[:, :1], 1), "kron": lambda x: jnp.kron(x[0], x[1, :2]), "meshgrid": lambda x: jnp.meshgrid(x[0, 0], x[:, 0, 0]),
    "grad_pad": grad(lambda x: lax.pad(x, 1.5, ((1, 2, 0), (0, 1, 2), (-1, 0, 1)))), "grad_concatenate": grad(lambda x: jnp.concatenate([x, x[:, :1] ** 2], 1)), "grad_slice": grad(lambda x: x[1:4, ::3, 2:]),
}, F(5, 4, 3))
each("shape_of_one", {
    "reshape": lambda x: x.reshape(7, 1, 1), "concatenate": lambda x: jnp.concatenate([x, x]), "pad": lambda x: lax.pad(x, 0, ((2, 0, 0), (0, 0, 0))), "reduce": lambda x: (x.sum(0), x.max(0), x.prod(0)),
}, I(1, 7))
each("empty", {
    "reduce": lambda x: (x.sum(0), x.prod(0), x.sum(1), x.sum()), "concatenate": lambda x: jnp.concatenate([x, jnp.ones((2, 3), x.dtype)]), "pad": lambda x: jnp.pad(x, ((1, 2), (0, 0))),
    "dot": lambda x: (x.T @ x, x @ x.T), "sort": lambda x: (jnp.sort(x, 0), jnp.argsort(x, 1)), "scan": lambda x: lax.scan(lambda c, r: (c + r.sum(), r * 2), 1.0, x), "cumsum": lambda x: jnp.cumsum(x, 1),
}, F(0, 3))
add("iota", lambda x: x + lax.broadcasted_iota(jnp.int32, (3, 5), 1) + jnp.arange(5) * 2, I(3, 5))

# Indices.
each("index", {
    "take": lambda x, i: x[i], "take_last": lambda x, i: jnp.take(x, i, axis=-1), "take_fill": lambda x, i: jnp.take(x, i * 3 - 4, axis=0, mode="fill", fill_value=7), "take_wrap": lambda x, i: jnp.take(x, i * 3, axis=0, mode="wrap"),
    "take_pair": lambda x, i: x[i, i[::-1]], "take_along": lambda x, i: jnp.take_along_axis(x, jnp.argsort(x, 1), 1), "set": lambda x, i: x.at[i].set(1.0), "add": lambda x, i: x.at[i].add(x[:4]), "mul": lambda x, i: x.at[:, i].mul(2.0),
    "max": lambda x, i: x.at[i].max(0.5), "min": lambda x, i: x.at[i[0]].min(0.0), "apply": lambda x, i: x.at[i[:1]].apply(jnp.exp), "drop": lambda x, i: x.at[i * 4].add(1.0, mode="drop"), "set_slice": lambda x, i: x.at[1:5:2, 1:].set(-1.0),
    "dynamic_slice": lambda x, i: lax.dynamic_slice(x, (i[0], i[1] * 3), (4, 2)), "dynamic_update": lambda x, i: lax.dynamic_update_slice(x, -x[:3, :2], (i[0] * 2, i[1])), "dynamic_index": lambda x, i: lax.dynamic_index_in_dim(x, i[2], 1),
    "one_hot": lambda x, i: jax.nn.one_hot(i, 6) @ x, "segment_sum": lambda x, i: jax.ops.segment_sum(x[:4], i, 6), "bincount": lambda x, i: jnp.bincount(i, length=6), "grad_take": lambda x, i: grad(lambda x: x[i])(x),
    "grad_scatter": lambda x, i: grad(lambda x: x.at[i].add(x[:4] ** 2))(x), "vmapped_take": lambda x, i: jax.vmap(lambda r: r[i])(x), "vmapped_slice": lambda x, i: jax.vmap(lambda k: lax.dynamic_slice(x, (k, 0), (2, 5)))(i),
    "vmapped_set": lambda x, i: jax.vmap(lambda r, k: r.at[k].set(9.0))(x[:4], i), "nonzero": lambda x, i: jnp.nonzero(x > 0, size=8, fill_value=-1), "searchsorted": lambda x, i: jnp.searchsorted(jnp.sort(x[:, 0]), x[:, 1]), "choose": lambda x, i: jnp.choose(i % 3, [x[:4, 0], x[:4, 1], x[:4, 2]], mode="clip"),
    "delete": lambda x, i: jnp.delete(x, 2, axis=0), "digitize": lambda x, i: jnp.digitize(x, jnp.array([-1.0, 0.0, 1.0])), "unravel": lambda x, i: jnp.unravel_index(i, (2, 3)), "interp": lambda x, i: jnp.interp(x[:, 0], jnp.arange(5.0), x[0]),
}, F(6, 5), I(4, low=0, high=5))

# Sums and the like.
REDUCE = {"sum": jnp.sum, "max": jnp.max, "min": jnp.min, "prod": jnp.prod, "mean": jnp.mean}
for name, f in REDUCE.items():
    for dtype in (F32, np.int32) if name != "mean" else (F32, BF16):
        add(f"reduce/{name}/{np.dtype(dtype).name}", lambda x, f=f: (f(x, 0), f(x, (1, 2)), f(x), f(x, -1, keepdims=True)), of(dtype, 4, 3, 5), tolerance=10)
each("reduce_bool", {"any": lambda p: (p.any(0), p.any()), "all": lambda p: (p.all(1), p.all()), "count": lambda p: jnp.count_nonzero(p, 0), "xor": lambda p: lax.reduce(p, False, lax.bitwise_xor, (0,))}, B(5, 6))
# Not along a dimension of size 1: XLA leaves out the initial value there, and so does JAX.
for name, f, init in ("add", lax.add, 3.0), ("max", lax.max, 0.0), ("min", lax.min, 0.0), ("mul", lax.mul, 2.0):
    add(f"reduce_init/{name}", lambda x, f=f, init=init: [lax.reduce(x, jnp.float32(init), f, d) for d in ((0,), (1,), (0, 1))], F(4, 6))
add("reduce/pair", lambda x, y: lax.reduce((x, y), (jnp.float32(1), jnp.float32(2)), lambda a, b: (a[0] + b[0], jnp.maximum(a[1], b[1])), (0,)), F(6, 4), F(6, 4))
each("arg", {"argmax": lambda x: (x.argmax(0), x.argmax(1), x.argmax()), "argmin": lambda x: (x.argmin(0), x.argmin(1)), "argmax_nan": lambda x: jnp.argmax(jnp.log(x), 0), "argmax_index_dtype": lambda x: lax.argmax(x, 1, jnp.uint8)}, F(5, 7))
each("cumulative", {"sum": lambda x: jnp.cumsum(x, 0), "prod": lambda x: jnp.cumprod(x, 1), "max": lambda x: lax.cummax(x, 0), "min": lambda x: lax.cummin(x, 1), "logsumexp": lambda x: lax.cumlogsumexp(x, 0), "reverse": lambda x: lax.cumsum(x, 1, reverse=True), "grad": grad(lambda x: jnp.cumprod(x, 1))}, F(6, 5), tolerance=20)
each("statistics", {
    "var": lambda x: (x.var(0), x.std()), "median": lambda x: (jnp.median(x), jnp.median(x, 0)), "quantile": lambda x: jnp.quantile(x, jnp.array([0.1, 0.5, 0.8]), axis=0), "percentile": lambda x: jnp.percentile(x, 30.0, axis=1), "cov": jnp.cov, "corrcoef": jnp.corrcoef,
    "histogram": lambda x: jnp.histogram(x, 5)[0], "average": lambda x: jnp.average(x, 0, jnp.arange(1.0, 7.0)), "ptp": lambda x: jnp.ptp(x, 0), "nanmean": lambda x: jnp.nanmean(jnp.log(x), 0), "norm_logpdf": lambda x: jsp.stats.norm.logpdf(x), "gamma_logpdf": lambda x: jsp.stats.gamma.logpdf(jnp.abs(x) + 0.1, 2.0),
    "grad_var": grad(lambda x: x.var(0)), "grad_max": grad(lambda x: x.max(0)), "grad_prod": grad(lambda x: x.prod(1)), "mode": lambda x: jsp.stats.mode(jnp.round(x), axis=0), "rankdata": lambda x: jsp.stats.rankdata(x, axis=0),
}, F(6, 5), tolerance=50)

# Products, convolutions, windows.
each("dot", {
    "matmul": lambda x, y: x @ y, "batched": lambda x, y: jnp.einsum("bij,bjk->bik", x[None] * jnp.arange(1.0, 4.0)[:, None, None], jnp.stack([y] * 3)), "outer": lambda x, y: jnp.outer(x[0], y[:, 0]), "tensordot": lambda x, y: jnp.tensordot(x, y, 0)[:, 1], "contract_both": lambda x, y: jnp.einsum("ij,jk->", x, y),
    "trace": lambda x, y: jnp.einsum("ij,jk->k", x, y), "bf16_to_f32": lambda x, y: jnp.dot(x.astype(BF16), y.astype(BF16), preferred_element_type=F32), "int8": lambda x, y: lax.dot(jnp.round(x).astype(np.int8), jnp.round(y).astype(np.int8), preferred_element_type=np.int32),
    "grad": lambda x, y: jax.grad(lambda x, y: jnp.sum(jnp.tanh(x @ y)), (0, 1))(x, y), "vdot": lambda x, y: jnp.vdot(x, x * 2), "complex": lambda x, y: (x + 1j * x) @ (y - 2j * y), "inner": lambda x, y: jnp.inner(x, y.T), "empty_contraction": lambda x, y: x[:, :0] @ y[:0],
    "jacobian": lambda x, y: jax.jacrev(lambda a: jnp.tanh(a @ y))(x[0]), "hessian": lambda x, y: jax.hessian(lambda a: jnp.sum(jnp.tanh(a @ y)))(x[1]), "jvp": lambda x, y: jax.jvp(lambda x: jnp.sin(x @ y), (x,), (x * 2,)),
}, F(6, 5), F(5, 4), tolerance=20)
conv = functools.partial(lax.conv_general_dilated, dimension_numbers=("NHWC", "HWIO", "NHWC"))
CONV = {
    "same": dict(window_strides=(1, 1), padding="SAME"), "strided": dict(window_strides=(2, 1), padding="VALID"), "padded": dict(window_strides=(1, 2), padding=((2, 1), (0, 3))), "negative": dict(window_strides=(1, 1), padding=((-1, 2), (1, -1))),
    "dilated": dict(window_strides=(1, 1), padding="SAME", rhs_dilation=(2, 1)), "transposed": dict(window_strides=(1, 1), padding=((1, 1), (2, 1)), lhs_dilation=(2, 2)),
}
for name, options in CONV.items():
    f = functools.partial(conv, **options)
    add(f"conv/{name}", f, F(3, 7, 6, 4), F(3, 2, 4, 5), tolerance=30)
    add(f"conv/grad_{name}", lambda x, k, f=f: jax.grad(lambda x, k: jnp.sum(f(x, k) ** 2), (0, 1))(x, k), F(3, 7, 6, 2), F(3, 2, 2, 3), tolerance=200)
add("conv/groups", lambda x, k: conv(x, k, (1, 1), "SAME", feature_group_count=2), F(2, 5, 5, 4), F(3, 3, 2, 6), tolerance=30)
add("conv/depthwise", lambda x, k: conv(x, k, (1, 1), "SAME", feature_group_count=4), F(2, 5, 5, 4), F(3, 3, 1, 4), tolerance=30)
add("conv/batch_groups", lambda x, k: conv(x, k, (1, 1), "SAME", batch_group_count=2), F(4, 5, 5, 3), F(3, 3, 3, 4), tolerance=30)
add("conv/vmapped", jax.vmap(lambda x, k: lax.conv(x, k, (1,), "SAME")), F(3, 2, 2, 6), F(3, 4, 2, 3), tolerance=30)
add("conv/convolve", lambda x, y: (jnp.convolve(x, y), jnp.correlate(x, y, "same"), jsp.signal.convolve(x, y, mode="valid")), F(9), F(4), tolerance=30)
add("conv/convolve2d", lambda x, y: jsp.signal.convolve2d(x, y, mode="same"), F(6, 7), F(3, 2), tolerance=30)
window = lax.reduce_window
each("window", {
    "sum": lambda x: window(x, 0.0, lax.add, (3, 2), (1, 1), "SAME"), "max": lambda x: window(x, -jnp.inf, lax.max, (2, 3), (2, 1), "VALID"), "init": lambda x: window(x, 2.0, lax.add, (2, 2), (1, 1), ((0, 1), (1, 0))), "max_init": lambda x: window(-jnp.abs(x), 0.0, lax.max, (2, 2), (1, 1), ((0, 1), (1, 1))),
    "prod": lambda x: window(x, 1.0, lax.mul, (2, 1), (1, 1), "SAME"), "dilated": lambda x: window(x, 0.0, lax.add, (2, 2), (1, 1), "VALID", (2, 1), (1, 2)), "grad_max": grad(lambda x: window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "SAME")), "grad_sum": grad(lambda x: window(x, 0.0, lax.add, (3, 3), (2, 1), "SAME")),
    "any": lambda x: window(x > 1, False, lax.bitwise_or, (2, 2), (1, 1), "SAME"), "patches": lambda x: lax.conv_general_dilated_patches(x[None, None], (2, 2), (1, 1), "SAME"), "pair": lambda x: window((x, -x), (-jnp.inf, 0.0), lambda a, b: (jnp.maximum(a[0], b[0]), a[1] + b[1]), (2, 2), (1, 1), "SAME"),
}, F(7, 6), tolerance=20)

# Order.
each("order", {
    "sort": lambda x: (jnp.sort(x, 0), jnp.sort(x, 1), jnp.sort(x, None)), "argsort": lambda x: (jnp.argsort(x, 0), jnp.argsort(-x, 1)), "descending": lambda x: jnp.sort(x, 1, descending=True), "two_keys": lambda x: lax.sort((jnp.round(x), x, -x), num_keys=2), "top_k": lambda x: lax.top_k(x, 3),
    "top_k_ints": lambda x: lax.top_k(jnp.round(x * 4).astype(np.int32), 2), "approx_max": lambda x: lax.approx_max_k(x, 3), "approx_min": lambda x: lax.approx_min_k(x, 2, reduction_dimension=0), "approx_all": lambda x: lax.approx_max_k(x, 2, aggregate_to_topk=False), "lexsort": lambda x: jnp.lexsort((x[:, 0], jnp.round(x[:, 1]))),
    "unique": lambda x: jnp.unique(jnp.round(x), size=5, fill_value=99), "partition": lambda x: jnp.sort(jnp.partition(x, 3, 1)[:, :3], 1), "grad_sort": grad(lambda x: jnp.sort(x, 1) * jnp.arange(7.0)), "grad_top_k": grad(lambda x: lax.top_k(x, 3)[0]), "vmapped_approx": jax.vmap(lambda r: lax.approx_max_k(r, 2)[0]), "sort_complex": lambda x: jnp.sort(jnp.round(x[0]) + 1j * x[1]),
}, F(5, 7))
for dtype in (BF16, np.int8, np.uint32, np.bool_, F64):
    add(f"order/types/{np.dtype(dtype).name}", lambda x: (jnp.sort(x, 0), jnp.argsort(x, 1), lax.top_k(x, 2)), of(dtype, 4, 6))
# Not top_k: a logarithm's NaN is the greatest or the least element, by its sign, which depends on the processor.
add("order/nan", lambda x: (jnp.sort(jnp.log(x)), jnp.sort(jnp.array([0.0, -0.0, np.nan, np.inf, -np.inf]))), F(8))

# Control flow.
add("loop/while", lambda x: lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, jnp.sin(c[1]) @ c[1]), (0, x)), F(4, 4), tolerance=50)
add("loop/fori", lambda x: lax.fori_loop(0, 5, lambda i, v: v.at[i].add(v[i - 1]), x), F(6, 3))
add("loop/scan", lambda x: lax.scan(lambda c, r: (c * 0.5 + r, (c.sum(), r * 2)), jnp.zeros(4), x), F(6, 4))
add("loop/scan_reverse", lambda x: lax.scan(lambda c, r: (c + r, c), jnp.zeros(4), x, reverse=True), F(6, 4))
add("loop/grad_scan", jax.grad(lambda x: jnp.sum(lax.scan(lambda c, r: (jnp.tanh(c + r), c * r), jnp.zeros(4), x)[1])), F(6, 4), tolerance=20)
add("loop/map", lambda x: lax.map(lambda r: jnp.cumsum(r) @ r, x), F(5, 4), tolerance=20)
add("loop/associative", lambda x: lax.associative_scan(jnp.multiply, x), F(6, 3), tolerance=20)
add("loop/remat", jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))(x) ** 2)), F(5, 3), tolerance=20)
add("branch/cond", lambda p, x: lax.cond(p[0], jnp.sin, lambda v: v * 2, x), B(2), F(4, 3))
add("branch/vmapped", jax.vmap(lambda p, x: lax.cond(p, jnp.sin, lambda v: v * 2, x)), B(5), F(5, 3))
add("branch/switch", lambda i, x: lax.switch(i[0], [jnp.sin, jnp.cos, lambda v: -v], x), I(1, low=0, high=2), F(6, 2))
add("branch/grad", lambda p, x: jax.grad(lambda x: jnp.sum(lax.cond(p[0], jnp.sin, lambda v: v**2, x)))(x), B(2), F(4, 3), tolerance=20)
add("loop/vmapped_while", jax.vmap(lambda n: lax.while_loop(lambda c: c < 20, lambda c: c * 2 + 1, n)), I(6, low=0, high=9))

# Fourier transforms.
each("fft", {
    "fft": jnp.fft.fft, "ifft": lambda x: jnp.fft.ifft(x, axis=0), "rfft": lambda x: jnp.fft.rfft(x.real), "irfft": lambda x: jnp.fft.irfft(x), "fft2": jnp.fft.fft2, "fftn_first": lambda x: jnp.fft.fft(x, axis=0), "rfft2": lambda x: jnp.fft.rfft2(x.real), "irfft2": lambda x: jnp.fft.irfft2(x),
    "shift": lambda x: jnp.fft.fftshift(jnp.fft.fft(x)), "grad": lambda x: jax.grad(lambda v: jnp.sum(jnp.abs(jnp.fft.fft(v)) ** 2))(x.real), "length": lambda x: jnp.fft.fft(x, n=5), "dct": lambda x: jsp.fft.dct(x.real), "three": lambda x: jnp.fft.fftn(x.reshape(3, 2, 4)), "in_product": lambda x: jnp.fft.ifft(jnp.fft.fft(x) * jnp.fft.fft(x)),
}, F(6, 4, dtype=C64), tolerance=50)

# Random numbers: the bits are JAX's.
key = lambda s: jax.random.wrap_key_data(s)
each("random", {
    "bits": lambda s: jax.random.bits(key(s), (5, 3)), "split": lambda s: jax.random.key_data(jax.random.split(key(s), 3)), "uniform": lambda s: jax.random.uniform(key(s), (4, 6)), "normal": lambda s: jax.random.normal(key(s), (4, 6)), "randint": lambda s: jax.random.randint(key(s), (7,), -3, 9), "bernoulli": lambda s: jax.random.bernoulli(key(s), 0.3, (9,)),
    "permutation": lambda s: jax.random.permutation(key(s), 7), "categorical": lambda s: jax.random.categorical(key(s), jnp.log(jnp.array([0.1, 0.5, 0.4])), shape=(8,)), "choice": lambda s: jax.random.choice(key(s), 10, (4,), replace=False), "truncated": lambda s: jax.random.truncated_normal(key(s), -1.0, 1.0, (5,)),
    "gamma": lambda s: jax.random.gamma(key(s), 2.0, (4,)), "exponential": lambda s: jax.random.exponential(key(s), (3, 4)), "gumbel": lambda s: jax.random.gumbel(key(s), (6,)), "fold_in": lambda s: jax.random.uniform(jax.random.fold_in(key(s), 5), (3,)), "vmapped": lambda s: jax.vmap(lambda k: jax.random.normal(k, (3,)))(jax.random.split(key(s), 4)),
    "dirichlet": lambda s: jax.random.dirichlet(key(s), jnp.ones(3), (2,)), "orthogonal": lambda s: (lambda q: q @ q.T)(jax.random.orthogonal(key(s), 3)), "multivariate": lambda s: jax.random.multivariate_normal(key(s), jnp.zeros(3), jnp.eye(3) * 2, (4,)),
}, I(2, dtype=np.uint32, low=0, high=99), tolerance=20)
add("random/rng_bits", lambda s: lax.rng_bit_generator(s, (4, 3)), I(4, dtype=np.uint32, low=0, high=99))

# Other functions of jax.numpy and jax.scipy.
each("misc", {
    "diff": lambda x: (jnp.diff(x, axis=0), jnp.ediff1d(x)), "gradient": lambda x: jnp.gradient(x), "cross": lambda x: jnp.cross(x[:, :3], x[:, 1:]), "vander": lambda x: jnp.vander(x[0], 3), "polyval": lambda x: jnp.polyval(x[0], x[1]), "polyfit": lambda x: jnp.polyfit(jnp.arange(5.0), x[:, 0], 2), "unwrap": lambda x: jnp.unwrap(x * 3, axis=0), "convolve_rows": lambda x: jax.vmap(lambda r: jnp.convolve(r, r[:2]))(x),
    "trapezoid": lambda x: jsp.integrate.trapezoid(x, axis=0), "map_coordinates": lambda x: jsp.ndimage.map_coordinates(x, [jnp.array([0.5, 2.25]), jnp.array([1.5, 0.25])], 1), "toeplitz": lambda x: jsp.linalg.toeplitz(x[0]), "block_diag": lambda x: jsp.linalg.block_diag(x[:2], x[2:]), "hilbert": lambda x: x[:4, :4] @ jsp.linalg.hilbert(4), "packbits": lambda x: jnp.packbits(x > 0, axis=1), "where_grad": grad(lambda x: jnp.where(x > 0, jnp.sqrt(jnp.abs(x) + 0.1), 0.0)),
    "softmax_grad": grad(lambda x: jax.nn.softmax(x) * x), "layer_norm": lambda x: jax.nn.standardize(x, axis=0), "attention": lambda x: jax.nn.dot_product_attention(x.reshape(1, 5, 1, 4), x.reshape(1, 5, 1, 4), x.reshape(1, 5, 1, 4)), "linspace": lambda x: jnp.linspace(x[0], x[1], 4), "apply_along": lambda x: jnp.apply_along_axis(lambda r: r / r.sum(), 0, jnp.abs(x) + 0.5), "resize": lambda x: jax.image.resize(x, (8, 3), "linear"), "isin": lambda x: jnp.isin(jnp.round(x), jnp.array([0.0, 1.0])), "multi_dot": lambda x: jnp.linalg.multi_dot([x, x.T, x]),
    "custom_root": lambda x: lax.custom_root(lambda v: v**3 - jnp.sum(x**2), 1.0, lambda f, v: lax.fori_loop(0, 20, lambda i, u: u - f(u) / (3 * u**2), v), lambda g, y: y / g(1.0)), "cg": lambda x: jsp.sparse.linalg.cg(x @ x.T + 4 * jnp.eye(5), x[:, 0], maxiter=20)[0], "barrier": lambda x: lax.optimization_barrier(x) * 2, "jacfwd": lambda x: jax.jacfwd(lambda r: jnp.sin(r) * r.sum())(x[0]),
}, F(5, 4), tolerance=50)


def programs():
    return PROGRAMS
