#!/usr/bin/env python3
"""Asks Keras 3 on JAX about its ResNet50, for the tests of keras/applications.

    KERAS_BACKEND=jax python applications_reference.py [-o DIR]
    python applications_reference.py --weights DIR [--size N]

The first writes resnet50.json: the names of layers and variables, and features
of images by a network whose weights come from a fixed seed. The second writes
two files of random weights into DIR, with and without the top, in the layout of
those that Keras publishes (about 200 MB), and beside them answers.json with the
predictions by these weights.
"""

import argparse
import json
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import h5py
import keras
import numpy as np
from keras.src.legacy.saving import legacy_h5_format

from reference import ROOT, floats, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/applications/testdata")
CLASSES = 10
SEED = 5


def images(n, height, width):
    """Returns fixed images: pixels from 0 to 250 by position."""
    count = n * height * width * 3
    return (np.arange(count) * 7 % 251).reshape(n, height, width, 3).astype("float32")


def structure(model):
    return {
        "layers": [[layer.name, str(tuple(layer.output.shape))] for layer in model.layers],
        "variables": [[w.path, list(w.shape)] for w in model.weights],
        "trainable": [w.path for w in model.trainable_weights],
    }


def reference(directory):
    """Writes what needs no file of weights."""
    answer = {"made_with": versions(), "seed": SEED}
    answer["top"] = structure(keras.applications.ResNet50(weights=None))
    for name, n in (("ResNet101", "resnet101"), ("ResNet152", "resnet152")):
        model = getattr(keras.applications, name)(weights=None, include_top=False)
        answer[n] = {"layers": len(model.layers), "parameters": model.count_params(), "last": model.layers[-1].name}
    keras.utils.clear_session()
    keras.utils.set_random_seed(SEED)
    model = keras.applications.ResNet50(weights=None, include_top=False, pooling="avg")
    answer["features"] = []
    for size in ((64, 64), (32, 75)):
        x = keras.applications.resnet.preprocess_input(images(2, *size))
        y = model.predict(x, verbose=0)
        # Every 16th feature is enough for a comparison.
        answer["features"].append({"size": size, "preprocessed": floats(x[0, 0, 0]), "features": floats(y[:, ::16])})
    write_json(os.path.join(directory, "resnet50.json"), answer)


def shake(model, rng):
    """Replaces the weights by random ones that keep numbers in range, as
    trained ones do."""
    for layer in model.layers:
        if not isinstance(layer, keras.layers.BatchNormalization):
            continue
        scale = 0.2 if layer.name.endswith("_3_bn") else 1.0
        n = layer.gamma.shape
        layer.set_weights([
            scale * rng.uniform(0.5, 1.5, n), rng.normal(0, 0.1, n), rng.normal(0, 0.1, n), rng.uniform(0.5, 1.5, n),
        ])


def weights(directory, size):
    """Writes files of weights and the predictions by them."""
    answers = {}
    for name, options in (("top", {"classes": CLASSES, "input_shape": (size, size, 3)}), ("notop", {"include_top": False, "pooling": "max"})):
        keras.utils.clear_session()
        keras.utils.set_random_seed(SEED)
        model = keras.applications.ResNet50(weights=None, **options)
        shake(model, np.random.default_rng(SEED))
        path = os.path.join(directory, name + ".h5")
        with h5py.File(path, "w") as f:
            legacy_h5_format.save_weights_to_hdf5_group(f, model)
        x = keras.applications.resnet.preprocess_input(images(4, size, size))
        answers[name] = floats(model.predict(x, verbose=0))
    with open(os.path.join(directory, "answers.json"), "w") as f:
        json.dump(answers, f)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("--weights", metavar="DIR")
    parser.add_argument("--size", type=int, default=64)
    args = parser.parse_args()
    if args.weights:
        weights(args.weights, args.size)
    else:
        reference(args.output)


if __name__ == "__main__":
    main()
