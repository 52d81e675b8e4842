"""Trains the model of Keras' distribution guide on JAX and writes its losses.

The program is the one that examples/quickstart runs: inputs normal(128, 28,
28, 1) with seed S, labels normal(128, 10) with S+1, Dense 200 relu without
bias (kernel seed S+2), dropout 0.4 (seed S+4), Dense 10 softmax (kernel seed
S+3), mean squared error, the default optimizer, batches of 16, no shuffling,
3 epochs, then evaluate. It runs on one device without a distribution and on
each mesh of 8 virtual CPU devices.

    KERAS_BACKEND=jax python quickstart_reference.py [-o FILE]
"""

import argparse
import json
import os

from reference import MESHES, ROOT, distribute, run_in_child, versions, write_json

SEEDS = [11, 1, 42, 1234]
OUTPUT = os.path.join(ROOT, "examples/quickstart/testdata/keras_reference.json")


def train(mesh, seed, epochs):
    """Returns the losses of one run as Python floats."""
    import keras
    import numpy as np
    from keras import layers

    distribute(
        mesh,
        {"d1/kernel": (None, "model"), "d1/bias": ("model",), "d2/output": ("data", None)},
    )
    inputs = np.asarray(keras.random.normal((128, 28, 28, 1), seed=seed))
    labels = np.asarray(keras.random.normal((128, 10), seed=seed + 1))

    def glorot(s):
        return keras.initializers.GlorotUniform(seed=s)

    x_in = layers.Input(shape=(28, 28, 1))
    y = layers.Flatten()(x_in)
    y = layers.Dense(
        200, use_bias=False, activation="relu", name="d1", kernel_initializer=glorot(seed + 2)
    )(y)
    y = layers.Dropout(0.4, seed=seed + 4)(y)
    y = layers.Dense(10, activation="softmax", name="d2", kernel_initializer=glorot(seed + 3))(y)
    model = keras.Model(inputs=x_in, outputs=y)
    model.compile(loss="mse")
    history = model.fit(
        inputs, labels, batch_size=16, epochs=epochs, shuffle=False, verbose=0
    )
    loss = [float(v) for v in history.history["loss"]]
    return loss, float(model.evaluate(inputs, labels, batch_size=16, verbose=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("--run", help="run one mesh in this process and print it")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()

    if args.run:
        loss, evaluation = train(args.run, args.seed, args.epochs)
        print(json.dumps({"mesh": args.run, "seed": args.seed, "loss": loss, "eval": evaluation}))
        return
    runs = []
    for seed in SEEDS:
        for mesh in MESHES + ["1x8"]:
            runs.append(run_in_child(mesh, "--seed", seed, "--epochs", args.epochs))
            print(runs[-1], flush=True)
    write_json(args.output, {"made_with": versions(), "epochs": args.epochs, "runs": runs})


if __name__ == "__main__":
    main()
