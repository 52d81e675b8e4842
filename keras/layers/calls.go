package layers

// This file defines calls of layers with arguments besides tensors.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
)

// calledOtherwise is a layer as it is called with arguments besides tensors.
type calledOtherwise interface {
	Layer
	// called returns the layer, and the arguments under Keras' names.
	called() (Layer, map[string]any)
}

// Called returns the layer that l is when it is called with arguments besides tensors, such as
// Reverse of a ReversibleEmbedding, and these arguments under Keras' names. Others are returned
// as they are.
func Called(l Layer) (Layer, map[string]any) {
	if c, ok := l.(calledOtherwise); ok {
		return c.called()
	}
	return l, nil
}

// withTraining is a layer with the argument training of its call.
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

// plain returns l without the argument training of its call.
func plain(l Layer) Layer {
	if w, ok := l.(withTraining); ok {
		return w.Layer
	}
	return l
}

// errCalled is the error of a call in the place of a layer.
func errCalled(l Layer) error {
	if of, arguments := Called(l); arguments != nil {
		return fmt.Errorf("got a call of %s with %s, want a layer: calls are for Apply", TypeName(of), strings.Join(slices.Sorted(maps.Keys(arguments)), ", "))
	}
	return nil
}

// callAs is call with the argument training of the call, if it has one.
func (c *Context) callAs(l Layer, inputs []*graph.Node) ([]*graph.Node, error) {
	if w, ok := l.(withTraining); ok {
		outer := c.Training
		c.Training = w.training
		defer func() { c.Training = outer }()
	}
	return c.call(plain(l), inputs)
}
