package keras

// This file makes models that begin within the graph of another one.

import (
	"slices"

	"github.com/gospmd/gospmd/keras/layers"
)

// fromWithin returns new inputs and outputs of a model that has outputs of layers among its inputs:
// new Inputs take their places, and the layers behind them are applied once more. Inputs made by
// Input stay; if all are, it returns both lists as they are.
func fromWithin(inputs, outputs []*layers.Tensor) ([]*layers.Tensor, []*layers.Tensor, error) {
	replaced := make(map[*layers.Tensor]*layers.Tensor)
	begin := slices.Clone(inputs)
	for i, t := range inputs {
		if t == nil || t.Producer() == nil || t.Producer().IsInput() || len(t.Shape()) == 0 { // or an error, which connect returns
			continue
		}
		if by, ok := replaced[t]; ok {
			begin[i] = by
			continue
		}
		begin[i] = layers.Input(t.Shape()[1:], layers.DType(t.DType()))
		replaced[t] = begin[i]
	}
	if len(replaced) == 0 || layers.Errors(slices.Concat(begin, outputs)...) != nil {
		return begin, outputs, nil
	}
	var behind func(t *layers.Tensor) *layers.Tensor
	behind = func(t *layers.Tensor) *layers.Tensor {
		if by, ok := replaced[t]; ok {
			return by
		}
		n := t.Producer()
		in := make([]*layers.Tensor, len(n.Inputs))
		for i, x := range n.Inputs {
			in[i] = behind(x)
		}
		out := n.Outputs
		if !slices.Equal(in, n.Inputs) {
			out = n.ApplyAgain(in...)
		}
		for i, x := range n.Outputs {
			replaced[x] = out[min(i, len(out)-1)] // one error for all
		}
		return replaced[t]
	}
	end := make([]*layers.Tensor, len(outputs))
	for i, t := range outputs {
		end[i] = behind(t)
	}
	return begin, end, layers.Errors(end...)
}
