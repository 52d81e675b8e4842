package layers

// This file defines the options that layers share, and how layers get names.

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/initializers"
)

// Option configures a layer. A layer takes the options that its doc comment
// names; another one is an error that says which ones it takes.
type Option = option.Option[options]

type options struct {
	name              string
	dtype             dtypes.DType
	activation        activations.Func
	useBias           bool
	kernelInitializer initializers.Initializer
	biasInitializer   initializers.Initializer
	seed              *int
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

// DType sets the element type, float32 by default.
func DType(d dtypes.DType) Option {
	return option.New("DType", func(o *options) { o.dtype = d })
}

// Activation sets the activation: the name of one, such as "relu", or an
// activations.Func. The default is "linear", none.
func Activation(a any) Option {
	return Option{Name: "Activation", Set: func(o *options) (err error) {
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
		o.kernelInitializer, err = initializers.Get(init)
		return err
	}}
}

// BiasInitializer sets the initializer of the bias, "zeros" by default.
func BiasInitializer(init any) Option {
	return Option{Name: "BiasInitializer", Set: func(o *options) (err error) {
		o.biasInitializer, err = initializers.Get(init)
		return err
	}}
}

// Seed fixes the random numbers of the layer.
func Seed(seed int) Option {
	return option.New("Seed", func(o *options) { o.seed = &seed })
}

// configure applies opts, of which the layer takes those named in accepts.
func (b *Base) configure(kind string, opts []Option, accepts ...string) options {
	o := options{dtype: dtypes.Float32, useBias: true, activation: activations.Linear}
	if err := option.Apply(kind, &o, opts, accepts...); err != nil {
		b.fail("%w", err)
	}
	b.name = o.name
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

// TypeName returns the Go type of l in snake case: dense, layer_normalization.
func TypeName(l Layer) string {
	name := strings.TrimSuffix(reflect.Indirect(reflect.ValueOf(l)).Type().Name(), "Layer")
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 {
			prev := name[i-1]
			nextLower := i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'
			if prev >= 'a' && prev <= 'z' || prev >= '0' && prev <= '9' || nextLower {
				b.WriteByte('_')
			}
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
