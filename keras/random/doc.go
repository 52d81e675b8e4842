// Package random generates the random numbers of keras.random, as Keras does on JAX.
//
// The generator is Threefry-2x32 in JAX's partitionable scheme: it computes each element from a key
// and the element's index in the full tensor. So the numbers do not depend on the mesh, each device
// generates its own shard, and nothing is communicated.
//
// The numbers are implemented twice. On the host, Key's Fill methods make any
// part of a tensor without an engine; variables get their first values from
// them. In a traced function, TracedKey's methods compute the same numbers by
// element-wise operations. Bits, uniform numbers, booleans and integers of both
// equal JAX's bit for bit. Normal numbers of up to 32 bits equal those of JAX on
// the CPU bit for bit on the host, and within a few units in the last place when
// traced.
//
// Do not use it for secrets. It does not import meshes or variables: a
// SeedGenerator computes the first and each next value of its state; package
// keras holds the state in a variable.
//
// Order of use: a Seed or SeedGenerator, its key, then numbers; or the functions
// of keras.random (Normal, Uniform, …), which combine these steps.
//
//	file       what it holds
//	seed.go    Seed, SeedGenerator, SetRandomSeed, Python's generator; Normal, TruncatedNormal, Uniform, RandInt: full tensors on the host
//	key.go     Key, the block function, FillBits
//	fill.go    FillUniform, FillNormal, FillTruncatedNormal, FillBernoulli, FillRandInt
//	traced.go  TracedKey: Bits, Uniform, Normal, Bernoulli, RandInt, Dropout, Categorical
//	gamma.go   LogGamma, Beta: numbers that are drawn until one fits; Permutation
//	floats.go  floating-point formats and the inverse error function
package random
