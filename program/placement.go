package program

// This file defines Placement: which process each device of a mesh is in.

import "slices"

// Placement says in which process the device of each position of a mesh is, for
// programs whose mesh spans the devices of several processes. A nil *Placement
// is one process with all devices.
type Placement struct {
	Process []int // by position of the mesh
	Self    int   // this process
}

// Local returns the positions whose devices are in this process, ascending.
func (p *Placement) Local() []int {
	var out []int
	for pos, process := range p.Process {
		if process == p.Self {
			out = append(out, pos)
		}
	}
	return out
}

// Processes returns the processes that have devices of the mesh, ascending.
func (p *Placement) Processes() []int {
	var out []int
	for process := range slices.Max(p.Process) + 1 {
		if slices.Contains(p.Process, process) {
			out = append(out, process)
		}
	}
	return out
}

// Crosses reports whether devices at several of the positions are in different
// processes.
func (p *Placement) Crosses(positions ...int) bool {
	for _, pos := range positions {
		if p.Process[pos] != p.Process[positions[0]] {
			return true
		}
	}
	return false
}
