package layers

// This file defines SpectralNormalization, which bounds how much a layer amplifies.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// spectralOptions holds the options of SpectralNormalization: the inner layer, and the number of
// power iterations in a step.
type spectralOptions struct {
	Layer           layerValue `argument:"layer"`
	PowerIterations int        `option:"power_iterations" default:"1" want:"size"`
}

// SpectralNormalizationLayer runs a layer with its kernel divided by the kernel's largest
// singular value: keras.layers.SpectralNormalization (Miyato et al., 2018).
type SpectralNormalizationLayer struct {
	declared
	Layer   Layer
	kernel  *variable.Variable
	VectorU *variable.Variable // [1, outputs]: from which the next step iterates
	opts    *spectralOptions
}

// SpectralNormalization returns a layer that runs layer, while training with a kernel (or an
// embedding's table) that is divided by an estimate of its largest singular value. As in Keras on
// JAX, regularizers see the divided kernel, but the optimizer updates the kernel itself, and
// Predict takes that. Only a frozen kernel keeps the division. Options: Name, PowerIterations,
// DType.
func SpectralNormalization(layer Layer, opts ...Option) *SpectralNormalizationLayer {
	return declare[*SpectralNormalizationLayer]("SpectralNormalization", []Option{set("Layer", layer)}, opts)
}

// PowerIterations sets how many power iterations SpectralNormalization takes in each training step
// to estimate the singular value: 1 by default. A number below 1 is an error.
func PowerIterations(n int) Option { return set("PowerIterations", n) }

func newSpectralNormalization(d declared, o *spectralOptions) Layer {
	if isNil(o.Layer.Layer) {
		d.fail("SpectralNormalization: got a layer that is nil")
	}
	return &SpectralNormalizationLayer{declared: d, Layer: o.Layer.Layer, opts: o}
}

// Build builds the inner layer if it is not built, finds its kernel or embeddings, and makes
// vector_u, the vector that the power iterations improve. A layer without such a variable is an
// error.
func (l *SpectralNormalizationLayer) Build(b *Builder, inputs []Spec) (err error) {
	if !l.Layer.base().built {
		if err := build(l.Layer, b.path, inputs); err != nil {
			return err
		}
	}
	for _, v := range l.Layer.OwnVariables() {
		if v.Name() == "kernel" || v.Name() == "embeddings" {
			l.kernel = v
			break
		}
	}
	if l.kernel == nil {
		return fmt.Errorf("the layer %s (%s) has no kernel and no embeddings", l.Layer.Name(), TypeName(l.Layer))
	}
	shape := l.kernel.Shape()
	init := initializers.TruncatedNormal(initializers.Stddev(0.02))
	l.VectorU, err = b.AddWeight("vector_u", []int{1, shape[len(shape)-1]}, l.kernel.DType(), init, variable.NonTrainable())
	return err
}

// OwnVariables returns the kernel of the inner layer, which in Keras is a variable of both layers
// and so stands twice in files, and the vector of the iterations; nil before Build.
func (l *SpectralNormalizationLayer) OwnVariables() []*variable.Variable {
	if l.kernel == nil {
		return nil
	}
	return []*variable.Variable{l.kernel, l.VectorU}
}

// Call returns the outputs of the inner layer, in the type of the input if that is a float. While
// training it first divides the layer's kernel by its spectral norm, and stores the next vector of
// the power iterations.
func (l *SpectralNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	if c.Training {
		l.normalize(c)
	}
	out := c.ApplyAll(l.Layer, inputs...)
	if dtype := inputs[0].DType(); dtype.IsFloat() {
		for i, y := range out {
			out[i] = graph.ConvertDType(y, dtype)
		}
	}
	return out
}

// normalize takes the next steps of the power iterations, and gives the kernel and the vector their
// new values: the kernel divided by its largest singular value, which a trained kernel has only in
// this call. A kernel of zeros stays.
func (l *SpectralNormalizationLayer) normalize(c *Context) {
	kernel, u := c.StatelessScope.Value(l.kernel), c.StatelessScope.Value(l.VectorU)
	matrix := graph.Reshape(kernel, -1, kernel.Shape().Dim(-1))
	var v *graph.Node
	next := u
	for range l.opts.PowerIterations {
		v = nodes.Unit(graph.Dot(next, graph.Transpose(matrix, 0, 1)).Product(), 1e-7, 0, 1)
		next = nodes.Unit(graph.Dot(v, matrix).Product(), 1e-7, 0, 1)
	}
	next, v = graph.StopGradient(next), graph.StopGradient(v)
	sigma := graph.Dot(graph.Dot(v, matrix).Product(), graph.Transpose(next, 0, 1)).Product()
	zero := graph.LogicalAll(graph.Equal(kernel, graph.ZerosLike(kernel)))
	pick := func(x, y *graph.Node) *graph.Node {
		return graph.Where(graph.BroadcastToDims(zero, x.Shape().Dimensions...), x, y)
	}
	sigma = pick(graph.OnesLike(sigma), sigma)
	c.Assign(l.VectorU, pick(u, next))
	divided := graph.Div(kernel, graph.BroadcastToShape(graph.Reshape(sigma), kernel.Shape()))
	if l.kernel.Trainable() {
		c.Override(l.kernel, divided)
	} else {
		c.Assign(l.kernel, divided)
	}
}
