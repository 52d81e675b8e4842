// Package ir holds programs: modules of functions in static single assignment form, whose
// operations are those of StableHLO with Shardy's shardings. It has the one op table that all
// stages share, shape inference, a verifier, and a printer and parser of the text that XLA and JAX
// read and write.
//
// It is not a compiler: package sharding chooses layouts, package compile rewrites programs, and
// package runtime runs them. Values are tensors of static shape and tokens; there are no dynamic
// shapes, tuples or quantized types. A region has exactly one block, and a function has no
// branches.
//
// Order of use: make a [Func] with NewFunc and AddParam, append ops with a [Builder], and end with
// [Func.Return]; or [Parse] a text. Check the module with [Verify]. Read and change it with
// [Func.Walk], [Block.Ops], [Value.Uses], [Value.ReplaceAllUsesWith], [Op.Erase] and [Cloner].
// Write its text with [Print].
//
//	concept       in text                                   in Go
//	module        module @m { … }                           Module
//	mesh          sdy.mesh @mesh = <["x"=2]>                NamedMesh
//	function      func.func @main(…) -> … { … }             Func, FuncResult
//	block         ^bb0(%a: tensor<f32>): …                  Block
//	operation     %1 = stablehlo.add %0, %0                 Op; its definition: OpInfo, by OpKind
//	value         %1, %arg0                                 Value, used in a Use
//	type          tensor<4x8xf32>                           Type
//	attribute     dims = [0], #stablehlo.gather<…>          Attr: Ints, GatherDims, Dense, …
//	sharding      #sdy.sharding<@mesh, [{"x"}, {}]>         Value.Sharding, ShardingAttr
//	literal       dense<1.0> : tensor<4xf32>                Dense
//	location      loc("d1"("model.py":3:0))                 Location
//	violation     what is wrong, where and by which rule    Violation, Violations
//
//	file                  what it holds
//	module.go             Module and Func; copies of ops, blocks, functions, modules; what an argument of a program is for
//	block.go              Block: the ordered list of its ops
//	op.go                 Op: making, inserting, moving, erasing, its operands
//	value.go              Value and the list of its uses
//	hoisting.go           loops that keep what is the same in all iterations
//	memories.go           MemoryKind: the memory that an argument, a result or a value is in
//	origin.go             identities of ops and values that outlive rewriting: MarkOrigins
//	remembered.go         these identities, and lists of shardings, written down and read again
//	type.go               Type and the spelling of element types; Location and Position
//	attr.go               the kinds of attributes, and reading them from an Op
//	attr_equal.go         whether attributes are equal
//	builder.go            making ops at an insertion point, with inferred types
//	builder_gen.go        Builder's typed constructors, generated from the op table
//	accessors_gen.go      typed views of ops, generated from the op table
//	internal/opgen        the generator
//	rewrite.go            the greedy rewrite driver
//	dense.go              making and reading literals
//	indexing.go           dimensions of gather and scatter, bodies of reductions
//	optable.go            what the definition of an op says; putting the definitions together and looking them up
//	opkinds.go            the names of the ops
//	opdefs.go             the definitions of all ops, family by family
//	collectives.go        the table of collectives, from which their definitions follow
//	infer.go              running a shape rule; checks that rules share
//	infer_elementwise.go  shape rules: element-wise ops
//	infer_data.go         shape rules: reshape, slice, pad, concatenate, gather, scatter, …
//	infer_linalg.go       shape rules: dot, random bits, cholesky, fft, batch norm, …
//	infer_window.go       shape rules: reduce, sort, top_k, windows, convolution
//	infer_control.go      shape rules: while, if, case, calls; checks of regions
//	infer_collective.go   shape rules: the collectives
//	verify.go             Verify: rules and violations, modules and functions
//	verify_op.go          Verify: blocks, ops, uses, dominance
//	verify_attrs.go       Verify: attributes against the definition; shardings, and Shardy's ops
//	print.go              printing: modules, functions, String of everything
//	print_op.go           printing: ops, regions, the names of values, attributes
//	layouts.go            the layouts in memory that custom calls want
//	lex.go                parsing: tokens, locations
//	parse.go              parsing: modules and functions
//	parse_op.go           parsing: ops and regions
//	parse_attr.go         parsing: attributes
//	format.go             the pretty form of each op, a template that printer and parser follow; the table of the templates' words
//	format_attrs.go       words for operands, types and attributes
//	format_regions.go     words for regions
//	text_literal.go       tensor literals, both ways
//	text_float.go         floats, bit for bit, both ways
//	text_attrs.go         dimension numbers; shardings, meshes and axes, both ways
package ir
