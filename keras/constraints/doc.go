// Package constraints holds what weights are projected to after each step of the
// optimizer: keras.constraints in Go.
//
// It does not apply them: package optimizers does, to variables whose layers were made
// with one.
//
// Order of use: Get, from the name or the Constraint that a user gave, then Call while
// tracing. FromConfig makes one of a file.
//
//	file           what it holds
//	constraints.go MaxNorm, MinMaxNorm, UnitNorm, NonNeg; Get, FromConfig
package constraints
