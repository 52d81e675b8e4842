"""Prints the CPU seconds of one guide in guides/, as JSON: Imports, those of importing Keras and
JAX, and Program, those of the program after it.

    python guides_cpu.py GUIDE
"""

import json
import os
import sys
import time

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import keras

jax.devices()
imports = time.process_time()

import importlib

keras.utils.set_random_seed(7)
guide = importlib.import_module("guides." + sys.argv[1]).Example()
model = guide.model()
x, y = guide.data()
[float(v) for v in guide.fit(model, x, y)]
guide.show(model, x)
print(json.dumps({"Imports": imports, "Program": time.process_time() - imports}))
