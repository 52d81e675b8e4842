"""Programs of linear algebra for jax_suite.py.

Singular vectors and eigenvectors are free in sign, or in phase, and so are the
vectors of QR and Schur factors of complex matrices in the hands of another
LAPACK: results are what does not depend on it.
"""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as sla
import numpy as np
from jax import lax
from jax._src.lax.linalg import geqrf, ormqr

from jax_suite_inputs import C64, C128, F32, F64, F, I

T = lambda a: jnp.conj(jnp.swapaxes(a, -1, -2))
hermitian = lambda a: a + T(a)
eye = lambda a: jnp.eye(a.shape[-1], dtype=a.dtype)
positive = lambda a: a @ T(a) + 2 * eye(a)
regular = lambda a: a + 6 * eye(a)
real_sum = lambda a: jnp.sum(jnp.abs(a) ** 2)


def apart(a):
    """A matrix with well separated eigenvalues and singular values."""
    n, m = a.shape[-2:]
    return (a / 4 + 3 * np.eye(n, m) * (1 + np.arange(n))[:, None]).astype(a.dtype)


def rebuilt(f):
    """The product of the factors that f returns."""

    def run(a):
        out = f(a)
        product = out[0]
        for x in out[1:]:
            product = product @ x
        return product

    return run


def qr(a):
    q, r = jnp.linalg.qr(a)
    return q @ r, T(q) @ q, jnp.abs(jnp.diagonal(r, axis1=-2, axis2=-1))


def full_qr(a):
    q, r = jnp.linalg.qr(a, mode="complete")
    return q @ r, T(q) @ q


def pivoted_qr(a):
    q, r, p = sla.qr(a, pivoting=True, mode="economic")
    return q @ r, p


def multiplied(a, c):
    h, tau = geqrf(a)
    return [ormqr(h, tau, c if left else T(c), left=left, transpose=t) for left in (True, False) for t in (True, False)]


def eigh(a):
    w, v = jnp.linalg.eigh(hermitian(a))
    return w, (v * w[..., None, :].astype(v.dtype)) @ T(v)


def svd(full):
    def run(a):
        u, s, vt = jnp.linalg.svd(a, full_matrices=full)
        k = s.shape[-1]
        return s, (u[..., :k] * s[..., None, :].astype(u.dtype)) @ vt[..., :k, :], T(u) @ u, vt @ T(vt)

    return run


def eig(a):
    w, v = jnp.linalg.eig(a)
    order = jnp.argsort(w.real + 1e-3 * w.imag)
    return w[order], jnp.abs(a.astype(v.dtype) @ v - v * w), jnp.linalg.norm(v, axis=0)


def eig_both(a):
    w, left, right = lax.linalg.eig(a, compute_left_eigenvectors=True, compute_right_eigenvectors=True)
    w = w[None, :]
    return jnp.abs(a @ right - right * w), jnp.abs(T(left) @ a - T(w) * T(left)), jnp.linalg.norm(left, axis=0)


def schur(a):
    t, z = sla.schur(a)
    return z @ t @ T(z), jnp.abs(jnp.tril(t, -2)), T(z) @ z


def hessenberg(a):
    h, taus = lax.linalg.hessenberg(a)
    q = lax.linalg.householder_product(jnp.tril(h[1:, :-1], -1), taus)
    h = jnp.triu(h, -1)
    q = sla.block_diag(jnp.ones((1, 1), a.dtype), q)
    return q @ h @ T(q)


def tridiagonal(lower):
    def run(a):
        _, d, e, _ = lax.linalg.tridiagonal(hermitian(a), lower=lower)
        t = jnp.diag(d) + jnp.diag(jnp.abs(e), 1) + jnp.diag(jnp.abs(e), -1)
        return jnp.trace(t), jnp.sum(t * t), jnp.abs(jnp.linalg.det(t))

    return run


def tridiagonal_solve(d, b):
    low, up = d[..., ::-1] / 8, d / 4
    return lax.linalg.tridiagonal_solve(low.at[..., 0].set(0), d + 4, up.at[..., -1].set(0), b)


def exchanging(d, b):
    """A system that needs row exchanges: the lower diagonal is the larger one."""
    return lax.linalg.tridiagonal_solve((d + 4).at[0].set(0), d, d / 2, b)


