package page

// This file adds the time of each op, and the kernels.

import (
	"math"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// picoseconds is the number of units of Page.Ops.Time in a second.
const picoseconds = 1e12

// kernels has the columns of the kernels. It is empty unless the machine has a scale.
type kernels struct {
	Op    column `json:"op"` // the last op of the kernel
	Flops column `json:"flops"`
	Bytes column `json:"bytes"` // bytes that it reads from memory and writes there
	Time  column `json:"time"`  // of one run, in picoseconds
}

// addTimes adds the time of each op, and the kernels. All ops must have been added. The time of a
// kernel is divided among its ops in proportion to their FLOPs; without FLOPs its last op has it
// all. An op that sends takes the time of sending, and on TPUs that of its accesses to memory. If
// the machine has no scale, there are no kernels, and the other ops take the time of their FLOPs.
func (r *rows) addTimes(dm *mesh.DeviceMesh, f *ir.Func) {
	seconds := map[*ir.Op]float64{}
	if r.machine.HasScale() {
		for _, k := range r.machine.Kernels(dm, f) {
			if at, known := r.ops[k.Op]; known && (k.Bytes > 0 || k.Flops > 0) {
				c := &r.Kernels
				c.Op, c.Flops, c.Bytes, c.Time = append(c.Op, at), append(c.Flops, k.Flops), append(c.Bytes, k.Bytes), append(c.Time, toPicoseconds(k.Seconds))
			}
			for _, op := range k.Ops {
				if k.Flops > 0 {
					seconds[op] += k.Seconds * float64(cost.OpFlops(op)) / float64(k.Flops)
				} else if op == k.Op {
					seconds[op] += k.Seconds
				}
			}
		}
	}
	for at, op := range r.order {
		s := seconds[op]
		if c, sends := r.sent[op]; sends && c.Bytes > 0 {
			s += r.machine.LinkOver(c.Axes).Seconds(c.Bytes)
		} else if !r.machine.HasScale() {
			s = float64(r.Ops.Flops[at]) / r.machine.FlopsPerSecond
		}
		r.Ops.Time = append(r.Ops.Time, toPicoseconds(s))
	}
}

func toPicoseconds(seconds float64) int { return int(math.Round(seconds * picoseconds)) }
