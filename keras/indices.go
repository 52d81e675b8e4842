package keras

// This file checks the numbers of a batch that embeddings look up, which would give NaN on the
// devices.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// checkIndices returns an error that names the first number of an input that is out of the range of
// the Embedding that the input is given to, in the model or in a model that is a layer of it.
func (m *Model) checkIndices(b data.Batch) error {
	for i, d := range m.deviceInputs {
		for _, e := range d.embeddings {
			if err := checkIndices(b.X[i], e); err != nil {
				return fmt.Errorf("input %s: %w", d.t.Producer().Name(), err)
			}
		}
	}
	return nil
}

// findEmbeddings finds the embeddings of each input of the devices, once for all batches.
func (m *Model) findEmbeddings() {
	for i, d := range m.deviceInputs {
		m.deviceInputs[i].embeddings = m.embeddingsOf(d.t)
	}
}

// embeddingsOf returns the embeddings that an input of the model is given to as it is.
func (m *Model) embeddingsOf(input *layers.Tensor) (found []*layers.EmbeddingLayer) {
	for _, n := range m.nodes {
		i := slices.Index(n.Inputs, input)
		if i < 0 {
			continue
		}
		switch l := n.Layer.(type) {
		case *layers.EmbeddingLayer:
			found = append(found, l)
		case *layers.ReversibleEmbeddingLayer:
			if n.Arguments()["reverse"] != true {
				found = append(found, &l.EmbeddingLayer)
			}
		case *ModelLayer:
			found = append(found, l.model.embeddingsOf(l.model.inputs[i])...)
		}
	}
	return found
}

// checkIndices compares numbers with the size of the table.
func checkIndices(x *tensors.Tensor, e *layers.EmbeddingLayer) error {
	bad, value := -1, 0.0
	err := data.Numbers(x, func(i int, v float64) bool {
		if index := float64(int(v)); index < float64(-e.InputDim) || index >= float64(e.InputDim) {
			bad, value = i, v
		}
		return bad < 0
	})
	if err != nil || bad < 0 {
		return err
	}
	sample := bad / max(1, x.Size()/max(1, x.Shape().Dimensions[0]))
	return fmt.Errorf("sample %d of the batch has the number %v, and layer %s looks up numbers from 0 to %d: make its input dim larger than all numbers, or map the others to one that is free",
		sample, value, e.Name(), e.InputDim-1)
}
