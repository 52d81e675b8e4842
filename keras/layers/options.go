package layers

// This file defines the options that layers share, and how layers get names.

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/initializers"
)

// Option configures a layer. A layer takes the options that its doc comment
// names; another one is an error that says which ones it takes.
type Option = option.Option[options]

type options struct {
	name              string
	policy            policy
	activation        activations.Func
	useBias           bool
	kernelInitializer initializers.Initializer
	biasInitializer   initializers.Initializer
	seed              *int

	// Of layers with windows (options_window.go).
	window          window
	groups          int
	depthMultiplier int
	keepDims        bool

	// Of normalizations, merging and others (options_more.go).
	axis                  []int
	momentum, epsilon     float64
	center, scale         bool
	betaInitializer       initializers.Initializer
	gammaInitializer      initializers.Initializer
	meanInitializer       initializers.Initializer
	varianceInitializer   initializers.Initializer
	embeddingsInitializer initializers.Initializer
	offset                float64

	// Of attention (options_more.go).
	valueDim int
	dropout  float64
	causal   bool

	// The initializers as the user gave them, for layers that make several
	// variables with one: a name makes different numbers for each.
	kernelInitializerID, biasInitializerID any
	activationID                           any // the activation as the user gave it
}

// Name names the layer. Names must be unique within a model: they make the
// paths of its variables, which a LayoutMap matches.
func Name(name string) Option {
	return Option{Name: "Name", Set: func(o *options) error {
		if name == "" || strings.Contains(name, "/") {
			return fmt.Errorf("got %q, want a name without \"/\"", name)
		}
		o.name = name
		return nil
	}}
}

// Activation sets the activation: the name of one, such as "relu", or an
// activations.Func. The default is "linear", none.
func Activation(a any) Option {
	return Option{Name: "Activation", Set: func(o *options) (err error) {
		o.activationID = a
		o.activation, err = activations.Get(a)
		return err
	}}
}

// UseBias says whether a bias is added; by default it is.
func UseBias(use bool) Option {
	return option.New("UseBias", func(o *options) { o.useBias = use })
}

// KernelInitializer sets the initializer of the kernel: the name of one, such
// as "glorot_uniform" (the default), or an initializers.Initializer.
func KernelInitializer(init any) Option {
	return Option{Name: "KernelInitializer", Set: func(o *options) (err error) {
		o.kernelInitializerID = init
		o.kernelInitializer, err = initializers.Get(init)
		return err
	}}
}

// BiasInitializer sets the initializer of the bias, "zeros" by default.
func BiasInitializer(init any) Option {
	return Option{Name: "BiasInitializer", Set: func(o *options) (err error) {
		o.biasInitializerID = init
		o.biasInitializer, err = initializers.Get(init)
		return err
	}}
}

// Seed fixes the random numbers of the layer.
func Seed(seed int) Option {
	return option.New("Seed", func(o *options) { o.seed = &seed })
}

// configure applies opts, of which the layer takes those named in accepts, and
// DType and DTypePolicy, as all do.
func (b *Base) configure(kind string, opts []Option, accepts ...string) options {
	o := options{
		policy: currentPolicy(), useBias: true, activation: activations.Linear,
		window: window{size: [2]int{2, 2}, dilation: [2]int{1, 1}}, groups: 1, depthMultiplier: 1,
		axis: []int{-1}, center: true, scale: true,
	}
	accepts = append(accepts, "DTypePolicy")
	if !slices.Contains(accepts, "DType") {
		accepts = append(accepts, "DType")
	}
	if err := option.Apply(kind, &o, opts, accepts...); err != nil {
		b.fail("%w", err)
	}
	b.name, b.policy = o.name, o.policy
	return o
}

var autoNames = struct {
	sync.Mutex
	next map[string]int
}{next: make(map[string]int)}

// autoName returns kind, kind_1, kind_2, … in turn.
func autoName(kind string) string {
	autoNames.Lock()
	defer autoNames.Unlock()
	n := autoNames.next[kind]
	autoNames.next[kind]++
	if n == 0 {
		return kind
	}
	return fmt.Sprintf("%s_%d", kind, n)
}

// AutoName returns the next automatic name for things of a kind: sequential,
// sequential_1, ….
func AutoName(kind string) string { return autoName(kind) }

// ClearSession restarts automatic names, as keras.utils.clear_session does.
func ClearSession() {
	autoNames.Lock()
	defer autoNames.Unlock()
	clear(autoNames.next)
}

// nameLayer gives l an automatic name unless it has one.
func nameLayer(l Layer, kind string) {
	if b := l.base(); b.name == "" {
		b.name = autoName(kind)
	}
}

// Where snake case has its underscores: before a capital and the lower-case
// letters that follow it, and between a lower-case letter and a capital.
var (
	beforeWord = regexp.MustCompile(`(.)([A-Z][a-z]+)`)
	beforeCaps = regexp.MustCompile(`([a-z])([A-Z])`)
)

// TypeName returns the Go type of l in snake case, as Keras names layers:
// dense, layer_normalization, conv2d.
func TypeName(l Layer) string {
	return snake(strings.TrimSuffix(reflect.Indirect(reflect.ValueOf(l)).Type().Name(), "Layer"))
}

// snake returns a Go name in snake case.
func snake(name string) string {
	name = beforeWord.ReplaceAllString(name, "${1}_${2}")
	return strings.ToLower(beforeCaps.ReplaceAllString(name, "${1}_${2}"))
}