def triangular(left, lower, transpose, conjugate, unit):
    def run(a, b):
        return lax.linalg.triangular_solve(regular(a), b, left_side=left, lower=lower, transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit)

    return run


def grad(f):
    """The gradient of the sum of squares of f's results."""
    loss = lambda *args: sum(real_sum(x) for x in jax.tree.leaves(f(*args)))
    return lambda *args: jax.tree.map(jnp.conj, jax.value_and_grad(loss)(*args))


SQUARE = {
    "cholesky": (lambda a: jnp.linalg.cholesky(positive(a)), None),
    "cholesky_upper": (lambda a: jnp.linalg.cholesky(positive(a), upper=True), None),
    "cholesky_of_negative": (lambda a: jnp.linalg.cholesky(-positive(a)), None),
    "lu": (lambda a: lax.linalg.lu(a), None),
    "det": (jnp.linalg.det, apart),
    "slogdet": (jnp.linalg.slogdet, apart),
    "inv": (lambda a: jnp.linalg.inv(regular(a)), None),
    "qr": (qr, apart),
    "eigh": (eigh, None),
    "svd": (svd(True), None),
    "svdvals": (lambda a: jnp.linalg.svd(a, compute_uv=False), None),
    "eigvals": (lambda a: jnp.sort(jnp.abs(jnp.linalg.eigvals(a)), -1), apart),
    "matrix_rank": (jnp.linalg.matrix_rank, apart),
    "cond": (jnp.linalg.cond, apart),
    "expm": (lambda a: sla.expm(a / 4), None),
    "matrix_power": (lambda a: jnp.linalg.matrix_power(a / 2, 3), None),
    "pinv": (jnp.linalg.pinv, apart),
}
ONE_MATRIX = {
    "scipy_lu": (lambda a: rebuilt(sla.lu)(a), None),
    "pivoted_qr": (pivoted_qr, apart),
    "eig": (eig, apart),
    "schur": (schur, apart),
    "hessenberg": (hessenberg, None),
    "tridiagonal_lower": (tridiagonal(True), None),
    "tridiagonal_upper": (tridiagonal(False), None),
    "sqrtm": (lambda a: sla.sqrtm(positive(a)), None),
    "polar": (lambda a: sla.polar(a), apart),
    "norms": (lambda a: [jnp.linalg.norm(a, ord=o) for o in ("fro", "nuc", 1, -1, 2, -2, np.inf)], apart),
}
GRADIENTS = {
    "cholesky": (lambda a: jnp.linalg.cholesky(positive(a)), None),
    "det": (jnp.linalg.det, apart),
    "slogdet": (lambda a: jnp.linalg.slogdet(a)[1], apart),
    "inv": (lambda a: jnp.linalg.inv(regular(a)), None),
    "qr": (lambda a: jnp.linalg.qr(a)[1], apart),
    "eigh": (lambda a: (lambda w, v: (w, jnp.abs(v)))(*jnp.linalg.eigh(hermitian(a))), apart),
    "svd": (lambda a: (lambda u, s, vt: (s, jnp.abs(u)))(*jnp.linalg.svd(a, full_matrices=False)), apart),
    "lu": (lambda a: lax.linalg.lu(a)[0], apart),
    "pinv": (jnp.linalg.pinv, apart),
    "expm": (lambda a: sla.expm(a / 4), None),
}


MOST = (F32, C128)  # all types for the routines themselves, two for what is built of them
ROUTINES = ("cholesky", "lu", "qr", "eigh", "svd", "eigvals")


