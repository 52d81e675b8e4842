package trace

// This file runs a build function and collects what it recorded.

import (
	"errors"
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

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

// aliasing is the mark of a donated parameter: the index of the output that
// takes over its buffer, as JAX writes it.
const aliasing = "tf.aliasing_output"

// Record calls build with a fresh Recorder and returns the module that it
// recorded, with one function, main, and those that main calls. dm is the
// mesh of all shardings; nil records for one device.
//
// Panics of GoMLX and of build are recovered here, once, and returned as an
// *Error that names the op, the layer path and the source line. An error of
// build is returned as it is.
func Record(name string, dm *mesh.DeviceMesh, build func(r *Recorder) ([]Output, error)) (m *ir.Module, err error) {
	r := newRecorder(name, dm)
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, r.recovered(p)
		}
	}()
	r.graph.AssertBuilding() // ends its configuration: the functions exist from here on
	outputs, err := build(r)
	if err != nil {
		return nil, err
	}
	if err := r.checkOutputs(outputs); err != nil {
		return nil, fmt.Errorf("trace: %q: %w", name, err)
	}
	r.finish(outputs)
	return r.module, nil
}

// Input is a parameter of RecordFunc.
type Input struct {
	Name     string
	Type     ir.Type
	Sharding *layout.Sharding // pinned layout; nil leaves it to propagation
}

// RecordFunc records a plain GoMLX function of nodes: Record with a parameter
// for each input and outputs named output0, output1, ….
func RecordFunc(name string, dm *mesh.DeviceMesh,
	fn func(g *graph.Graph, inputs []*graph.Node) []*graph.Node, inputs ...Input) (*ir.Module, error) {
	return Record(name, dm, func(r *Recorder) ([]Output, error) {
		nodes := make([]*graph.Node, len(inputs))
		for i, in := range inputs {
			nodes[i] = r.Param(in.Name, in.Type, in.Sharding)
		}
		results := fn(r.Graph(), nodes)
		outputs := make([]Output, len(results))
		for i, n := range results {
			outputs[i] = Output{Name: fmt.Sprintf("output%d", i), Node: n}
		}
		return outputs, nil
	})
}

// checkOutputs reports every fault of the outputs.
func (r *Recorder) checkOutputs(outputs []Output) error {
	var errs []error
	if len(outputs) == 0 {
		errs = append(errs, errors.New("build returned no outputs: a recorded function needs at least one"))
	}
	names := make(map[string]bool, len(outputs))
	takenBy := make(map[string]string)
	for i, o := range outputs {
		fail := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("output %q: "+format, append([]any{o.Name}, args...)...))
		}
		switch {
		case o.Name == "":
			errs = append(errs, fmt.Errorf("output %d has no name: results are found by it", i))
		case names[o.Name]:
			fail("the name is used twice: output names must be unique")
		}
		names[o.Name] = true
		if o.Node == nil {
			fail("the node is nil")
			continue
		}
		if o.Node.Graph() != r.graph {
			fail("the node belongs to another graph (%q): return nodes of Recorder.Graph", o.Node.Graph().Name())
			continue
		}
		t := typeOfNode(o.Node)
		if err := r.checkSharding(t, o.Sharding); err != nil {
			fail("%w", err)
		}
		if o.Donor == "" {
			continue
		}
		index, ok := r.params[o.Donor]
		switch {
		case !ok:
			fail("donor %q is no parameter: the parameters are %q", o.Donor, r.paramNames())
		case !t.Equal(r.main.Params()[index].Type):
			fail("has type %s but its donor %q has %s: an output can take over a buffer of its own type only",
				t, o.Donor, r.main.Params()[index].Type)
		case takenBy[o.Donor] != "":
			fail("donor %q gives its buffer to output %q already: a parameter can be donated once", o.Donor, takenBy[o.Donor])
		}
		takenBy[o.Donor] = o.Name
	}
	return errors.Join(errs...)
}

// finish ends main with the outputs.
func (r *Recorder) finish(outputs []Output) {
	nodes := make([]*graph.Node, len(outputs))
	for i, o := range outputs {
		nodes[i] = o.Node
	}
	r.graph.CurrentFunc().Return(nodes, nil) // ends in function.Return
	r.main.Return(r.results...)
	for i, o := range outputs {
		r.main.Results[i].Name = o.Name
		r.main.Results[i].Sharding = o.Sharding
		if o.Donor != "" {
			p := r.params[o.Donor]
			r.main.ArgAttrs[p] = r.main.ArgAttrs[p].With(aliasing, ir.Int32(i))
		}
	}
}

func (r *Recorder) paramNames() []string {
	names := make([]string, len(r.main.Params()))
	for i, p := range r.main.Params() {
		names[i] = p.Name
	}
	return names
}

// checkSharding says what is wrong with pinning a value of type t to s.
func (r *Recorder) checkSharding(t ir.Type, s *layout.Sharding) error {
	switch {
	case s == nil:
		return nil
	case r.mesh == nil:
		return fmt.Errorf("is pinned to %s, but the recording has no mesh: give Record the mesh, or pin nothing", s)
	case !s.Mesh.Equal(r.mesh):
		return fmt.Errorf("is pinned to %s on mesh %s, but the recording's mesh is %s: use one mesh for all", s, s.Mesh, r.mesh)
	case len(s.Dims) != t.Rank():
		return fmt.Errorf("is pinned to %s, which has %d dimensions, but its type %s has %d: give one entry for each dimension",
			s, len(s.Dims), t, t.Rank())
	}
	return nil
}
