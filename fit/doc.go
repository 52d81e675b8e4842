// Package fit says on which meshes of a target a program fits, what it sends there and how long a
// run should take. It needs no device, so you can ask it before you rent one.
//
// It has no model of its own. Package compile partitions the program for each mesh, and
// compile/cost predicts its cost on the target's machine. If you ask for it and it is installed,
// package runtime/aot runs the target's own compiler.
//
// Order of use: Meshes returns all candidate meshes, and OnMesh a function that puts a module on
// each of them. Search tries them. For a program that is already partitioned, call Of instead. Then
// print the Table.
//
//	file         what it holds
//	search.go    Search: a program on each mesh of a target; Of: a program on its own mesh
//	meshes.go    the candidates: Meshes, ParseMeshes; OnMesh
//	row.go       Row: what a program costs on a mesh, by our estimate
//	compiler.go  Compiler: the figures of the target's compiler
//	within.go    Within: a program that fits a limit by the figures of the target's compiler
//	table.go     Table: the rows in order, and as text
package fit
