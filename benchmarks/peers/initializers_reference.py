"""Writes the first values that Keras' initializers give on JAX, for the tests
of keras/initializers.

    KERAS_BACKEND=jax python initializers_reference.py [-o FILE]
"""

import argparse
import hashlib
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras
import numpy as np

from reference import ROOT, hexes, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/initializers/testdata/reference.json")
SHAPES = [(3, 4), (5,), (), (3, 2, 4, 5)]
CASES = [
    ("GlorotUniform", {"seed": 13}),
    ("GlorotUniform", {"seed": 5, "input_axes": [0, 1], "output_axes": [-1]}),
    ("GlorotNormal", {"seed": 1}),
    ("HeUniform", {"seed": 2}),
    ("HeNormal", {"seed": 3}),
    ("LecunUniform", {"seed": 4}),
    ("LecunNormal", {"seed": 5}),
    ("VarianceScaling", {"seed": 6}),
    ("VarianceScaling", {"seed": 7, "scale": 0.5, "mode": "fan_out", "distribution": "untruncated_normal"}),
    ("VarianceScaling", {"seed": 8, "scale": 2.0, "mode": "fan_avg", "distribution": "uniform"}),
    ("RandomUniform", {"seed": 9}),
    ("RandomUniform", {"seed": 9, "minval": 0.5, "maxval": 2.0}),
    ("RandomNormal", {"seed": 10}),
    ("RandomNormal", {"seed": 10, "mean": 1.0, "stddev": 3.0}),
    ("TruncatedNormal", {"seed": 11}),
    ("TruncatedNormal", {"seed": 11, "mean": -1.0, "stddev": 0.5}),
    ("Zeros", {}),
    ("Ones", {}),
    ("Constant", {"value": 0.1}),
    ("Identity", {"gain": 1.5}),
    ("Orthogonal", {"seed": 12}),
    ("Orthogonal", {"seed": 12, "gain": 2.0}),
]


def case(name, config, shape, dtype):
    initializer = getattr(keras.initializers, name)(**config)
    values = np.asarray(initializer(shape, dtype=dtype))
    out = {"name": name, "config": config, "shape": list(shape), "dtype": dtype}
    if values.size <= 200:
        out["hex"] = hexes(values)
    else:
        out["hex"] = hexes(values.reshape(-1)[:8])
        out["sha256"] = hashlib.sha256(values.tobytes()).hexdigest()
    return out


def cases():
    for name, config in CASES:
        for shape in SHAPES:
            if name == "Identity" and len(shape) != 2:
                continue
            if name == "Orthogonal" and len(shape) < 2:
                continue
            if "input_axes" in config and len(shape) < 2:
                continue
            yield case(name, config, shape, "float32")
    yield case("Orthogonal", {"seed": 3}, (7, 4), "float32")
    for dtype in ["bfloat16", "float16"]:
        yield case("GlorotUniform", {"seed": 13}, (3, 4), dtype)
        yield case("HeNormal", {"seed": 13}, (3, 4), dtype)
        yield case("Constant", {"value": 0.1}, (3, 4), dtype)
    # The weights of the quickstart.
    yield case("GlorotUniform", {"seed": 13}, (784, 200), "float32")
    yield case("GlorotUniform", {"seed": 14}, (200, 10), "float32")
    yield case("HeNormal", {"seed": 13}, (784, 200), "float32")


def unseeded():
    """Returns what layers without seeds get after set_random_seed."""
    keras.utils.set_random_seed(2024)
    first, second = keras.initializers.GlorotUniform(), keras.initializers.get("random_normal")
    return [hexes(first((2, 2))), hexes(second((3,))), hexes(first((2, 2)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    args = parser.parse_args()
    write_json(args.output, {"made_with": versions(), "unseeded_2024": unseeded(), "cases": list(cases())})


if __name__ == "__main__":
    main()
