// Command gospmd works on StableHLO programs from the command line.
//
//	gospmd opt -passes=LIST < in.mlir    run sharding passes, print the module
//	gospmd explain FILE.mlir             say of each value what was asked for, what runs, and because of what;
//	                                     -value %7, -path NAME, -overrides, -html FILE
//	gospmd lint FILE.mlir                warn about layouts that are mistakes
//	gospmd partition FILE.mlir           print what each device runs; -report: its cost; -suggest: layouts of lower cost;
//	                                     -budget: exit with 3 if it costs more; -memory 12GB: compute values again so that it fits;
//	                                     -keep-layouts, -layout-cost;
//	                                     -o FILE.gospmd: keep the program, which partition and aot take in place of a module
//	gospmd fit -target v5e:2x4 FILE.mlir say on which meshes it fits there, what it sends by which link, and how long a
//	                                     run takes: the best mesh first; -mesh 2x4,8x1, -compiler
//	gospmd aot -target v5e:2x4 FILE.mlir compile it with the compiler of accelerators that are not there, print that one's
//	                                     figures; -o FILE keeps the executable
//	gospmd diff A.mlir [B.mlir]          compare what two programs cost, or two layouts or meshes of one
//	gospmd doctor                        say what there is to run and compile programs with: plugins, versions, devices; what is
//	                                     missing and the command that mends it; -platform cuda, -install tpu
//	gospmd launch -n 4 -- PROGRAM ARGS   start a program as several processes on this machine: prefixed output, ended together;
//	                                     -devices L, -logs DIR, -tls=false, -oversubscribe
//	gospmd coordinator -address HOST:PORT hold what the processes of a job tell each other, where a cluster starts them
//	gospmd version                       say which gospmd this is: revision, Go, and the plugins that it installs
//	gospmd help TOPIC                    print a page of docs/
//	gospmd completion SHELL              print a script for bash, zsh or fish
//
// A file named - is standard input. All commands except launch, coordinator, help and completion
// print JSON for -json. They exit with 0, with 1 after an error (doctor: where programs cannot
// run), and with 3 where a program is over its budget; launch with the exit code of the process
// that failed first.
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
//	doctor_report.go    what it finds, and how that is printed
//	doctor_measure.go   -measure: what the devices compute, read and send
//	launch.go           gospmd launch: starts, supervises and ends processes
//	launch_limits.go    how many it starts
//	launch_store.go     the store of the job, and the certificates of its processes
//	launch_output.go    their output, merged line by line
//	launch_linux.go     their process groups
//	launch_other.go     its replacement where there are none
//	coordinator.go      gospmd coordinator
//	version.go          gospmd version
//	help.go             gospmd help, and the usage
//	completion.go       gospmd completion
//	machine.go          the flag -machine
//	output.go           text and JSON
//	programs.go         programs from files in place of modules
//	input.go            flags, and the module that a command works on
package main
