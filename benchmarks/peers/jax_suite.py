#!/usr/bin/env python3
"""Writes small programs of JAX's primitives and library functions, with JAX's results.

Writes internal/jaxsuite/testdata/suite.json.gz: for each program its StableHLO
text for one device, its inputs, and the results that JAX computes. The tests of
internal/jaxsuite run each on one device and on three meshes, on both engines.
Inputs are drawn by seeds that come from the programs' names.

    python benchmarks/peers/jax_suite.py [-o FILE] [-only PART_OF_A_NAME]
    python benchmarks/peers/jax_suite.py -o FILE -compositions FIRST COUNT

The programs are listed in jax_suite_*.py, each file for a part of JAX. The second form writes
random compositions only, of other seeds, for `go test ./internal/difftest -from jax -suite FILE`.
"""

import argparse
import base64
import gzip
import itertools
import json
import os
import pathlib
import re
import zlib

os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"  # compiles faster

import jax
import numpy as np

import jax_suite_arrays
import jax_suite_linalg
import jax_suite_random
import jax_suite_scalar
from jax_suite_inputs import Input

OUT = pathlib.Path(__file__).resolve().parents[2] / "internal" / "jaxsuite" / "testdata" / "suite.json.gz"
PARTS = (jax_suite_scalar, jax_suite_arrays, jax_suite_linalg, jax_suite_random)


def encode(a):
    """An array in the tests' form: type, shape, and the bytes of its elements."""
    a = np.asarray(a)
    return [str(a.dtype), list(a.shape), base64.b64encode(a.tobytes()).decode()]


def program(name, function, inputs, tolerance):
    """Lowers and runs one program."""
    x64 = any(i.dtype in (np.float64, np.complex128, np.int64, np.uint64) for i in inputs)
    with jax.enable_x64(x64):
        values = [i.draw(np.random.default_rng(zlib.crc32(f"{name}/{k}".encode()))) for k, i in enumerate(inputs)]
        jitted = jax.jit(function, keep_unused=True)
        lowered = jitted.lower(*values)
        text = lowered.as_text()
        results = jax.tree.leaves(lowered.compile()(*values))
    text = re.sub(r" \{jax\.result_info = \"[^\"]*\"\}", "", text)
    return {"name": name, "text": text, "inputs": [encode(v) for v in values], "results": [encode(r) for r in results], "tolerance": tolerance}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", type=pathlib.Path, default=OUT)
    parser.add_argument("-only", default="")
    parser.add_argument("-compositions", type=int, nargs=2, metavar=("FIRST", "COUNT"))
    args = parser.parse_args()
    if args.compositions:
        first, count = args.compositions
        listed = jax_suite_random.programs(range(first, first + count))
    else:
        listed = itertools.chain.from_iterable(part.programs() for part in PARTS)
    programs, names, failures = [], set(), []
    for name, function, inputs, tolerance in listed:
        if name in names:
            raise SystemExit(f"two programs have the name {name}")
        names.add(name)
        if args.only not in name:
            continue
        print(name, flush=True)
        try:
            programs.append(program(name, function, inputs, tolerance))
        except Exception as e:
            failures.append(f"{name}: {type(e).__name__}: {e}")
    if failures:
        raise SystemExit("\n".join(failures))
    text = json.dumps({"jax": jax.__version__, "programs": programs}, separators=(",", ":")).encode()
    args.o.parent.mkdir(parents=True, exist_ok=True)
    args.o.write_bytes(gzip.compress(text, 9, mtime=0))
    print(len(programs), "programs,", len(text), "bytes,", args.o.stat().st_size, "compressed")


if __name__ == "__main__":
    main()
