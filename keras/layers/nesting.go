package layers

// This file lets a layer consist of layers.

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/distribution"
)

// Apply runs l within the Call of another layer and returns its first output:
//
//	func (b *Block) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
//		y := c.Apply(b.Up, in[0])
//		return []*graph.Node{graph.Add(in[0], c.Apply(b.Down, y))}
//	}
//
// The first time it builds l, whose variables get paths below that of the outer
// layer, block/up/kernel, as in Keras.
func (c *Context) Apply(l Layer, inputs ...*graph.Node) *graph.Node {
	return c.ApplyAll(l, inputs...)[0]
}

// ApplyAll is Apply for layers of several outputs. As all code that builds
// GoMLX graphs it panics where something does not fit.
func (c *Context) ApplyAll(l Layer, inputs ...*graph.Node) []*graph.Node {
	if l == nil {
		panic(fmt.Errorf("layer %s applies a layer that is nil: set it before the layer is used", c.current.name))
	}
	b := l.base()
	if b.err != nil {
		panic(b.err)
	}
	c.current.Adopt(l)
	if !b.built {
		specs := make([]Spec, len(inputs))
		for i, in := range inputs {
			specs[i] = Spec{Shape: c.openDims(in.Shape().Dimensions), DType: in.DType()}
		}
		if err := build(l, c.current.path, specs); err != nil {
			panic(err)
		}
	}
	outputs, err := c.call(l, inputs)
	if err != nil {
		panic(err)
	}
	return outputs
}

// openDims returns the dimensions of a tensor while the shapes of a layer's
// outputs are found: open ones are None.
func (c *Context) openDims(dims []int) []int {
	dims = slices.Clone(dims)
	for i, d := range dims {
		if d == c.open {
			dims[i] = None
		}
	}
	return dims
}

// call runs a layer: under its name as layer path, with each output pinned to
// the layout that the distribution gives PATH/output, and marked so that the
// backward pass knows the layer.
func (c *Context) call(l Layer, inputs []*graph.Node) (outputs []*graph.Node, err error) {
	b, outer := l.base(), c.current
	c.current = b
	c.Recorder.Scope(b.name, func() {
		outputs = l.Call(c, b.cast(inputs))
		for i, out := range outputs {
			if c.Distribution != nil {
				s, e := distribution.OutputSharding(c.Distribution, b.path+"/output", out.Rank())
				if e != nil {
					err = e
					return
				}
				out = c.Recorder.Constrain(out, s)
			}
			outputs[i] = c.Recorder.Mark(out)
		}
	})
	c.current = outer
	return outputs, err
}

// build makes l's variables, with paths below outer.
func build(l Layer, outer string, inputs []Spec) error {
	b := l.base()
	adoptParts(l)
	if b.policy.name == "" {
		b.policy = currentPolicy()
	}
	b.path = b.name
	if outer != "" {
		b.path = outer + "/" + b.name
	}
	if err := l.Build(&Builder{layer: b, path: b.path, inputs: inputs}, inputs); err != nil {
		return fmt.Errorf("layer %s (%s): %w", b.name, TypeName(l), err)
	}
	b.built = true
	return nil
}

// Adopt tells a layer that it consists of others, in this order: their
// variables are its own, and they are frozen with it. It is not needed for
// layers in the fields of a struct, nor for those that Call applies.
func (b *Base) Adopt(ls ...Layer) {
	for _, l := range ls {
		if slices.Contains(b.inner, l) {
			continue
		}
		b.inner = append(b.inner, l)
		nameLayer(l, TypeName(l))
		if b.frozen {
			l.base().SetTrainable(false)
		}
		adoptParts(l)
	}
}

// adoptParts adopts the layers in l's fields, and those in theirs, so that
// automatic names follow the order of fields.
func adoptParts(l Layer) {
	b := l.base()
	if b.adopted {
		return
	}
	b.adopted = true
	for _, p := range Parts(l) {
		b.Adopt(p.Layers...)
	}
}

// Inner returns the layers that the layer consists of.
func (b *Base) Inner() []Layer { return b.inner }

// OutputPaths returns the paths by which a LayoutMap lays out the outputs of l
// and of the layers that it consists of: d1/output.
func OutputPaths(l Layer) (paths []string) {
	l.base().walk(make(map[*Base]bool), func(b *Base) { paths = append(paths, b.path+"/output") })
	return paths
}

// AssignName gives l an automatic name unless it has one, and returns what went
// wrong when l was made.
func AssignName(l Layer) error {
	nameLayer(l, TypeName(l))
	adoptParts(l)
	return l.base().err
}

// Part is a field of a layer's struct that holds layers.
type Part struct {
	Field  string
	List   bool // a slice or an array, else one layer
	Layers []Layer
}

// Parts returns the fields of the struct that l points to which hold layers, in
// their order. A field that is nil is left out.
func Parts(l Layer) []Part {
	v := reflect.ValueOf(l)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	return partsOf(v.Elem())
}

// Attribute returns the name of the field as Python writes it: first_block of
// FirstBlock.
func (p Part) Attribute() string { return snake(p.Field) }

var (
	layerType = reflect.TypeFor[Layer]()
	baseType  = reflect.TypeFor[Base]()
)

func partsOf(v reflect.Value) (parts []Part) {
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if field.Anonymous && field.Type != baseType && f.Kind() == reflect.Struct {
			parts = append(parts, partsOf(f)...)
			continue
		}
		// Fields that are not exported are read too: they hold layers as well.
		f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
		p := Part{Field: field.Name}
		switch {
		case f.Type().Implements(layerType):
			p.add(f)
		case (f.Kind() == reflect.Slice || f.Kind() == reflect.Array) && f.Type().Elem().Implements(layerType):
			p.List = true
			for k := range f.Len() {
				p.add(f.Index(k))
			}
		}
		if len(p.Layers) > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

func (p *Part) add(v reflect.Value) {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
		return
	}
	p.Layers = append(p.Layers, v.Interface().(Layer))
}
