// Package report says what one run of a compiled program costs each device:
// collectives and their bytes, arithmetic, memory, the speed-up over one
// device. It all is known before the program runs; nothing is measured.
//
// It does not estimate costs itself (package compile/cost does), and it changes
// no program.
//
// Order of use: New; then Report.String for people, JSON for tools, or
// Budget.Check to hold a program to limits; Compare for two programs.
//
//	file       what it holds
//	report.go  Report and how it is made of a program
//	speed.go   SpeedUp: the predicted speed-up over one device; the predicted time of a run
//	table.go   the tables that a Report prints
//	live.go    the values at the peak of memory, a repeated block in one line
//	budget.go  Budget: limits on what a program may cost
//	fitting.go  what was done to fit into a limit of memory
//	diff.go    Compare: what two layouts or meshes of a program cost
package report
