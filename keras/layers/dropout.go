package layers

// This file defines Dropout.

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// DropoutLayer sets a random part of its input to 0 while training:
// keras.layers.Dropout. The mask depends on the seed, on how often the layer
// was called and on the global position of the element, never on the mesh.
type DropoutLayer struct {
	Base
	Rate float64

	seed       *random.SeedGenerator
	seedOption any // the option Seed, nil without one
	state      *variable.Variable
}

// Dropout returns a layer that drops elements with probability rate, in [0, 1],
// and scales the others by 1/(1-rate). Options: Name, Seed.
func Dropout(rate float64, opts ...Option) *DropoutLayer {
	l := &DropoutLayer{Rate: rate}
	o := l.configure("Dropout", opts, "Name", "Seed")
	if !(rate >= 0 && rate <= 1) {
		l.fail("Dropout: got rate %g, want a probability in [0, 1]", rate)
	}
	l.seed, l.seedOption = o.seedGenerator(), o.seedConfig()
	return l
}

// seedGenerator returns a generator of the option Seed, or of a seed drawn now.
func (o *options) seedGenerator() *random.SeedGenerator {
	if o.seed != nil {
		return random.NewSeedGenerator(*o.seed)
	}
	return random.NewSeedGenerator(random.MakeDefaultSeed())
}

// Build makes the state of the seed generator.
func (l *DropoutLayer) Build(b *Builder, _ []Spec) (err error) {
	if l.Rate > 0 {
		l.state, err = b.SeedGenerator(l.seed)
	}
	return err
}

// Call drops elements while training.
func (l *DropoutLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	if !c.Training || l.Rate == 0 {
		return []*graph.Node{x}
	}
	if l.Rate == 1 {
		return []*graph.Node{graph.ZerosLike(x)}
	}
	key, next := random.Next(c.Value(l.state))
	c.Assign(l.state, next)
	return []*graph.Node{key.Dropout(x, l.Rate)}
}
