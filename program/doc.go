// Package program holds what compilation ends in: the module that an engine
// runs, and what a caller must know to give it arguments. Package compile makes
// Programs, package runtime loads and runs them.
//
// It is not the compiler and runs nothing. Package target makes of a Program's module
// what an engine's compiler gets.
//
// Order of use: Program.Inputs and Program.Outputs for whoever calls the program;
// Program.String for people; Save and Open for files. Package compile/report says what a run
// costs.
//
//	file          what it holds
//	program.go    Program, its inputs and outputs, diagnostics
//	placement.go  which process each device of a mesh is in
//	table.go      the table that a Program prints
//	file.go       Programs in files: Save, Open
package program
