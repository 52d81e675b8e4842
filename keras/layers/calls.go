package layers

// This file defines calls of layers with arguments that are not tensors.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
)

// calledOtherwise is a call of a layer with arguments that are not tensors. called returns the
// layer, and the arguments by Keras' names.
type calledOtherwise interface {
	Layer
	// called returns the layer, and the arguments by Keras' names.
	called() (Layer, map[string]any)
}

// Called returns the layer that l calls, and the arguments of the call that are not tensors, by
// Keras' names. An example of such an l is the result of ReversibleEmbedding's Reverse. Other
// layers are returned as they are, without arguments.
func Called(l Layer) (Layer, map[string]any) {
	if c, ok := l.(calledOtherwise); ok {
		return c.called()
	}
	return l, nil
}

// withTraining is a call of a layer with the argument training, which overrides Context.Training
// during the call.
type withTraining struct {
	Layer
	training bool
}

var _ calledOtherwise = withTraining{}

func (w withTraining) called() (Layer, map[string]any) {
	of, arguments := Called(w.Layer)
	all := map[string]any{"training": w.training}
	maps.Copy(all, arguments)
	return of, all
}

// WithTraining returns l as it is called with Keras' argument training, for Apply and
// ApplyAll. In the Call of a layer and in steps of your own (those of Context and
// keras.Step) the layer, and those that it consists of, behave as in training or as in
// inference, whatever the model does:
//
//	p := s.Apply(layers.WithTraining(teacher.AsLayer(), false), s.X[0]) // teacher(x, training=False)
//
// In the graph of a model, base(x, training=False), the argument stands in .keras files, and
// Fit, Evaluate and Predict go before it, as in Keras 3: BatchNormalization in a base that
// is trained later does update its averages. SetTrainable(false) keeps it from that.
//
// It is a call, not a layer of its own: its variables are those of l.
func WithTraining(l Layer, training bool) Layer {
	if IsNil(l) {
		return l // Apply says so
	}
	return withTraining{plain(l), training}
}

// plain returns the layer that l calls, if l is a call with the argument training, and otherwise l.
func plain(l Layer) Layer {
	if w, ok := l.(withTraining); ok {
		return w.Layer
	}
	return l
}

// errCalled returns an error if l is a call of a layer with arguments, such as WithTraining(l,
// false), because a layer itself is wanted; nil otherwise.
func errCalled(l Layer) error {
	if of, arguments := Called(l); arguments != nil {
		return fmt.Errorf("got a call of %s with %s, want a layer: calls are for Apply", TypeName(of), strings.Join(slices.Sorted(maps.Keys(arguments)), ", "))
	}
	return nil
}

// callAs runs layer l on the inputs and returns its outputs or its error. If l is a call with the
// argument training, Context.Training has that value meanwhile.
func (c *Context) callAs(l Layer, inputs []*graph.Node) ([]*graph.Node, error) {
	if w, ok := l.(withTraining); ok {
		outer := c.Training
		c.Training = w.training
		defer func() { c.Training = outer }()
	}
	return c.call(plain(l), inputs)
}
