#!/usr/bin/env python3
"""Asks the real StableHLO verifier about shape rules.

Writes ir/testdata/shape_rules.json: modules of one op each, with the result
types that StableHLO infers where it can, and whether it accepts them. The
test ir/infer_oracle_test.go holds our shape rules against the file.

    python shape_rules.py [-o FILE]
"""

import argparse
import json
import os
import re

import jaxlib
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir

from reference import ROOT

OUTPUT = os.path.join(ROOT, "ir/testdata/shape_rules.json")
CTX = jax_mlir.make_ir_context()


def t(dims, element="f32"):
    """tensor type from '4x5' or ''."""
    return f"tensor<{dims}x{element}>" if dims else f"tensor<{element}>"


def body(op, element="f32", n=1):
    """The region of a reduction of n values by op."""
    s = t("", element)
    args = ", ".join(f"%{side}{i}: {s}" for side in "ab" for i in range(n))
    ops = " ".join(f'%r{i} = "stablehlo.{op}"(%a{i}, %b{i}) : ({s}, {s}) -> {s}' for i in range(n))
    rets = ", ".join(f"%r{i}" for i in range(n))
    return f'{{ ^bb0({args}): {ops} "stablehlo.return"({rets}) : ({", ".join([s] * n)}) -> () }}'


def compare(element="f32", direction="LT", n=1):
    s = t("", element)
    args = ", ".join(f"%a{i}: {s}, %b{i}: {s}" for i in range(n))
    return (
        f'{{ ^bb0({args}): %r = "stablehlo.compare"(%a0, %b0) <{{comparison_direction = #stablehlo<comparison_direction {direction}>}}>'
        f' : ({s}, {s}) -> tensor<i1> "stablehlo.return"(%r) : (tensor<i1>) -> () }}'
    )


def dot(lb, rb, lc, rc):
    return (
        f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {lb}, rhs_batching_dimensions = {rb},"
        f" lhs_contracting_dimensions = {lc}, rhs_contracting_dimensions = {rc}>"
    )


def conv(dims="[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", strides="1, 1", pad="[[0, 0], [0, 0]]", lhs="1, 1", rhs="1, 1", groups=1, batches=1):
    return (
        f"window_strides = array<i64: {strides}>, padding = dense<{pad}> : tensor<2x2xi64>, lhs_dilation = array<i64: {lhs}>,"
        f" rhs_dilation = array<i64: {rhs}>, dimension_numbers = #stablehlo.conv<{dims}>,"
        f" feature_group_count = {groups} : i64, batch_group_count = {batches} : i64"
    )


def gather(offset, collapsed, index_map, ivd, sizes, ob=(), ib=()):
    batching = f" operand_batching_dims = {list(ob)}, start_indices_batching_dims = {list(ib)}," if ob else ""
    return (
        f"dimension_numbers = #stablehlo.gather<offset_dims = {offset}, collapsed_slice_dims = {collapsed},{batching}"
        f" start_index_map = {index_map}, index_vector_dim = {ivd}>, slice_sizes = array<i64: {sizes}>"
    )


def scatter(window, inserted, to, ivd, ib=(), sb=()):
    batching = f" input_batching_dims = {list(ib)}, scatter_indices_batching_dims = {list(sb)}," if ib else ""
    return (
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {window}, inserted_window_dims = {inserted},{batching}"
        f" scatter_dims_to_operand_dims = {to}, index_vector_dim = {ivd}>"
    )


def groups(text, shape):
    return f"replica_groups = dense<{text}> : tensor<{shape}xi64>"


def window(dims, strides=None, base=None, win=None, pad=None):
    out = [f"window_dimensions = array<i64: {dims}>"]
    for name, value in (("window_strides", strides), ("base_dilations", base), ("window_dilations", win)):
        if value:
            out.append(f"{name} = array<i64: {value}>")
    if pad:
        out.append(f"padding = dense<{pad}> : tensor<{len(dims.split(','))}x2xi64>")
    return ", ".join(out)


def enum(attr, enumeration, case):
    return f"{attr} = #stablehlo<{enumeration} {case}>"


def slices(s, l, st):
    return f"start_indices = array<i64: {s}>, limit_indices = array<i64: {l}>, strides = array<i64: {st}>"


def pads(lo, hi, inner):
    return f"edge_padding_low = array<i64: {lo}>, edge_padding_high = array<i64: {hi}>, interior_padding = array<i64: {inner}>"


F = t
BN = "epsilon = 1.0e-5 : f32, feature_index = %d : i64"
RET = '"stablehlo.return"'
TRI = "left_side = %s, lower = true, unit_diagonal = false, " + enum("transpose_a", "transpose", "NO_TRANSPOSE")

