"""Writes the arguments of the constructors of Keras' layers, with which a test compares the
options that layers of ours read from files and write into them.

    KERAS_BACKEND=jax python layer_arguments.py [-o FILE]
"""

import argparse
import inspect
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras

from api_names import names
from reference import ROOT, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/testdata/reference/layer_arguments.json")
OF_ALL = ("self", "name", "dtype", "trainable")


def arguments(cls):
    """The names of a constructor's arguments, but for those that all layers have. What goes to
    the constructor of the base class is activity_regularizer."""
    parameters = inspect.signature(cls.__init__).parameters.values()
    out = [p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name not in OF_ALL]
    if any(p.kind == p.VAR_KEYWORD for p in parameters) and "activity_regularizer" not in out:
        out.append("activity_regularizer")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", default=OUTPUT)
    classes = {n["name"]: arguments(getattr(keras.layers, n["name"])) for n in names(keras.layers) if n["class"]}
    classes.pop("InputSpec")
    write_json(parser.parse_args().o, {"made_with": versions(), "classes": classes})


if __name__ == "__main__":
    main()
