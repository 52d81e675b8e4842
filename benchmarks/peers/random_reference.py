"""Writes random numbers of JAX and Keras for the tests of keras/random.

Numbers are bit patterns in hex: of all elements where they are few, and of the
first ones plus the SHA-256 of all (little-endian bytes, row-major) where they
are many.

    KERAS_BACKEND=jax python random_reference.py [-o FILE]
"""

import argparse
import hashlib
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import keras
import numpy as np
from jax._src.random.threefry2x32 import threefry2x32_p

from reference import ROOT, floats, hexes, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/random/testdata/reference.json")
KEYS = [(0, 0), (11, 0), (13, 1), (0xFFFFFFFF, 0xFFFFFFFF), (0x13198A2E, 0x03707344)]
SHAPES = [(), (1,), (7,), (3, 5), (2, 1, 3, 4)]
LARGE = (300, 700)
FLOATS = ["float32", "bfloat16", "float16", "float64"]


def drawn(name, key, shape, dtype, sample, **params):
    """Draws once, and describes the result."""
    with jax.enable_x64("64" in dtype):
        values = np.asarray(sample(np.array(key, np.uint32), shape, dtype))
    assert values.dtype.name == dtype, (values.dtype, dtype)
    assert values.shape == shape
    if dtype == "bool":
        values = values.astype(np.uint8)
    case = {"op": name, "key": list(key), "shape": list(shape), "dtype": dtype, "params": params}
    if values.size <= 64:
        case["hex"] = hexes(values)
    else:
        case["hex"] = hexes(values.reshape(-1)[:8])
        case["sha256"] = hashlib.sha256(values.tobytes()).hexdigest()
    return case


def uniform(low, high):
    return lambda k, s, d: jax.random.uniform(k, s, d, low, high)


def normal(mean, stddev):
    # Keras' own functions, which scale JAX's numbers; they accept a key array as a seed.
    return lambda k, s, d: keras.random.normal(s, mean, stddev, d, jnp.asarray(k))


def truncated(mean, stddev):
    return lambda k, s, d: keras.random.truncated_normal(s, mean, stddev, d, jnp.asarray(k))


def randint(low, high):
    return lambda k, s, d: jax.random.randint(k, s, low, high, d)


def cases():
    for key in KEYS:
        for shape in SHAPES:
            yield drawn("bits", key, shape, "uint32", lambda k, s, d: jax.random.bits(k, s, d))
    for dtype in ["uint8", "uint16", "uint32", "uint64"]:
        yield drawn("bits", (11, 0), (3, 5), dtype, lambda k, s, d: jax.random.bits(k, s, d))
    yield drawn("bits", (11, 0), LARGE, "uint32", lambda k, s, d: jax.random.bits(k, s, d))

    for dtype in FLOATS:
        for low, high in [(0.0, 1.0), (-0.078, 0.078), (-3.0, 5.0), (0.1, 0.7), (100.0, 101.0)]:
            yield drawn("uniform", (13, 0), (5, 9), dtype, uniform(low, high), low=low, high=high)
        for low, high in [(0.0, 1.0), (-0.078, 0.078), (0.1, 0.7)]:
            yield drawn("uniform", (13, 7), LARGE, dtype, uniform(low, high), low=low, high=high)
        for op, sample in [("normal", normal), ("truncated_normal", truncated)]:
            for mean, stddev in [(0.0, 1.0), (2.5, 0.05)]:
                for key, shape in [((11, 0), (5, 9)), ((3, 1), LARGE)]:
                    yield drawn(op, key, shape, dtype, sample(mean, stddev), mean=mean, stddev=stddev)

    for p in [0.0, 0.1, 0.5, 0.6, 0.999, 1.0]:
        for key, shape in [((15, 0), (5, 9)), ((15, 3), LARGE)]:
            yield drawn("bernoulli", key, shape, "bool", lambda k, s, d: jax.random.bernoulli(k, p, s), p=p)

    for dtype, low, high in [
        ("int32", 0, 10),
        ("int32", -7, 1000003),
        ("int32", -(2**31), 2**31 - 1),
        ("uint32", 5, 2**31 - 1),
        ("int8", -128, 128),
        ("uint8", 0, 256),
        ("int16", -5, 300),
        ("uint16", 0, 65536),
        ("int64", -5, 2**40),
        ("uint64", 3, 2**62),
    ]:
        for key, shape in [((17, 0), (5, 9)), ((17, 2), LARGE)]:
            yield drawn("randint", key, shape, dtype, randint(low, high), low=low, high=high)


