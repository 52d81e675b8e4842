"""Trains the model of Keras' distribution guide on JAX and writes its losses.

The program is the one that examples/quickstart runs: inputs normal(128, 28,
28, 1) with seed S, labels normal(128, 10) with S+1, Dense 200 relu without
bias (kernel seed S+2), dropout 0.4 (seed S+4), Dense 10 softmax (kernel seed
S+3), mean squared error, the default optimizer, batches of 16, no shuffling,
3 epochs, then evaluate. It runs on one device without a distribution and on
each mesh of 8 virtual CPU devices; every run is a process of its own, for the
number of devices is fixed when JAX starts.

    KERAS_BACKEND=jax python quickstart_reference.py [-o FILE]
"""

import argparse
import json
import os
import subprocess
import sys

from reference import ROOT, write_json

MESHES = ["single", "8x1", "4x2", "2x4", "1x8"]
SEEDS = [11, 1, 42, 1234]
OUTPUT = os.path.join(ROOT, "examples/quickstart/testdata/keras_reference.json")


def train(mesh, seed, epochs):
    """Returns the losses of one run as Python floats."""
    import jax
    import keras
    import numpy as np
    from keras import distribution, layers

    if mesh != "single":
        shape = tuple(int(n) for n in mesh.split("x"))
        device_mesh = distribution.DeviceMesh(
            shape=shape, axis_names=["data", "model"], devices=jax.devices()
        )
        layout_map = distribution.LayoutMap(device_mesh)
        layout_map["d1/kernel"] = (None, "model")
        layout_map["d1/bias"] = ("model",)
        layout_map["d2/output"] = ("data", None)
        distribution.set_distribution(
            distribution.ModelParallel(layout_map=layout_map, batch_dim_name="data")
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


def child(mesh, seed, epochs):
    """Runs train in a new process with the devices that the mesh needs."""
    env = dict(os.environ, KERAS_BACKEND="jax", JAX_PLATFORMS="cpu", TF_CPP_MIN_LOG_LEVEL="3")
    if mesh != "single":
        env["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    args = [sys.executable, __file__, "--run", mesh, "--seed", str(seed), "--epochs", str(epochs)]
    out = subprocess.run(args, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out.strip().splitlines()[-1])


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
        for mesh in MESHES:
            runs.append(child(mesh, seed, args.epochs))
            print(runs[-1], flush=True)
    write_json(args.output, {"epochs": args.epochs, "runs": runs})


if __name__ == "__main__":
    main()
