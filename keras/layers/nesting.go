package layers

// This file defines how a layer consists of other layers.

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// Apply runs l within the Call of another layer and returns its first output. It panics as ApplyAll
// does:
//
//	func (b *Block) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
//		y := c.Apply(b.Up, in[0])
//		return []*graph.Node{graph.Add(in[0], c.Apply(b.Down, y))}
//	}
//
// The first call builds l. As in Keras, the paths of its variables begin with that of the outer
// layer: block/up/kernel.
func (c *Context) Apply(l Layer, inputs ...*graph.Node) *graph.Node {
	return c.ApplyAll(l, inputs...)[0]
}

// ApplyAll is Apply for layers with several outputs: it returns all of them. Like all code that
// builds GoMLX graphs it panics, with an error, if l is nil or shapes do not fit.
func (c *Context) ApplyAll(l Layer, inputs ...*graph.Node) []*graph.Node {
	outer := c.current
	if outer == nil { // a step of the user's own (keras.TrainStep)
		outer = &Base{name: "of the step"}
	}
	if IsNil(l) {
		panic(fmt.Errorf("layer %s applies a layer that is nil: set it before the layer is used", outer.name))
	}
	of, _ := Called(l)
	b := of.base()
	if err := ConstructionError(of); err != nil {
		panic(err)
	}
	if RunsOnHost(of) {
		panic(fmt.Errorf("layer %s (%s) runs on the host, and layer %s on devices: apply it to an Input of the model, and give %s what it returns", l.Name(), TypeName(l), outer.name, outer.name))
	}
	outer.Adopt(of)
	if !b.built {
		specs := make([]Spec, len(inputs))
		for i, in := range inputs {
			specs[i] = Spec{Shape: c.openDims(in.Shape().Dimensions), DType: in.DType()}
		}
		if err := build(of, outer.path, specs); err != nil {
			panic(err)
		}
	}
	outputs, err := c.callAs(l, inputs)
	if err != nil {
		panic(err)
	}
	return outputs
}

// applyTensors is ApplyAll for Tensors that are values in this Call. It panics in a function that
// is given as a loss, metric or regularizer: that cannot apply layers.
func (c *Context) applyTensors(l Layer, inputs []*Tensor) []*Tensor {
	if c.StatelessScope == nil { // of OnNodes
		panic(fmt.Errorf("a function that is given as a loss, a metric or a regularizer applies the layer %T: use operations only", l))
	}
	return c.tensors(c.ApplyAll(l, c.Nodes(inputs...)...))
}

// callingContext returns the context of a call, in progress, of a layer that l is part of; nil if
// there is none, as when l is applied to arrays outside of a model.
func callingContext(l Layer) *Context {
	if IsNil(l) {
		return nil
	}
	of, _ := Called(l)
	for _, b := range of.base().outer {
		if b.calling != nil {
			return b.calling
		}
	}
	return nil
}

// Tensors converts nodes of this Call to Tensors, in the same order.
func (c *Context) Tensors(nodes ...*graph.Node) []*Tensor { return c.tensors(nodes) }

func (c *Context) tensors(nodes []*graph.Node) []*Tensor {
	out := make([]*Tensor, len(nodes))
	for i, x := range nodes {
		out[i] = c.Tensor(x)
	}
	return out
}

// openDims returns dims with None in place of the sizes that stand for open dimensions while the
// shapes of a layer's outputs are computed.
func (c *Context) openDims(dims []int) []int {
	dims = slices.Clone(dims)
	for i, d := range dims {
		if d == c.open {
			dims[i] = None
		}
	}
	return dims
}

// call runs l on the inputs, in the recorder's scope of its name, and returns its outputs. It
// converts inputs to the type and the order of dimensions that l computes in, gives each output its
// mask, and adds the penalty of the activity regularizer to the losses. It annotates each output
// with the sharding that the distribution has for PATH/output, and marks it so that the backward
// pass knows the layer. An error is one of the distribution.
func (c *Context) call(l Layer, inputs []*graph.Node) (outputs []*graph.Node, err error) {
	b, outer, outerCallee := l.base(), c.current, c.callee
	outerCalling := b.calling
	c.current, b.calling = b, c
	defer func() { b.calling = outerCalling }()
	c.Recorder.Scope(b.name, func() {
		cast := b.cast(inputs)
		first := channelsFirst(l)
		for i, x := range inputs {
			if first {
				cast[i] = nodes.ChannelsLast(cast[i])
			}
			c.setMask(cast[i], c.Mask(x))
		}
		c.callee, _ = Called(l)
		outputs = l.Call(c, cast)
		if b.isRecomputed(outputs) {
			c.recomputeHere()
		}
		for i, out := range outputs {
			if first && out.Rank() == cast[0].Rank() {
				outputs[i] = nodes.ChannelsFirst(out)
			}
		}
		masks := c.outputMasks(l, cast, outputs)
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
			c.penalize(b.activity, outputs[i])
			c.setMask(outputs[i], masks[i])
		}
	})
	c.current, c.callee = outer, outerCallee
	return outputs, err
}

// build builds l for inputs of these types: it adopts the layers that l consists of, gives l its
// path, which begins with outer, and the global dtype policy if it has none, and calls its Build.
// An error is that of l's construction or of Build, with l's name. outer may be empty.
func build(l Layer, outer string, inputs []Spec) error {
	b := l.base()
	adoptParts(l)
	if b.err != nil {
		return fmt.Errorf("layer %s (%s): %w", b.name, TypeName(l), b.err)
	}
	if b.policy.name == "" {
		b.policy = currentPolicy()
	}
	b.path = b.name
	if outer != "" && !b.topLevel {
		b.path = outer + "/" + b.name
	}
	if channelsFirst(l) {
		inputs = channelsLast(inputs)
	}
	builder := &Builder{layer: b, path: b.path, inputs: inputs}
	if err := cmp.Or(l.Build(builder, inputs), builder.err); err != nil {
		return fmt.Errorf("layer %s (%s): %w", b.name, TypeName(l), err)
	}
	b.built = true
	return nil
}

