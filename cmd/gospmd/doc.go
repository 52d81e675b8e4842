// Command gospmd works on StableHLO programs from the command line.
//
//	gospmd opt -passes=LIST < in.mlir    run sharding passes, print the module
//	gospmd explain FILE.mlir             say where shardings come from; -value %7, -path NAME, -html FILE
//	gospmd partition FILE.mlir           print what each device runs; -report: its cost; -suggest: layouts of lower cost
//
//	file                contents
//	main.go             the commands; gospmd opt
//	explain.go          gospmd explain
//	partition.go        gospmd partition
//	input.go            flags, and the module that a command works on
package main
