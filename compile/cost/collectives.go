package cost

// This file lists the collectives of a function.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Collective is a collective op of a function: what it sends and how often it runs.
type Collective struct {
	Op    *ir.Op
	Kind  Kind
	Axes  []mesh.AxisRef
	Bytes int // bytes that a device sends each time it runs
	// number of times that it runs in one run of the function; 0 in a branch other than the one
	// that sends most
	Runs int
	// Unknown says that it is in a loop whose trip count is not known. Runs then counts one
	// iteration.
	Unknown bool
}

// Total returns the bytes that a device sends in all runs.
func (c Collective) Total() int { return c.Bytes * c.Runs }

// Collectives returns the collectives of f in program order, also those in loops and branches. m is
// the mesh of their axes.
func Collectives(m *mesh.DeviceMesh, f *ir.Func) []Collective {
	var out []Collective
	each(f.Body, once, sentWeights(m), func(op *ir.Op, t times) {
		if k, ok := KindOf(op); ok {
			out = append(out, Collective{Op: op, Kind: k, Axes: Axes(m, op), Bytes: SentBytes(m, op), Runs: t.n, Unknown: t.unknown})
		}
	})
	return out
}

// Traffic returns the bytes that a device sends in one run of f. Of the branches of an if or a
// case, the one that sends most counts, and one iteration of a loop whose trip count is not known.
func Traffic(m *mesh.DeviceMesh, f *ir.Func) int { return sentWeights(m).block(f.Body) }

// sentWeights returns the weights of blocks, for the mesh m, where a block's weight is the number
// of bytes that a device sends in one run of it.
func sentWeights(m *mesh.DeviceMesh) *weights {
	return weigh(func(op *ir.Op) int { return SentBytes(m, op) })
}
