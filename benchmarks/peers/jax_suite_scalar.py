"""Programs of functions of single elements for jax_suite.py: jax.lax, jax.numpy, jax.scipy.special."""

import jax
import jax.numpy as jnp
import jax.scipy.special as sp
import numpy as np
from jax import lax

from jax_suite_inputs import BF16, C64, C128, F16, F32, F64, I, B, F, of

FLOATS, NUMBERS = (F32, BF16, F64), (F32, F64, F16, C64)
INTS = (np.int32, np.uint8, np.int64)

# Functions of one argument: the range of the argument, and the types.
UNARY = {
    "abs": (jnp.abs, (-2, 2), (F32, C64, np.int8)), "neg": (jnp.negative, (-2, 2), (BF16, np.uint32)), "sign": (jnp.sign, (-2, 2), (F32, C64, np.int32)),
    "floor": (jnp.floor, (-3, 3), FLOATS), "ceil": (jnp.ceil, (-3, 3), (F32,)), "round": (jnp.round, (-3, 3), (F32, F16)),
    "round_away": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), (-3, 3), (F32,)),
    "exp": (jnp.exp, (-3, 3), NUMBERS), "exp2": (jnp.exp2, (-3, 3), FLOATS), "expm1": (jnp.expm1, (-1, 1), (F32, F64, C64)),
    "log": (jnp.log, (0, 4), NUMBERS), "log1p": (jnp.log1p, (-1, 3), (F32, F64, C64)), "log2": (jnp.log2, (0, 4), (F32,)), "log10": (jnp.log10, (0.5, 4), (F32,)),
    "sqrt": (jnp.sqrt, (-1, 4), NUMBERS), "rsqrt": (lax.rsqrt, (0, 4), (F32, F64, C64)), "cbrt": (jnp.cbrt, (-4, 4), (F32, F64)),
    "sin": (jnp.sin, (-4, 4), NUMBERS), "cos": (jnp.cos, (-4, 4), NUMBERS), "tan": (jnp.tan, (-1, 1), (F32, F64, C64)),
    "asin": (jnp.arcsin, (-1, 1), (F32, F64)), "acos": (jnp.arccos, (-1, 1), (F32, F64)), "atan": (jnp.arctan, (-4, 4), (F32, F64)),
    "sinh": (jnp.sinh, (-2, 2), (F32, F64, C64)), "cosh": (jnp.cosh, (-2, 2), (F32, F64, C64)), "tanh": (jnp.tanh, (-2, 2), NUMBERS),
    "asinh": (jnp.arcsinh, (-2, 2), (F32, F64)), "acosh": (jnp.arccosh, (1, 4), (F32, F64)), "atanh": (jnp.arctanh, (-0.9, 0.9), (F32, F64)),
    "logistic": (jax.nn.sigmoid, (-4, 4), (F32, BF16, F64)), "square": (jnp.square, (-3, 3), (F32, np.int16)), "reciprocal": (jnp.reciprocal, (0.5, 3), (F32, C64)),
    "erf": (lax.erf, (-3, 3), FLOATS), "erfc": (lax.erfc, (-3, 3), (F32, F64)), "erf_inv": (lax.erf_inv, (-0.9, 0.9), (F32, F64)),
    "lgamma": (lax.lgamma, (0.5, 6), (F32, F64)), "digamma": (lax.digamma, (0.5, 6), (F32, F64)), "bessel_i0e": (lax.bessel_i0e, (-4, 4), (F32,)),
    "bessel_i1e": (lax.bessel_i1e, (-4, 4), (F32,)), "is_finite": (jnp.isfinite, (-1, 1), (F32, BF16)), "isnan_of_log": (lambda x: jnp.isnan(jnp.log(x)), (-1, 1), (F32,)),
    "real": (jnp.real, (-2, 2), (C64,)), "imag": (jnp.imag, (-2, 2), (C128,)), "conj": (jnp.conj, (-2, 2), (C64,)), "angle": (jnp.angle, (-2, 2), (C64,)),
    "not": (jnp.bitwise_not, None, (np.int32, np.uint8, np.bool_)), "population_count": (lax.population_count, None, (np.int32, np.uint8)),
    "clz": (lax.clz, None, (np.int32, np.uint16)), "gelu": (jax.nn.gelu, (-3, 3), (F32,)), "softplus": (jax.nn.softplus, (-3, 3), (F32,)),
    "elu": (jax.nn.elu, (-3, 3), (F32,)), "sinc": (jnp.sinc, (-2, 2), (F32,)), "signbit": (jnp.signbit, (-2, 2), (F32,)), "nan_to_num": (lambda x: jnp.nan_to_num(1 / x), (-1, 1), (F32,)),
    "frexp": (jnp.frexp, (-4, 4), (F32,)), "deg2rad": (jnp.deg2rad, (-4, 4), (F32,)), "i0": (jnp.i0, (-2, 2), (F32,)), "trunc": (jnp.trunc, (-3, 3), (F32,)),
    "integer_pow": (lambda x: lax.integer_pow(x, 5), (-2, 2), (F32, np.int32)), "integer_pow_negative": (lambda x: lax.integer_pow(x, -3), (0.5, 2), (F32,)),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 5, 4), (-3, 3), (F32,)), "modf": (jnp.modf, (-3, 3), (F32,)),
    "spence": (sp.spence, (0.5, 3), (F32,)), "ndtri": (sp.ndtri, (0.0625, 0.9), (F32,)), "log_ndtr": (sp.log_ndtr, (-3, 3), (F32,)), "entr": (sp.entr, (0.25, 3), (F32,)),
    "expit_logit": (lambda x: sp.logit(sp.expit(x)), (-3, 3), (F32,)), "gammaln": (sp.gammaln, (-3.4, 3.4), (F64,)), "factorial": (sp.factorial, (0, 5), (F32,)), "expi": (sp.expi, (0.5, 3), (F32,)),
}

