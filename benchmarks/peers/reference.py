"""What the reference scripts share: where files go, how they are written, and
how a model is trained on several meshes of virtual CPU devices.
"""

import json
import os
import re
import subprocess
import sys

MESHES = ["single", "8x1", "4x2", "2x4"]  # along data and model
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


def distribute(mesh, layouts):
    """Sets a ModelParallel distribution over the axes "data" and "model" of a
    mesh such as 4x2, with the layouts by path; none for "single"."""
    import jax
    from keras import distribution

    if mesh == "single":
        return
    shape = tuple(int(n) for n in mesh.split("x"))
    device_mesh = distribution.DeviceMesh(
        shape=shape, axis_names=["data", "model"], devices=jax.devices()
    )
    layout_map = distribution.LayoutMap(device_mesh)
    for path, axes in layouts.items():
        layout_map[path] = axes
    distribution.set_distribution(
        distribution.ModelParallel(layout_map=layout_map, batch_dim_name="data")
    )


def run_in_child(mesh, *args, flags="", **env):
    """Runs this script with --run MESH and args in a process of its own, for the
    number of devices is fixed when JAX starts, and returns what it prints: JSON
    on the last line. flags and env are XLA's flags and variables for it."""
    if mesh != "single":
        flags += " --xla_force_host_platform_device_count=8"
    env = dict(
        os.environ,
        KERAS_BACKEND="jax",
        JAX_PLATFORMS="cpu",
        TF_CPP_MIN_LOG_LEVEL="3",
        XLA_FLAGS=flags,
        **env,
    )
    args = [sys.executable, sys.argv[0], "--run", mesh, *map(str, args)]
    out = subprocess.run(args, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out.strip().splitlines()[-1])
