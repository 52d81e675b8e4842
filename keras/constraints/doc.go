// Package constraints holds constraints: projections of weights after each step of the optimizer,
// keras.constraints in Go.
//
// It does not apply them: package optimizers does, to each variable whose layer was made with a
// constraint.
//
// Order of use in a program: make a Constraint, and pass it or its name to a layer as an option,
// such as layers.KernelConstraint. The layer calls Get, which takes either; package optimizers
// calls Call while tracing.
// FromConfig makes a constraint from its config in a file.
//
//	file           what it holds
//	constraints.go MaxNorm, MinMaxNorm, UnitNorm, NonNeg; Get, FromConfig
package constraints
