"""Writes the public names of Keras' layers, losses, metrics, optimizers, callbacks, initializers,
regularizers, constraints, random, activations, distribution and operations, for the table in keras/API.md (go run ./benchmarks/kerasapi).

A name that stands for the same thing as another one, such as Convolution2D for Conv2D, is its
alias.

    KERAS_BACKEND=jax python api_names.py [-o FILE]
"""

import argparse
import functools
import inspect
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras

from reference import ROOT, versions, write_json

OUTPUT = os.path.join(ROOT, "benchmarks/kerasapi/names.json")
MODULES = ["layers", "losses", "metrics", "optimizers", "optimizers.schedules", "callbacks", "distribution", "initializers", "regularizers", "constraints", "random", "activations", "ops", "ops.image"]


def names(module):
    """The names of a module, each with its aliases. Modules and constants are left out."""
    found = {}
    for name in sorted(dir(module)):
        value = getattr(module, name)
        if name.startswith("_") or inspect.ismodule(value) or not callable(value):
            continue
        found.setdefault(id(value), []).append(name)
    out = []
    for group in found.values():
        own = getattr(getattr(module, group[0]), "__name__", group[0])
        first = own if own in group else group[0]
        out.append({"name": first, "aliases": [n for n in group if n != first], "class": inspect.isclass(getattr(module, first))})
    return sorted(out, key=lambda n: n["name"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", default=OUTPUT)
    modules = [{"module": m, "names": names(functools.reduce(getattr, m.split("."), keras))} for m in MODULES]
    write_json(parser.parse_args().o, {"made_with": versions(), "modules": modules})


if __name__ == "__main__":
    main()
