// Command gospmd works on StableHLO programs from the command line.
//
//	gospmd opt -passes=LIST < in.mlir    run sharding passes, print the module
//	gospmd explain FILE.mlir             for each value: the annotation, the sharding that runs, and its cause;
//	                                     -value %7, -path NAME, -overrides, -html FILE
//	gospmd lint FILE.mlir                warn about layouts that are probably mistakes
//	gospmd partition FILE.mlir           print the per-device program; -report: its cost; -suggest: layouts of lower cost;
//	                                     -budget: exit with 3 if it costs more; -memory 12GB: compute values again so that it fits;
//	                                     -keep-layouts, -layout-cost;
//	                                     -o FILE.gospmd: save the program, which partition, fit, aot, diff and explain take
//	gospmd fit -target v5e:2x4 FILE.mlir list the meshes of the target that it fits on, the bytes on each link, and how long a
//	                                     run takes: the best mesh first; -mesh 2x4,8x1, -compiler
//	gospmd aot -target v5e:2x4 FILE.mlir compile it with the compiler of absent accelerators, print that compiler's
//	                                     figures; -o FILE keeps the executable
//	gospmd diff A.mlir [B.mlir]          compare the costs of two programs, or of two layouts or meshes of one
//	gospmd doctor                        list what can run and compile programs: plugins, versions, devices; what is
//	                                     missing and the command that installs it; -platform cuda, -install tpu
//	gospmd launch -n 4 -- PROGRAM ARGS   start a program as several processes on this machine: prefixed output, ended together;
//	                                     -devices L, -logs DIR, -tls=false, -oversubscribe
//	gospmd coordinator -address HOST:PORT run the store of jobs whose processes a cluster starts
//	gospmd version                       print the revision, the Go version, and the plugins that it installs
//	gospmd help TOPIC                    print a page of docs/
//	gospmd completion SHELL              print a script for bash, zsh or fish
//
// A file named - is standard input. All commands except launch, coordinator, help and completion
// print JSON with -json. They exit with 0, with 1 after an error (doctor: if programs cannot run),
// and with 3 if a program is over its budget. launch exits with the code of the process that failed
// first.
//
//	file                contents
//	main.go             the commands; gospmd opt
//	explain.go          gospmd explain
//	lint.go             gospmd lint
//	partition.go        gospmd partition
//	fit.go              gospmd fit
//	aot.go              gospmd aot
//	diff.go             gospmd diff
//	doctor.go           gospmd doctor: its flags, and installing
//	doctor_report.go    the findings of doctor, and how they are printed
//	doctor_measure.go   -measure: how fast the devices compute, read and send
//	launch.go           gospmd launch: starts, supervises and ends processes
//	launch_limits.go    how many processes it starts
//	launch_store.go     the store of the job, and the certificates of its processes
//	launch_output.go    the output of the processes, merged line by line
//	launch_linux.go     the process groups
//	launch_other.go     systems without such process groups
//	coordinator.go      gospmd coordinator
//	version.go          gospmd version
//	help.go             gospmd help, and the usage
//	completion.go       gospmd completion
//	machine.go          the flag -machine
//	output.go           text and JSON
//	programs.go         programs from files in place of modules
//	input.go            flags, and the module of a command
package main
