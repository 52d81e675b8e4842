package goengine

// This file counts the bytes that collectives send.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// Traffic is what one collective of the program has sent in all runs.
type Traffic struct {
	Op   *ir.Op
	Runs int   // how often it ran
	Sent []int // bytes, by position of the mesh
}

// Most returns the bytes of the device that sent most.
func (t Traffic) Most() int { return slices.Max(t.Sent) }

// Traffic returns what the collectives have sent so far, in the order of the
// program. It must not be called during a run.
func (e *Executable) Traffic() []Traffic {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]Traffic, len(e.order))
	for i, op := range e.order {
		out[i] = *e.traffic[op]
		out[i].Sent = slices.Clone(out[i].Sent)
	}
	return out
}

func (e *Executable) count(x *exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.traffic[x.op]
	if t == nil {
		return // it sends nothing
	}
	t.Runs++
	for pos, n := range x.sent {
		t.Sent[pos] += n
	}
}
