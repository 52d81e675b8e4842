package callbacks

// This file makes the graph of a model's layers that TensorBoard shows.

import (
	"strconv"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// graphOf returns the nodes of the graph of a model: the applications of its layers. Those of a
// model in the model are below its name, such as inner/dense.
func graphOf(m *keras.Model) []drawnNode {
	var g graphMaker
	g.model(m, "", nil)
	return g.nodes
}

type graphMaker struct{ nodes []drawnNode }

// model adds the nodes of a model, below prefix, and returns the names of the nodes that compute
// its outputs. For a model within a model, given names the nodes of its inputs; with nil it gets
// input nodes of its own.
func (g *graphMaker) model(m *keras.Model, prefix string, given []string) (outputs []string) {
	from := make(map[*layers.Tensor]string)
	for i, name := range given {
		from[m.Inputs()[i]] = name
	}
	applied := make(map[layers.Layer]int)
	for _, n := range m.Nodes() {
		if n.IsInput() && given != nil {
			continue
		}
		name := prefix + n.Name()
		if k := applied[n.Layer]; k > 0 {
			name += "_" + strconv.Itoa(k)
		}
		applied[n.Layer]++
		var inputs []string
		for _, t := range n.Inputs {
			inputs = append(inputs, from[t])
		}
		if inner, ok := n.Layer.(*keras.ModelLayer); ok {
			for i, out := range g.model(inner.Model(), name+"/", inputs) {
				from[n.Outputs[i]] = out
			}
			continue
		}
		class := layers.ClassName(n.Layer)
		if n.IsInput() {
			class = "InputLayer"
		}
		g.nodes = append(g.nodes, drawnNode{name, class, inputs})
		for i, t := range n.Outputs {
			if from[t] = name; i > 0 {
				from[t] += ":" + strconv.Itoa(i)
			}
		}
	}
	for _, t := range m.Outputs() {
		outputs = append(outputs, from[t])
	}
	return outputs
}
