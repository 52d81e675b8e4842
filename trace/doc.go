// Package trace records a GoMLX graph into an ir.Module.
//
// It is a compute.Backend that executes nothing: every graph operation that a
// Go function performs becomes one or a few StableHLO ops, at once, with the
// layer path and the Go source line as their location. Gradients are those of
// GoMLX (graph.Gradient); the few that GoMLX lacks are supplied from here.
//
// It is not a compiler: nothing is simplified, and what GoMLX's gradients
// leave behind unused stays for package compile to remove. It decides no
// layout either: Param, Pin and Output only write down what the user pinned.
//
// Order of use: Record, and inside it Recorder.Param, Scope, Mark, Pin,
// Gradient; RecordFunc where a plain function of nodes is all there is.
//
//	file                what it does
//	recorder.go         Recorder: parameters, layer paths, pins, gradients
//	record.go           Record and RecordFunc: run a build function, collect its outputs
//	errors.go           Error, and what becomes of panics
//	location.go         which source line an op comes from
//	backend.go          the compute.Backend and compute.Builder behind a Recorder
//	function.go         the compute.Function: parameters, closures, results
//	emit.go             how one operation of GoMLX emits ops: sticky errors, broadcasting, regions
//	constants.go        literals from Go slices
//	ops_elementwise.go  unary, binary, comparison and selection operations
//	ops_shape.go        operations that make, shape and move data
//	ops_index.go        gather, scatter, dynamic slices
//	ops_reduce.go       reductions and windows
//	ops_linear.go       dot products, convolution, FFT, batch normalization, random bits
//	ops_control.go      calls, loops, branches, sorting, barriers
//	gradients.go        the gradients that GoMLX lacks
//	gradients_conv.go   the gradient of convolutions
//	captures.go         gradients that must not be left out silently
//
// # Ties
//
// The gradient of GoMLX's Max(x, y) goes to x at a tie, that of Min(x, y) to
// y, that of ReduceMax and ReduceMin to every element that ties. The field
// wants relu'(0) = 0: write relu as a Where on x > 0, not as Max(x, 0).
package trace
