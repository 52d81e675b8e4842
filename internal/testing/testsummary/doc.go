// Command testsummary summarizes the output of go test -json for people. It prints a line for each
// package and the output of each test that failed. At the end it says how many tests passed, failed
// and were skipped, and what the skipped ones need.
//
//	go test -json ./... | go run ./internal/testing/testsummary
//
// It exits with 1 if a test or a package failed, or if there was no test.
//
//	file         what it holds
//	main.go      the command
//	results.go   the state of the tests, from the events of go test -json
//	print.go     the summary
package main
