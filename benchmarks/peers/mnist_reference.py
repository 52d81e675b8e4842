"""Trains examples/mnist on JAX, on one device and on meshes, and writes the losses.

The program is the one of tf.distribute's Keras guide: 784-256-256-10 with relu
(kernel seeds S, S+1, S+2), Adam, sparse categorical cross-entropy from logits,
the last 10000 training images for validation, batches of 64 in order, 2
epochs, then evaluate on the test images. On meshes of 8 virtual CPU devices
the hidden layer is split over the axis "model". Every run is a process of its
own, for the number of devices is fixed when JAX starts.

    KERAS_BACKEND=jax GOSPMD_MNIST_DIR=DIR python mnist_reference.py [-o FILE]

DIR holds the four IDX files of MNIST, with the ending .gz.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys

from reference import ROOT, write_json

MESHES = ["single", "8x1", "4x2", "2x4"]
SEEDS = [1, 2, 3]
BATCH, VALIDATION = 64, 10000
OUTPUT = os.path.join(ROOT, "examples/mnist/testdata/keras_reference.json")


def load(part):
    """Returns images, flat and from 0 to 1, and labels as floats, as the guide has them."""
    import numpy as np

    def read(kind, head):
        name = os.path.join(os.environ["GOSPMD_MNIST_DIR"], f"{part}-{kind}-ubyte.gz")
        with gzip.open(name, "rb") as f:
            return np.frombuffer(f.read(), np.uint8, offset=head)

    images = read("images-idx3", 16).reshape(-1, 784).astype("float32") / 255
    return images, read("labels-idx1", 8).astype("float32")


def train(mesh, seed, epochs):
    """Returns what one run shows."""
    import jax
    import keras
    from keras import distribution, layers

    if mesh != "single":
        shape = tuple(int(n) for n in mesh.split("x"))
        device_mesh = distribution.DeviceMesh(
            shape=shape, axis_names=["data", "model"], devices=jax.devices()
        )
        layout_map = distribution.LayoutMap(device_mesh)
        layout_map["d1/kernel"] = (None, "model")
        layout_map["d1/bias"] = ("model",)
        layout_map["d2/kernel"] = ("model", None)
        distribution.set_distribution(
            distribution.ModelParallel(layout_map=layout_map, batch_dim_name="data")
        )

    def dense(n, name, s, activation=None):
        init = keras.initializers.GlorotUniform(seed=s)
        return layers.Dense(n, activation=activation, name=name, kernel_initializer=init)

    inputs = layers.Input(shape=(784,))
    y = dense(256, "d1", seed, "relu")(inputs)
    y = dense(256, "d2", seed + 1, "relu")(y)
    model = keras.Model(inputs, dense(10, "d3", seed + 2)(y))
    model.compile(
        optimizer=keras.optimizers.Adam(),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy()],
    )
    x, labels = load("train")
    history = model.fit(
        x[:-VALIDATION],
        labels[:-VALIDATION],
        batch_size=BATCH,
        epochs=epochs,
        shuffle=False,
        validation_data=(x[-VALIDATION:], labels[-VALIDATION:]),
        verbose=0,
    ).history
    x, labels = load("t10k")
    loss, accuracy = model.evaluate(x, labels, batch_size=BATCH, verbose=0)
    return {
        "mesh": mesh,
        "seed": seed,
        "loss": history["loss"],
        "val_loss": history["val_loss"],
        "val_accuracy": history["val_sparse_categorical_accuracy"],
        "test_loss": loss,
        "test_accuracy": accuracy,
    }


def child(mesh, seed, epochs):
    """Runs train in a new process with the devices that the mesh needs."""
    env = dict(os.environ, KERAS_BACKEND="jax", JAX_PLATFORMS="cpu", TF_CPP_MIN_LOG_LEVEL="3")
    # With one thread for each core, 8 virtual devices can wait for each other
    # for ever (JAX 0.10): more threads, and none that a product waits for.
    env["PJRT_NPROC"] = "64"
    env["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    if mesh != "single":
        env["XLA_FLAGS"] += " --xla_force_host_platform_device_count=8"
    args = [sys.executable, __file__, "--run", mesh, "--seed", str(seed), "--epochs", str(epochs)]
    out = subprocess.run(args, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("--run", help="run one mesh in this process and print it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()

    if args.run:
        print(json.dumps(train(args.run, args.seed, args.epochs)))
        return
    runs = []
    for seed in SEEDS:
        for mesh in MESHES:
            runs.append(child(mesh, seed, args.epochs))
            print(runs[-1], flush=True)
    write_json(args.output, {"epochs": args.epochs, "batch": BATCH, "runs": runs})


if __name__ == "__main__":
    main()
