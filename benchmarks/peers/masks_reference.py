"""Writes what Keras on JAX computes with masks of sequences: the losses of two epochs,
the trained weights, and what evaluate says then, with and without sample weights. (In fit
Keras on JAX loses the mask before the metrics: predictions leave jax.value_and_grad as new
arrays.)

    KERAS_BACKEND=jax python masks_reference.py [-o FOLDER]

writes masks.json.
"""

import argparse
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras
import numpy as np
from keras import layers

from layers_reference import OUTPUT, numbers
from reference import floats, versions, write_json

BATCH, STEPS = 4, 5
LENGTHS = [5, 3, 1, 4, 2, 5, 0, 3]


def sequences():
    """Returns sequences of different lengths, padded with zeros; one has a gap."""
    x = numbers(1, len(LENGTHS), STEPS, 3)
    for row, n in zip(x, LENGTHS):
        row[n:] = 0
    x[0, 2] = 0
    return x


def words():
    x = np.random.default_rng(7).integers(1, 6, (len(LENGTHS), STEPS)).astype(np.int32)
    for row, n in zip(x, LENGTHS):
        row[n:] = 0
    return x


def masked_lstm(x):
    return layers.Dense(3, name="d1")(layers.LSTM(4, name="lstm")(layers.Masking()(x)))


def masked_sequences(x):
    return layers.Dense(3, name="d1")(layers.GRU(4, name="gru", return_sequences=True)(layers.Masking()(x)))


def masked_bidirectional(x):
    y = layers.Bidirectional(layers.LSTM(4, return_sequences=True), name="both")(layers.Masking()(x))
    return layers.TimeDistributed(layers.Dense(3, name="d1"), name="each")(y)


def masked_attention(x):
    y = layers.Masking()(x)
    return layers.Dense(3, name="d1")(layers.MultiHeadAttention(2, 3, name="attention")(y, y))


def mask_zero(x):
    y = layers.Embedding(6, 4, mask_zero=True, name="words")(x)
    return layers.Dense(3, name="d1")(layers.SimpleRNN(4, name="rnn", return_sequences=True)(y))


def case(name, build, integers=False, weighted=False):
    keras.backend.clear_session()
    x = words() if integers else sequences()
    x_in = keras.Input(x.shape[1:], dtype=x.dtype.name)
    model = keras.Model(x_in, build(x_in))
    for i, v in enumerate(model.weights):
        v.assign(0.5 * numbers(20 + i, *v.shape))
    start = [np.array(v.value) for v in model.weights]
    y = numbers(3, len(x), *model.output_shape[1:])
    weight = np.round(np.random.default_rng(5).uniform(0, 2, y.shape[:-1]), 1).astype(np.float32) if weighted else None
    model.compile(optimizer=keras.optimizers.SGD(0.5), loss="mse", metrics=["mae"], weighted_metrics=["mse"])
    history = model.fit(x, y, sample_weight=weight, batch_size=BATCH, epochs=2, shuffle=False, verbose=0).history
    evaluated = model.evaluate(x, y, sample_weight=weight, batch_size=BATCH, verbose=0, return_dict=True)
    return {
        "name": name, "integers": integers, "x": floats(x), "y": floats(y),
        "sample_weight": floats(weight) if weighted else None,
        "weights": [{"path": v.path, "value": floats(w)} for v, w in zip(model.weights, start)],
        "losses": [float(np.float32(v)) for v in history["loss"]],
        "evaluated": {k: float(np.float32(v)) for k, v in evaluated.items()},
        "trained": [floats(v.value) for v in model.weights],
    }  # fmt: skip


def cases():
    out = []
    for weighted in (False, True):
        out += [
            case("masked lstm", masked_lstm, weighted=weighted),
            case("masked sequences", masked_sequences, weighted=weighted),
            case("masked bidirectional", masked_bidirectional, weighted=weighted),
            case("masked attention", masked_attention, weighted=weighted),
            case("mask_zero", mask_zero, integers=True, weighted=weighted),
        ]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    args = parser.parse_args()
    write_json(os.path.join(args.output, "masks.json"), {"made_with": versions(), "cases": cases()})


if __name__ == "__main__":
    main()
