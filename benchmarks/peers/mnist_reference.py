"""Trains examples/mnist on JAX, on one device and on meshes, and writes the losses.

The program is the one of tf.distribute's Keras guide: 784-256-256-10 with relu
(kernel seeds S, S+1, S+2), Adam, sparse categorical cross-entropy from logits,
the last 10000 training images for validation, batches of 64 in order, 2
epochs, then evaluate on the test images. On meshes of 8 virtual CPU devices
the hidden layer is sharded by the axis "model".

It also writes the distance of the weights of every two meshes after the first
batches: the root of the mean square of the differences. At that time the
weights differ by rounding only. Later some input of a relu is so near to 0
that rounding decides its sign, and from then on the runs diverge. Of five
seeds, FIRST_SEED keeps the inputs of relus farthest from 0 in the first FIRST
batches: 1e-6, and rounding errors are 1e-7.

    KERAS_BACKEND=jax GOSPMD_MNIST_DIR=DIR python mnist_reference.py [-o FILE]

DIR holds the four IDX files of MNIST, with the ending .gz.
"""

import argparse
import base64
import gzip
import itertools
import json
import os

from reference import MESHES, ROOT, distribute, run_in_child, versions, write_json

SEEDS = [1, 2, 3, 4, 5]
FIRST, FIRST_SEED = 50, 2
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


def build(mesh, seed):
    """Returns the compiled model on a mesh."""
    import keras
    from keras import layers

    distribute(
        mesh,
        {"d1/kernel": (None, "model"), "d1/bias": ("model",), "d2/kernel": ("model", None)},
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
    return model


def train(mesh, seed, epochs):
    """Returns the results of one run."""
    model = build(mesh, seed)
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


def train_first(mesh, seed):
    """Returns the bytes of the weights after the first batches."""
    import numpy as np

    model = build(mesh, seed)
    x, labels = load("train")
    n = FIRST * BATCH
    model.fit(x[:n], labels[:n], batch_size=BATCH, shuffle=False, verbose=0)
    weights = np.concatenate([w.ravel() for w in model.get_weights()])
    return base64.b64encode(weights.astype("<f4").tobytes()).decode()


def distances():
    """Returns the distance of the weights of every two meshes after the first batches."""
    import numpy as np

    weights = {}
    for mesh in MESHES:
        text = child(mesh, "--first", "--seed", FIRST_SEED)
        weights[mesh] = np.frombuffer(base64.b64decode(text), "<f4").astype(float)
    return {
        f"{a} {b}": float("%.3g" % np.sqrt(np.mean((weights[a] - weights[b]) ** 2)))
        for a, b in itertools.combinations(MESHES, 2)
    }


def child(mesh, *args):
    # With one thread for each core, 8 virtual devices can wait for each other
    # for ever (JAX 0.10): more threads, and none that a product waits for.
    return run_in_child(mesh, *args, flags="--xla_cpu_multi_thread_eigen=false", PJRT_NPROC="64")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("--run", help="run one mesh in this process and print it")
    parser.add_argument("--first", action="store_true", help="with --run: only the first batches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()

    if args.run:
        if args.first:
            print(json.dumps(train_first(args.run, args.seed)))
        else:
            print(json.dumps(train(args.run, args.seed, args.epochs)))
        return
    first = {"batches": FIRST, "seed": FIRST_SEED, "distances": distances()}
    print(first, flush=True)
    runs = []
    for seed in SEEDS:
        for mesh in MESHES:
            runs.append(child(mesh, "--seed", seed, "--epochs", args.epochs))
            print(runs[-1], flush=True)
    write_json(
        args.output,
        {"made_with": versions(), "epochs": args.epochs, "batch": BATCH, "first": first, "runs": runs},
    )


if __name__ == "__main__":
    main()
