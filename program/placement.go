package program

// This file defines Placement: which process each device of a mesh is in.

import "slices"

// Placement says, for each position of a mesh, which process its device is in. It is for programs
// whose mesh spans the devices of several processes. A nil *Placement means one process with all
// devices.
type Placement struct {
	Process []int // rank of the process, by position of the mesh
	Self    int   // rank of this process
}

// Local returns the positions whose devices are in this process, ascending. p must not be nil.
func (p *Placement) Local() []int {
	var out []int
	for pos, process := range p.Process {
		if process == p.Self {
			out = append(out, pos)
		}
	}
	return out
}

// Processes returns the ranks of the processes that have devices of the mesh, ascending. p must not
// be nil.
func (p *Placement) Processes() []int {
	var out []int
	for process := range slices.Max(p.Process) + 1 {
		if slices.Contains(p.Process, process) {
			out = append(out, process)
		}
	}
	return out
}

// Crosses reports whether the devices at these positions are in more than one process. p must not
// be nil.
func (p *Placement) Crosses(positions ...int) bool {
	for _, pos := range positions {
		if p.Process[pos] != p.Process[positions[0]] {
			return true
		}
	}
	return false
}
