"""Writes the paths that Keras gives to the variables of its layers: of a layer alone in a model,
and nested twice in models, in Sequentials and in layers of the user's own.

The layers are those of the files of layers_reference.py that have variables, one for each
class and list of paths, and wrappers of wrappers.

    KERAS_BACKEND=jax python paths_reference.py [-o FILE]
"""

import argparse
import copy
import glob
import json
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras
import numpy as np
from keras import layers

from layers_reference import MERGES, OUTPUT, RECURRENT, inner, make, serialized
from reference import versions, write_json


def wrappers():
    """Returns layers of layers with the shapes of their inputs."""
    lstm = inner("LSTM", units=3, dropout=0.2, return_sequences=True)
    for kind, config, shape in [
        ("TimeDistributed", {"layer": inner("TimeDistributed", layer=inner("Dense", units=3))}, (4, 3, 2)),
        ("TimeDistributed", {"layer": inner("Bidirectional", layer=lstm)}, (4, 3, 2)),
        ("TimeDistributed", {"layer": inner("SpectralNormalization", layer=inner("Dense", units=3))}, (4, 2)),
        ("TimeDistributed", {"layer": inner("Dropout", rate=0.5)}, (4, 2)),
        ("Bidirectional", {"layer": lstm, "backward_layer": inner("GRU", units=3, return_sequences=True, go_backwards=True)}, (4, 2)),
    ]:
        yield kind, make(kind, {"name": "layer", **config}), [shape], "float32"


def unbuilt(config):
    """Returns a config without those of build, with which Keras builds a layer before it is in a model."""
    if isinstance(config, dict):
        return {k: unbuilt(v) for k, v in config.items() if k != "build_config"}
    return [unbuilt(v) for v in config] if isinstance(config, list) else config


def cases():
    """Returns the layers that have variables."""
    seen, out = set(), []
    for name in sorted(glob.glob(os.path.join(OUTPUT, "layers*.json"))):
        if name.endswith("layers_augmentation.json"):  # they have no weights, and Keras refuses some configs of its own
            continue
        with open(name) as f:
            content = json.load(f)
        for c in content["cases"]:
            shapes = [np.shape(x)[1:] for x in c["inputs"]]
            out.append((c["layer"], c["serialized"], shapes, "int32" if c["integers"] else "float32"))
    keras.backend.clear_session()
    for kind, layer, shapes, dtype in wrappers():
        out.append((kind, serialized(layer), shapes, dtype))
    for kind, config, shapes, dtype in out:
        config = unbuilt(config)
        first = written(kind, config, shapes, dtype, [alone])["paths"]["alone"]
        if first and (kind, *first) not in seen:
            seen.add((kind, *first))
            yield written(kind, config, shapes, dtype, [alone, models, boxes] + [sequentials] * (len(shapes) == 1))


def apply(layer, kind, xs):
    """Calls a layer, and returns its outputs as a list."""
    args, more = tuple(xs), {}
    if kind in MERGES:
        args = (list(xs),)
    elif kind in RECURRENT and len(xs) > 1:
        args, more = (xs[0],), {"initial_state": list(xs[1:])}
    return keras.tree.flatten(layer(*args, **more))


class Box(layers.Layer):
    """A layer of the user's own that calls another one."""

    def __init__(self, part, kind, **kwargs):
        super().__init__(**kwargs)
        self.part, self.kind = part, kind

    def call(self, x, y=None, z=None, mask=None):  # Keras builds no layer whose call takes *xs
        return apply(self.part, self.kind, [v for v in (x, y, z, mask) if v is not None])


def alone(layer, kind, inputs):
    xs = inputs()
    return keras.Model(xs, apply(layer, kind, xs))


def models(layer, kind, inputs):
    xs = inputs()
    once = keras.Model(xs, apply(layer, kind, xs), name="inner")
    xs = inputs()
    twice = keras.Model(xs, once(xs), name="outer")
    xs = inputs()
    return keras.Model(xs, twice(xs))


def sequentials(layer, kind, inputs):
    xs = inputs()
    once = keras.Sequential([layer], name="inner")
    return keras.Model(xs, keras.Sequential([once], name="outer")(xs[0]))


def boxes(layer, kind, inputs):
    xs = inputs()
    outer = Box(Box(layer, kind, name="inner"), None, name="outer")
    return keras.Model(xs, keras.tree.flatten(outer(*xs)))


def written(kind, config, shapes, dtype, forms):
    """Returns the paths of a layer's variables in models of each form."""

    def inputs():
        return [keras.Input(s, batch_size=2, dtype=dtype) for s in shapes]

    out = {"layer": kind, "serialized": config, "shapes": [list(s) for s in shapes], "dtype": dtype, "paths": {}}
    for form in forms:
        keras.backend.clear_session()
        model = form(keras.layers.deserialize(copy.deepcopy(config)), kind, inputs)
        out["paths"][form.__name__] = [v.path for v in model.variables]
    return out


def adapted():
    """Returns the paths of a Normalization that was adapted before it is in a model."""
    keras.backend.clear_session()
    layer = layers.Normalization(name="layer")
    layer.adapt(np.ones((4, 3), "float32"))
    model = sequentials(layer, "Normalization", lambda: [keras.Input((3,))])
    return [v.path for v in model.variables]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", default=os.path.join(OUTPUT, "paths.json"))
    write_json(parser.parse_args().o, {"made_with": versions(), "adapted": adapted(), "cases": list(cases())})


if __name__ == "__main__":
    main()
