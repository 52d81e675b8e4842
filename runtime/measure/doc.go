// Package measure finds out what the devices of a client compute, read and send per
// second, as a machine file for compile/cost: a product of matrices of each element
// type, a copy in memory, and collectives over groups of each size.
//
// It knows no published figures (package hardware does), and judges no program.
//
// Order of use: Client; write the MachineFile of the Result.
//
//	file         what it holds
//	measure.go   Client: what is measured, and the machine file
//	programs.go  the programs that are measured
//	meter.go     how long a program takes
//	alphabeta.go latency and bandwidth of the times of messages
//
// Times are wall times of a process that waits for each run: they have the cost of
// starting a program, which is measured too and taken off. It has been tried on CPU
// devices; on GPUs and TPUs it is untested.
package measure
