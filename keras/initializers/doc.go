// Package initializers makes the first values of variables: Keras'
// initializers, under their names and with their defaults.
//
// An Initializer fills any part of a tensor by itself and always gives that
// part the numbers that the whole would have there, so a variable comes to the
// devices shard by shard. With the same seed the numbers are those of Keras on
// JAX.
//
// It is not tied to variables: whoever makes one calls Fill (see
// variable.Filler).
//
// Order of use: a constructor with options, or Get with a name; then Fill.
//
//	file              what it holds
//	initializer.go    Initializer, and the options of all constructors
//	names.go          Get: initializers by name
//	constant.go       Zeros, Ones, Constant, Identity
//	random.go         RandomNormal, RandomUniform, TruncatedNormal
//	scaling.go        VarianceScaling, Glorot…, He…, Lecun…
//	orthogonal.go     Orthogonal
package initializers
