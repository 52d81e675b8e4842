//go:build cgo

package runtime

// This file moves arguments to the memory of the host where a program on PJRT expects them there.

import (
	"fmt"
	"slices"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// checkMemories returns an error if p keeps inputs or outputs in memory of the host, and a device
// of c cannot read such memory.
func (c *pjrtClient) checkMemories(p *program.Program) error {
	if c.pinnedHost {
		return nil
	}
	all := make([]program.TensorInfo, 0, len(p.Inputs)+len(p.Outputs))
	for _, in := range p.Inputs {
		all = append(all, in.TensorInfo)
	}
	for _, out := range p.Outputs {
		all = append(all, out.TensorInfo)
	}
	for _, t := range all {
		if t.Memory.OnHost() {
			return fmt.Errorf("it keeps %q in the memory %s, which not all devices of the platform %s have: compile it without OffloadOptimizer", t.Name, t.Memory, c.c.Platform())
		}
	}
	return nil
}

// inHostMemory returns args. An argument that the program expects in the memory of the host, and
// that is elsewhere, is replaced by a copy there. That happens to the first values of an
// optimizer's slots; later values are results of the program, which are there. The caller calls end
// when the execution has started, or has failed to: it frees the copies that the execution has not
// taken over, and the donated arguments that have a copy.
func (p *pjrtProgram) inHostMemory(args []DriverBuffer) (out []DriverBuffer, end func(donated []int, started bool), err error) {
	out = args
	if !p.hostInputs {
		return args, func([]int, bool) {}, nil
	}
	var moved []int
	end = func(donated []int, started bool) {
		for _, i := range moved {
			switch copied := out[i].(*pjrtBuffer); {
			case !started, !slices.Contains(donated, i):
				copied.Free()
			default:
				args[i].Free()
			}
		}
	}
	for i, a := range args {
		from := a.(*pjrtBuffer)
		if !p.inputs[i%len(p.inputs)].Memory.OnHost() || from.onHost {
			continue
		}
		if moved == nil {
			out = slices.Clone(args)
		}
		var raw *pjrt.Buffer
		if err := guard(func() (err error) { raw, err = pjrtapi.ToHostMemory(from.b); return err }); err != nil {
			end(nil, false)
			return nil, nil, fmt.Errorf("moving the input %q to the memory of the host: %w", p.inputs[i%len(p.inputs)].Name, err)
		}
		to := p.client.own(raw, 0) // of the memory of devices
		to.onHost = true
		out[i], moved = to, append(moved, i)
	}
	return out, end, nil
}