# name, op, operand types, attributes, regions, result types ("?": infer them)
CASES = [
    ("dot: matrices", "dot_general", [F("4x5"), F("5x6")], dot([], [], [1], [0]), "", [F("4x6")]),
    ("dot: batch", "dot_general", [F("2x4x5"), F("2x6x5")], dot([0], [0], [2], [2]), "", [F("2x4x6")]),
    ("dot: batch last", "dot_general", [F("4x5x2"), F("2x6x5")], dot([2], [0], [1], [2]), "", [F("2x4x6")]),
    ("dot: two contracted", "dot_general", [F("4x5x3"), F("3x5x6")], dot([], [], [1, 2], [1, 0]), "", [F("4x6")]),
    ("dot: outer product", "dot_general", [F("4"), F("5")], dot([], [], [], []), "", [F("4x5")]),
    ("dot: scalar", "dot_general", [F("4"), F("4")], dot([], [], [0], [0]), "", [F("")]),
    ("dot: zero size", "dot_general", [F("0x5"), F("5x6")], dot([], [], [1], [0]), "", [F("0x6")]),
    ("dot: contracted zero", "dot_general", [F("4x0"), F("0x6")], dot([], [], [1], [0]), "", [F("4x6")]),
    ("dot: wider result", "dot_general", [F("4x5", "bf16"), F("5x6", "bf16")], dot([], [], [1], [0]), "", [F("4x6")]),
    ("dot: sizes differ", "dot_general", [F("5x4"), F("5x6")], dot([], [], [1], [0]), "", [F("5x6")]),
    ("dot: batch sizes differ", "dot_general", [F("2x4x5"), F("3x5x6")], dot([0], [0], [2], [1]), "", [F("2x4x6")]),
    ("dot: both roles", "dot_general", [F("5x5"), F("5x5")], dot([0], [0], [0], [1]), "", [F("5")]),
    ("dot: dim twice", "dot_general", [F("5x5"), F("5x5")], dot([], [], [1, 1], [0, 1]), "", [F("5")]),
    ("dot: out of range", "dot_general", [F("4x5"), F("5x6")], dot([], [], [2], [0]), "", [F("4x6")]),
    ("dot: uneven pairs", "dot_general", [F("4x5"), F("5x6")], dot([], [], [1], []), "", [F("4x5x6")]),
    ("dot: wrong result", "dot_general", [F("4x5"), F("5x6")], dot([], [], [1], [0]), "", [F("6x4")]),
    ("old dot", "dot", [F("4x5"), F("5x6")], "", "", [F("4x6")]),
    ("old dot: vectors", "dot", [F("5"), F("5")], "", "", [F("")]),
    ("old dot: vector matrix", "dot", [F("5"), F("5x6")], "", "", [F("6")]),
    ("old dot: sizes differ", "dot", [F("4x5"), F("6x5")], "", "", [F("4x5")]),
    ("select: scalar pred", "select", [F("", "i1"), F("4"), F("4")], "", "", "?"),
    ("select: full pred", "select", [F("4", "i1"), F("4"), F("4")], "", "", "?"),
    ("select: pred of other size", "select", [F("5", "i1"), F("4"), F("4")], "", "", "?"),
    ("select: pred not bool", "select", [F("4", "i32"), F("4"), F("4")], "", "", "?"),
    ("select: branches differ", "select", [F("4", "i1"), F("4"), F("5")], "", "", "?"),
    ("clamp: scalar bounds", "clamp", [F(""), F("4"), F("")], "", "", "?"),
    ("clamp: full bounds", "clamp", [F("4"), F("4"), F("4")], "", "", "?"),
    ("clamp: mixed bounds", "clamp", [F("4"), F("4"), F("")], "", "", "?"),
    ("clamp: bound of other size", "clamp", [F("5"), F("4"), F("")], "", "", "?"),
    ("clamp: bound of other type", "clamp", [F("", "i32"), F("4"), F("")], "", "", "?"),
    ("compare", "compare", [F("4"), F("4")], enum("comparison_direction", "comparison_direction", "LT"), "", "?"),
    ("compare: sizes differ", "compare", [F("4"), F("5")], enum("comparison_direction", "comparison_direction", "LT"), "", "?"),
    ("compare: types differ", "compare", [F("4"), F("4", "f64")], enum("comparison_direction", "comparison_direction", "LT"), "", "?"),
    ("compare: signed", "compare", [F("4", "i32"), F("4", "i32")], enum("comparison_direction", "comparison_direction", "LT") + ", " + enum("compare_type", "comparison_type", "SIGNED"), "", "?"),
    ("add: sizes differ", "add", [F("4"), F("5")], "", "", "?"),
    ("add: ranks differ", "add", [F("4"), F("4x1")], "", "", "?"),
    ("add: types differ", "add", [F("4"), F("4", "f64")], "", "", "?"),
    ("add: zero size", "add", [F("0x3"), F("0x3")], "", "", "?"),
    ("add: wrong result", "add", [F("4"), F("4")], "", "", [F("5")]),
    ("reduce_precision", "reduce_precision", [F("4")], "exponent_bits = 5 : i32, mantissa_bits = 10 : i32", "", "?"),
    ("reduce_precision: no exponent", "reduce_precision", [F("4")], "exponent_bits = 0 : i32, mantissa_bits = 10 : i32", "", "?"),
    ("reduce_precision: negative mantissa", "reduce_precision", [F("4")], "exponent_bits = 5 : i32, mantissa_bits = -1 : i32", "", "?"),
    ("convert", "convert", [F("4x5")], "", "", [F("4x5", "i32")]),
    ("convert: other shape", "convert", [F("4x5")], "", "", [F("5x4", "i32")]),
    ("constant", "constant", [], "value = dense<[1.0, 2.0]> : tensor<2xf32>", "", [F("2")]),
    ("constant: other type", "constant", [], "value = dense<[1.0, 2.0]> : tensor<2xf32>", "", [F("3")]),
    ("iota", "iota", [], "iota_dimension = 1 : i64", "", [F("4x5")]),
    ("iota: zero size", "iota", [], "iota_dimension = 0 : i64", "", [F("0")]),
    ("iota: dim", "iota", [], "iota_dimension = 2 : i64", "", [F("4x5")]),
    ("iota: scalar", "iota", [], "iota_dimension = 0 : i64", "", [F("")]),
    ("iota: bool", "iota", [], "iota_dimension = 0 : i64", "", [F("4", "i1")]),
    ("iota: complex", "iota", [], "iota_dimension = 0 : i64", "", [F("4", "complex<f32>")]),
    ("broadcast_in_dim", "broadcast_in_dim", [F("5")], "broadcast_dimensions = array<i64: 1>", "", [F("4x5")]),
    ("broadcast_in_dim: scalar", "broadcast_in_dim", [F("")], "broadcast_dimensions = array<i64>", "", [F("4x5")]),
    ("broadcast_in_dim: ones", "broadcast_in_dim", [F("1x5")], "broadcast_dimensions = array<i64: 0, 1>", "", [F("4x5")]),
    ("broadcast_in_dim: one to zero", "broadcast_in_dim", [F("1x5")], "broadcast_dimensions = array<i64: 0, 1>", "", [F("0x5")]),
    ("broadcast_in_dim: transposed", "broadcast_in_dim", [F("4x5")], "broadcast_dimensions = array<i64: 1, 0>", "", [F("5x4")]),
    ("broadcast_in_dim: sizes differ", "broadcast_in_dim", [F("5")], "broadcast_dimensions = array<i64: 0>", "", [F("4x5")]),
    ("broadcast_in_dim: dim", "broadcast_in_dim", [F("5")], "broadcast_dimensions = array<i64: 2>", "", [F("4x5")]),
    ("broadcast_in_dim: twice", "broadcast_in_dim", [F("5x5")], "broadcast_dimensions = array<i64: 1, 1>", "", [F("4x5")]),
    ("broadcast_in_dim: too few", "broadcast_in_dim", [F("4x5")], "broadcast_dimensions = array<i64: 1>", "", [F("4x5")]),
    ("broadcast_in_dim: element type", "broadcast_in_dim", [F("5")], "broadcast_dimensions = array<i64: 1>", "", [F("4x5", "f64")]),
    ("reshape", "reshape", [F("4x5")], "", "", [F("2x10")]),
    ("reshape: scalar", "reshape", [F("1x1")], "", "", [F("")]),
    ("reshape: zero size", "reshape", [F("0x5")], "", "", [F("3x0")]),
    ("reshape: count", "reshape", [F("4x5")], "", "", [F("2x11")]),
    ("reshape: element type", "reshape", [F("4x5")], "", "", [F("20", "i32")]),
    ("transpose", "transpose", [F("2x3x4")], "permutation = array<i64: 2, 0, 1>", "", "?"),
    ("transpose: scalar", "transpose", [F("")], "permutation = array<i64>", "", "?"),
    ("transpose: twice", "transpose", [F("2x3")], "permutation = array<i64: 1, 1>", "", "?"),
    ("transpose: range", "transpose", [F("2x3")], "permutation = array<i64: 1, 2>", "", "?"),
    ("transpose: too few", "transpose", [F("2x3")], "permutation = array<i64: 0>", "", "?"),
    ("bitcast: same width", "bitcast_convert", [F("4x5")], "", "", [F("4x5", "i32")]),
    ("bitcast: narrower", "bitcast_convert", [F("4x5")], "", "", [F("4x5x4", "i8")]),
    ("bitcast: wider", "bitcast_convert", [F("4x2", "f32")], "", "", [F("4", "f64")]),
    ("bitcast: last dim", "bitcast_convert", [F("4x5")], "", "", [F("4x5x2", "i8")]),
    ("bitcast: real to complex", "bitcast_convert", [F("4x2")], "", "", [F("4", "complex<f32>")]),
    ("bitcast: complex", "bitcast_convert", [F("4", "complex<f64>")], "", "", [F("4x2", "complex<f32>")]),
    ("slice", "slice", [F("10x5")], slices("2, 0", "9, 5", "3, 2"), "", "?"),
    ("slice: empty", "slice", [F("10")], slices("4", "4", "1"), "", "?"),
    ("slice: limit", "slice", [F("10")], slices("4", "11", "1"), "", "?"),
    ("slice: backwards", "slice", [F("10")], slices("4", "3", "1"), "", "?"),
    ("slice: negative", "slice", [F("10")], slices("-1", "3", "1"), "", "?"),
    ("slice: stride", "slice", [F("10")], slices("0", "3", "0"), "", "?"),
    ("slice: too few", "slice", [F("10x5")], slices("0", "3", "1"), "", "?"),
    ("pad", "pad", [F("4x5"), F("")], pads("1, 0", "2, 3", "1, 0"), "", "?"),
    ("pad: negative", "pad", [F("4"), F("")], pads("-2", "1", "0"), "", "?"),
    ("pad: zero size", "pad", [F("0"), F("")], pads("2", "1", "3"), "", "?"),
    ("pad: cuts too much", "pad", [F("4"), F("")], pads("-3", "-2", "0"), "", "?"),
    ("pad: interior", "pad", [F("4"), F("")], pads("0", "0", "-1"), "", "?"),
    ("pad: value type", "pad", [F("4"), F("", "i32")], pads("0", "0", "0"), "", "?"),
    ("pad: value rank", "pad", [F("4"), F("1")], pads("0", "0", "0"), "", "?"),
    ("concatenate", "concatenate", [F("2x3"), F("2x4"), F("2x0")], "dimension = 1 : i64", "", "?"),
    ("concatenate: one", "concatenate", [F("2x3")], "dimension = 0 : i64", "", "?"),
    ("concatenate: other dims", "concatenate", [F("2x3"), F("3x4")], "dimension = 1 : i64", "", "?"),
    ("concatenate: dim", "concatenate", [F("2x3"), F("2x4")], "dimension = 2 : i64", "", "?"),
    ("concatenate: types", "concatenate", [F("2x3"), F("2x4", "f64")], "dimension = 1 : i64", "", "?"),
    ("concatenate: ranks", "concatenate", [F("2x3"), F("2")], "dimension = 0 : i64", "", "?"),
    ("reverse", "reverse", [F("2x3")], "dimensions = array<i64: 1, 0>", "", "?"),
    ("reverse: twice", "reverse", [F("2x3")], "dimensions = array<i64: 1, 1>", "", "?"),
    ("reverse: range", "reverse", [F("2x3")], "dimensions = array<i64: 2>", "", "?"),
    ("dynamic_slice", "dynamic_slice", [F("4x5"), F("", "i32"), F("", "i32")], "slice_sizes = array<i64: 2, 5>", "", "?"),
    ("dynamic_slice: too big", "dynamic_slice", [F("4x5"), F("", "i32"), F("", "i32")], "slice_sizes = array<i64: 5, 5>", "", "?"),
    ("dynamic_slice: negative", "dynamic_slice", [F("4x5"), F("", "i32"), F("", "i32")], "slice_sizes = array<i64: -1, 5>", "", "?"),
    ("dynamic_slice: indices", "dynamic_slice", [F("4x5"), F("", "i32")], "slice_sizes = array<i64: 2, 5>", "", "?"),
    ("dynamic_slice: index types", "dynamic_slice", [F("4x5"), F("", "i32"), F("", "i64")], "slice_sizes = array<i64: 2, 5>", "", "?"),
    ("dynamic_slice: float index", "dynamic_slice", [F("4"), F("")], "slice_sizes = array<i64: 2>", "", "?"),
    ("dynamic_update_slice", "dynamic_update_slice", [F("4x5"), F("2x5"), F("", "i32"), F("", "i32")], "", "", "?"),
    ("dynamic_update_slice: too big", "dynamic_update_slice", [F("4x5"), F("2x6"), F("", "i32"), F("", "i32")], "", "", "?"),
    ("dynamic_update_slice: rank", "dynamic_update_slice", [F("4x5"), F("2"), F("", "i32"), F("", "i32")], "", "", "?"),
    ("dynamic_update_slice: type", "dynamic_update_slice", [F("4x5"), F("2x5", "f64"), F("", "i32"), F("", "i32")], "", "", "?"),
    ("gather: rows", "gather", [F("10x5"), F("3x1", "i32")], gather([1], [0], [0], 1, "1, 5"), "", "?"),
    ("gather: implicit vector", "gather", [F("10x5"), F("3x2", "i32")], gather([2], [0], [0], 2, "1, 5"), "", "?"),
    ("gather: window", "gather", [F("10x5"), F("3x2", "i32")], gather([0, 2], [], [0, 1], 1, "4, 2"), "", "?"),
    ("gather: batching", "gather", [F("7x10x5"), F("7x3x1", "i32")], gather([2], [1], [1], 2, "1, 1, 5", [0], [0]), "", "?"),
    ("gather: zero rows", "gather", [F("10x5"), F("0x1", "i32")], gather([1], [0], [0], 1, "1, 5"), "", "?"),
    ("gather: collapsed size", "gather", [F("10x5"), F("3x1", "i32")], gather([1], [0], [0], 1, "2, 5"), "", "?"),
    ("gather: slice too big", "gather", [F("10x5"), F("3x1", "i32")], gather([1], [0], [0], 1, "1, 6"), "", "?"),
    ("gather: index map", "gather", [F("10x5"), F("3x2", "i32")], gather([1], [0], [0], 1, "1, 5"), "", "?"),
    ("gather: vector dim", "gather", [F("10x5"), F("3x1", "i32")], gather([1], [0], [0], 3, "1, 5"), "", "?"),
    ("gather: offset twice", "gather", [F("10x5"), F("3x2", "i32")], gather([1, 1], [], [0, 1], 1, "4, 2"), "", "?"),
    ("gather: offset unsorted", "gather", [F("10x5"), F("3x2", "i32")], gather([2, 0], [], [0, 1], 1, "4, 2"), "", "?"),
    ("gather: offset count", "gather", [F("10x5"), F("3x1", "i32")], gather([1, 2], [0], [0], 1, "1, 5"), "", "?"),
    ("gather: batching size", "gather", [F("7x10x5"), F("6x3x1", "i32")], gather([2], [1], [1], 2, "1, 1, 5", [0], [0]), "", "?"),
    ("gather: float indices", "gather", [F("10x5"), F("3x1")], gather([1], [0], [0], 1, "1, 5"), "", "?"),
    ("scatter: rows", "scatter", [F("10x5"), F("3x1", "i32"), F("3x5")], scatter([1], [0], [0], 1), body("add"), [F("10x5")]),
    ("scatter: part of a window", "scatter", [F("10x5"), F("3x1", "i32"), F("3x4")], scatter([1], [0], [0], 1), body("add"), [F("10x5")]),
    ("scatter: batching", "scatter", [F("7x10x5"), F("7x3x1", "i32"), F("7x3x5")], scatter([2], [1], [1], 2, [0], [0]), body("add"), [F("7x10x5")]),
    ("scatter: two", "scatter", [F("10x5"), F("10x5"), F("3x1", "i32"), F("3x5"), F("3x5")], scatter([1], [0], [0], 1), body("add", n=2), [F("10x5")] * 2),
    ("scatter: window too big", "scatter", [F("10x5"), F("3x1", "i32"), F("3x6")], scatter([1], [0], [0], 1), body("add"), [F("10x5")]),
    ("scatter: update rows", "scatter", [F("10x5"), F("3x1", "i32"), F("4x5")], scatter([1], [0], [0], 1), body("add"), [F("10x5")]),
    ("scatter: update type", "scatter", [F("10x5"), F("3x1", "i32"), F("3x5", "f64")], scatter([1], [0], [0], 1), body("add"), [F("10x5")]),
    ("scatter: body type", "scatter", [F("10x5"), F("3x1", "i32"), F("3x5")], scatter([1], [0], [0], 1), body("add", "i32"), [F("10x5")]),
    ("scatter: result", "scatter", [F("10x5"), F("3x1", "i32"), F("3x5")], scatter([1], [0], [0], 1), body("add"), [F("10x4")]),
    ("scatter: map", "scatter", [F("10x5"), F("3x2", "i32"), F("3x5")], scatter([1], [0], [0], 1), body("add"), [F("10x5")]),
    ("convolution", "convolution", [F("2x8x8x3"), F("3x3x3x16")], conv(), "", [F("2x6x6x16")]),
    ("convolution: padding and strides", "convolution", [F("2x8x8x3"), F("3x3x3x16")], conv(strides="2, 3", pad="[[1, 1], [0, 2]]"), "", [F("2x4x3x16")]),
    ("convolution: dilations", "convolution", [F("2x8x8x3"), F("3x3x3x16")], conv(lhs="2, 1", rhs="1, 2"), "", [F("2x13x4x16")]),
    ("convolution: feature groups", "convolution", [F("2x8x8x6"), F("3x3x2x9")], conv(groups=3), "", [F("2x6x6x9")]),
    ("convolution: batch groups", "convolution", [F("6x8x8x3"), F("3x3x3x9")], conv(batches=3), "", [F("2x6x6x9")]),
    ("convolution: channels first", "convolution", [F("2x3x8x8"), F("16x3x3x3")], conv("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"), "", [F("2x16x6x6")]),
    ("convolution: kernel too big", "convolution", [F("2x2x8x3"), F("3x3x3x16")], conv(), "", [F("2x0x6x16")]),
    ("convolution: zero batch", "convolution", [F("0x8x8x3"), F("3x3x3x16")], conv(), "", [F("0x6x6x16")]),
    ("convolution: wider result", "convolution", [F("2x8x8x3", "bf16"), F("3x3x3x16", "bf16")], conv(), "", [F("2x6x6x16")]),
    ("convolution: features", "convolution", [F("2x8x8x3"), F("3x3x4x16")], conv(), "", [F("2x6x6x16")]),
    ("convolution: group count", "convolution", [F("2x8x8x6"), F("3x3x2x8")], conv(groups=3), "", [F("2x6x6x8")]),
    ("convolution: both groups", "convolution", [F("2x8x8x6"), F("3x3x3x8")], conv(groups=2, batches=2), "", [F("1x6x6x8")]),
    ("convolution: stride", "convolution", [F("2x8x8x3"), F("3x3x3x16")], conv(strides="0, 1"), "", [F("2x6x6x16")]),
    ("convolution: dim numbers", "convolution", [F("2x8x8x3"), F("3x3x3x16")], conv("[b, 0, f]x[0, i, o]->[b, 0, f]", "1", lhs="1", rhs="1"), "", [F("2x6x6x16")]),
    ("convolution: result", "convolution", [F("2x8x8x3"), F("3x3x3x16")], conv(), "", [F("2x6x7x16")]),
    ("convolution: ranks", "convolution", [F("2x8x8x3"), F("3x3x16")], conv(), "", [F("2x6x6x16")]),
    ("reduce", "reduce", [F("4x5x6"), F("")], "dimensions = array<i64: 0, 2>", body("add"), [F("5")]),
    ("reduce: none", "reduce", [F("4x5"), F("")], "dimensions = array<i64>", body("add"), [F("4x5")]),
    ("reduce: zero size", "reduce", [F("0x5"), F("")], "dimensions = array<i64: 0>", body("add"), [F("5")]),
    ("reduce: two", "reduce", [F("4x5"), F("4x5"), F(""), F("")], "dimensions = array<i64: 1>", body("add", n=2), [F("4"), F("4")]),
    ("reduce: wider body", "reduce", [F("4x5", "bf16"), F("", "bf16")], "dimensions = array<i64: 1>", body("add"), [F("4")]),
    ("reduce: dim", "reduce", [F("4x5"), F("")], "dimensions = array<i64: 2>", body("add"), [F("4x5")]),
    ("reduce: dim twice", "reduce", [F("4x5"), F("")], "dimensions = array<i64: 1, 1>", body("add"), [F("4")]),
    ("reduce: init rank", "reduce", [F("4x5"), F("1")], "dimensions = array<i64: 1>", body("add"), [F("4")]),
    ("reduce: init type", "reduce", [F("4x5"), F("", "i32")], "dimensions = array<i64: 1>", body("add"), [F("4")]),
    ("reduce: body type", "reduce", [F("4x5"), F("")], "dimensions = array<i64: 1>", body("add", "i32"), [F("4")]),
    ("reduce: body arity", "reduce", [F("4x5"), F("")], "dimensions = array<i64: 1>", body("add", n=2), [F("4")]),
    ("reduce: inputs differ", "reduce", [F("4x5"), F("4x6"), F(""), F("")], "dimensions = array<i64: 1>", body("add", n=2), [F("4"), F("4")]),
    ("reduce: result", "reduce", [F("4x5"), F("")], "dimensions = array<i64: 1>", body("add"), [F("5")]),
    ("reduce_window", "reduce_window", [F("4x8"), F("")], window("1, 2", "1, 2"), body("maximum"), [F("4x4")]),
    ("reduce_window: defaults", "reduce_window", [F("4x8"), F("")], window("2, 2"), body("maximum"), [F("3x7")]),
    ("reduce_window: all", "reduce_window", [F("4x8"), F("")], window("2, 3", "2, 1", "2, 1", "1, 2", "[[1, 1], [0, 2]]"), body("add"), [F("4x6")]),
    ("reduce_window: too big", "reduce_window", [F("4x8"), F("")], window("5, 1"), body("add"), [F("0x8")]),
    ("reduce_window: zero size", "reduce_window", [F("0x8"), F("")], window("1, 1"), body("add"), [F("0x8")]),
    ("reduce_window: window zero", "reduce_window", [F("4x8"), F("")], window("0, 1"), body("add"), [F("5x8")]),
    ("reduce_window: stride zero", "reduce_window", [F("4x8"), F("")], window("1, 1", "0, 1"), body("add"), [F("4x8")]),
    ("reduce_window: rank", "reduce_window", [F("4x8"), F("")], window("2"), body("add"), [F("3x8")]),
    ("reduce_window: result", "reduce_window", [F("4x8"), F("")], window("2, 2"), body("add"), [F("4x8")]),
    ("select_and_scatter", "select_and_scatter", [F("4x8"), F("4x4"), F("")], window("1, 2", "1, 2"), compare(direction="GE") + ", " + body("add"), [F("4x8")]),
    ("select_and_scatter: source", "select_and_scatter", [F("4x8"), F("4x5"), F("")], window("1, 2", "1, 2"), compare(direction="GE") + ", " + body("add"), [F("4x8")]),
    ("select_and_scatter: select body", "select_and_scatter", [F("4x8"), F("4x4"), F("")], window("1, 2", "1, 2"), body("add") + ", " + body("add"), [F("4x8")]),
    ("sort", "sort", [F("4x5")], "dimension = 1 : i64, is_stable = true", compare(), [F("4x5")]),
    ("sort: from the end", "sort", [F("4x5")], "dimension = -2 : i64, is_stable = true", compare(), [F("4x5")]),
    ("sort: with indices", "sort", [F("4x5"), F("4x5")], "dimension = 0 : i64", compare(n=2), [F("4x5"), F("4x5")]),
    ("sort: dim", "sort", [F("4x5")], "dimension = 2 : i64", compare(), [F("4x5")]),
    ("sort: body", "sort", [F("4x5")], "dimension = 1 : i64", body("add"), [F("4x5")]),
    ("sort: shapes", "sort", [F("4x5"), F("4x6")], "dimension = 0 : i64", compare(n=2), [F("4x5"), F("4x6")]),
    ("map", "map", [F("4x5"), F("4x5")], "dimensions = array<i64: 0, 1>", body("add"), [F("4x5")]),
    ("map: to bool", "map", [F("4x5"), F("4x5")], "dimensions = array<i64: 0, 1>", compare(), [F("4x5", "i1")]),
    ("map: dims", "map", [F("4x5"), F("4x5")], "dimensions = array<i64: 1, 0>", body("add"), [F("4x5")]),
    ("map: shapes", "map", [F("4x5"), F("4x6")], "dimensions = array<i64: 0, 1>", body("add"), [F("4x5")]),
    ("map: body", "map", [F("4x5")], "dimensions = array<i64: 0, 1>", body("add"), [F("4x5")]),
    ("rng_bit_generator", "rng_bit_generator", [F("2", "ui64")], enum("rng_algorithm", "rng_algorithm", "THREE_FRY"), "", [F("2", "ui64"), F("4x5", "ui32")]),
    ("rng_bit_generator: philox", "rng_bit_generator", [F("3", "ui64")], enum("rng_algorithm", "rng_algorithm", "PHILOX"), "", [F("3", "ui64"), F("4x5", "ui32")]),
    ("rng_bit_generator: state", "rng_bit_generator", [F("2", "ui64")], enum("rng_algorithm", "rng_algorithm", "THREE_FRY"), "", [F("3", "ui64"), F("4x5", "ui32")]),
    ("rng_bit_generator: state size", "rng_bit_generator", [F("3", "ui64")], enum("rng_algorithm", "rng_algorithm", "THREE_FRY"), "", [F("3", "ui64"), F("4x5", "ui32")]),
    ("cholesky", "cholesky", [F("2x4x4")], "lower = true", "", "?"),
    ("cholesky: not square", "cholesky", [F("2x4x5")], "lower = true", "", "?"),
    ("cholesky: vector", "cholesky", [F("4")], "", "", "?"),
    ("cholesky: int", "cholesky", [F("4x4", "i32")], "", "", "?"),
    ("triangular_solve: left", "triangular_solve", [F("2x4x4"), F("2x4x3")], TRI % "true", "", "?"),
    ("triangular_solve: right", "triangular_solve", [F("2x4x4"), F("2x3x4")], TRI % "false", "", "?"),
    ("triangular_solve: size", "triangular_solve", [F("2x4x4"), F("2x3x4")], TRI % "true", "", "?"),
    ("triangular_solve: batch", "triangular_solve", [F("2x4x4"), F("3x4x4")], TRI % "true", "", "?"),
    ("triangular_solve: not square", "triangular_solve", [F("4x5"), F("4x5")], TRI % "true", "", "?"),
    ("fft", "fft", [F("3x8", "complex<f32>")], enum("fft_type", "fft_type", "FFT") + ", fft_length = array<i64: 8>", "", "?"),
    ("fft: ifft of two", "fft", [F("3x8", "complex<f32>")], enum("fft_type", "fft_type", "IFFT") + ", fft_length = array<i64: 3, 8>", "", "?"),
    ("fft: rfft", "fft", [F("3x8")], enum("fft_type", "fft_type", "RFFT") + ", fft_length = array<i64: 8>", "", "?"),
    ("fft: rfft f64", "fft", [F("3x7", "f64")], enum("fft_type", "fft_type", "RFFT") + ", fft_length = array<i64: 7>", "", "?"),
    ("fft: irfft", "fft", [F("3x5", "complex<f32>")], enum("fft_type", "fft_type", "IRFFT") + ", fft_length = array<i64: 8>", "", "?"),
    ("fft: irfft odd", "fft", [F("3x5", "complex<f32>")], enum("fft_type", "fft_type", "IRFFT") + ", fft_length = array<i64: 9>", "", "?"),
    ("fft: irfft size", "fft", [F("3x6", "complex<f32>")], enum("fft_type", "fft_type", "IRFFT") + ", fft_length = array<i64: 8>", "", "?"),
    ("fft: rfft size", "fft", [F("3x8")], enum("fft_type", "fft_type", "RFFT") + ", fft_length = array<i64: 7>", "", "?"),
    ("fft: real", "fft", [F("3x8")], enum("fft_type", "fft_type", "FFT") + ", fft_length = array<i64: 8>", "", "?"),
    ("fft: four dims", "fft", [F("1x2x3x8", "complex<f32>")], enum("fft_type", "fft_type", "FFT") + ", fft_length = array<i64: 1, 2, 3, 8>", "", "?"),
    ("fft: rank", "fft", [F("8", "complex<f32>")], enum("fft_type", "fft_type", "FFT") + ", fft_length = array<i64: 1, 8>", "", "?"),
    ("batch_norm_inference", "batch_norm_inference", [F("2x4x3")] + [F("3")] * 4, BN % 2, "", "?"),
    ("batch_norm_training", "batch_norm_training", [F("2x4x3")] + [F("4")] * 2, BN % 1, "", "?"),
    ("batch_norm_grad", "batch_norm_grad", [F("2x4x3")] + [F("3")] * 3 + [F("2x4x3")], BN % 2, "", "?"),
    ("batch_norm: feature", "batch_norm_training", [F("2x4x3")] + [F("3")] * 2, BN % 3, "", "?"),
    ("batch_norm: scale", "batch_norm_training", [F("2x4x3"), F("4"), F("3")], BN % 2, "", "?"),
    ("batch_norm: grad shape", "batch_norm_grad", [F("2x4x3")] + [F("3")] * 3 + [F("2x4x4")], BN % 2, "", "?"),
    ("while", "while", [F("4"), F("", "i32")], "",
     f'{{ ^bb0(%x: {F("4")}, %i: tensor<i32>): %c = "stablehlo.compare"(%i, %i) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> : (tensor<i32>, tensor<i32>) -> tensor<i1> {RET}(%c) : (tensor<i1>) -> () }}, '
     f'{{ ^bb0(%x: {F("4")}, %i: tensor<i32>): {RET}(%x, %i) : ({F("4")}, tensor<i32>) -> () }}', [F("4"), F("", "i32")]),
    ("while: body result", "while", [F("4"), F("", "i32")], "",
     f'{{ ^bb0(%x: {F("4")}, %i: tensor<i32>): %c = "stablehlo.compare"(%i, %i) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> : (tensor<i32>, tensor<i32>) -> tensor<i1> {RET}(%c) : (tensor<i1>) -> () }}, '
     f'{{ ^bb0(%x: {F("4")}, %i: tensor<i32>): {RET}(%i, %x) : (tensor<i32>, {F("4")}) -> () }}', [F("4"), F("", "i32")]),
    ("while: condition", "while", [F("", "i32")], "",
     f'{{ ^bb0(%i: tensor<i32>): {RET}(%i) : (tensor<i32>) -> () }}, {{ ^bb0(%i: tensor<i32>): {RET}(%i) : (tensor<i32>) -> () }}', [F("", "i32")]),
    ("if", "if", [F("", "i1")], "", f'{{ %a = "stablehlo.constant"() <{{value = dense<1.0> : tensor<f32>}}> : () -> tensor<f32> {RET}(%a) : (tensor<f32>) -> () }}, {{ %a = "stablehlo.constant"() <{{value = dense<2.0> : tensor<f32>}}> : () -> tensor<f32> {RET}(%a) : (tensor<f32>) -> () }}', [F("")]),
    ("if: pred", "if", [F("", "i32")], "", f'{{ {RET}() : () -> () }}, {{ {RET}() : () -> () }}', []),
    ("if: branches differ", "if", [F("", "i1")], "", f'{{ %a = "stablehlo.constant"() <{{value = dense<1.0> : tensor<f32>}}> : () -> tensor<f32> {RET}(%a) : (tensor<f32>) -> () }}, {{ {RET}() : () -> () }}', [F("")]),
    ("case", "case", [F("", "i32")], "", ", ".join([f'{{ %a = "stablehlo.constant"() <{{value = dense<1.0> : tensor<f32>}}> : () -> tensor<f32> {RET}(%a) : (tensor<f32>) -> () }}'] * 3), [F("")]),
    ("case: index", "case", [F("", "i64")], "", f'{{ {RET}() : () -> () }}', []),
    ("optimization_barrier", "optimization_barrier", [F("4"), F("5", "i32")], "", "", "?"),
    ("after_all", "after_all", ["!stablehlo.token"] * 2, "", "", "?"),
    ("create_token", "create_token", [], "", "", "?"),
    ("partition_id", "partition_id", [], "", "", "?"),
    ("replica_id", "replica_id", [], "", "", "?"),
    ("all_gather", "all_gather", [F("4x5")], "all_gather_dim = 1 : i64, " + groups("[[0, 2], [1, 3]]", "2x2"), "", [F("4x10")]),
    ("all_gather: two", "all_gather", [F("4x5"), F("4", "i32")], "all_gather_dim = 0 : i64, " + groups("[[0, 1, 2]]", "1x3"), "", [F("12x5"), F("12", "i32")]),
    ("all_gather: no multiple", "all_gather", [F("4x5")], "all_gather_dim = 1 : i64, " + groups("[[0, 2], [1, 3]]", "2x2"), "", [F("4x11")]),
    ("all_gather: dim", "all_gather", [F("4x5")], "all_gather_dim = 2 : i64, " + groups("[[0, 1]]", "1x2"), "", [F("4x10")]),
    ("all_gather: device twice", "all_gather", [F("4x5")], "all_gather_dim = 1 : i64, " + groups("[[0, 0]]", "1x2"), "", [F("4x10")]),
    ("all_reduce", "all_reduce", [F("4x5")], groups("[[0, 1], [2, 3]]", "2x2"), body("add"), [F("4x5")]),
    ("all_reduce: two", "all_reduce", [F("4x5"), F("3")], groups("[[0, 1]]", "1x2"), body("add"), [F("4x5"), F("3")]),
    ("all_reduce: ragged groups", "all_reduce", [F("4x5")], groups("[[0, 1], [2, -1]]", "2x2"), body("add"), [F("4x5")]),
    ("all_reduce: all", "all_reduce", [F("4x5")], groups("", "0x0"), body("add"), [F("4x5")]),
    ("all_reduce: device twice", "all_reduce", [F("4x5")], groups("[[0, 1], [1, 2]]", "2x2"), body("add"), [F("4x5")]),
    ("all_reduce: body", "all_reduce", [F("4x5")], groups("[[0, 1]]", "1x2"), body("add", "i32"), [F("4x5")]),
    ("all_reduce: result", "all_reduce", [F("4x5")], groups("[[0, 1]]", "1x2"), body("add"), [F("5x4")]),
    ("reduce_scatter", "reduce_scatter", [F("4x6")], "scatter_dimension = 1 : i64, " + groups("[[0, 1, 2]]", "1x3"), body("add"), [F("4x2")]),
    ("reduce_scatter: no multiple", "reduce_scatter", [F("4x5")], "scatter_dimension = 1 : i64, " + groups("[[0, 1, 2]]", "1x3"), body("add"), [F("4x2")]),
    ("reduce_scatter: dim", "reduce_scatter", [F("4x6")], "scatter_dimension = 2 : i64, " + groups("[[0, 1, 2]]", "1x3"), body("add"), [F("4x2")]),
    ("reduce_scatter: result", "reduce_scatter", [F("4x6")], "scatter_dimension = 1 : i64, " + groups("[[0, 1, 2]]", "1x3"), body("add"), [F("4x3")]),
    ("all_to_all", "all_to_all", [F("4x6")], "split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, " + groups("[[0, 1]]", "1x2"), "", "?"),
    ("all_to_all: same dim", "all_to_all", [F("4x6")], "split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, " + groups("[[0, 1]]", "1x2"), "", "?"),
    ("all_to_all: no multiple", "all_to_all", [F("4x5")], "split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, " + groups("[[0, 1]]", "1x2"), "", "?"),
    ("all_to_all: group size", "all_to_all", [F("4x6")], "split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, " + groups("[[0, 1, 2]]", "1x3"), "", "?"),
    ("all_to_all: dim", "all_to_all", [F("4x6")], "split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, " + groups("[[0, 1]]", "1x2"), "", "?"),
    ("collective_permute", "collective_permute", [F("4")], "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>", "", "?"),
    ("collective_permute: target twice", "collective_permute", [F("4")], "source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>", "", "?"),
    ("collective_permute: source twice", "collective_permute", [F("4")], "source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>", "", "?"),
    ("collective_permute: negative", "collective_permute", [F("4")], "source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>", "", "?"),
    ("collective_permute: triples", "collective_permute", [F("4")], "source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>", "", "?"),
    ("collective_broadcast", "collective_broadcast", [F("4")], groups("[[0, 1]]", "1x2"), "", "?"),
    ("collective_broadcast: device twice", "collective_broadcast", [F("4")], groups("[[0, 0]]", "1x2"), "", "?"),
    ("top_k", "chlo.top_k", [F("4x5")], "k = 2 : i64", "", "?"),
    ("top_k: k", "chlo.top_k", [F("4x5")], "k = 6 : i64", "", "?"),
    ("top_k: scalar", "chlo.top_k", [F("")], "k = 1 : i64", "", "?"),
    ("missing attribute", "transpose", [F("2x3")], "", "", [F("3x2")]),
    ("unknown attribute with a dialect", "add", [F("4"), F("4")], 'mhlo.sharding = "{replicated}"', "", "?"),
    ("operand count", "add", [F("4")], "", "", [F("4")]),
    ("result count", "add", [F("4"), F("4")], "", "", [F("4"), F("4")]),
]

