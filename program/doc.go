// Package program holds the result of compilation: the module that an engine runs, and the facts
// that a caller needs to give it arguments. Package compile makes Programs, package runtime loads
// and runs them.
//
// It neither compiles nor runs programs. Package target turns a Program's module into the input of
// an engine's compiler.
//
// Order of use: Program.Inputs and Program.Outputs for callers of the program; Program.String for
// people; Save and Open for files. Package compile/report tells the cost of a run.
//
//	file          what it holds
//	program.go    Program, its inputs and outputs, diagnostics
//	placement.go  which process each device of a mesh is in
//	table.go      the table that a Program prints
//	file.go       Programs in files: Save, Open
package program
