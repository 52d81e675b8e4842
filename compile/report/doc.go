// Package report says what one run of a compiled program costs each device: collectives and their
// bytes, arithmetic, memory, the speed-up over one device. All of this is known before the program
// runs; nothing is measured.
//
// It does not estimate costs itself: package compile/cost does. It does not change programs.
//
// Order of use: New; then Report.String for people, the JSON form for tools, or Budget.Check to
// compare the costs with limits. Compare compares two programs.
//
//	file       what it holds
//	report.go  Report, and New, which makes it for a program
//	speed.go   SpeedUp: the predicted speed-up over one device; the predicted time of a run
//	table.go   the tables that a Report prints
//	live.go    the values at the peak of memory, with one line for repeated blocks
//	budget.go  Budget: limits on what a program may cost
//	diff.go    Compare: what two layouts or meshes of a program cost
package report
