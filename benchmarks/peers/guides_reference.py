"""Writes what the guides and examples of keras.io give, for the tests of examples/guides.

The programs are in guides/. Each model is that of the guide, smaller, on small made-up data: what
counts is that the numbers are equal. Beside the losses and predictions stand the weights that the
model began with.

    KERAS_BACKEND=jax python guides_reference.py [-o DIR] [GUIDE…]
"""

import argparse
import importlib
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras

from reference import ROOT, floats, versions, write_json

OUTPUT = os.path.join(ROOT, "examples/guides")
SEED = 1337  # of all generators of random numbers in layers
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guides")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", default=OUTPUT)
    parser.add_argument("guides", nargs="*", help="all by default")
    args = parser.parse_args()
    for name in args.guides or sorted(f[:-3] for f in os.listdir(PROGRAMS) if f.endswith(".py") and f != "guide.py"):
        keras.utils.clear_session()
        keras.utils.set_random_seed(7)
        guide = importlib.import_module("guides." + name).Example()
        folder = os.path.join(args.o, name, "testdata")
        os.makedirs(folder, exist_ok=True)
        model = guide.model()
        for i, part in enumerate(model if isinstance(model, list) else [model]):
            part.save_weights(os.path.join(folder, f"start{i or ''}.weights.h5"))
            for v in part.variables:
                if v.name == "seed_generator_state":  # which the file has not
                    v.assign([SEED, 0])
        x, y = guide.data()
        losses = [float(v) for v in guide.fit(model, x, y)]
        shown = guide.show(model, x)
        shown = shown if isinstance(shown, list) else [shown]
        write_json(os.path.join(folder, "keras.json"), {
            "made_with": versions(), "loss": losses, "predictions": [floats(p.reshape(-1)) for p in shown],
        })  # fmt: skip


if __name__ == "__main__":
    main()