def blocks():
    """Returns Threefry blocks whose counters need more than 32 bits."""
    out = []
    for key in KEYS:
        for hi, lo in [(0, 0), (0, 1), (1, 0), (7, 0xFFFFFFFF), (0xFFFFFFFF, 0x80000000), (0x243F6A88, 0x85A308D3)]:
            a, b = threefry2x32_p.bind(*[jnp.uint32(v) for v in (*key, hi, lo)])
            out.append({"key": list(key), "counter": [hi, lo], "block": [int(a), int(b)]})
    return out


def derived():
    out = []
    for key in KEYS:
        k = jnp.array(key, jnp.uint32)
        out.append({
            "key": list(key),
            "split": np.asarray(jax.random.split(k, 3)).tolist(),
            "fold_in": {str(d): np.asarray(jax.random.fold_in(k, d)).tolist() for d in (0, 1, 2**32 - 1)},
        })
    return out


def betas():
    """Returns numbers of beta distributions, some of which JAX draws several times."""
    key = jnp.array((11, 3), jnp.uint32)
    return [{"key": [11, 3], "alpha": a, "numbers": floats(jax.random.beta(key, a, a, (100,)))} for a in (0.2, 1.0, 3.0)]


def permutations():
    key = jnp.array((11, 3), jnp.uint32)
    return [{"key": [11, 3], "order": np.asarray(jax.random.permutation(key, n)).tolist()} for n in (1, 2, 12, 2000)]


def categoricals():
    """Returns classes that Keras draws by logits."""
    key = jnp.array((11, 3), jnp.uint32)
    logits = [[0.0, 1.0, -2.0, 0.5], [3.0, 0.0, 0.0, -1.0], [-30.0, 0.1, 0.1, 0.1]]
    draw = lambda dtype: np.asarray(keras.random.categorical(jnp.array(logits, dtype), 50, seed=key)).tolist()
    return [{"dtype": d, "logits": logits, "classes": draw(d)} for d in ("float32", "float16", "bfloat16")]


def seeds():
    """Returns numbers of Keras' seed generators and of its global seed."""
    generator = keras.random.SeedGenerator(15)
    ordered = [np.asarray(generator.next()).tolist() for _ in range(3)]
    generator = keras.random.SeedGenerator(812)
    unordered = [np.asarray(generator.next(ordered=False)).tolist() for _ in range(4)]
    default = []
    for seed in [0, 1, 812, 2**32 - 1]:
        import random as python_random

        from keras.src.random.seed_generator import make_default_seed

        python_random.seed(seed)  # what set_random_seed does to it
        default.append({"seed": seed, "drawn": [make_default_seed() for _ in range(5)]})
    keras.utils.set_random_seed(812)
    eager = [hexes(keras.random.normal((3,))) for _ in range(3)]
    return {"ordered": ordered, "unordered": unordered, "default": default, "eager_normal_812": eager}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("--categoricals", action="store_true", help="write only categorical.json beside it: other numbers of float16 differ from CPU to CPU")
    args = parser.parse_args()
    write_json(os.path.join(os.path.dirname(args.output), "categorical.json"), {"made_with": versions(), "cases": categoricals()})
    if args.categoricals:
        return
    write_json(args.output, {
        "made_with": versions(),
        "blocks": blocks(),
        "derived": derived(),
        "seeds": seeds(),
        "betas": betas(), "permutations": permutations(),
        "cases": list(cases()),
    })


if __name__ == "__main__":
    main()
