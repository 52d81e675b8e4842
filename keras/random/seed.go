package random

// This file defines where keys come from: seeds, seed generators and the global one, as Keras has
// them on JAX, and Python's generator, which Keras draws default seeds from: the Mersenne Twister
// MT19937 (Matsumoto and Nishimura, 1998). It also defines the functions of keras.random, which
// make full tensors on the host without an engine.

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	mathrand "math/rand/v2"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/layout"
)

// Source returns the keys of random operations: Keras' argument seed. A Seed returns the same key
// each time, a *SeedGenerator a new one. nil is the global generator.
type Source interface {
	nextKey() (Key, error)
}

// Seed is an integer seed, from 0 to 2³²-1. Its key is [seed, 0].
type Seed int

// Key returns the key, or an error unless the seed is in [0, 2³²).
func (s Seed) Key() (Key, error) {
	if int64(s) < 0 || int64(s) > math.MaxUint32 {
		return Key{}, fmt.Errorf("random: got seed %d: want a number from 0 to %d", int(s), uint32(math.MaxUint32))
	}
	return Key{uint32(s)}, nil
}

func (s Seed) nextKey() (Key, error) { return s.Key() }

// keyOf returns the next key of src; nil is the global generator. A seed outside [0, 2³²) is an
// error.
func keyOf(src Source) (Key, error) {
	if src == nil {
		return global.unseededKey()
	}
	return src.nextKey()
}

// SeedGenerator gives a new key on every use: keras.random.SeedGenerator. Its
// state is a key [seed, n]; every use increments n.
//
// On the host, NextKey updates the state. In a model the state is a variable of
// type uint32[2], replicated on all devices: the SeedGenerator makes the
// variable's first value (it is a variable.Filler), and Next updates it in the
// traced step.
type SeedGenerator struct {
	seed Seed
	name string

	mu    sync.Mutex
	state Key
	err   error // error of the seed
}

// NewSeedGenerator returns a generator whose first key is [seed, 0]. A seed
// outside [0, 2³²) is an error at the first use. Generators are numbered as in Keras, in the
// order in which they are made: seed_generator, seed_generator_1, ….
func NewSeedGenerator(seed int) *SeedGenerator {
	g := &SeedGenerator{seed: Seed(seed), name: autoname.Next("seed_generator")}
	g.state, g.err = g.seed.Key()
	return g
}

// Seed returns the seed that the generator was made with.
func (g *SeedGenerator) Seed() Seed { return g.seed }

// Name returns the name, which the path of the variable of the state begins with.
func (g *SeedGenerator) Name() string { return g.name }

// NextKey returns the state and adds one to its counter, modulo 2³². The error is that of an
// invalid seed.
func (g *SeedGenerator) NextKey() (Key, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := g.state
	g.state[1]++
	return key, g.err
}

func (g *SeedGenerator) nextKey() (Key, error) { return g.NextKey() }

// nextUnordered returns the state and replaces it by a pseudorandom one: Keras'
// next(ordered=False), which only the global generator uses. The error is that of an invalid seed.
func (g *SeedGenerator) nextUnordered() (Key, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := g.state
	for i := range g.state {
		g.state[i] = (g.state[i] + 1) * 5387 % 933199
	}
	return key, g.err
}

// Fill writes the state, or the part of it that ranges select, into dst: the first value of the
// generator's variable. Any type but uint32[2], a dst that does not fit, and a seed of the
// generator outside [0, 2³²) are errors.
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

// Next is SeedGenerator.NextKey in a traced function: given the node of the state, uint32[2], it
// returns the key to use and the node of the next state, which the caller assigns to the state's
// variable. It panics for any other node.
func Next(state *graph.Node) (TracedKey, *graph.Node) {
	key := Trace(state)
	return key, graph.Add(state, graph.Const(state.Graph(), []uint32{0, 1}))
}

// global holds the state that SetRandomSeed sets. Layers and initializers without a seed take
// theirs from it.
var global globalSeed

type globalSeed struct {
	mu        sync.Mutex
	python    *pythonRandom  // nil until first used
	generator *SeedGenerator // nil until first used
	set       bool           // whether python was set by SetRandomSeed
	seed      uint32         // seed of SetRandomSeed

	entropy func() ([]uint32, error) // function of SetEntropy
	seeds   *mathrand.PCG            // generator of DrawSeed; nil until first used
}

// SetRandomSeed fixes the seeds that are drawn from here on for operations,
// layers, initializers and shuffles without a seed:
// keras.utils.set_random_seed. Those of operations, layers and initializers are the seeds that
// Keras draws, if both programs create layers and initializers in the same order. The order of a
// shuffle is the same in each run of a program, but not that of Keras, which shuffles otherwise.
func SetRandomSeed(seed uint32) {
	global.mu.Lock()
	defer global.mu.Unlock()
	global.python = newPythonRandom(seed)
	global.seeds = mathrand.NewPCG(uint64(seed), 0)
	global.generator, global.set, global.seed = nil, true, seed
}

