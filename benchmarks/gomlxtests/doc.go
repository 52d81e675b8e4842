// Gomlxtests runs GoMLX's own tests on backends: on its own backend for XLA, and on gospmd with
// meshes.
//
//	go run ./benchmarks/gomlxtests                                      # the table, and the tests that fail on gospmd only
//	go run ./benchmarks/gomlxtests -packages ./core/graph -backends gospmd:mesh=2x4 -v
//
// It copies GoMLX's source from the module cache to a temporary directory, adds a file with a blank
// import of package gomlxbackend to the tests of each package, and runs go test there with
// GOMLX_BACKEND set. A workspace (go.work) contains both modules. GoMLX's own backend uses the same
// PJRT plugin as gospmd.
//
// A test that panics ends its package, so the others run again without it. The command fails if a
// test passes on GoMLX's own backend and not on gospmd, and known.go gives no reason.
//
//	file          what it holds
//	main.go       the command and its table
//	workspace.go  the copy of GoMLX
//	run.go        go test, and its results
//	known.go      the tests that fail on gospmd only, and why
package main
