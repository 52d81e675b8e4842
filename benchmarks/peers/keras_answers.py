"""What Keras gives for a .keras file, and what it makes of files of ours.

NAME.json beside NAME.keras has the inputs and targets of a model, its predictions, what evaluate
returns, the logs of three more epochs, and the predictions after them. Models that are random in
training have no logs.

    python keras_answers.py OURS DIR

OURS has files that gospmd has written for those in DIR, under the same names. The command loads
them in Keras and compares them with the JSON files in DIR. It prints those that differ, and fails
if one does.
"""

import glob
import json
import os
import sys

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=0"

import jax
import keras
import numpy as np

SAMPLES, BATCH, EPOCHS = 8, 4, 3


def start(seed):
    """Forgets all models before."""
    keras.utils.clear_session()
    jax.clear_caches()
    keras.utils.set_random_seed(seed)


def fit(model, x, y, epochs=1):
    return model.fit(x, y, batch_size=BATCH, epochs=epochs, shuffle=False, verbose=0).history


def array(values):
    values = np.asarray(values)
    return {"dtype": str(values.dtype), "shape": list(values.shape), "values": [int(v) if values.dtype.kind == "i" else round(float(v), 9) for v in values.reshape(-1)]}


def numbers(values):
    """The numbers of outputs, in the order of their keys."""
    if isinstance(values, dict):
        values = [values[k] for k in sorted(values)]
    return [[float(v) for v in np.asarray(p).astype("float32").reshape(-1)] for p in (values if isinstance(values, (list, tuple)) else [values])]


def given(model, x, y):
    """Inputs and targets in the form that the model takes."""
    if not isinstance(model, keras.Sequential) and isinstance(model.input, dict):
        x = dict(zip(sorted(model.input), x))
    elif len(x) == 1:
        x = x[0]
    if isinstance(model.output, dict):
        return x, dict(zip(sorted(model.output), y))
    return x, y[0] if len(y) == 1 else y


def results(model, x, y, training):
    """What Keras gives for a model."""
    out = {"predictions": numbers(model.predict(x, verbose=0, batch_size=SAMPLES))}
    if model.compiled:
        out["evaluate"] = {k: numbers(v)[0] for k, v in model.evaluate(x, y, batch_size=BATCH, verbose=0, return_dict=True).items()}
    if training:
        out["logs"] = {k: [numbers(v)[0] for v in values] for k, values in fit(model, x, y, EPOCHS).items()}
        out["after"] = numbers(model.predict(x, verbose=0, batch_size=SAMPLES))
    return out


def write_json(path, value):
    with open(path.removesuffix(".keras") + ".json", "w") as f:
        json.dump(value, f)


def close(want, got, tolerance):
    """The first difference of nested numbers."""
    if isinstance(want, dict):
        return next((f"{k}: {d}" for k in want for d in [close(want[k], got.get(k), tolerance) if k in got else "is missing"] if d), "")
    if isinstance(want, list):
        if len(want) != len(got):
            return f"{len(got)} numbers, want {len(want)}"
        return next((f"{i}: {d}" for i, (w, g) in enumerate(zip(want, got)) for d in [close(w, g, tolerance)] if d), "")
    return "" if abs(want - got) <= tolerance * max(1.0, abs(want)) else f"{got}, want {want}"


def read(ours, folder):
    """Compares our files in Keras with Keras' own."""
    bad, files = 0, sorted(glob.glob(os.path.join(ours, "*.keras")))
    for file in files:
        with open(os.path.join(folder, os.path.basename(file).removesuffix(".keras") + ".json")) as f:
            want = json.load(f)
        start(0)
        try:
            model = keras.saving.load_model(file)
            x, y = [[np.array(a["values"], a["dtype"]).reshape(a["shape"]) for a in want[k]] for k in ("inputs", "targets")]
            got = results(model, *given(model, x, y), "logs" in want)
            why = next((f"{k}: {d}" for k in got for d in [close(want[k], got[k], (0.03 if want["half"] else 1e-5) * (1 if k in ("predictions", "evaluate") else 10))] if d), "")
        except Exception as e:
            why = f"{type(e).__name__}: {' '.join(str(e).split())[:300]}"
        if why:
            bad += 1
            print(f"{os.path.basename(file)}: {why}", flush=True)
    print(f"Keras reads {len(files) - bad} of {len(files)} files as it should")
    return bad > 0


if __name__ == "__main__":
    sys.exit(read(*sys.argv[1:]))
