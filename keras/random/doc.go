// Package random makes Keras' random numbers as Keras makes them on JAX:
// Threefry-2x32 in JAX's partitionable scheme, where every element is computed
// from a key and the element's own index in the whole tensor. So numbers do
// not depend on the mesh, a device makes its shard alone, and nothing is
// communicated.
//
// There are two faces with one meaning. On the host, Key's Fill methods make
// any part of a tensor without an engine; variables get their first values so.
// In a traced function, TracedKey's methods build the same out of element-wise
// operations. Bits, uniform numbers, booleans and integers are equal bit for
// bit, to each other and to JAX; normal numbers of 32 bits and less equal
// JAX's on the CPU bit for bit on the host, and within a few units in the last
// place when traced.
//
// It is not a source of secrets, and it knows neither meshes nor variables: a
// SeedGenerator makes the first value of its state and moves it on, package
// keras holds it in a variable.
//
// Order of use: a Seed or SeedGenerator, its key, then numbers; or the
// functions of keras.random (Normal, Uniform, …), which do it at once.
//
//	file                what it holds
//	seed.go             Seed, SeedGenerator, SetRandomSeed
//	python.go           Python's generator, which draws seeds no one gave
//	eager.go            Normal, TruncatedNormal, Uniform, RandInt: whole tensors
//	key.go              Key and the block function
//	bits.go             random words of any part of a tensor
//	fill.go             FillUniform, FillNormal, FillTruncatedNormal, FillBernoulli
//	randint.go          FillRandInt
//	traced.go           TracedKey, random words in a traced function
//	traced_numbers.go   TracedKey's Uniform, Normal, Bernoulli, Dropout, …
//	erfinv.go           from uniform to normal: polynomials for both faces
//	format.go           the floating-point formats
package random
