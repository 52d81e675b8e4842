"""Writes what functions of keras.utils give, for the tests of keras/utils.

    KERAS_BACKEND=jax python utils_reference.py [-o FILE]
"""

import argparse
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras
import numpy as np

from reference import ROOT, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/utils/testdata/reference.json")


def result(values):
    """The shape of an array, and its elements, row by row."""
    values = np.asarray(values)
    return {"shape": list(values.shape), "values": [float(v) for v in values.reshape(-1)]}


def cases():
    """The cases of each function: arguments by their names in Keras, and the result."""
    categorical = [([0, 2, 1], None), ([[0], [3]], 5), ([[0, 1], [2, 1]], None), ([4], 5), ([[[1], [0]]], None)]
    yield "to_categorical", [{"x": x, "num_classes": n or 0, **result(keras.utils.to_categorical(x, n))} for x, n in categorical]
    x = np.arange(24, dtype="float32").reshape(2, 3, 4) - 9
    x[1, 2] = 0
    # not axis 0, which Keras takes for -1 when it puts the dimension back
    norms = [(a, o) for a in (-1, 1) for o in (1, 2, 3, np.inf, -np.inf)]
    yield "normalize", [
        {"x": x.tolist(), "axis": a, "order": float(o) if np.isfinite(o) else str(o), **result(keras.utils.normalize(x, a, o))} for a, o in norms
    ]
    sequences = [[1, 2, 3], [], [4], [5, 6, 7, 8, 9]]
    padded = [(n, p, t, v) for n in (None, 2, 4, 7) for p in ("pre", "post") for t in ("pre", "post") for v in (0, -1)]
    yield "pad_sequences", [
        {"maxlen": -1 if n is None else n, "padding": p, "truncating": t, "value": v,
         **result(keras.utils.pad_sequences(sequences, n, padding=p, truncating=t, value=v))} for n, p, t, v in padded
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", default=OUTPUT)
    write_json(parser.parse_args().o, {"made_with": versions(), **dict(cases())})


if __name__ == "__main__":
    main()
