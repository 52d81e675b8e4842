#!/usr/bin/env python3
"""Writes small HDF5 files with h5py and Keras, for the tests of internal/hdf5.

Beside each file NAME.h5 stands NAME.json: what h5py reads in it.

    KERAS_BACKEND=jax python hdf5_reference.py [-o DIR]
    python hdf5_reference.py --dump FILE    # what h5py reads, to stdout
"""

import argparse
import json
import os
import sys

import h5py
import numpy as np

from reference import ROOT, write_json

OUTPUT = os.path.join(ROOT, "internal/hdf5/testdata")


def type_text(t):
    """Returns the text of a dtype in the form of hdf5.Type.String."""
    if h5py.check_string_dtype(t) is not None:
        n = h5py.check_string_dtype(t).length
        return "variable string" if n is None else "string of %d bytes" % n
    if t.kind == "V":
        return "opaque of %d bytes" % t.itemsize
    if t == np.bool_:
        return "bool"
    return t.newbyteorder("=").name


def text(v):
    return v.decode() if isinstance(v, bytes) else str(v)


def attribute(v):
    """Returns an attribute as JSON: numbers as they are, texts decoded."""
    a = np.asarray(v)
    if a.dtype.kind in "SUO":
        return text(a[()]) if a.ndim == 0 else [text(x) for x in a.reshape(-1)]
    if a.dtype.kind == "f":
        a = a.astype(np.float64)
    return a.tolist() if a.ndim == 0 else a.reshape(-1).tolist()


def dump(name):
    """Returns everything in a file, by path."""
    out = {}

    def visit(path, o):
        row = {"attrs": {k: attribute(v) for k, v in o.attrs.items()}}
        if isinstance(o, h5py.Dataset):
            row["type"] = type_text(o.dtype)
            row["shape"] = list(o.shape)
            if h5py.check_string_dtype(o.dtype) is not None:
                row["texts"] = [text(v) for v in np.asarray(o[()]).reshape(-1)]
            else:
                a = np.asarray(o[()])
                if a.dtype.kind != "V":
                    a = a.astype(a.dtype.newbyteorder("<"))
                row["data"] = a.tobytes().hex()
        out["/" + path] = row

    with h5py.File(name) as f:
        visit("", f)
        f.visititems(visit)
    return out


def types(f):
    """Every type of element, scalars, empty shapes, attributes of all kinds."""
    for t in ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">f4", ">i8", ">u2"]:
        f["numbers/" + t.replace(">", "big_")] = (np.arange(6).reshape(2, 3) * 7.5 - 9).astype(np.int64).astype(t)
    f["special"] = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45], "f4")
    f["bool"] = np.array([[True], [False]])
    f["scalar/float"] = np.float32(2.5)
    f["scalar/int"] = np.int64(-3)
    f["scalar/bool"] = np.bool_(True)
    f["scalar/text"] = "räksmörgås"
    f["scalar/bytes"] = np.bytes_(b"fixed")
    f["empty/first"] = np.zeros((0, 3), "f4")
    f["empty/last"] = np.zeros((2, 0), "i8")
    f["texts/variable"] = ["a", "", "a longer one", "åäö"]
    f["texts/fixed"] = np.array([b"a", b"bcd", b""])
    f["opaque"] = np.array([b"\x80\x3f", b"\x00\x40"], "V2")
    f["opaque"].attrs["dtype"] = "bfloat16"
    f.create_group("nothing")
    a = f.attrs
    a["text"] = "ünïcode"
    a["empty text"] = ""
    a["bytes"] = np.bytes_(b"fixed")
    a["texts"] = ["x", "", "three"]
    a["fixed texts"] = np.array([b"kernel", b"bias"])
    a["no texts"] = []
    a["int"] = -7
    a["uint"] = np.uint8(200)
    a["float"] = 0.1
    a["half"] = np.float16([1.5, -0.0, 65504, 6e-8])
    a["bool"] = True
    a["bools"] = np.array([True, False, True])
    a["matrix"] = np.arange(6, dtype="i4").reshape(2, 3)
    a["big"] = np.array([1, -2], ">i4")


