// Aot compares gospmd's partitioner with XLA's own: it compiles training steps that both have
// partitioned, by the compilers for TPUs and GPUs, for devices that need not exist here. It
// compares the bytes that collectives send, arithmetic, and memory.
//
//	go run ./benchmarks/aot                          # the table, for v5e:4x4 and h100:8
//	go run ./benchmarks/aot -target v5e:4x4 -steps mlp,transformer
//	go run ./benchmarks/aot -install                 # install the compilers that are missing
//	go run ./benchmarks/aot -sharded-update          # both partitioners with a sharded update
//	go run ./benchmarks/aot -json
//	go run ./benchmarks/aot -meshes -target v5e:4x4  # our predictions beside the compiler's figures, on all meshes
//	go run ./benchmarks/aot -limits                  # programs that are made to fit into memory
//	go run ./benchmarks/aot -limits -parts 0.5       # into half of it alone
//	go run ./benchmarks/aot -limits -target cpu:8    # the same on virtual devices of this CPU, which run them
//
// The steps are modules that JAX has made (benchmarks/peers/aot_steps.py): loss, gradients and an
// update by Adam. Only parameters and data have layouts, as users give them, on two or three mesh
// axes. Both partitioners get the same module: with -sharded-update one whose slots and new weights
// have the layouts of compile.Options.ShardedUpdate.
//
// A line is worse if our program sends more bytes, needs more memory at its peak or takes longer,
// by more than half a percent, or computes more than 1.02 times as much. The command fails if a
// line is worse and known.go gives no reason.
//
// The bytes sent follow from the optimized module, by the formulas of package cost. The peak is the
// compiler's figure. On TPUs it includes the memory on the chip, which holds copies of arguments
// and results. The column "predicted" is our own prediction of the peak (cost.Machine.MemoryOf).
// XLA for GPUs runs collectives as early as the memory that it knows of allows, so that its peak
// depends on that. "bounded" is its peak if it may plan to use no more than the prediction.
// "predicted ms" is our prediction of the time (cost.Machine.Predict), without waits for
// collectives: libtpu's time leaves them out, too. If libtpu has no time for some ops, "step ms" is
// the time of the other ops, and has no ratio. libtpu counts the body of a loop once, in all its
// figures. "and waits" adds the collectives that are not asynchronous, which libtpu's time leaves
// out, by the speed of package hardware's links.
//
// The target cpu:N, N virtual devices, goes with -limits. It takes smaller forms of the steps, and
// runs them: the compiler's figures are the peak of XLA's buffer assignment, and how much longer a
// run takes, in turns. XLA gets each program once. If it needs more than the limit, the prediction
// was wrong.
//
//	file       what it holds
//	main.go    the command and its table
//	steps.go   the steps, compiled by both partitioners for a target
//	meshes.go  our predictions beside the compiler's figures, on all meshes
//	limits.go  programs that are made to fit into parts of the memory that they take
//	host.go    virtual devices of this CPU
//	cache.go   compilers' results, in files
//	known.go   the lines that are worse, and why
package main
