// Package program holds what compilation ends in: the module that an engine
// runs, and what a caller must know to give it arguments. Package compile makes
// Programs, package runtime loads and runs them.
//
// It is not the compiler and runs nothing.
//
// Order of use: Program.TextFor for an engine, Shared for devices of the CPU that
// share memory, or LocalText where several processes have its devices; Program.Inputs and Program.Outputs
// for whoever calls the program; Program.String for people; Save and Open for files. Package
// compile/report says what a run costs.
//
//	file          what it holds
//	program.go    Program, its inputs and outputs, diagnostics
//	platform.go   the module for the compilers of accelerators
//	placement.go  which process each device of a mesh is in
//	shared.go     the module for devices that share a process' memory
//	local.go      the module of one process of several; the collectives that cross processes
//	table.go      the table that a Program prints
//	file.go       Programs in files: Save, Open
package program
