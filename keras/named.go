package keras

// This file puts data that are given by name into the order of the model's inputs and outputs, and
// names the outputs of Predict.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
)

// slots are the inputs or outputs of a model that named data are assigned to.
type slots struct {
	all    []string // all valid names
	wanted []string // the names that need data, in order
	// otherwise makes a tensor for a missing name; nil: a missing name is an error
	otherwise func(samples int) *tensors.Tensor
}

// slots returns the slots of the inputs, the labels and the sample weights.
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

// ones returns a weight of 1 for each of n samples.
func ones(n int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{1}, n), n)
}

// byName replaces the maps that Fit, Evaluate or Predict are given by lists in order.
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

// ordered returns a batch with its tensors in the order of the model's inputs and outputs. If the
// dataset names its tensors, the names decide.
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

// inOrder sorts tensors by the wanted names; names[i] is the name of ts[i].
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

// Named returns the outputs of Predict by name, as Predict returns them in Keras if the outputs of
// the model are a dict.
func (m *Model) Named(outputs []*tensors.Tensor) map[string]*tensors.Tensor {
	named := make(map[string]*tensors.Tensor, len(outputs))
	for i, name := range m.OutputNames()[:len(outputs)] {
		named[name] = outputs[i]
	}
	return named
}