// Adopt makes the layer consist of ls, in this order: Variables includes their variables, and they
// are frozen with it. They get names if they have none. A nil layer, and a call such as that of
// WithTraining, become errors of the layer. Layers that Parts returns or Call applies do not need
// it.
func (b *Base) Adopt(ls ...Layer) {
	for _, l := range ls {
		if IsNil(l) {
			b.fail("layer %s consists of a layer that is nil: set it, or leave it out", b.name)
			continue
		}
		if err := errCalled(l); err != nil {
			b.fail("layer %s: %w", b.name, err)
			continue
		}
		if slices.Contains(b.inner, l) {
			continue
		}
		b.inner = append(b.inner, l)
		l.base().outer = append(l.base().outer, b)
		nameLayer(l, TypeName(l))
		if b.frozen && !b.freeParts {
			l.base().SetTrainable(false)
		}
		adoptParts(l)
	}
}

// adoptParts makes l consist of the layers that partsOf returns, and these of their parts in turn,
// so that automatic names follow the order of fields. It does so only once for a layer. An error of
// partsOf becomes that of l.
func adoptParts(l Layer) {
	b := l.base()
	if b.adopted {
		return
	}
	b.adopted = true
	parts, err := partsOf(l)
	if err != nil {
		b.fail("%w", err)
	}
	for _, p := range parts {
		b.Adopt(p.Layers...)
	}
}

// Inner returns the layers that l consists of, in the order in which it adopted them. It has those
// that Call applies only after the first call. Do not change the list.
func Inner(l Layer) []Layer { return l.base().inner }

// OutputPaths returns the paths that a LayoutMap matches for the outputs of l and
// of the layers that it consists of, such as d1/output.
func OutputPaths(l Layer) (paths []string) {
	l.base().walk(make(map[*Base]bool), func(b *Base) { paths = append(paths, b.path+"/output") })
	return paths
}

// AssignName gives l an automatic name unless it has one, and makes it adopt its parts. It returns
// the error of l's construction, nil if there is none.
func AssignName(l Layer) error {
	nameLayer(l, TypeName(l))
	adoptParts(l)
	return ConstructionError(l)
}

// Composite is a Layer that lists its inner layers itself. The inner layers of other layers are in
// the exported fields of their structs.
type Composite interface {
	Layer
	// Parts returns the layers that the layer consists of, in Keras' order of
	// attributes.
	Parts() []Part
}

// Part is an attribute of a layer that holds layers: one layer, or a list.
type Part struct {
	Field  string // name of the field of the layer's struct
	List   bool   // the field is a slice or an array, else it is one layer
	Layers []Layer
}

// Attribute returns the name of the field as Python writes it: first_block of
// FirstBlock.
func (p Part) Attribute() string { return autoname.Snake(p.Field) }

// Parts returns the layers that l consists of, in order: those that it lists as a Composite, or
// those in exported fields of its struct. It leaves out fields that are nil. It returns nil if
// another field holds a layer.
func Parts(l Layer) []Part {
	parts, _ := partsOf(l)
	return parts
}

// partsOf returns the parts of l, in order: those that l lists as a Composite, or those in exported
// fields of its struct. It fails if a field that is not exported holds a layer, because package
// reflect cannot read it.
func partsOf(l Layer) ([]Part, error) {
	if c, ok := l.(Composite); ok {
		return c.Parts(), nil
	}
	v := reflect.ValueOf(l)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, nil
	}
	return partsOfStruct(v.Elem())
}

// asLayer is implemented by models. If a field of a layer holds a model, the part of the layer is
// the model's AsLayer.
type asLayer interface{ AsLayer() Layer }

// isPart reports whether a field of type t holds a part of a layer.
func isPart(t reflect.Type) bool { return t.Implements(layerType) || t.Implements(modelType) }

var (
	layerType = reflect.TypeFor[Layer]()
	modelType = reflect.TypeFor[asLayer]()
	baseType  = reflect.TypeFor[Base]()
)

func partsOfStruct(v reflect.Value) (parts []Part, err error) {
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if field.Anonymous && field.Type != baseType && f.Kind() == reflect.Struct {
			embedded, err := partsOfStruct(f)
			if err != nil {
				return nil, err
			}
			parts = append(parts, embedded...)
			continue
		}
		p := Part{Field: field.Name}
		var values []reflect.Value
		switch {
		case isPart(f.Type()):
			values = []reflect.Value{f}
		case (f.Kind() == reflect.Slice || f.Kind() == reflect.Array) && isPart(f.Type().Elem()):
			p.List = true
			for k := range f.Len() {
				values = append(values, f.Index(k))
			}
		}
		for _, v := range values {
			if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
				continue
			}
			if !v.CanInterface() {
				return nil, fmt.Errorf("its field %s holds layers, but is not exported: export it, or give the type a method Parts (layers.Composite)", field.Name)
			}
			if m, ok := v.Interface().(asLayer); ok {
				p.Layers = append(p.Layers, m.AsLayer())
			} else {
				p.Layers = append(p.Layers, v.Interface().(Layer))
			}
		}
		if len(p.Layers) > 0 {
			parts = append(parts, p)
		}
	}
	return parts, nil
}
