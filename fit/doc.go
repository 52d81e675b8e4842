// Package fit says on which meshes of a target a program fits, what it sends there and
// how long a run should take, before any device is there: the verdict before
// renting one.
//
// It decides nothing itself. Package compile partitions the program for each mesh, compile/cost
// predicts it on the target's machine, and package runtime/aot asks the target's own compiler, if
// that is wanted and installed.
//
// Order of use: Meshes for all candidates, OnMesh for a module that is put on each of
// them, Search; Of for a program that is partitioned already; print the Table.
//
//	file         what it holds
//	search.go    Search: a program on each mesh of a target; Of: a program on its own mesh
//	meshes.go    the candidates: Meshes, ParseMeshes; OnMesh
//	row.go       Row: what a program costs on a mesh, by our estimate
//	compiler.go  the same by the target's compiler
//	table.go     Table: its order, and its text
package fit
