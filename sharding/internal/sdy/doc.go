// Package sdy reads and writes what a program states in Shardy's dialect:
// shardings as attributes, data-flow edges, sharding constraints and sharding
// groups. Propagation (package sharding) and Shardy's passes around it (package
// shardypasses) are both built on it.
//
// It knows neither sharding rules nor how shardings propagate.
//
//	file            contents
//	attrs.go        where a program states the sharding of a value; changing all of them
//	dataflow.go     how values flow between blocks; data-flow edges
//	constraints.go  applying sharding constraints to the values that they constrain
//	groups.go       merging and numbering sharding groups
//	symbols.go      the main function, the function that a call calls
//	dead.go         which ops nothing needs
//	edit.go         changing the op lists of blocks
package sdy
