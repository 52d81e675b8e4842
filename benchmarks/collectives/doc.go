// Collectives compares the communication of programs as gospmd's partitioner and
// XLA's own compile them, on the same modules and by the same formula (package
// cost): the bytes that a device sends in one training step, and the number of
// collectives.
//
//	go run ./benchmarks/collectives              # the table
//	go run ./benchmarks/collectives -report      # and gospmd's report of each program
//	go run ./benchmarks/collectives -json        # the lines for programs
//
// The command fails if a line is worse than XLA's.
//
//	file     what it holds
//	main.go  the program and its table
//	xla.go   XLA's partitioning of a program, and the collectives in what XLA dumps
package main
