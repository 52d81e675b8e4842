"""What the reference scripts share: where files go and how they are written."""

import json
import os
import re

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


def versions():
    """Returns the versions that made a file, for its "made_with" field."""
    import jax
    import keras
    import numpy

    return {"keras": keras.__version__, "jax": jax.__version__, "numpy": numpy.__version__}


def floats(array):
    """Returns an array as nested lists: integers, or floats of which each has
    the shortest text that gives the same float32 (or float64) back."""
    import numpy as np

    array = np.asarray(array)
    if array.ndim > 0:
        return [floats(row) for row in array]
    if array.dtype.kind in "iub":
        return int(array)
    if not np.isfinite(array):
        raise ValueError("JSON has no %s" % array)
    return float(str(array if array.dtype == np.float64 else array.astype(np.float32)))


def hexes(array):
    """Returns the bit patterns of a flat array, hex digits joined, big end first."""
    import numpy as np

    array = np.ascontiguousarray(array).reshape(-1)
    unsigned = array.view(np.dtype("uint%d" % (8 * array.dtype.itemsize)))
    digits = 2 * array.dtype.itemsize
    return "".join("%0*x" % (digits, int(v)) for v in unsigned)


def write_json(path, value):
    """Writes value with sorted keys and one short list per line."""
    text = json.dumps(value, indent=1, sort_keys=True)
    # Join lists of scalars onto one line.
    text = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda m: "[" + re.sub(r"\s*\n\s*", " ", m.group(1)) + "]", text)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text + "\n")
    print("wrote", os.path.relpath(path, ROOT), len(text) + 1, "bytes")
