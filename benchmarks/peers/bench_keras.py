"""The Keras worker of the benchmarks: Keras 3 on JAX, by compile and fit.

    go run ./benchmarks -peers keras

It is written as a Keras user writes it: a functional model, ModelParallel with a
LayoutMap, fit for whole epochs. "step" is train_on_batch.
"""

from bench_worker import Clock, Files, memory, serve, timed, virtual_devices

CLOCK = Clock()

import math
import os

os.environ["KERAS_BACKEND"] = "jax"

import jax
import jax.extend
import keras
import numpy as np
from keras import distribution

from bench_keras_models import MODELS, OPTIMIZERS

CLOCK.part("import")

def distribute(files, shape, axes):
    """Sets the distribution of a mesh."""
    devices = distribution.list_devices()[: math.prod(shape)]
    mesh = distribution.DeviceMesh(shape=shape, axis_names=axes, devices=devices)
    layouts = distribution.LayoutMap(mesh)
    for path, axes in files.rules.items():
        layouts[path] = axes
    distribution.set_distribution(distribution.ModelParallel(layout_map=layouts, batch_dim_name="data"))


def load(model, weights):
    """Gives the variables of a model their first values, by path."""
    left = dict(weights)
    for v in model.variables:
        if not v.path.endswith("seed_generator_state"):
            v.assign(left.pop(v.path))
    if left:
        raise ValueError(f"weights.npz has {sorted(left)}, of which the model knows nothing")


class Compilation:
    """The seconds of the parts of the last compilation of a training step, as JAX reports them."""

    PARTS = {
        "/jax/core/compile/jaxpr_trace_duration": "trace",
        "/jax/core/compile/jaxpr_to_mlir_module_duration": "lower",
        "/jax/core/compile/backend_compile_duration": "compile",
    }

    def __init__(self):
        self.seconds = {}
        jax.monitoring.register_event_duration_secs_listener(self.note)

    def note(self, event, seconds, fun_name="", **_):
        if event in self.PARTS and fun_name in ("train_step", "jit(train_step)"):
            self.seconds[self.PARTS[event]] = seconds


class Worker:
    def __init__(self, model, dir, mesh=(), axes=()):
        CLOCK.skip()
        self.files = Files(dir)
        if mesh:
            virtual_devices(mesh)
            distribute(self.files, mesh, axes)
        keras.utils.set_random_seed(1)
        self.model = MODELS[model]()
        load(self.model, self.files.weights)
        optimizer = OPTIMIZERS[self.files.optimizer](**self.files.settings)
        self.model.compile(loss=self.files.loss, optimizer=optimizer)
        CLOCK.part("build")
        self.compilation = Compilation()
        loss = self.model.train_on_batch(*self.files.batches(1)[0])
        CLOCK.part("first_step")
        CLOCK.seconds["first_step"] -= sum(self.compilation.seconds.values())
        self.opened = CLOCK.seconds | self.compilation.seconds | {
            "loss": float(loss),
            "devices": len(jax.devices()),
            "versions": {"keras": keras.__version__, "jax": jax.__version__},
        }

    def step(self, count):
        losses = []

        def run():
            for x, y in batches:
                losses.append(self.model.train_on_batch(x, y))

        batches = self.files.batches(count)
        return timed(run) | {"losses": [float(loss) for loss in losses]}

    def fit(self, count):
        batches = self.files.batches(count)
        x, y = (np.concatenate(arrays) for arrays in zip(*batches))
        history = None

        def run():
            nonlocal history
            history = self.model.fit(x, y, batch_size=self.files.batch, shuffle=False, verbose=0)

        return timed(run) | {"losses": history.history["loss"]}

    def frontend(self, compile=True):
        jax.clear_caches()
        self.model.make_train_function(force=True)
        self.model.train_on_batch(*self.files.batches(1)[0])
        return self.compilation.seconds

    def memory(self):
        step = [e for e in jax.extend.backend.get_backend().live_executables() if e.hlo_modules()[0].name == "jit_train_step"]
        return memory(step[-1].get_compiled_memory_stats())


if __name__ == "__main__":
    serve(Worker)
