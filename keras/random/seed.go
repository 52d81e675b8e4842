package random

// This file defines where keys come from: seeds, seed generators, and the
// global one, as Keras has them on JAX.

import (
	"fmt"
	"math"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/layout"
)

// Source gives the keys of random operations: Keras' seed argument. A Seed
// gives the same key each time, a *SeedGenerator a new one; a nil Source stands
// for the global generator.
type Source interface {
	nextKey() (Key, error)
}

// Seed is an integer seed. Its key is [seed, 0].
type Seed int

// Key returns the key, or an error unless the seed is in [0, 2³²).
func (s Seed) Key() (Key, error) {
	if int64(s) < 0 || int64(s) > math.MaxUint32 {
		return Key{}, fmt.Errorf("random: got seed %d: want a number from 0 to %d", int(s), uint32(math.MaxUint32))
	}
	return Key{uint32(s)}, nil
}

func (s Seed) nextKey() (Key, error) { return s.Key() }

// keyOf returns the next key of src, which may be nil.
func keyOf(src Source) (Key, error) {
	if src == nil {
		return global.unseededKey()
	}
	return src.nextKey()
}

// StateName is the name of a SeedGenerator's variable in a model.
const StateName = "seed_generator_state"

// SeedGenerator gives a new key on every use: keras.random.SeedGenerator. Its
// state is a key [seed, n] that n grows in.
//
// On the host, NextKey moves the state on. In a model the state is a variable,
// uint32[2], that every device holds: the SeedGenerator makes the variable's
// first value (it is a Filler) and Next moves it on in the traced step.
type SeedGenerator struct {
	seed Seed

	mu    sync.Mutex
	state Key
	err   error // of the seed
}

// NewSeedGenerator returns a generator whose first key is [seed, 0]. A seed
// outside [0, 2³²) is an error at the first use.
func NewSeedGenerator(seed int) *SeedGenerator {
	g := &SeedGenerator{seed: Seed(seed)}
	g.state, g.err = g.seed.Key()
	return g
}

// Seed returns the seed that the generator was made with.
func (g *SeedGenerator) Seed() Seed { return g.seed }

// NextKey returns the state and adds one to its counter.
func (g *SeedGenerator) NextKey() (Key, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := g.state
	g.state[1]++
	return key, g.err
}

func (g *SeedGenerator) nextKey() (Key, error) { return g.NextKey() }

// nextUnordered returns the state and replaces it by one that looks random:
// Keras' next(ordered=False), which only the global generator uses.
func (g *SeedGenerator) nextUnordered() (Key, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := g.state
	for i := range g.state {
		g.state[i] = (g.state[i] + 1) * 5387 % 933199
	}
	return key, g.err
}

// Fill writes the state, the first value of the generator's variable.
func (g *SeedGenerator) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return g.err
	}
	d, ok := dst.([]uint32)
	if !ok || dtype != dtypes.Uint32 || len(global) != 1 || global[0] != 2 || len(ranges) != 1 || len(d) != ranges[0].Len() {
		return fmt.Errorf("random: the state of a SeedGenerator cannot fill a %T for %s%v: want uint32[2]", dst, dtype, global)
	}
	copy(d, g.state[ranges[0].Start:ranges[0].Limit])
	return nil
}

// Next is SeedGenerator.NextKey in a traced function: given the node of the
// state it returns the key to use and the node of the next state, which the
// caller assigns to the state's variable.
func Next(state *graph.Node) (TracedKey, *graph.Node) {
	key := Trace(state)
	return key, graph.Add(state, graph.Const(state.Graph(), []uint32{0, 1}))
}

// global holds what keras.utils.set_random_seed sets.
var global globalSeed

type globalSeed struct {
	mu        sync.Mutex
	python    *pythonRandom  // nil until first used
	generator *SeedGenerator // nil until first used
}

// SetRandomSeed fixes every seed that is drawn from here on because none was
// given: keras.utils.set_random_seed. A program then draws the same seeds as in
// Keras, where both create layers and initializers in the same order.
func SetRandomSeed(seed uint32) {
	global.mu.Lock()
	defer global.mu.Unlock()
	global.python = newPythonRandom(seed)
	global.generator = nil
}

// MakeDefaultSeed draws the seed of a layer or an initializer that was given
// none.
func MakeDefaultSeed() int {
	global.mu.Lock()
	defer global.mu.Unlock()
	return global.defaultSeed()
}

func (g *globalSeed) defaultSeed() int {
	if g.python == nil {
		g.python = newPythonRandom(entropy()...)
	}
	return g.python.randint(1, 1e9)
}

// unseededKey returns the key of an operation on the host without a seed.
func (g *globalSeed) unseededKey() (Key, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.generator == nil {
		g.generator = NewSeedGenerator(g.defaultSeed())
	}
	return g.generator.nextUnordered()
}
