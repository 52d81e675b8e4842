package target

// This file defines what one process of several runs of a Program: the module for its devices, and
// its crossings, which are the collectives that other processes take part in.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// CrossingCall is the target of the custom calls that replace, in the module of one process, the
// collectives that cross processes. They have the operands and results of the collective, in
// row-major memory layout. The last operand and result is a number without meaning, which puts the
// calls in order. For minima and maxima, floats become integers in the same order, such that NaN
// wins. The attributes
//
//	backend_config = {channel = 2 : i64, program = 1 : i64}
//
// identify the Crossing by its channel, and the program by the number that LocalText gets.
const CrossingCall = "gospmd_collective"

// Crossing is a collective whose groups have devices of several processes.
type Crossing struct {
	Channel int    // index among the crossings of the program; the same in all processes
	Op      *ir.Op // op of the spmd dialect, in the program's module
	// Summed says that the operands of a group's devices in one process are combined before the
	// call. So they are all equal.
	Summed bool
}

// LocalText returns the module that the CPUs of process at.Self run, as text like that of
// Target.Text. It also returns the module's crossings, the collectives in which other processes
// take part, in the order of their channels. Replica i of the module is the device at position
// at.Local()[i] of the mesh. p must be of Form PerDevice. number identifies the program in the
// custom calls of CrossingCall.
func LocalText(p *program.Program, at *program.Placement, number int) ([]byte, []Crossing) {
	if p.Form != program.PerDevice {
		panic("BUG: the module of " + p.Name + " is for the devices of one process")
	}
	m, crossings := emit(p.Module, at, number)
	return text(m), crossings
}
