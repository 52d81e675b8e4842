// Package initializers makes the first values of variables: Keras' initializers, under their names
// and with their defaults.
//
// An Initializer can fill any part of a tensor. The part gets the numbers that the full tensor has
// there, so that a variable is made on the devices shard by shard. With the same seed the numbers
// are those of Keras on JAX; those of Orthogonal differ by rounding.
//
// It does not depend on package variable: an Initializer implements variable.Filler.
//
// Order of use: a constructor with options, or Get with a name; then Fill.
//
//	file            what it holds
//	initializer.go  Initializer, the options of all constructors, Get; Zeros, Ones, Identity
//	array.go        Constant, arrays in place of an initializer
//	random.go       RandomNormal, RandomUniform, TruncatedNormal, VarianceScaling, Glorot…, He…, Lecun…, Orthogonal
package initializers