def programs():
    for dtype in (F32, F64, C64, C128):
        name = np.dtype(dtype).name
        tolerance = 20 if dtype in (F32, C64) else 1000
        for what, (f, edit) in SQUARE.items():
            if dtype in MOST or what in ROUTINES:
                yield f"linalg/{what}/{name}", f, [F(6, 4, 4, dtype=dtype, edit=edit)], tolerance
        yield f"linalg/schur/{name}", schur, [F(5, 5, dtype=dtype, edit=apart)], tolerance
        yield f"linalg/multiply_by_q/{name}", multiplied, [F(2, 4, 3, dtype=dtype), F(2, 4, 5, dtype=dtype)], tolerance
        yield f"linalg/tridiagonal_solve/{name}", tridiagonal_solve, [F(3, 5, dtype=dtype), F(3, 5, 2, dtype=dtype)], tolerance
        yield f"linalg/solve/{name}", lambda a, b: jnp.linalg.solve(regular(a), b), [F(3, 4, 4, dtype=dtype), F(3, 4, 2, dtype=dtype)], tolerance
        yield f"linalg/empty/{name}", lambda a: (jnp.linalg.qr(a), jnp.linalg.svd(a), jnp.linalg.eigh(hermitian(a)), jnp.linalg.cholesky(a)), [F(0, 3, 3, dtype=dtype)], tolerance
        if dtype in MOST:
            yield from built(dtype, name, tolerance)
    yield "linalg/eig_both/complex128", eig_both, [F(5, 5, dtype=C128, edit=apart)], 1000
    yield "linalg/large_eigh", eigh, [F(2, 40, 40, dtype=F64)], 1000
    yield "linalg/large_svd", svd(False), [F(30, 20)], 60
    yield "linalg/large_eigvals", lambda a: jnp.sort(jnp.abs(jnp.linalg.eigvals(a))), [F(24, 24, dtype=C128, edit=apart)], 1000


def built(dtype, name, tolerance):
    """Programs that use the routines, their gradients, and unusual shapes."""
    for what in ROUTINES:
        f, edit = SQUARE[what]
        yield f"linalg/{what}_of_one/{name}", f, [F(2, 3, 1, 1, dtype=dtype, edit=edit)], tolerance
        yield f"linalg/{what}_no_batch/{name}", f, [F(5, 5, dtype=dtype, edit=edit)], tolerance
    for what, (f, edit) in ONE_MATRIX.items():
        if what != "schur":
            yield f"linalg/{what}/{name}", f, [F(5, 5, dtype=dtype, edit=edit)], tolerance
    for what, (f, edit) in GRADIENTS.items():
        if dtype is F32 or what in ("cholesky", "inv", "det", "pinv"):  # gradients of other complex factors depend on their phases
            yield f"linalg/grad_{what}/{name}", jax.vmap(grad(f)), [F(4, 4, 4, dtype=dtype, edit=edit)], 10 * tolerance
    for rows, columns in (5, 3), (3, 5), (1, 4):
        shapes = f"{name}/{rows}x{columns}"
        yield f"linalg/svd/{shapes}", lambda a: svd(False)(a) + svd(True)(a), [F(4, rows, columns, dtype=dtype)], tolerance
        yield f"linalg/qr/{shapes}", lambda a: qr(a) + full_qr(a), [F(4, rows, columns, dtype=dtype, edit=apart)], tolerance
        yield f"linalg/lu/{shapes}", lax.linalg.lu, [F(3, rows, columns, dtype=dtype)], tolerance
    yield f"linalg/tridiagonal_exchange/{name}", exchanging, [F(6, dtype=dtype, low=0.5), F(6, 2, dtype=dtype)], tolerance
    for left in (True, False):
        for lower in (True, False):
            kinds = ((False, False, False), (True, False, True), (True, True, False))
            fs = [triangular(left, lower, *k) for k in kinds]
            yield f"linalg/triangular/{name}/{left:d}{lower:d}", lambda a, b, fs=fs: [f(a, b) for f in fs], [F(4, 4, 4, dtype=dtype), F(*((4, 4, 3) if left else (4, 3, 4)), dtype=dtype)], tolerance
    yield f"linalg/grad_solve/{name}", grad(lambda a, b: jnp.linalg.solve(regular(a), b)), [F(4, 4, dtype=dtype), F(4, 3, dtype=dtype)], 10 * tolerance
    yield f"linalg/lstsq/{name}", lambda a, b: jnp.linalg.lstsq(a, b)[0], [F(6, 3, dtype=dtype, edit=apart), F(6, 2, dtype=dtype)], tolerance
    yield f"linalg/cho_solve/{name}", lambda a, b: sla.cho_solve(sla.cho_factor(positive(a)), b), [F(4, 4, dtype=dtype), F(4, 3, dtype=dtype)], tolerance
    yield f"linalg/lu_solve/{name}", lambda a, b: sla.lu_solve(sla.lu_factor(regular(a)), b), [F(4, 4, dtype=dtype), F(4, 3, dtype=dtype)], tolerance
    yield f"linalg/solve_triangular/{name}", lambda a, b: sla.solve_triangular(regular(a), b, trans="T", lower=True), [F(4, 4, dtype=dtype), F(4, dtype=dtype)], tolerance
