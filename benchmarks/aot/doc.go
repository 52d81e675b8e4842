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
// if a line is worse and known.go gives no reason.
//
// The bytes sent follow from the optimized module, by the formulas of package cost. The peak is the
// compiler's figure; on TPUs it includes the memory on the chip, which has copies of arguments and
// results. The column "predicted" is our own prediction of the peak (cost.Machine.MemoryOf).
// "predicted ms" is our prediction of the time (cost.Machine.Predict), without waits for
// collectives: libtpu's time leaves them out, too. Where libtpu knows no time for some ops, "step
// ms" is the time of the other ops, and has no ratio.
//
//	file       what it holds
//	main.go    the command and its table
//	steps.go   the steps, compiled by both partitioners for a target
//	meshes.go  our predictions beside the compiler's figures, on all meshes
//	cache.go   what compilers said, in files
//	known.go   the lines that are worse, and why
package main
