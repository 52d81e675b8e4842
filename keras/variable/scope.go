package variable

// This file defines StatelessScope, through which traced code accesses
// variables.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/trace"
)

// StatelessScope holds the current node of every variable while one function
// is traced, as keras.StatelessScope does. Reading a variable that the scope
// has not seen adds it as a parameter of the recorded function; assigning
// replaces the node. Variables themselves are not touched.
type StatelessScope struct {
	Recorder *trace.Recorder

	read     []*Variable // in the order of their first use
	values   map[*Variable]*graph.Node
	assigned map[*Variable]bool
}

// NewScope returns a scope for one recording.
func NewScope(r *trace.Recorder) *StatelessScope {
	return &StatelessScope{Recorder: r, values: make(map[*Variable]*graph.Node), assigned: make(map[*Variable]bool)}
}

// Value returns the current node of v.
func (s *StatelessScope) Value(v *Variable) *graph.Node {
	if n, ok := s.values[v]; ok {
		return n
	}
	n := s.Recorder.Param(v.path, v.typ, v.Sharding())
	s.Recorder.Annotate(v.path, ir.RoleAttr, ir.String(v.role))
	s.values[v] = n
	s.read = append(s.read, v)
	return n
}

// Assign makes n the current node of v: Value returns it from here on, and v
// has its value after the function has run.
func (s *StatelessScope) Assign(v *Variable, n *graph.Node) {
	if n.DType() != v.typ.DType || !n.Shape().EqualDimensions(s.Value(v).Shape()) {
		panic(fmt.Errorf("variable %s of type %s cannot hold a value of shape %s", v.path, v.typ, n.Shape()))
	}
	s.values[v] = n
	s.assigned[v] = true
}

// Read returns the variables that became parameters, in that order.
func (s *StatelessScope) Read() []*Variable { return s.read }

// Assigned returns the variables that were assigned, in the order of Read.
func (s *StatelessScope) Assigned() []*Variable {
	var out []*Variable
	for _, v := range s.read {
		if s.assigned[v] {
			out = append(out, v)
		}
	}
	return out
}

// Outputs returns the results of the recorded function that hold the new values
// of the assigned variables. Each reuses the buffers of the old value.
func (s *StatelessScope) Outputs() []trace.Output {
	var out []trace.Output
	for _, v := range s.Assigned() {
		out = append(out, trace.Output{Name: v.path, Node: s.values[v], Sharding: v.Sharding(), Donor: v.path})
	}
	return out
}
