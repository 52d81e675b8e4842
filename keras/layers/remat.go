package layers

// This file defines which layers are computed again in the backward pass in place of keeping what
// they compute: keras.RematScope and keras.remat.

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/suggest"
)

// RematScope is keras.RematScope: layers that are made in Do free what they compute after the
// forward pass, as far as the mode says. The backward pass computes it again from the layers'
// inputs. That takes less memory and more time. The zero value has the mode "full".
//
// As in Keras, a layer keeps the scope in which it was made, whatever the scope is in which it is
// applied. For layers of your own that is the scope in which they are first applied, or in which
// the layer that holds them is. Of scopes within each other the innermost one counts. If a layer
// with "full" holds others, all of them are computed again at once.
//
// What the layers behind read stays in memory, and so do the results of recurrent layers' loops.
type RematScope struct {
	// Mode is one of
	//   - "full", the default: all layers;
	//   - "activations": the activation functions of Activation, Dense, EinsumDense and
	//     convolutions, and nothing else of these layers;
	//   - "larger_than": layers whose outputs have more elements than OutputSizeThreshold, summed
	//     over the outputs, of the whole batch;
	//   - "list_of_layers": layers with one of LayerNames;
	//   - "none", Keras' None: no layer.
	Mode string
	// OutputSizeThreshold is 1024 where it is 0.
	OutputSizeThreshold int
	LayerNames          []string
}

// rematModes are the values that the mode of RematScope may have.
var rematModes = []string{"full", "activations", "larger_than", "list_of_layers", "none"}

// remat holds the RematScope in which a layer was made, and which of its calls were recorded for
// recomputation.
type remat struct {
	known bool // scope was set: the layer has been made
	scope *RematScope
	at    []string // the layer paths, in the recorder, whose values are computed again
}

var currentRemat = struct {
	sync.Mutex
	scope *RematScope
}{}

// Do calls f in the scope and returns its error, or says what is wrong with the scope. Other
// goroutines must not make layers at that time.
func (s RematScope) Do(f func() error) error {
	if s.Mode == "" {
		s.Mode = "full"
	}
	if !slices.Contains(rematModes, s.Mode) {
		return fmt.Errorf("RematScope: unknown mode %q%s: want one of %s", s.Mode, suggest.DidYouMean(s.Mode, rematModes), strings.Join(rematModes, ", "))
	}
	if s.OutputSizeThreshold < 0 {
		return fmt.Errorf("RematScope: OutputSizeThreshold is %d: want a number of elements, or 0 for 1024", s.OutputSizeThreshold)
	}
	if s.OutputSizeThreshold == 0 {
		s.OutputSizeThreshold = 1024
	}
	s.LayerNames = slices.Clone(s.LayerNames)
	outer := setRemat(&s)
	defer setRemat(outer)
	return f()
}

// setRemat makes s the RematScope of layers that are made from now on, and returns the one before;
// nil stands for no scope.
func setRemat(s *RematScope) (before *RematScope) {
	currentRemat.Lock()
	defer currentRemat.Unlock()
	before, currentRemat.scope = currentRemat.scope, s
	return before
}

// Remat makes l, and the layers in it, be computed again in the backward pass, as if it was made in
// a RematScope with the mode "full". It returns l.
func Remat[L Layer](l L) L {
	l.base().remat = remat{known: true, scope: &RematScope{Mode: "full"}}
	return l
}

// Remat is keras.remat for a part of a layer: it returns f of the inputs, and the backward pass
// computes again what f computes. It stays within the layer that is being called.
func (c *Context) Remat(f func(inputs []*graph.Node) []*graph.Node, inputs ...*graph.Node) []*graph.Node {
	return c.recompute("remat", inputs, f)
}

// recompute runs f in a scope of its own below the current layer, which is computed again. The
// inputs are marked: what computes their gradients is outside of the scope.
func (c *Context) recompute(name string, inputs []*graph.Node, f func([]*graph.Node) []*graph.Node) (outputs []*graph.Node) {
	inputs = slices.Clone(inputs)
	if c.Recorder.Path() != "" {
		for i, x := range inputs {
			inputs[i] = c.Recorder.Mark(x)
		}
	}
	c.Recorder.Scope(name, func() {
		c.recomputeHere()
		outputs = slices.Clone(f(inputs))
		for i, y := range outputs {
			outputs[i] = c.Recorder.Mark(y)
		}
	})
	return outputs
}

// recomputeHere notes that the recorder's current path is computed again, unless this is a call for
// the shapes of outputs.
func (c *Context) recomputeHere() {
	if c.open != 0 {
		return
	}
	if b, path := c.current, c.Recorder.Path(); b != nil && !slices.Contains(b.remat.at, path) {
		b.remat.at = append(b.remat.at, path)
	}
}

// enterRemat gives the layer the current RematScope, or none if there is none, unless the layer was
// given one before.
func (b *Base) enterRemat() {
	if b.remat.known {
		return
	}
	currentRemat.Lock()
	defer currentRemat.Unlock()
	b.remat = remat{known: true, scope: currentRemat.scope}
}

// isRecomputed reports whether the RematScope in which the layer was made makes all of a call with
// these outputs be computed again: by its mode, the layer's name or the size of the outputs.
func (b *Base) isRecomputed(outputs []*graph.Node) bool {
	s := b.remat.scope
	if s == nil {
		return false
	}
	switch s.Mode {
	case "full":
		return true
	case "list_of_layers":
		return slices.Contains(s.LayerNames, b.name)
	case "larger_than":
		n := 0
		for _, y := range outputs {
			n += y.Shape().Size()
		}
		return n > s.OutputSizeThreshold
	}
	return false
}

// activate returns the activation f of x in the layer that is being called. The backward pass
// computes it again if the mode of the layer's RematScope is "activations".
func (c *Context) activate(f activation, x *graph.Node) *graph.Node {
	if s := c.current.remat.scope; s == nil || s.Mode != "activations" {
		return f.Func(x)
	}
	return c.recompute("activation", []*graph.Node{x}, func(in []*graph.Node) []*graph.Node {
		return []*graph.Node{f.Func(in[0])}
	})[0]
}

// Recomputed returns the paths, in the recorder, of l and of the layers in it whose values are
// computed again, of the calls that were traced so far. The values of the map name the scope for
// reports, such as "RematScope(full)", or "Remat" for Context.Remat in a layer without one.
func Recomputed(l Layer) map[string]string {
	out := map[string]string{}
	l.base().walk(make(map[*Base]bool), func(b *Base) {
		by := "Remat"
		if b.remat.scope != nil {
			by = fmt.Sprintf("RematScope(%s)", b.remat.scope.Mode)
		}
		for _, path := range b.remat.at {
			out[path] = by
		}
	})
	return out
}