# Functions of two arguments.
BINARY = {
    "add": (jnp.add, (-2, 2), (F32, BF16, C64, np.int8, np.bool_)), "sub": (jnp.subtract, (-2, 2), (F64, np.uint8)), "mul": (jnp.multiply, (-2, 2), (F16, C128, np.int32, np.bool_)),
    "div": (jnp.divide, (-2, 2), (F32, C64)), "int_div": (lax.div, None, (np.int32, np.uint8)), "floor_divide": (jnp.floor_divide, (-3, 3), (F32, np.int32)),
    "rem": (lax.rem, (-3, 3), (F32, np.int32, np.uint8)), "mod": (jnp.mod, (-3, 3), (F32, np.int32)), "divmod": (jnp.divmod, (0.5, 3), (F32,)),
    "pow": (jnp.power, (0.25, 2), (F32, F64, C64)), "pow_by_int": (lambda x, y: x ** (jnp.abs(y).astype(jnp.int32)), (-2, 2), (F32,)), "atan2": (jnp.arctan2, (-2, 2), (F32, F64)),
    "max": (jnp.maximum, (-2, 2), (F32, np.int32, np.bool_)), "min": (jnp.minimum, (-2, 2), (BF16, np.uint8)), "nextafter": (jnp.nextafter, (-2, 2), (F32, F64)),
    "hypot": (jnp.hypot, (-2, 2), (F32,)), "logaddexp": (jnp.logaddexp, (-2, 2), (F32,)), "copysign": (jnp.copysign, (-2, 2), (F32,)), "heaviside": (jnp.heaviside, (-1, 1), (F32,)),
    "ldexp": (lambda x, y: jnp.ldexp(x, y.astype(jnp.int32)), (-2, 2), (F32,)), "float_power": (jnp.float_power, (0.5, 2), (F32,)),
    "and": (jnp.bitwise_and, None, (np.int32, np.bool_)), "or": (jnp.bitwise_or, None, (np.uint8,)), "xor": (jnp.bitwise_xor, None, (np.int64, np.bool_)),
    "shift_left": (lax.shift_left, None, (np.int32, np.uint8)), "shift_right_arithmetic": (lax.shift_right_arithmetic, None, (np.int32,)), "shift_right_logical": (lax.shift_right_logical, None, (np.int32,)),
    "eq": (jnp.equal, (-1, 1), (F32, C64, np.bool_)), "lt": (jnp.less, (-1, 1), (BF16, np.int32, np.uint8)), "ge": (jnp.greater_equal, (-1, 1), (F32,)), "ne": (jnp.not_equal, (-1, 1), (F16, C64)),
    "isclose": (jnp.isclose, (-1, 1), (F32,)), "gcd": (jnp.gcd, None, (np.int32,)), "complex": (lax.complex, (-2, 2), (F32, F64)),
    "igamma": (lax.igamma, (0.5, 4), (F32,)), "igammac": (lax.igammac, (0.5, 4), (F32,)), "zeta": (lax.zeta, (1.5, 4), (F32,)), "polygamma": (lambda m, x: lax.polygamma(jnp.round(m), x), (1, 3), (F32,)),
    "xlogy": (sp.xlogy, (0, 3), (F32,)), "xlog1py": (sp.xlog1py, (0, 3), (F32,)), "betaln": (sp.betaln, (0.5, 3), (F32,)), "rel_entr": (sp.rel_entr, (0.5, 3), (F32,)), "mulhi": (lambda x, y: lax.mulhi(x, y), None, (np.uint32,)),
}
SHAPES = ((3, 5), (7,), (1, 4), (2, 0, 3), (), (4, 6), (2, 3, 4))
BROADCASTS = (((3, 5), (3, 5)), ((4, 1), (1, 6)), ((5,), (2, 5)), ((), (7,)), ((0, 3), (1, 3)), ((2, 1, 4), (3, 1)))
LOOSE = {"pow": 10, "tan": 10, "zeta": 50, "igamma": 20, "igammac": 20, "polygamma": 50, "digamma": 20, "lgamma": 20, "gammaln": 100, "acosh": 10, "erf_inv": 20, "ndtri": 20, "expi": 20, "spence": 20, "mod": 4, "betaln": 20, "factorial": 20,
         "log_ndtr": 10, "expit_logit": 20, "reciprocal": 4, "bessel_i0e": 10, "bessel_i1e": 10, "i0": 10, "float_power": 10, "div": 4}


