package layers

// This file traces a layer when it is applied, to find the shapes of its outputs and which of their
// dimensions are open.

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// traced holds the results of tracing a call of a layer.
type traced struct {
	specs   []Spec   // of the outputs
	masks   []*Spec  // of the outputs' masks, nil for none
	metrics []string // names given to AddMetric
}

// specsOf returns the types of the outputs, their masks and the added metrics of a call of l for
// inputs of these types and masks, by tracing it. It builds the layer first if necessary. A layer
// that runs on the host only is asked by HostSpecs. Inputs that do not fit, and outputs that are
// too large, are errors.
func specsOf(l Layer, scope string, inputs []Spec, masks []*Spec) (traced, error) {
	b := l.base()
	if !b.built {
		of, _ := Called(l)
		if err := build(of, scope, inputs); err != nil {
			return traced{}, err
		}
	}
	var out traced
	var err error
	if h, ok := hostOnly(l); ok {
		out.specs, err = h.HostSpecs(inputs)
	} else {
		out, err = outputSpecs(l, inputs, masks)
	}
	if err != nil {
		return out, fmt.Errorf("layer %s (%s) with input %v: %w", b.name, TypeName(l), inputs, err)
	}
	for _, s := range out.specs {
		if err := s.checkSize(); err != nil {
			return out, fmt.Errorf("layer %s (%s) with input %v: output: %w", b.name, TypeName(l), inputs, err)
		}
	}
	return out, nil
}

// openSizes are pairs of sizes that replace an open dimension while a layer is
// traced twice: sizes of the output that differ between the traces are open. The
// sizes of a pair are far apart, so that they differ also behind windows and
// strides up to their difference, and they have many divisors, so that reshapes
// fit. The second pair is for layers that cannot take a dimension as large as
// those of the first.
var openSizes = [][2]int{{5040, 10080}, {60, 84}}

// checkSize returns an error if a tensor of the spec would be too large to compute
// with its size, with open dimensions as large as those that layers are traced with.
func (s Spec) checkSize() error {
	dims := slices.Clone(s.Shape)
	for i, d := range dims {
		if d == None {
			dims[i] = openSizes[0][1]
		}
	}
	if _, ok := ir.Elements(dims...); !ok {
		return fmt.Errorf("a tensor of shape %s is too large: want at most 2^56 elements, with %d for each open dimension", ShapeText(s.Shape), openSizes[0][1])
	}
	return nil
}

// outputSpecs traces l.Call twice, with two sizes for each open dimension, and returns the types of
// its outputs: a dimension that differs between both traces is open. If that fails it tries two
// smaller sizes, and returns the first error if these fail too.
func outputSpecs(l Layer, inputs []Spec, masks []*Spec) (traced, error) {
	var first error
	for _, sizes := range openSizes {
		a, err := traceSpecs(l, inputs, masks, sizes[0])
		if err == nil {
			var b traced
			if b, err = traceSpecs(l, inputs, masks, sizes[1]); err == nil {
				for i := range a.specs {
					markOpen(&a.specs[i], &b.specs[i])
					markOpen(a.masks[i], b.masks[i])
				}
				return a, nil
			}
		}
		if first == nil {
			first = openError{err, sizes[0]}
		}
	}
	return traced{}, first
}

// openError is an error of a trace, whose text has None for the size of open dimensions.
type openError struct {
	error
	size int
}

func (e openError) Error() string {
	return regexp.MustCompile(fmt.Sprintf(`\b%d\b`, e.size)).ReplaceAllString(e.error.Error(), "None")
}

func (e openError) Unwrap() error { return e.error }

// markOpen sets each dimension of a whose size differs from that of b to None. Both have the same
// number of dimensions, or are nil.
func markOpen(a, b *Spec) {
	for d := range a.dims() {
		if a.Shape[d] != b.Shape[d] {
			a.Shape[d] = None
		}
	}
}

// dims returns the shape of s, or nil if s is nil.
func (s *Spec) dims() []int {
	if s == nil {
		return nil
	}
	return s.Shape
}

// sized adds a parameter of type s to the recording r, with the size open for its open dimensions,
// and returns its node.
func (s Spec) sized(r *trace.Recorder, name string, open int) *graph.Node {
	dims := slices.Clone(s.Shape)
	for d, size := range dims {
		if size < 0 {
			dims[d] = open
		}
	}
	return r.Param(name, ir.Tensor(s.DType, dims...), nil)
}

func traceSpecs(l Layer, inputs []Spec, masks []*Spec, open int) (out traced, err error) {
	_, err = trace.Record("spec", meshOf(l.base().Variables()), func(r *trace.Recorder) ([]trace.Output, error) {
		c := &Context{StatelessScope: variable.NewScope(r), open: open}
		nodes := make([]*graph.Node, len(inputs))
		for i, in := range inputs {
			nodes[i] = in.sized(r, fmt.Sprintf("input%d", i), open)
			if masks[i] != nil {
				c.setMask(nodes[i], masks[i].sized(r, fmt.Sprintf("mask%d", i), open))
			}
		}
		outs, err := c.call(l, nodes)
		if err != nil {
			return nil, err
		}
		if len(outs) == 0 {
			return nil, fmt.Errorf("Call returned no output")
		}
		for _, m := range c.metrics {
			out.metrics = append(out.metrics, m.Name)
		}
		results := make([]trace.Output, len(outs))
		for i, n := range outs {
			out.specs = append(out.specs, specOf(n))
			var mask *Spec
			if m := c.Mask(n); m != nil {
				mask = new(Spec)
				*mask = specOf(m)
			}
			out.masks = append(out.masks, mask)
			results[i] = trace.Output{Name: fmt.Sprintf("output%d", i), Node: n}
		}
		return results, nil
	})
	return out, err
}

// meshOf returns the mesh of the first of a layer's variables that is on one, nil for one device.
// Without variables, it is the mesh of the current distribution.
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

// specOf returns the shape and the type of the node n.
func specOf(n *graph.Node) Spec {
	return Spec{Shape: append([]int{}, n.Shape().Dimensions...), DType: n.DType()}
}
