package layers

// This file finds the shape of a layer's output by tracing the layer.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// openSizes are pairs of sizes that stand for an open dimension while a layer
// is traced: a size of the output that differs between the two traces is open.
// They lie far apart, so that windows and strides up to their difference change
// the output, and most numbers divide them, so that reshapes fit. The second
// pair is for layers that take no dimension as large as the first.
var openSizes = [][2]int{{5040, 10080}, {60, 84}}

// outputSpecs traces l.Call and returns the specs of its outputs.
func outputSpecs(l Layer, inputs []Spec) ([]Spec, error) {
	var first error
	for _, sizes := range openSizes {
		a, err := traceSpecs(l, inputs, sizes[0])
		if err == nil {
			var b []Spec
			if b, err = traceSpecs(l, inputs, sizes[1]); err == nil {
				return merged(a, b), nil
			}
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// merged returns a with the sizes open in which it differs from b.
func merged(a, b []Spec) []Spec {
	for i := range a {
		for d := range a[i].Shape {
			if a[i].Shape[d] != b[i].Shape[d] {
				a[i].Shape[d] = None
			}
		}
	}
	return a
}

func traceSpecs(l Layer, inputs []Spec, open int) ([]Spec, error) {
	var specs []Spec
	_, err := trace.Record("spec", meshOf(l.base().Variables()), func(r *trace.Recorder) ([]trace.Output, error) {
		c := &Context{StatelessScope: variable.NewScope(r), open: open}
		nodes := make([]*graph.Node, len(inputs))
		for i, in := range inputs {
			dims := make([]int, len(in.Shape))
			for d, size := range in.Shape {
				dims[d] = size
				if size < 0 {
					dims[d] = open
				}
			}
			nodes[i] = r.Param(fmt.Sprintf("input%d", i), ir.Tensor(in.DType, dims...), nil)
		}
		outs, err := c.call(l, nodes)
		if err != nil {
			return nil, err
		}
		if len(outs) == 0 {
			return nil, fmt.Errorf("Call returned no output")
		}
		results := make([]trace.Output, len(outs))
		for i, n := range outs {
			specs = append(specs, Spec{Shape: append([]int{}, n.Shape().Dimensions...), DType: n.DType()})
			results[i] = trace.Output{Name: fmt.Sprintf("output%d", i), Node: n}
		}
		return results, nil
	})
	return specs, err
}

// meshOf returns the mesh that variables lie on, nil for one device. Where there
// are none yet, it is the mesh of those that are to be made.
func meshOf(vs []*variable.Variable) *mesh.DeviceMesh {
	for _, v := range vs {
		if s := v.Sharding(); s != nil {
			return s.Mesh
		}
	}
	if d := distribution.Current(); d != nil && len(vs) == 0 {
		return d.DeviceMesh()
	}
	return nil
}