# The element types that each element-wise op accepts.
ELEMENTS = ["i1", "i8", "i32", "ui8", "ui32", "f8E4M3FN", "bf16", "f32", "f64", "complex<f32>"]
UNARY = """abs cbrt ceil count_leading_zeros cosine exponential_minus_one floor imag is_finite log_plus_one negate not popcnt
real round_nearest_afz round_nearest_even sign exponential log logistic rsqrt sine sqrt tan tanh chlo.acos chlo.acosh chlo.asin
chlo.asinh chlo.atan chlo.atanh chlo.bessel_i1e chlo.conj chlo.cosh chlo.digamma chlo.erf chlo.erfc chlo.erf_inv chlo.is_inf
chlo.is_neg_inf chlo.is_pos_inf chlo.lgamma chlo.sinh chlo.square""".split()
BINARY = """add atan2 and complex divide maximum minimum multiply or power remainder shift_left shift_right_arithmetic
shift_right_logical subtract xor chlo.mulhi chlo.next_after chlo.polygamma chlo.zeta""".split()


def full_name(op):
    return op if "." in op else "stablehlo." + op


def text_of(op, operands, attrs, regions, results):
    """A module of one function with one op, in generic form."""
    args = ", ".join(f"%p{i}: {ty}" for i, ty in enumerate(operands))
    names = ", ".join(f"%p{i}" for i in range(len(operands)))
    out = ", ".join(results)
    left = f"%r:{len(results)} = " if len(results) > 1 else "%r = " if results else ""
    rets = ", ".join(f"%r#{i}" for i in range(len(results))) if len(results) > 1 else "%r" if results else ""
    ret = f"func.return {rets} : {out}" if results else "func.return"
    attrs = f" {{{attrs}}}" if attrs else ""
    regions = f" ({regions})" if regions else ""
    return (
        f"func.func @main({args}) -> ({out}) {{\n"
        f'  {left}"{full_name(op)}"({names}){regions}{attrs} : ({", ".join(operands)}) -> ({out})\n'
        f"  {ret}\n}}\n"
    )