def chunked(f):
    """Chunks: edges, filters, parts never written, fill values."""
    x = np.arange(7 * 10 * 3, dtype="f4").reshape(7, 10, 3)
    f.create_dataset("plain", data=x, chunks=(4, 4, 2))
    f.create_dataset("gzip", data=x, chunks=(3, 10, 3), compression="gzip")
    f.create_dataset("shuffle", data=x.astype("i8"), chunks=(7, 3, 3), compression="gzip", shuffle=True)
    f.create_dataset("sum", data=x, chunks=(2, 10, 3), fletcher32=True)
    f.create_dataset("odd_sum", data=np.arange(15, dtype="u1"), chunks=(5,), fletcher32=True)
    f.create_dataset("big", data=x.astype(">f4"), chunks=(4, 4, 2), shuffle=True)
    d = f.create_dataset("holes", (9, 9), "i4", chunks=(2, 2), fillvalue=-1)
    d[4:6, 3] = 5
    f.create_dataset("never", (3, 3), "f4", fillvalue=2.5)
    f.create_dataset("never_chunked", (5,), "f8", chunks=(2,))
    f.create_dataset("resizable", data=np.arange(5), maxshape=(None,), chunks=(2,))
    f.create_dataset("many", data=np.arange(300, dtype="u1"), chunks=(2,))


def many(f):
    """A group whose names need a B-tree of several levels."""
    f["target"] = np.int32(1)
    f["target"].attrs["note"] = "one object, many names"
    for i in range(600):
        f["links/name%d" % i] = f["target"]


def compact(f):
    """Small objects that are written with libver="latest"."""
    f["a/b"] = np.arange(3.0)
    f["a/b"].attrs["name"] = "new"
    f["a"].attrs["list"] = ["x", "y"]
    f["c"] = np.float64(1)


def keras_files(folder):
    """Weights as Keras writes them: today's format, and the older one."""
    os.environ.setdefault("KERAS_BACKEND", "jax")
    import keras

    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(5, activation="relu", name="first"), keras.layers.Dense(2)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(np.ones((8, 4)), np.ones((8, 2)), verbose=0)
    model.save_weights(os.path.join(folder, "keras.weights.h5"))
    os.rename(os.path.join(folder, "keras.weights.h5"), os.path.join(folder, "keras.h5"))
    model.save(os.path.join(folder, "keras_legacy.h5"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("--dump")
    args = parser.parse_args()
    if args.dump:
        json.dump(dump(args.dump), sys.stdout)
        return
    os.makedirs(args.output, exist_ok=True)
    for name, fill, options in [
        ("types", types, {}),
        ("chunked", chunked, {}),
        ("many", many, {}),
        ("compact", compact, {"libver": "latest"}),
        ("userblock", compact, {"userblock_size": 1024}),
    ]:
        with h5py.File(os.path.join(args.output, name + ".h5"), "w", **options) as f:
            fill(f)
    keras_files(args.output)
    for name in sorted(os.listdir(args.output)):
        if name.endswith(".h5"):
            write_json(os.path.join(args.output, name[:-3] + ".json"), dump(os.path.join(args.output, name)))
    # Files with features that the reader refuses. Nothing is compared.
    refused = os.path.join(args.output, "refused")
    os.makedirs(refused, exist_ok=True)
    with h5py.File(os.path.join(refused, "kinds.h5"), "w") as f:
        f["fine"] = np.arange(3)
        f["soft"] = h5py.SoftLink("/fine")
        f["external"] = h5py.ExternalLink("other.h5", "/x")
        f.create_dataset("lzf", data=np.arange(100), compression="lzf")
        f["compound"] = np.zeros(2, [("a", "f4"), ("b", "i4")])
        f["type"] = np.dtype("f4")
        f.create_dataset("named", (2,), f["type"])
        f.attrs["reference"] = f["fine"].ref
    with h5py.File(os.path.join(refused, "dense.h5"), "w", libver="latest") as f:
        for i in range(20):
            f["name%d" % i] = f["name0"] if i else np.int8(0)
    with h5py.File(os.path.join(refused, "newchunks.h5"), "w", libver="latest") as f:
        f.create_dataset("chunks", data=np.arange(10), chunks=(3,))


if __name__ == "__main__":
    main()
