#!/usr/bin/env python3
"""Trains a perceptron on several JAX processes, whose CPU collectives are Gloo's.

The command benchmarks/multiprocess starts one for each process of a job. It prints
the seconds that the steps took, the CPU seconds of this process, and the losses.

    python benchmarks/peers/multiprocess_steps.py --address 127.0.0.1:9911 --processes 2 --rank 0 --devices 2 --steps 50
"""

import argparse
import json
import resource
import time

import jax

arguments = argparse.ArgumentParser()
for name, kind in (("address", str), ("processes", int), ("rank", int), ("devices", int), ("steps", int), ("warmup", int)):
    arguments.add_argument("--" + name, type=kind)
ARGS = arguments.parse_args()
jax.config.update("jax_num_cpu_devices", ARGS.devices)
jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(ARGS.address, ARGS.processes, ARGS.rank)

import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

SIZES, BATCH, RATE = (784, 256, 256, 10), 256, 0.1


def values(seed, *shape):
    """The inputs of benchmarks/multiprocess: numbers between -1 and 1."""
    k = np.arange(np.prod(shape), dtype=np.uint32)
    h = (k + np.uint32(seed * 1000003)) * np.uint32(2654435761)
    h ^= h >> np.uint32(15)
    h *= np.uint32(2246822519)
    h ^= h >> np.uint32(13)
    return ((h >> np.uint32(8)).astype(np.float32) / np.float32(1 << 23) - 1).reshape(shape)


def step(params, x, y):
    def loss(params):
        z = x
        for w, b in params[:-1]:
            z = jax.nn.relu(z @ w + b)
        w, b = params[-1]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(z @ w + b) * y, axis=1))

    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - RATE * g, params, grads), value


mesh = jax.make_mesh((jax.device_count(),), ("data",))
replicated, by_batch = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))


def put(sharding, value):
    return jax.make_array_from_callback(value.shape, sharding, lambda index: value[index])


params = [
    (put(replicated, values(i, n, m) * np.float32(n**-0.5)), put(replicated, np.zeros(m, np.float32)))
    for i, (n, m) in enumerate(zip(SIZES, SIZES[1:]))
]
x = put(by_batch, values(10, BATCH, SIZES[0]))
y = put(by_batch, np.eye(SIZES[-1], dtype=np.float32)[np.arange(BATCH) % SIZES[-1]])
train = jax.jit(step, donate_argnums=0, out_shardings=(replicated, replicated))

losses = []


def run(n):
    global params
    for _ in range(n):
        params, loss = train(params, x, y)
        losses.append(float(loss))  # steps that are queued ahead hang: their collectives overlap


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


run(ARGS.warmup)
start, used = time.perf_counter(), cpu()
run(ARGS.steps)
print(json.dumps({"seconds": time.perf_counter() - start, "cpu": cpu() - used, "losses": losses}))
jax.distributed.shutdown()
