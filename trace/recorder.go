package trace

// This file defines Recorder, the user's view of a recording.

import (
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Recorder records one GoMLX graph into an ir.Module. It exists only inside a
// call of Record and belongs to the goroutine of that call.
//
// Its methods panic, as GoMLX's functions do, where they cannot do what they
// are asked for; Record turns every panic into an error.
type Recorder struct {
	module *ir.Module
	main   *ir.Func
	mesh   *mesh.DeviceMesh // nil: one device
	graph  *graph.Graph

	path    string           // layer path given to ops, grad(…) in the backward pass
	pinning *layout.Sharding // makes the next Identity a sharding constraint
	params  map[string]int   // index by name
	results []*ir.Value      // what main returns, in the order of the outputs

	branches bool // an If or a While was recorded
}

func newRecorder(name string, dm *mesh.DeviceMesh) *Recorder {
	r := &Recorder{
		module: &ir.Module{Name: name},
		main:   ir.NewFunc("main"),
		params: make(map[string]int),
	}
	r.module.Funcs = []*ir.Func{r.main}
	if dm != nil {
		r.mesh = r.module.AddMesh("mesh", dm)
	}
	r.graph = graph.NewGraph(&backend{r: r}, name)
	return r
}

// Graph returns the GoMLX graph that is being recorded.
func (r *Recorder) Graph() *graph.Graph { return r.graph }

// Path returns the layer path that ops carry just now: outer/inner within
// Scopes, grad(outer/inner) in the backward pass.
func (r *Recorder) Path() string { return r.path }

// Param adds a parameter. Names must be unique; s pins its layout, nil leaves
// it to propagation.
func (r *Recorder) Param(name string, t ir.Type, s *layout.Sharding) *graph.Node {
	fail := func(format string, args ...any) { panic(r.errorf("parameter "+quote(name), format, args...)) }
	if name == "" {
		fail("a parameter needs a name: inputs and donors are found by it")
	}
	if _, ok := r.params[name]; ok {
		fail("the name is used twice: parameter names must be unique")
	}
	if t.IsToken() {
		fail("got type %s, want a tensor", t)
	}
	if err := r.checkSharding(t, s); err != nil {
		fail("%w", err)
	}
	if !r.graph.IsMainFunc() {
		fail("a Param inside a closure or function: add it before, or use graph.Parameter for the function's own")
	}
	for i, d := range t.Dims {
		if d < 0 {
			fail("dimension %d of %v has size %d: sizes must be known and not negative", i, t.Dims, d)
		}
	}
	n := graph.Parameter(r.graph, name, shapes.Make(t.DType, t.Dims...))
	v := r.main.Params()[r.params[name]]
	v.Sharding = s
	return n
}

// Annotate adds an attribute to a parameter, as one for the compiler that says
// what the parameter is for.
func (r *Recorder) Annotate(param, name string, value ir.Attr) {
	i, ok := r.params[param]
	if !ok {
		panic(r.errorf("parameter "+quote(param), "Annotate: there is no such parameter: the parameters are %q", r.paramNames()))
	}
	r.main.ArgAttrs[i] = r.main.ArgAttrs[i].With(name, value)
}

// Scope runs build with the layer path extended by name: ops recorded within
// carry outer/name as their path.
func (r *Recorder) Scope(name string, build func()) {
	outer := r.path
	if outer != "" {
		name = outer + "/" + name
	}
	r.path = name
	build()
	r.path = outer // not deferred: recovered wants the path that a panic came from
}

// Pin constrains x, and in the backward pass its gradient, to the layout s: a
// sharding_constraint. It survives differentiation, of any order. A nil s
// pins nothing: x is returned.
func (r *Recorder) Pin(x *graph.Node, s *layout.Sharding) *graph.Node {
	if s == nil {
		return x
	}
	if err := r.checkSharding(typeOfNode(x), s); err != nil {
		panic(r.errorf("Pin", "%w", err))
	}
	r.pinning = s
	defer func() { r.pinning = nil }()
	return graph.IdentityWithCustomGradient(x, func(_, v *graph.Node) *graph.Node { return r.Pin(v, s) })
}

// Mark returns x, marked as the output of the layer whose Scope is running:
// when the backward pass reaches x, the ops it records from there on carry
// the path grad(layer path). A mark leaves no op in the module.
//
// Where a layer's output is pinned too, mark the pinned value, so that the
// pin of the gradient has the layer's path already.
func (r *Recorder) Mark(x *graph.Node) *graph.Node {
	path := gradPath(r.path)
	return graph.IdentityWithCustomGradient(x, func(_, v *graph.Node) *graph.Node {
		r.path = path
		return v
	})
}

// Gradient returns the gradients of the scalar loss with respect to params:
// graph.Gradient, with paths. The backward pass starts with the path
// grad(path of the loss), goes on with that of each Mark it reaches, and ends
// with the path of before. Where a gradient would have to flow through an
// operation that has none, it fails.
//
// graph.Gradient itself records the same ops, but what follows it would carry
// the path of the last mark until the Scope ends, and what flows through a
// value that an If or a While captured would silently be left out.
func (r *Recorder) Gradient(loss *graph.Node, params ...*graph.Node) []*graph.Node {
	forward := r.path
	r.checkCaptures(loss, params)
	r.path = gradPath(nodeLocation(loss).Path)
	grads := graph.Gradient(loss, params...)
	r.path = forward
	return grads
}

func gradPath(path string) string { return "grad(" + path + ")" }

// nodeValue returns what a node of a recorded graph stands for, or nil for a
// node of another graph.
func nodeValue(n *graph.Node) *ir.Value {
	if n == nil || n.NumOutputs() == 0 {
		return nil
	}
	v, _ := graph.InternalBackendOutputs(n)[0].(*ir.Value)
	return v
}

// nodeLocation returns the location of the op that made n; nothing is known
// of parameters.
func nodeLocation(n *graph.Node) ir.Location {
	if v := nodeValue(n); v != nil && v.Def() != nil {
		return v.Def().Loc
	}
	return ir.Location{}
}

func typeOfNode(n *graph.Node) ir.Type {
	return ir.Tensor(n.DType(), n.Shape().Dimensions...)
}
