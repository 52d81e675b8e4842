// Package sdy reads and writes what a program states in Shardy's dialect: shardings as attributes,
// data-flow edges, sharding constraints and sharding groups. Propagation (package sharding) and
// Shardy's passes around it (package shardypasses) are both built on it.
//
// It knows neither sharding rules nor how shardings propagate.
//
//	file            contents
//	attrs.go        where a program states the sharding of a value; changing all shardings
//	dataflow.go     how values flow between blocks; shardings inside and outside of manual computations
//	edges.go        data-flow edges added and removed
//	constraints.go  sharding constraints applied to the values that they constrain
//	groups.go       sharding groups merged and numbered
//	ops.go          properties of ops and functions: dead, element-wise, called
package sdy
