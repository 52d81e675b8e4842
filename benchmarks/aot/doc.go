// Aot compares what the compilers for TPUs and GPUs make of training steps as
// gospmd's partitioner and as XLA's own divides them among devices that need not be
// there: what collectives send, arithmetic, memory.
//
//	go run ./benchmarks/aot                          # the table, for v5e:4x4 and h100:8
//	go run ./benchmarks/aot -target v5e:4x4 -steps mlp,transformer
//	go run ./benchmarks/aot -install                 # install the compilers that are missing
//	go run ./benchmarks/aot -json
//	go run ./benchmarks/aot -meshes -target v5e:4x4  # our predictions beside the compiler's figures, on all meshes
//
// The steps are texts that JAX made (benchmarks/peers/aot_steps.py): loss, gradients and
// an update by Adam, with the layouts of parameters and data that their users give, and
// no others: on two mesh axes, or on three. Both partitioners get the same module.
//
// A line is worse where our program sends more bytes, needs more memory at its peak or takes
// longer, by more than half a percent, or computes more than 1.02 times as much. The command fails
// if a line is worse for which known.go gives no reason.
//
// What is sent follows from the optimized module, by the formulas of package cost; the
// peak is what the compiler says, which on TPUs includes the memory on the chip, where copies
// of arguments and results are. The column "predicted" is
// our own prediction of it (cost.Machine.MemoryOf), "predicted ms" that of the time
// (cost.Machine.Predict) without what is waited for collectives, which libtpu's leaves out, too.
// Where libtpu knows no time of some ops, "step ms" is that of the others, and has no ratio.
//
//	file       what it holds
//	main.go    the command and its table
//	steps.go   the steps, compiled by both partitioners for a target
//	meshes.go  our predictions beside the compiler's figures, on all meshes
//	cache.go   what compilers said, in files
//	known.go   the lines that are worse, and why
package main