def on_each(f, arguments):
    """f of every group of arguments, one for each type."""

    def run(*flat):
        groups = [flat[k : k + arguments] for k in range(0, len(flat), arguments)]
        return [f(*(jnp.broadcast_arrays(*g) if arguments > 1 else g)) for g in groups]

    return run


def programs():
    count = 0
    for table, shapes, kind in (UNARY, SHAPES, "unary"), (BINARY, BROADCASTS, "binary"):
        for name, (f, limits, types) in table.items():
            args = []
            for dtype in types:
                shape = shapes[count % len(shapes)]
                count += 1
                for s in (shape,) if kind == "unary" else shape:
                    args.append(of(dtype, *s, low=(limits or (-2, 2))[0], high=(limits or (-2, 2))[1]))
            yield f"{kind}/{name}", on_each(f, len(args) // len(types)), args, 2 * LOOSE.get(name, 1)
    smooth = [n for n, (_, limits, types) in UNARY.items() if F32 in types and limits and n not in ("is_finite", "signbit", "isnan_of_log", "frexp", "modf", "reduce_precision", "nan_to_num", "i0")]
    for k in range(0, len(smooth), 4):
        group = smooth[k : k + 4]
        fs = [UNARY[n][0] for n in group]
        grads = lambda *xs, fs=fs: [jax.vmap(jax.vmap(jax.grad(f)))(x) for f, x in zip(fs, xs)]
        yield "grad/" + "+".join(group), grads, [F(3, 4, low=UNARY[n][1][0], high=UNARY[n][1][1], edit=lambda a: a + np.float32(0.03)) for n in group], 100
    smooth = [n for n, (_, limits, types) in BINARY.items() if F32 in types and limits and n not in ("nextafter", "isclose", "ge", "eq", "zeta", "polygamma", "igamma", "igammac", "ldexp", "complex", "divmod", "heaviside", "floor_divide", "rem")]
    for k in range(0, len(smooth), 4):
        group = smooth[k : k + 4]
        run = lambda x, y, fs=[BINARY[n][0] for n in group]: [jax.grad(lambda x, y: jnp.sum(jnp.sin(f(x, y))), (0, 1))(x, y) for f in fs]
        yield "grad/" + "+".join(group), run, [F(4, 3, low=0.5, high=2), F(3, low=0.5, high=2, edit=lambda a: a + np.float32(0.03))], 100
    for source in (F32, BF16, np.int32, np.uint8, np.bool_, C64):
        targets = (C64, C128) if source is C64 else (F16, np.int8, np.uint32, np.bool_, C64)
        yield f"convert/{np.dtype(source).name}", lambda x, targets=targets: [x.astype(t) for t in targets], [of(source, 4, 3, low=0, high=4)], 1
    for source, target in (F32, np.int32), (np.int32, np.uint8), (np.uint8, np.uint32), (F16, np.int16):
        yield f"bitcast/{np.dtype(source).name}_{np.dtype(target).name}", lambda x, t=target: lax.bitcast_convert_type(x, t), [of(source, 3, 4)], 1
    yield "select/f32", lambda p, x, y: jnp.where(p, x, y), [B(4, 1), F(4, 3), F(3)], 1
    yield "select_n/i32", lambda w, a, b, c: lax.select_n(w, a, b, c), [I(5, low=0, high=2), F(5), F(5), F(5)], 1
    yield "clamp", lambda x: lax.clamp(-1.0, x, 1.5), [F(3, 4, low=-3, high=3)], 1
    yield "clip_ints", lambda x, lo: jnp.clip(x, lo, 4), [I(6), I(6)], 1
    yield "betainc", lambda a, b, x: sp.betainc(a, b, x), [F(3, 4, low=0.5, high=3), F(4, low=0.5, high=3), F(3, 4, low=0, high=1)], 50
    yield "logsumexp", lambda x: (sp.logsumexp(x), sp.logsumexp(x, axis=1, keepdims=True), jax.nn.softmax(x, 0), jax.nn.log_softmax(x)), [F(4, 5)], 4
