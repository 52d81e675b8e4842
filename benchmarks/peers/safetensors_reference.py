"""Writes a safetensors file with all element types, for the test of package checkpoint.

    python safetensors_reference.py [-o FILE]

With --read FILE it prints the tensors of a file instead, each as its name, element type, shape and
the bytes of its elements, as JSON.
"""

import argparse
import json
import os

import ml_dtypes
import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from reference import ROOT

OUTPUT = os.path.join(ROOT, "checkpoint/testdata/reference.safetensors")

TYPES = ["uint64", "int64", "float64", "complex64", "float32", "uint32", "int32", ml_dtypes.bfloat16,
         "float16", "uint16", "int16", "int8", "uint8", "bool"]


def tensors():
    """Tensors of all types, whose elements count up from 0, and of unusual shapes and names."""
    out = {}
    for i, t in enumerate(TYPES):
        dtype = np.dtype(t)
        out[f"layer_{len(TYPES) - i}/{dtype.name}"] = np.arange(6).reshape(2, 3).astype(dtype)
    out["scalar"] = np.array(7, "float32")
    out["empty"] = np.zeros((0, 3), "float32")
    out['"ä<b>&\\'] = np.arange(3, dtype="int32")
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", default=OUTPUT)
    parser.add_argument("--read")
    args = parser.parse_args()
    if args.read is None:
        save_file(tensors(), args.o, metadata={"written by": "safetensors"})
        return
    with safe_open(args.read, "numpy") as f:
        metadata = f.metadata()
    found = load_file(args.read)
    print(json.dumps({"metadata": metadata, "tensors": [
        {"name": name, "dtype": x.dtype.name, "shape": list(x.shape), "bytes": x.tobytes().hex()}
        for name, x in sorted(found.items())]}))


if __name__ == "__main__":
    main()