// SeedText returns a text for messages: the seed of SetRandomSeed, or that none was set.
func SeedText() string {
	global.mu.Lock()
	defer global.mu.Unlock()
	if !global.set {
		return "none (no SetRandomSeed)"
	}
	return fmt.Sprintf("%d (SetRandomSeed)", global.seed)
}

// SetEntropy makes f the source of seeds that the program does not give: those that
// MakeDefaultSeed and DrawSeed draw without SetRandomSeed. They begin again with f. f returns eight
// words, as Entropy does. nil is the operating system. Package distribution sets it in jobs of
// several processes, which so draw the same seeds if they draw in the same order. If f returns an
// error, or not eight words, seeds are of this process only: the caller of SetEntropy must then
// make sure that nothing runs.
func SetEntropy(f func() ([]uint32, error)) {
	global.mu.Lock()
	defer global.mu.Unlock()
	if f == nil && global.entropy == nil {
		return
	}
	global.entropy = f
	if !global.set {
		global.python, global.generator, global.seeds = nil, nil, nil
	}
}

// DrawSeed draws the seed of a shuffle without a seed. It is unpredictable, unless SetRandomSeed
// fixes it.
func DrawSeed() uint64 {
	global.mu.Lock()
	defer global.mu.Unlock()
	if global.seeds == nil {
		w := global.unforeseen()
		global.seeds = mathrand.NewPCG(uint64(w[0])<<32|uint64(w[1]), uint64(w[2])<<32|uint64(w[3]))
	}
	return global.seeds.Uint64()
}

// unforeseen returns eight unpredictable words: from SetEntropy's function, or from the operating
// system if there is none or it fails.
func (g *globalSeed) unforeseen() []uint32 {
	if g.entropy != nil {
		if words, err := g.entropy(); err == nil && len(words) == entropyWords {
			return words
		}
	}
	return Entropy()
}

// MakeDefaultSeed draws the seed of a layer or an initializer without a seed: a number from 1 to
// 1e9, both included. It is unpredictable, unless SetRandomSeed fixes it.
func MakeDefaultSeed() int {
	global.mu.Lock()
	defer global.mu.Unlock()
	return global.defaultSeed()
}

func (g *globalSeed) defaultSeed() int {
	if g.python == nil {
		g.python = newPythonRandom(g.unforeseen()...)
	}
	return g.python.randint(1, 1e9)
}

// unseededKey returns a key for an operation on the host without a seed, another one in each call.
// The first call makes the global generator.
func (g *globalSeed) unseededKey() (Key, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.generator == nil {
		g.generator = NewSeedGenerator(g.defaultSeed())
	}
	return g.generator.nextUnordered()
}

const (
	twisterSize   = 624
	twisterMiddle = 397
)

// pythonRandom generates the numbers of Python's random.Random.
type pythonRandom struct {
	state [twisterSize]uint32
	used  int // number of words of state that were returned
}

// newPythonRandom returns the generator in the state in which Python's random.seed of an integer
// leaves it. key holds the integer's 32-bit words, low ones first.
func newPythonRandom(key ...uint32) *pythonRandom {
	p := &pythonRandom{used: twisterSize}
	s := &p.state
	s[0] = 19650218
	for i := 1; i < twisterSize; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	// The first round mixes in the key, and the second one mixes the words.
	i := 1
	mixIn := func(factor uint32, add uint32) {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*factor) + add
		if i++; i == twisterSize {
			s[0], i = s[twisterSize-1], 1
		}
	}
	for n := range max(twisterSize, len(key)) {
		j := n % len(key)
		mixIn(1664525, key[j]+uint32(j))
	}
	for range twisterSize - 1 {
		mixIn(1566083941, -uint32(i))
	}
	s[0] = 1 << 31
	return p
}

// entropyWords is the number of words that Entropy returns.
const entropyWords = 8

// Entropy returns eight unpredictable words from the operating system. Seeds are made from them.
func Entropy() []uint32 {
	var b [4 * entropyWords]byte
	rand.Read(b[:]) // never fails
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}

