package target

// This file defines what one process of several runs of a Program: the module of
// its devices, and the collectives in it that other processes take part in.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// CrossingCall is the target of the custom calls that stand, in the module of one process, for the
// collectives that cross processes. They have the operands and results of the collective, laid out
// row by row. The last operand and result is a number without meaning that makes the calls follow
// each other. For minima and maxima, floats become integers in the same order, where NaN wins. The
// attributes
//
//	backend_config = {channel = 2 : i64, program = 1 : i64}
//
// name the Crossing and its program, by the number given to LocalText.
const CrossingCall = "gospmd_collective"

// Crossing is a collective that crosses processes.
type Crossing struct {
	Channel int    // its index among the crossings of the program, the same in all processes
	Op      *ir.Op // the op of the spmd dialect, in the program's module
	// Summed says that the operands of the devices of a group that are in the same
	// process are combined before the call, and are all the same.
	Summed bool
}

// LocalText returns the module that CPUs of process at.Self run, in the form that
// Text returns, and its crossings by channel. Replica i of it is the device at position
// at.Local()[i] of the mesh. The program is of the form PerDevice.
func LocalText(p *program.Program, at *program.Placement, number int) ([]byte, []Crossing) {
	if p.Form != program.PerDevice {
		panic("BUG: the module of " + p.Name + " is for the devices of one process")
	}
	m, crossings := emit(p.Module, at, number)
	return text(m), crossings
}
