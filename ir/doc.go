// Package ir holds programs: modules of functions in static single assignment
// form, whose operations are those of StableHLO with Shardy's shardings. It
// has the one op table that all stages share, shape inference, a verifier,
// and a printer and parser of the text that XLA and JAX read and write.
//
// It is not a compiler: it decides nothing about layouts (package sharding),
// rewrites nothing (package compile) and runs nothing (package runtime). It
// knows tensors of static shape and tokens; no dynamic shapes, tuples or
// quantized types. A region has exactly one block, and a function no branches.
//
// Order of use: make a [Func] with NewFunc and AddParam, append ops with a
// [Builder], end with Return; or [Parse] text. Then [Verify]; read and change
// with Walk, [Block.Ops], [Value.Uses], ReplaceAllUsesWith, Erase and [Cloner];
// [Print].
//
//	concept       in text                                   in Go
//	module        module @m { … }                           Module
//	mesh          sdy.mesh @mesh = <["x"=2]>                NamedMesh
//	function      func.func @main(…) -> … { … }             Func, FuncResult
//	block         ^bb0(%a: tensor<f32>): …                  Block
//	operation     %1 = stablehlo.add %0, %0                 Op; its row: OpInfo, by OpKind
//	value         %1, %arg0                                 Value, used in a Use
//	type          tensor<4x8xf32>                           Type
//	attribute     dims = [0], #stablehlo.gather<…>          Attr: Ints, GatherDims, Dense, …
//	sharding      #sdy.sharding<@mesh, [{"x"}, {}]>         Value.Sharding, ShardingAttr
//	literal       dense<1.0> : tensor<4xf32>                Dense
//	location      loc("d1"("model.go":3:0))                 Location
//	fault         what is wrong, where and by which rule    Fault, Faults
//
//	file                    what it holds
//	module.go               Module and Func
//	block.go                Block: the ordered list of its ops
//	op.go                   Op: making, inserting, moving, erasing, its operands
//	value.go                Value and the list of its uses
//	transition.go           changing ops by rebuilding lists: to be removed
//	type.go                 Type and the spelling of element types
//	attr.go                 the kinds of attributes, and reading them from an Op
//	location.go             where an op came from
//	role.go                 what an argument of a program is for
//	builder.go              making ops at an insertion point, with inferred types
//	builder_gen.go          Builder's typed constructors, generated from the op table
//	accessors_gen.go        typed views of ops, generated from the op table
//	internal/opgen          the generator
//	rewrite.go              the greedy rewrite driver
//	clone.go                copies of ops, blocks, functions, modules
//	dense.go                making and reading literals
//	reduction.go            making and recognising the bodies of reductions
//	indexing.go             what the dimensions of gather and scatter are for
//	optable.go              what a row of the op table is
//	opkinds.go              the names of the rows
//	oprows.go               putting the rows together and looking them up
//	oprows_elementwise.go   rows: element-wise ops
//	oprows_data.go          rows: making, shaping and moving data
//	oprows_numeric.go       rows: contractions, reductions, windows, linear algebra
//	oprows_control.go       rows: control flow, calls, collectives
//	oprows_sdy.go           rows: Shardy's dialect
//	oprows_spmd.go          rows: the collectives of per-device programs
//	infer.go                running a shape rule; checks that rules share
//	infer_collective.go     rules: the collectives of StableHLO
//	infer_control.go        rules: while, if, case, calls, ordering
//	infer_conv.go           rules: convolution
//	infer_data.go           rules: reshape, slice, pad, concatenate, …
//	infer_dot.go            rules: dot_general, dot
//	infer_elementwise.go    rules: element-wise ops
//	infer_gather.go         rules: gather, scatter
//	infer_linalg.go         rules: random bits, cholesky, fft, batch norm, …
//	infer_reduce.go         rules: reduce, sort, top_k
//	infer_region.go         checks of regions against their op
//	infer_sdy.go            rules: Shardy's computations with a body
//	infer_spmd.go           rules: the collectives of per-device programs
//	infer_window.go         rules: reduce_window, select_and_scatter
//	verify.go               Verify: faults, rules, modules and functions
//	verify_op.go            Verify: blocks, ops, dominance
//	verify_attrs.go         Verify: attributes against the row
//	verify_sharding.go      Verify: shardings
//	verify_sdy.go           Verify: Shardy's ops
//	print.go                printing: modules, functions, String of everything
//	print_op.go             printing: ops, regions, the names of values
//	print_attr.go           printing: attributes
//	lex.go                  parsing: tokens
//	parse.go                parsing: modules and functions
//	parse_op.go             parsing: ops and regions
//	parse_attr.go           parsing: attributes
//	parse_loc.go            parsing: locations
//	format.go               the pretty form of each op, a template that printer and parser follow
//	format_hooks.go         the table of the templates' words
//	format_types.go         words for operands and types
//	format_attrs.go         words for attributes
//	format_regions.go       words for regions
//	text_literal.go         tensor literals, both ways
//	text_float.go           floats, bit for bit, both ways
//	text_dims.go            dimension numbers, both ways
//	text_sdy.go             shardings, meshes and axes, both ways
package ir