func (p *pythonRandom) uint32() uint32 {
	if p.used == twisterSize {
		s := &p.state
		for i := range s {
			y := s[i]&(1<<31) | s[(i+1)%twisterSize]&(1<<31-1)
			s[i] = s[(i+twisterMiddle)%twisterSize] ^ y>>1 ^ -(y&1)&0x9908b0df
		}
		p.used = 0
	}
	y := p.state[p.used]
	p.used++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// randint returns a number from low to high, both included. Like Python it draws as many bits as
// the width of the interval needs, at most 32, until the number is within it.
func (p *pythonRandom) randint(low, high int) int {
	width := high - low + 1
	for {
		if n := int(p.uint32() >> (32 - bits.Len(uint(width)))); n < width {
			return low + n
		}
	}
}

// Option configures Normal, TruncatedNormal, Uniform or RandInt. Each takes the options that its
// comment names; any other is an error.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in options.
type setting = option.Option[options]

type options struct {
	dtype         dtypes.DType
	mean, stddev  float64
	minval, limit float64
}

// DType sets the element type: float32 by default, int32 for RandInt. Normal, TruncatedNormal and
// Uniform take floats, RandInt integers of 8 to 64 bits; others are errors.
func DType(d dtypes.DType) Option {
	return Option{option.New("DType", func(o *options) { o.dtype = d })}
}

// Mean sets the mean of Normal and TruncatedNormal, 0 by default.
func Mean(m float64) Option { return Option{option.New("Mean", func(o *options) { o.mean = m })} }

// Stddev sets the standard deviation of Normal, and that of TruncatedNormal before truncation: 1 by
// default.
func Stddev(s float64) Option { return Option{option.New("Stddev", func(o *options) { o.stddev = s })} }

// Range sets the interval of Uniform: minval is included, maxval is not. The default is [0, 1). An
// empty or infinite interval is an error.
func Range(minval, maxval float64) Option {
	return Option{option.New("Range", func(o *options) { o.minval, o.limit = minval, maxval })}
}

// Normal returns a tensor of this shape with normal numbers: keras.random.normal. A nil seed is the
// global generator. A negative size, a seed that is not valid and other options are errors.
// Options: DType, Mean, Stddev.
func Normal(shape []int, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("Normal", shape, seed, opts, []string{"DType", "Mean", "Stddev"}, dtypes.Float32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillNormal(dst, shape, all, o.mean, o.stddev)
		})
}

// TruncatedNormal returns a tensor of this shape with normal numbers no farther than two standard
// deviations from the mean: keras.random.truncated_normal. A nil seed is the global generator. A
// negative size, a seed that is not valid and other options are errors. Options: DType, Mean,
// Stddev.
func TruncatedNormal(shape []int, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("TruncatedNormal", shape, seed, opts, []string{"DType", "Mean", "Stddev"}, dtypes.Float32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillTruncatedNormal(dst, shape, all, o.mean, o.stddev)
		})
}

// Uniform returns a tensor of this shape with uniform numbers: keras.random.uniform. A nil seed is
// the global generator. A negative size, a seed that is not valid and other options are errors.
// Options: DType, Range.
func Uniform(shape []int, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("Uniform", shape, seed, opts, []string{"DType", "Range"}, dtypes.Float32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillUniform(dst, shape, all, o.minval, o.limit)
		})
}

// RandInt returns a tensor of this shape with integers uniform in [minval, maxval):
// keras.random.randint. A nil seed is the global generator. An interval that is empty or not within
// the type, a negative size, and a seed that is not valid are errors. Option: DType, which must be
// an integer type, int32 by default.
func RandInt(shape []int, minval, maxval int64, seed Source, opts ...Option) (*tensors.Tensor, error) {
	return eager("RandInt", shape, seed, opts, []string{"DType"}, dtypes.Int32,
		func(k Key, dst any, all []layout.Range, o options) error {
			return k.FillRandInt(dst, shape, all, minval, maxval)
		})
}

// eager returns a tensor of this shape, filled by fill with the key of seed. It applies opts. The
// function op takes only options named in accepts; any other is an error. dtype is the default
// type.
func eager(op string, shape []int, seed Source, opts []Option, accepts []string, dtype dtypes.DType,
	fill func(k Key, dst any, all []layout.Range, o options) error) (*tensors.Tensor, error) {
	o := options{dtype: dtype, stddev: 1, limit: 1}
	if err := option.Apply(op, &o, opts, accepts...); err != nil {
		return nil, fmt.Errorf("random: %w", err)
	}
	all := make([]layout.Range, len(shape))
	for i, d := range shape {
		if d < 0 {
			return nil, fmt.Errorf("random: %s: got shape %v: want no negative dimension", op, shape)
		}
		all[i] = layout.Range{Start: 0, Limit: d}
	}
	if dtype.IsFloat() != o.dtype.IsFloat() || o.dtype == dtypes.InvalidDType {
		return nil, fmt.Errorf("random: %s: cannot make numbers of dtype %s: want one like %s", op, o.dtype, dtype)
	}
	key, err := keyOf(seed)
	if err != nil {
		return nil, err
	}
	t := tensors.FromShape(shapes.Make(o.dtype, shape...))
	var fillErr error
	if err := t.MutableFlatData(func(flat any) { fillErr = fill(key, flat, all, o) }); err != nil {
		return nil, fmt.Errorf("random: %s: %w", op, err)
	}
	return t, fillErr
}
