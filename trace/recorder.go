package trace

// This file defines Recorder, the user's view of a recording.

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Recorder records one GoMLX graph into an ir.Module. It exists only inside a
// call of Record.
type Recorder struct {
	// internals
}

// Output is a result of the recorded function.
type Output struct {
	Name     string
	Node     *graph.Node
	Sharding *layout.Sharding // pinned layout; nil leaves it to propagation
	// Donor names the parameter whose buffers this output takes over, as an
	// updated weight takes over the old one's; empty for none. Types must be
	// equal.
	Donor string
}

// Record calls build with a fresh Recorder and returns the module that it
// recorded, with one function, main. dm is the mesh of all shardings; nil
// records for one device.
//
// Panics of GoMLX and of build are recovered here, once, and returned as
// errors that name the op and the layer path.
func Record(name string, dm *mesh.DeviceMesh, build func(r *Recorder) ([]Output, error)) (*ir.Module, error) {
	panic("BUG: not written yet")
}

// Graph returns the GoMLX graph that is being recorded.
func (r *Recorder) Graph() *graph.Graph { panic("BUG: not written yet") }

// Param adds a parameter. Names must be unique; s pins its layout, nil leaves
// it to propagation.
func (r *Recorder) Param(name string, t ir.Type, s *layout.Sharding) *graph.Node {
	panic("BUG: not written yet")
}

// Scope runs build with the layer path extended by name: ops recorded within
// carry outer/name as their path.
func (r *Recorder) Scope(name string, build func()) { panic("BUG: not written yet") }

// Pin constrains x, and in the backward pass its gradient, to the layout s: a
// sharding_constraint. It survives differentiation.
func (r *Recorder) Pin(x *graph.Node, s *layout.Sharding) *graph.Node {
	panic("BUG: not written yet")
}

// Mark returns x, marked as the output of the layer whose Scope is running:
// when the backward pass reaches x, the ops it records from there on carry
// the path grad(layer path). A mark leaves no op in the module.
func (r *Recorder) Mark(x *graph.Node) *graph.Node { panic("BUG: not written yet") }
