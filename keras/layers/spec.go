package layers

// This file finds the shape of a layer's output by tracing the layer.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// Sizes that stand for an open dimension while a layer is traced. They are
// primes that no layer uses by chance: a size of the output that differs
// between the two traces is open.
const (
	openSizeA = 83
	openSizeB = 89
)

// outputSpecs traces l.Call and returns the specs of its outputs.
func outputSpecs(l Layer, inputs []Spec) ([]Spec, error) {
	a, err := traceSpecs(l, inputs, openSizeA)
	if err != nil {
		return nil, err
	}
	b, err := traceSpecs(l, inputs, openSizeB)
	if err != nil {
		return nil, err
	}
	for i := range a {
		for d := range a[i].Shape {
			if a[i].Shape[d] != b[i].Shape[d] {
				a[i].Shape[d] = -1
			}
		}
	}
	return a, nil
}

func traceSpecs(l Layer, inputs []Spec, open int) ([]Spec, error) {
	var specs []Spec
	_, err := trace.Record("spec", meshOf(l.base().variables), func(r *trace.Recorder) ([]trace.Output, error) {
		c := &Context{StatelessScope: variable.NewScope(r)}
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
		outs := l.Call(c, nodes)
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

// meshOf returns the mesh that variables lie on, nil for one device.
func meshOf(vs []*variable.Variable) *mesh.DeviceMesh {
	for _, v := range vs {
		if s := v.Sharding(); s != nil {
			return s.Mesh
		}
	}
	return nil
}