def first_line(error):
    lines = [l for l in str(error).splitlines() if "error:" in l]
    text = lines[0] if lines else str(error).splitlines()[0]
    return re.sub(r'^.*error: ("-":\d+:\d+|unknown): ', "", text)


def accepts(text):
    try:
        ir.Module.parse(text).operation.verify()
        return ""
    except ir.MLIRError as e:
        return first_line(e) or "error"


def infer(op, operands, attrs):
    """The result types that StableHLO infers, or its error."""
    module = ir.Module.parse(text_of("t.op", operands, attrs, "", []))
    fn = list(module.body.operations)[0]
    generic = list(fn.regions[0].blocks[0].operations)[0]
    attributes = {}
    for a in generic.attributes:
        name = a if isinstance(a, str) else a.name
        attributes[name] = generic.attributes[name]
    try:
        with ir.InsertionPoint(generic):
            made = ir.Operation.create(full_name(op), operands=list(generic.operands), attributes=attributes, infer_type=True)
            return [str(r.type) for r in made.results], ""
    except ir.MLIRError as e:
        return None, first_line(e)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", default=OUTPUT)
    path = parser.parse_args().o
    out = {"made_with": {"jaxlib": jaxlib.__version__}, "cases": [], "elements": {}}
    with CTX, ir.Location.unknown():
        CTX.allow_unregistered_dialects = True
        for name, op, operands, attrs, regions, results in CASES:
            error = ""
            if results == "?":
                results, error = infer(op, operands, attrs)
            text = text_of(op, operands, attrs, regions, results if results is not None else operands[:1])
            if not error:
                error = accepts(text)
            out["cases"].append({"name": name, "text": text, "error": error})
        for n, ops in ((1, UNARY), (2, BINARY)):
            for op in ops:
                row = {}
                for e in ELEMENTS:
                    operands = [t("4x0", e)] * n
                    results, error = infer(op, operands, "")
                    row[e] = "" if error or accepts(text_of(op, operands, "", "", results)) else results[0]
                out["elements"][full_name(op)] = {"operands": n, "results": row}
    with open(path, "w") as f:
        f.write(json.dumps(out, indent=1, sort_keys=True) + "\n")
    bad = sum(1 for c in out["cases"] if c["error"])
    print(f"{path}: {len(out['cases'])} cases, {bad} of them faulty, {len(out['elements'])} element-wise ops")


main()
