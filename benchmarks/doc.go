// Benchmarks compares gospmd with its peers in one run: the workers take turns, a round
// each, so that other load of the machine slows all alike.
//
//	go run ./benchmarks                                            # everything
//	go run ./benchmarks -suite step -models mlp -meshes 2x4        # a part of it
//	go run ./benchmarks -peers xla                                 # what needs no Python
//	go run ./benchmarks -suite step -peers "" -before OLD          # OLD: a build of an older commit
//	go run ./benchmarks -json results.json -plot plots             # for tools, and to look at
//
// README.md says what each suite measures and how to read it, and has the figures of a run.
//
// A flow from left to right: main.go reads the flags; bench.go goes through models, meshes
// and suites; turns.go starts the workers of one model on one mesh (package internal/worker;
// internal/ours is what we do in one, peers/bench_*.py what the peers do) and suite_*.go ask
// them; results.go keeps what they say; compare.go makes ratios of it and holds them to
// targets; table.go and plot.go show these.
//
//	file            what it holds
//	main.go         the command: its flags
//	bench.go        the run
//	peers.go        the workers: how they are started, what they are asked
//	turns.go         the workers of one model on one mesh
//	suites.go       the suites, and those that ask each worker once
//	suite_step.go   training steps, and fit
//	suite_start.go  from the start of a process to the first loss
//	suite_scale.go  our front end, by layers and devices
//	results.go      what was measured, and its statistics
//	compare.go      ratios and targets
//	table.go        the tables
//	plot.go         the plots
//	progress.go     what is shown meanwhile
package main
