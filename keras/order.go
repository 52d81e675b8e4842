package keras

// This file puts a model's nodes into Keras' order.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/keras/layers"
)

// sortNodes sorts nodes, of which each follows those it depends on, by their
// distance from the outputs, the farthest first, and then by the turn in which
// a walk back from the outputs comes to their layers. Each still follows those
// it depends on. It is the order of Keras' Model.layers, and thus that of
// weights, of optimizer slots and of the counters in the names of files.
func sortNodes(nodes []*layers.Node, outputs []*layers.Tensor) {
	depth := make(map[*layers.Node]int)
	layerDepth := make(map[layers.Layer]int)
	for _, n := range slices.Backward(nodes) {
		// A layer that is applied several times stands where it is first needed.
		d := max(depth[n], layerDepth[n.Layer])
		depth[n], layerDepth[n.Layer] = d, d
		for _, t := range n.Inputs {
			depth[t.Producer()] = max(depth[t.Producer()], d+1)
		}
	}
	turn := make(map[layers.Layer]int)
	seen := make(map[*layers.Node]bool)
	var walk func(n *layers.Node)
	walk = func(n *layers.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if _, ok := turn[n.Layer]; !ok {
			turn[n.Layer] = len(turn)
		}
		for _, t := range n.Inputs {
			walk(t.Producer())
		}
	}
	for _, t := range outputs {
		walk(t.Producer())
	}
	slices.SortStableFunc(nodes, func(a, b *layers.Node) int {
		return cmp.Or(cmp.Compare(depth[b], depth[a]), cmp.Compare(turn[a.Layer], turn[b.Layer]))
	})
}
