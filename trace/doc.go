// Package trace records a GoMLX graph into an ir.Module.
//
// It is a compute.Backend that executes nothing. Each operation that a Go function calls on a GoMLX
// graph is recorded at once, as one or a few StableHLO ops. Their location is the layer path and
// the Go source line. GoMLX computes the gradients (graph.Gradient); this package adds the few that
// GoMLX lacks.
//
// It is not a compiler: it simplifies nothing. GoMLX's gradients leave ops without uses behind,
// which package compile removes. It chooses no layout either: Param, Constrain and Output only
// record the shardings that the user asks for.
//
// Order of use: call Record with a function that calls Recorder.Param, Scope, Mark, Constrain,
// Gradient and Scan. To record a plain function of nodes, call RecordFunc. A backend of GoMLX makes
// Builders instead.
//
//	file                what it does
//	recorder.go         Record, RecordFunc, and Recorder: parameters, layer paths, gradients
//	errors.go           Error, turning panics into errors, and the source line of an op
//	backend.go          the compute.Backend, Builder and Function behind a Recorder
//	builder.go          Builder: recording for a backend, whose graphs GoMLX builds
//	distributed.go      graphs that GoMLX itself distributes: SPMD, auto-sharding, AllReduce
//	layers.go           layer paths inferred from the scopes of GoMLX's variables
//	emit.go             emitter: emits the ops of one GoMLX operation; literals
//	ops_elementwise.go  unary, binary, comparison and selection operations
//	ops_shape.go        operations that make, shape and move data, also by computed indices
//	ops_reduce.go       reductions and windows, dot products, convolution, FFT, batch normalization, random bits
//	ops_control.go      calls, loops, branches, sorting, barriers
//	fused.go            the fused operations of a Builder; why dense ones may be refused
//	fused_norm.go       softmax and layer normalization
//	fused_dense.go      dense layers, their activations, projections of queries, keys and values
//	fused_attention.go  attention
//	fused_quantized.go  dense layers and embeddings whose weights are quantized
//	fused_ggml.go       the formats of quantized weights in GGUF files
//	scan.go             Scan: a loop over the steps of a sequence, with a gradient
//	scan_step.go        the body of a scan, recorded again; what can be recorded before the loop
//	scan_gradient.go    the gradient of a scan: a scan in the other direction
//	scan_saved.go       which values of each step a scan keeps for its gradient
//	gradients.go        the gradients that GoMLX lacks; errors for those that it would silently leave out
//	gradients_conv.go   the gradient of convolutions
//
// # Ties
//
// If x = y, the gradient of GoMLX's Max(x, y) goes to x, and that of Min(x, y) to y. The gradients
// of ReduceMax and ReduceMin go to every extreme element. By convention relu'(0) = 0, so write relu
// as a Where on x > 0, not as Max(x, 0).
package trace
