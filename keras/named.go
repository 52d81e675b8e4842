package keras

// This file puts data that is given by the names of inputs and outputs into their order,
// and names the outputs of Predict.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
)

// slots are what data given by names is put into.
type slots struct {
	all    []string // names that there are
	wanted []string // those that data is given for, in order
	// instead of what is missing; nil: it may not be missing
	otherwise func(samples int) *tensors.Tensor
}

// slots returns those of inputs, labels and sample weights.
func (m *Model) slots() (x, y, weights slots) {
	inputs, outputs := m.InputNames(), m.OutputNames()
	labelled := outputs
	if m.compiled != nil {
		labelled = nil
		for i, h := range m.compiled.heads {
			if h.labelled() {
				labelled = append(labelled, outputs[i])
			}
		}
	}
	return slots{inputs, inputs, nil}, slots{outputs, labelled, nil}, slots{outputs, labelled, ones}
}

// ones are weights of n samples.
func ones(n int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{1}, n), n)
}

// byName orders what Fit, Evaluate or Predict are given as maps.
func (m *Model) byName(x, y *any, c *runConfig) error {
	xs, ys, weights := m.slots()
	for _, d := range []struct {
		what string
		v    *any
		slots
	}{
		{"x", x, xs},
		{"y", y, ys},
		{"validation data: x", &c.validationXY[0], xs},
		{"validation data: y", &c.validationXY[1], ys},
		{"sample weights", &c.sampleWeight, weights},
		{"validation sample weights", &c.validationWeight, weights},
	} {
		if d.v == nil {
			continue
		}
		names, ts, err := data.NamedTensors(*d.v)
		if err == nil && names != nil {
			*d.v, err = d.inOrder(names, ts)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", d.what, err)
		}
	}
	return nil
}

// ordered returns the batch of a dataset that names its tensors in the order of the
// model's inputs and outputs.
func (m *Model) ordered(b data.Batch) (data.Batch, error) {
	if b.Names.X == nil && b.Names.Y == nil && b.Names.SampleWeight == nil {
		return b, nil
	}
	xs, ys, weights := m.slots()
	for _, d := range []struct {
		what  string
		names []string
		ts    *[]*tensors.Tensor
		slots
	}{{"x", b.Names.X, &b.X, xs}, {"y", b.Names.Y, &b.Y, ys}, {"sample weights", b.Names.SampleWeight, &b.SampleWeight, weights}} {
		if d.names == nil || len(d.all) == 0 { // a Sequential that is not built has no names yet
			continue
		}
		if len(d.names) != len(*d.ts) {
			return b, fmt.Errorf("%s: got %d names for %d tensors: want one for each", d.what, len(d.names), len(*d.ts))
		}
		var err error
		if *d.ts, err = d.inOrder(d.names, *d.ts); err != nil {
			return b, fmt.Errorf("%s: %w", d.what, err)
		}
	}
	b.Names = data.Names{}
	return b, nil
}

// inOrder returns tensors with names in the order of the names that are wanted.
func (s slots) inOrder(names []string, ts []*tensors.Tensor) ([]*tensors.Tensor, error) {
	samples := 0
	for i, name := range names {
		if !slices.Contains(s.all, name) {
			return nil, fmt.Errorf("there is no %q%s: the names are %s", name, suggest.DidYouMean(name, s.all), suggest.Quote(s.all))
		}
		if ts[i].Shape().Rank() > 0 {
			samples = ts[i].Shape().Dimensions[0]
		}
	}
	list := make([]*tensors.Tensor, len(s.wanted))
	for i, name := range s.wanted {
		switch at := slices.Index(names, name); {
		case at >= 0:
			list[i] = ts[at]
		case s.otherwise == nil:
			return nil, fmt.Errorf("got nothing for %q: give all of %s", name, suggest.Quote(s.wanted))
		default:
			list[i] = s.otherwise(samples)
		}
	}
	return list, nil
}

// Named returns the outputs of Predict by their names: what a model whose outputs are a
// dict returns in Keras.
func (m *Model) Named(outputs []*tensors.Tensor) map[string]*tensors.Tensor {
	named := make(map[string]*tensors.Tensor, len(outputs))
	for i, name := range m.OutputNames()[:len(outputs)] {
		named[name] = outputs[i]
	}
	return named
}
