// Package measure measures how fast the devices of a client compute, read and send.
//
// It times a matrix product of each element type, a copy in memory, and collectives over groups of
// each size. It writes the results as a machine file for package compile/cost.
//
// It knows no published figures (package hardware does), and predicts nothing about programs
// (package cost does).
//
// Order of use: Client; write the MachineFile of the Result.
//
//	file         what it holds
//	measure.go   Client: the measurements, and the machine file
//	programs.go  the programs that are measured
//	meter.go     the time of a program
//	alphabeta.go latency and bandwidth, from the times of messages
//
// Times are wall times of a process that waits for each run: they include the time to start a
// program, which is measured too and subtracted. It has been tried on CPU devices; on GPUs and TPUs
// it is untested.
package measure
