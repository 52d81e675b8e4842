// Benchmarks compares gospmd with its peers in one run: the workers take turns, so that other load
// of the machine slows all of them down alike.
//
//	go run ./benchmarks                                            # everything
//	go run ./benchmarks -suite step -models mlp -meshes 2x4        # a part of it
//	go run ./benchmarks -peers xla                                 # what needs no Python
//	go run ./benchmarks -suite step -peers "" -before OLD          # OLD: a build of an older commit
//	go run ./benchmarks -json results.json -plot plots             # for tools, and to look at
//
// README.md says what each suite measures and how to read it, and has the figures of a run.
//
// A run works as follows. main.go reads the flags. bench.go iterates over models, meshes and
// suites. turns.go starts the workers of one model on one mesh (package internal/worker;
// internal/ours is our worker, and peers/bench_*.py are those of the peers). suite_*.go send them
// requests. results.go keeps the measurements. compare.go computes ratios, and checks them against
// targets. table.go and plot.go show them.
//
//	file            what it holds
//	main.go         the command: its flags
//	bench.go        the run
//	peers.go        the workers: how they are started, and their requests
//	turns.go         the workers of one model on one mesh
//	suites.go       the list of suites, and the suites with few requests to each worker
//	suite_step.go   training steps, and fit
//	suite_start.go  from the start of a process to the first loss
//	suite_policies.go  training steps at the peaks of jax.checkpoint's policies
//	suite_scale.go  our front end, by numbers of layers and devices
//	results.go      the measurements, and their statistics
//	compare.go      ratios and targets
//	table.go        the tables
//	plot.go         the plots
//	progress.go     the progress of a run
package main
