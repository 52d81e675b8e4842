package keras

// This file splits a model into a part that runs on the host and a part that runs on the devices.
// Lookups, and all layers that they depend on, run on the host. A model without lookups runs on the
// devices only.

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// deviceInput is an input of the part of the model that runs on the devices.
type deviceInput struct {
	// t is an input of the model, or the output of a layer that runs on the host.
	t *layers.Tensor
	// model is the application of a nested model that has a host part itself: t is then one of the
	// deviceInputs of the nested model. It is nil for other tensors.
	model *layers.Node
	// embeddings are the layers that look up the numbers of t.
	embeddings []*layers.EmbeddingLayer
}

// ahead is the number of batches that the host computes in advance, in a model with lookups.
const ahead = 2

// split sets m.host, the layers that run on the host, and m.deviceInputs, the inputs of the
// devices. An output of the model that is text is an error.
func (m *Model) split() error {
	m.host, m.deviceInputs = nil, nil
	wanted := make(map[*layers.Node]bool)
	taken := make(map[*layers.Tensor]bool) // by devices
	for i, t := range m.outputs {
		if taken[t] = true; t.DType() == layers.String {
			return fmt.Errorf("output %d are the texts of %s, which no device returns: apply a lookup to them", i, t.Producer().Name())
		}
	}
	for _, n := range slices.Backward(m.nodes) {
		h, ok := n.Layer.(layers.HostLayer)
		if ok && (h.HostOnly() || wanted[n]) {
			m.host = append(m.host, n)
		}
		for _, t := range n.Inputs {
			if slices.Contains(m.host, n) {
				wanted[t.Producer()] = true
			} else {
				taken[t] = true
			}
		}
	}
	slices.Reverse(m.host)
	if len(m.host) == 0 {
		for _, t := range m.inputs {
			m.deviceInputs = append(m.deviceInputs, deviceInput{t: t})
		}
		return nil
	}
	given := slices.Clone(m.inputs)
	for _, n := range m.host {
		if inner, ok := n.Layer.(*ModelLayer); ok {
			for _, d := range inner.model.deviceInputs {
				m.deviceInputs = append(m.deviceInputs, deviceInput{t: d.t, model: n})
			}
		} else {
			given = append(given, n.Outputs...)
		}
	}
	for _, t := range given {
		if taken[t] {
			m.deviceInputs = append(m.deviceInputs, deviceInput{t: t})
		}
	}
	return nil
}

// hasHost reports whether a part of the model runs on the host, such as a lookup.
func (m *Model) hasHost() bool {
	return len(m.host) > 0 || !m.built() && slices.ContainsFunc(m.sequential, layers.RunsOnHost)
}

// loading is a dataset of batches for the devices that reports the position of the dataset that it
// is made of.
type loading struct {
	*data.Pipeline
	from data.Positioned // the dataset that it is made of
}

// Batches yields the batches of the next epoch. Afterwards it sets the position of l.from to the
// start of the epoch after that one, even if the loop ended early.
func (l *loading) Batches(ctx context.Context) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		epoch := l.Position().Epoch
		for b, err := range l.Pipeline.Batches(ctx) {
			if epoch = l.Position().Epoch; !yield(b, err) {
				break
			}
		}
		next := l.Position()
		if next.Epoch == epoch { // the loop ended early
			next.Epoch, next.Batch = epoch+1, 0
		}
		_ = l.from.Seek(next) // an error would have been one of Batches
	}
}

// load converts a batch of the model's inputs to a batch for the devices, by running the host part.
// If the model is a Sequential that is not built, load builds it for this batch. A model without a
// host part returns b.
func (m *Model) load(b data.Batch) (data.Batch, error) {
	if !m.hasHost() {
		return b, nil
	}
	b, err := m.ordered(b)
	if err == nil && !m.built() {
		err = m.buildFor(b.X)
	}
	if err == nil {
		b.X, err = inRank(m.inputs, b.X)
	}
	if err == nil {
		err = checkInputs(m.inputs, b.X, data.Dims)
	}
	if err == nil {
		b.X, err = m.runHost(b.X)
	}
	return b, err
}

// runHost runs the host part of the model. It takes the values of the model's inputs, and returns
// the values of the device inputs.
func (m *Model) runHost(xs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	values := make(map[*layers.Tensor]*tensors.Tensor)
	for i, t := range m.inputs {
		values[t] = xs[i]
	}
	var out []*tensors.Tensor
	for _, n := range m.host {
		in := make([]*tensors.Tensor, len(n.Inputs))
		for i, t := range n.Inputs {
			in[i] = values[t]
		}
		results, err := n.Layer.(layers.HostLayer).CallHost(in)
		if err != nil {
			return nil, fmt.Errorf("layer %s (%s): %w", n.Name(), layers.TypeName(n.Layer), err)
		}
		if _, ok := n.Layer.(*ModelLayer); ok {
			out = append(out, results...)
			continue
		}
		for i, t := range n.Outputs {
			values[t] = results[i]
		}
	}
	for _, d := range m.deviceInputs[len(out):] {
		out = append(out, values[d.t])
	}
	return out, nil
}

// deviceValues converts inputs, the nodes of the device inputs in their order, to the types of the
// model's tensors. values has them by these tensors. nested has those of nested models with host
// parts, by the applications of these models.
func (m *Model) deviceValues(inputs []*graph.Node) (values map[*layers.Tensor]*graph.Node, nested map[*layers.Node][]*graph.Node) {
	values, nested = make(map[*layers.Tensor]*graph.Node), make(map[*layers.Node][]*graph.Node)
	for i, d := range m.deviceInputs {
		x := graph.ConvertDType(inputs[i], d.t.DType())
		if d.model != nil {
			nested[d.model] = append(nested[d.model], x)
		} else {
			values[d.t] = x
		}
	}
	return values, nested
}

// deviceTensors returns the tensors of the model that are inputs of its part on the devices, in the
// order of m.deviceInputs.
func (m *Model) deviceTensors() (ts []*layers.Tensor) {
	for _, d := range m.deviceInputs {
		ts = append(ts, d.t)
	}
	return ts
}

// HostOnly reports whether a part of the model runs on the host, so that the layer cannot run on
// devices alone.
func (l *ModelLayer) HostOnly() bool { return l.model.hasHost() }

// HostSpecs returns the specs of the model's outputs for these inputs. Another number of inputs
// than the model has, and one whose shape does not fit or that differs in being a text, are errors.
func (l *ModelLayer) HostSpecs(inputs []layers.Spec) (out []layers.Spec, err error) {
	if len(inputs) != len(l.model.inputs) {
		return nil, fmt.Errorf("got %d inputs, want %d, as the model was made with", len(inputs), len(l.model.inputs))
	}
	for i, t := range l.model.inputs {
		if in := inputs[i]; !fits(in.Shape, t.Shape()) || (in.DType == layers.String) != (t.DType() == layers.String) {
			return nil, fmt.Errorf("got %s for input %s, want %s", in, t.Producer().Name(), layers.Spec{Shape: t.Shape(), DType: t.DType()})
		}
	}
	for _, t := range l.model.outputs {
		out = append(out, layers.Spec{Shape: slices.Clone(t.Shape()), DType: t.DType()})
	}
	return out, nil
}

// CallHost runs the host part of the model, and returns the inputs of the part on the devices.
func (l *ModelLayer) CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	return l.model.runHost(inputs)
}
