// Package layerpath reads the layer paths of ops. It finds the names of the layers that an op is
// part of, whether the op belongs to the backward pass, and which layers are repeats of each other.
// It knows the paths that package trace writes (grad(block0_attention)) and those of JAX
// (jit(step)/transpose(jvp(block0))/mlp/dot_general).
//
// It is not ir.Location, which holds a path as text and does not read it.
//
// Order of use: Inside where calls are inlined; Parse for one path; NewTree for all paths of a
// program, then Tree.Place for each of them.
//
//	file     what it holds
//	path.go  Parse: the layers that a path names; Inside: the path of an inlined op; Again and
//	         AgainPart: ops that compute a value again
//	tree.go  Tree: the layers of a program, repeats folded
package layerpath
