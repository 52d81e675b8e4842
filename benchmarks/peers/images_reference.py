#!/usr/bin/env python3
"""Asks Keras 3 on JAX how images are resized, for the tests of keras/images.

    KERAS_BACKEND=jax python images_reference.py [-o DIR]
"""

import argparse
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import keras
import numpy as np

from reference import ROOT, floats, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/images/testdata")
METHODS = ["bilinear", "nearest", "bicubic", "lanczos3", "lanczos5"]
SIZES = [(4, 5), (10, 14), (7, 3), (1, 1)]
PADDED = [(4, 5), (10, 14), (7, 3), (3, 7), (12, 12), (14, 18)]  # of other ratios, and of the same


def image():
    """Returns a fixed image: numbers from 0 to 255 by position."""
    return (np.arange(7 * 9 * 2) * 37 % 256).reshape(7, 9, 2).astype("float32")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default=OUTPUT)
    args = parser.parse_args()
    cases = []
    for method in METHODS:
        for size in SIZES:
            for antialias in (False, True):
                for crop in (False, True):
                    if crop and (method != "bilinear" or antialias):
                        continue
                    y = keras.ops.image.resize(image(), size, interpolation=method, antialias=antialias, crop_to_aspect_ratio=crop)
                    cases.append({"method": method, "size": size, "antialias": antialias, "crop": crop, "image": floats(np.asarray(y).reshape(-1))})
    for method in ("bilinear", "nearest"):
        for size in PADDED:
            for fill in (0.0, 200.0):
                y = keras.ops.image.resize(image(), size, interpolation=method, pad_to_aspect_ratio=True, fill_value=fill)
                cases.append({"method": method, "size": size, "antialias": False, "crop": False, "pad": fill, "image": floats(np.asarray(y).reshape(-1))})
    write_json(os.path.join(args.output, "resize.json"), {"made_with": versions(), "cases": cases})


if __name__ == "__main__":
    main()
