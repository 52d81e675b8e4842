// Package trace records a GoMLX graph into an ir.Module.
//
// It is a compute.Backend that executes nothing: every graph operation that a
// Go function performs becomes one or a few StableHLO ops, at once, with the
// layer path and the Go source line as their location. Gradients are those of
// GoMLX (graph.Gradient); the few that GoMLX lacks are supplied from here.
//
// It is not a compiler: nothing is simplified, and what GoMLX's gradients
// leave behind unused stays for package compile to remove. It decides no
// layout either: Param, Constrain and Output only write down what the user asks for.
//
// Order of use: Record, and inside it Recorder.Param, Scope, Mark, Constrain,
// Gradient, Scan; RecordFunc where a plain function of nodes is all there is. A backend of
// GoMLX makes Builders instead.
//
//	file                what it does
//	recorder.go         Record, RecordFunc, and Recorder: parameters, layer paths, gradients
//	errors.go           Error, what becomes of panics, and the source line of an op
//	backend.go          the compute.Backend, Builder and Function behind a Recorder
//	builder.go          Builder: recording for a backend, whose graphs GoMLX builds
//	distributed.go      graphs that GoMLX itself distributes: SPMD, auto-sharding, AllReduce
//	layers.go           paths of layers by the scopes of GoMLX's variables
//	emit.go             emitter, by which an operation of GoMLX emits its ops; literals
//	ops_elementwise.go  unary, binary, comparison and selection operations
//	ops_shape.go        operations that make, shape and move data, also by computed indices
//	ops_reduce.go       reductions and windows, dot products, convolution, FFT, batch normalization, random bits
//	ops_control.go      calls, loops, branches, sorting, barriers
//	scan.go             Scan: a loop over the steps of a sequence, with a gradient
//	scan_step.go        the body of a scan, recorded again; what can be recorded before the loop
//	scan_gradient.go    the gradient of a scan: a scan in the other direction
//	scan_saved.go       what a scan keeps of each step for its gradient
//	gradients.go        the gradients that GoMLX lacks, and refusing those that it would leave out
//	gradients_conv.go   the gradient of convolutions
//
// # Ties
//
// The gradient of GoMLX's Max(x, y) goes to x at a tie, that of Min(x, y) to
// y, that of ReduceMax and ReduceMin to every element that ties. The field
// wants relu'(0) = 0: write relu as a Where on x > 0, not as Max(x, 0).
package trace
