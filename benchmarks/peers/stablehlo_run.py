#!/usr/bin/env python3
"""Runs a StableHLO program by JAX: prints what function main gives for inputs.

    python stablehlo_run.py PROGRAM INPUTS

INPUTS is a JSON list of the inputs, nested lists of numbers; so is what is printed.
"""

import json
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.extend
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir

DTYPES = {"f32": "float32", "i32": "int32"}


def main():
    with open(sys.argv[1]) as f:
        program = f.read()
    with open(sys.argv[2]) as f:
        inputs = json.load(f)
    backend = jax.extend.backend.get_backend("cpu")
    with mlir.make_ir_context():
        module = ir.Module.parse(program)
        main = next(op for op in module.body.operations if op.attributes["sym_name"].value == "main")
        dtypes = [DTYPES[str(ir.RankedTensorType(t).element_type)] for t in main.type.inputs]
        executable = backend.compile_and_load(module, xla_client.DeviceList(tuple(backend.local_devices()[:1])), xla_client.CompileOptions())
    arrays = [jax.device_put(np.array(x, dtype)) for x, dtype in zip(inputs, dtypes)]
    results = executable.execute(arrays)
    json.dump([np.asarray(r).tolist() for r in results], sys.stdout)


if __name__ == "__main__":
    main()
