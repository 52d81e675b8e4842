"""The JAX worker of the benchmarks: a training step under jit, laid out by NamedSharding.

    go run ./benchmarks -peers jax

It is written in the style of JAX users: weights, statistics and optimizer slots are one
pytree, which is donated and has in_shardings and out_shardings. Steps are dispatched
without waiting. Each batch is sharded on the way from host memory to the devices. Keras
is not imported.
"""

from bench_worker import Clock, Files, memory, serve, timed, virtual_devices

CLOCK = Clock()

import functools

import jax
import jax.numpy as jnp
import jaxlib
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from bench_jax_models import LOSSES, MODELS
from bench_jax_optimizers import OPTIMIZERS

CLOCK.part("import")


class Layouts:
    """The shardings of arrays on a mesh, by the layout rules of a model; None on one device."""

    def __init__(self, files, shape, axes):
        self.files = files
        self.mesh = jax.make_mesh(tuple(shape), tuple(axes), axis_types=(AxisType.Auto,) * len(shape)) if shape else None
        self.batch = self.of("data")

    def of(self, *axes):
        return NamedSharding(self.mesh, P(*axes)) if self.mesh else None

    def variables(self, tree):
        """The layouts of a tree of variables, by their paths."""
        return jax.tree_util.tree_map_with_path(
            lambda keys, _: self.of(*self.files.axes("/".join(k.key for k in keys))), tree
        )

    def state(self, state):
        """The layouts of the training state: an optimizer's slots are sharded as their weights."""
        return {
            "weights": self.variables(state["weights"]),
            "statistics": self.variables(state["statistics"]),
            "slots": {name: self.variables(slots) for name, slots in state["slots"].items()},
            "step": self.of(),
        }

    def output(self, path, y):
        """Constrains the output of a layer, if it has a rule."""
        axes = self.files.axes(path)
        return jax.lax.with_sharding_constraint(y, self.of(*axes)) if self.mesh and axes else y


def nested(flat):
    """{"d1/kernel": array} as {"d1": {"kernel": array}}."""
    tree = {}
    for path, value in flat.items():
        *layers, name = path.split("/")
        functools.reduce(lambda t, layer: t.setdefault(layer, {}), layers, tree)[name] = value
    return tree


def is_statistic(path):
    return path.endswith(("/moving_mean", "/moving_variance"))


class Worker:
    """policy is the name of one of jax.checkpoint_policies, for the whole model or for each layer
    of it; "" is no jax.checkpoint."""

    def __init__(self, model, dir, mesh=(), axes=(), policy="", per_layer=False):
        CLOCK.skip()
        if mesh:
            virtual_devices(mesh)
        self.files = Files(dir)
        self.layouts = Layouts(self.files, mesh, axes)
        self.model, self.loss = MODELS[model], LOSSES[self.files.loss]
        remat = functools.partial(jax.checkpoint, policy=getattr(jax.checkpoint_policies, policy)) if policy else lambda f: f
        self.whole, self.layer = (lambda f: f, remat) if per_layer else (remat, lambda f: f)
        init, self.update = OPTIMIZERS[self.files.optimizer](**self.files.settings)
        weights = nested({k: v for k, v in self.files.weights.items() if not is_statistic(k)})
        statistics = nested({k: v for k, v in self.files.weights.items() if is_statistic(k)})
        state = {"weights": weights, "statistics": statistics, "slots": init(weights), "step": jnp.int32(0)}
        self.state_layout = self.layouts.state(state)
        self.state = jax.device_put(state, self.state_layout)
        self.example = self.put(*self.files.batches(1)[0])
        CLOCK.part("build")
        self.compiled = self.front_end(CLOCK).compile()
        CLOCK.part("compile")
        self.state, loss = self.compiled(self.state, *self.example)
        loss.block_until_ready()
        CLOCK.part("first_step")
        self.opened = CLOCK.seconds | {
            "loss": float(loss),
            "devices": len(jax.devices()),
            "versions": {"jax": jax.__version__, "jaxlib": jaxlib.__version__},
        }

    def train_step(self, state, x, y):
        def loss(weights):
            variables = {layer: v | state["statistics"].get(layer, {}) for layer, v in weights.items()}
            outputs, statistics = self.model(variables, x, state["step"], self.layouts.output, self.layer)
            return self.loss(outputs, y), statistics

        (value, statistics), gradients = jax.value_and_grad(self.whole(loss), has_aux=True)(state["weights"])
        weights, slots = self.update(state["weights"], gradients, state["slots"], state["step"])
        return {"weights": weights, "statistics": statistics, "slots": slots, "step": state["step"] + 1}, value

    def front_end(self, clock):
        """Traces and lowers the step."""
        layouts = {}
        if self.layouts.mesh:
            batch = self.layouts.batch
            layouts = {"in_shardings": (self.state_layout, batch, batch), "out_shardings": (self.state_layout, self.layouts.of())}
        traced = jax.jit(self.train_step, donate_argnums=0, **layouts).trace(self.state, *self.example)
        if self.layouts.mesh and self.files.unused:
            raise ValueError(f"the layout rules {sorted(self.files.unused)} match nothing")
        clock.part("trace")
        lowered = traced.lower()
        clock.part("lower")
        return lowered

    def put(self, x, y):
        return jax.device_put((x, y), self.layouts.batch)

    def step(self, count):
        losses = []

        def run():
            for x, y in batches:
                self.state, loss = self.compiled(self.state, *self.put(x, y))
                losses.append(loss)
            jax.block_until_ready((self.state, losses))

        batches = self.files.batches(count)
        return timed(run) | {"losses": [float(loss) for loss in losses]}

    def frontend(self, compile=True):
        jax.clear_caches()
        clock = Clock()
        lowered = self.front_end(clock)
        if compile:
            lowered.compile()
            clock.part("compile")
        return clock.seconds

    def memory(self):
        return memory(self.compiled.memory_analysis())


if __name__ == "__main__":
    serve(Worker)
