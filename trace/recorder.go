package trace

// This file defines Recorder and Record. Record runs the user's code, which records a graph with a
// Recorder, and collects the results.

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Output is a result of the recorded function.
type Output struct {
	Name     string
	Node     *graph.Node
	Sharding *layout.Sharding // nil: propagation chooses it
	// Donor names the parameter whose buffers this output takes over, such as the old value of an
	// updated weight. It is empty if there is none. Both must have the same type.
	Donor string
}

// aliasing is the attribute of a donated parameter, which JAX also writes: the index of the output
// that takes over its buffers.
const aliasing = "tf.aliasing_output"

// Record calls build with a new Recorder, and returns the recorded module, of the given name. It
// has main, and the functions that main calls. dm is the mesh of all shardings; nil means one
// device.
//
// If GoMLX or build panics, Record recovers the panic and returns an *Error, which names the op,
// the layer path and the source line. If build returns an error, Record returns it as it is. Other
// errors are: no outputs; a name that is empty or used twice; a node that is nil or of another
// graph; a sharding that does not suit; a donor that is unknown, has another type, or is named
// twice.
func Record(name string, dm *mesh.DeviceMesh, build func(r *Recorder) ([]Output, error)) (m *ir.Module, err error) {
	r := newRecorder(name, dm)
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, r.errorOfPanic(p)
		}
	}()
	r.graph.AssertBuilding() // ends the configuration of the graph: now it has functions
	outputs, err := build(r)
	if err != nil {
		return nil, err
	}
	if err := r.checkOutputs(outputs); err != nil {
		return nil, fmt.Errorf("trace: %q: %w", name, err)
	}
	r.finish(outputs)
	return r.module, nil
}

// Input is a parameter of RecordFunc.
type Input struct {
	Name     string
	Type     ir.Type
	Sharding *layout.Sharding // nil: propagation chooses it
}

// RecordFunc records fn, a plain function of GoMLX nodes, as Record does, with the same errors. The
// module, called name and on the mesh dm, has a parameter for each of inputs, which fn gets in
// their order, and outputs named output0, output1, ….
func RecordFunc(name string, dm *mesh.DeviceMesh,
	fn func(g *graph.Graph, inputs []*graph.Node) []*graph.Node, inputs ...Input) (*ir.Module, error) {
	return Record(name, dm, func(r *Recorder) ([]Output, error) {
		nodes := make([]*graph.Node, len(inputs))
		for i, in := range inputs {
			nodes[i] = r.Param(in.Name, in.Type, in.Sharding)
		}
		results := fn(r.Graph(), nodes)
		outputs := make([]Output, len(results))
		for i, n := range results {
			outputs[i] = Output{Name: fmt.Sprintf("output%d", i), Node: n}
		}
		return outputs, nil
	})
}

// checkOutputs returns everything that is wrong with the outputs (names, shardings, donors) as one
// error, nil if nothing is.
func (r *Recorder) checkOutputs(outputs []Output) error {
	var errs []error
	if len(outputs) == 0 {
		errs = append(errs, errors.New("build returned no outputs: a recorded function needs at least one"))
	}
	names := make(map[string]bool, len(outputs))
	takenBy := make(map[string]string)
	for i, o := range outputs {
		fail := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("output %q: "+format, append([]any{o.Name}, args...)...))
		}
		switch {
		case o.Name == "":
			errs = append(errs, fmt.Errorf("output %d has no name: results are found by it", i))
		case names[o.Name]:
			fail("the name is used twice: output names must be unique")
		}
		names[o.Name] = true
		if o.Node == nil {
			fail("the node is nil")
			continue
		}
		if o.Node.Graph() != r.graph {
			fail("the node belongs to another graph (%q): return nodes of Recorder.Graph", o.Node.Graph().Name())
			continue
		}
		t := typeOfNode(o.Node)
		if err := r.checkSharding(t, o.Sharding); err != nil {
			fail("%w", err)
		}
		if o.Donor == "" {
			continue
		}
		index, ok := r.params[o.Donor]
		switch {
		case !ok:
			fail("donor %q is no parameter: the parameters are %q", o.Donor, r.paramNames())
		case !t.Equal(r.main.Params()[index].Type):
			fail("has type %s but its donor %q has %s: an output can take over a buffer of its own type only",
				t, o.Donor, r.main.Params()[index].Type)
		case takenBy[o.Donor] != "":
			fail("donor %q gives its buffer to output %q already: a parameter can be donated once", o.Donor, takenBy[o.Donor])
		}
		takenBy[o.Donor] = o.Name
	}
	return errors.Join(errs...)
}

// finish ends main with a return of the outputs, sets their names, shardings and donors, and
// empties closures that nothing uses. The outputs must have been checked.
func (r *Recorder) finish(outputs []Output) {
	nodes := make([]*graph.Node, len(outputs))
	for i, o := range outputs {
		nodes[i] = o.Node
	}
	r.graph.CurrentFunc().Return(nodes, nil) // calls function.Return
	r.main.Return(r.results...)
	r.dropUnusedClosures()
	for i, o := range outputs {
		r.main.Results[i].Name = o.Name
		r.main.Results[i].Sharding = o.Sharding
		if o.Donor != "" {
			p := r.params[o.Donor]
			r.main.ArgAttrs[p] = r.main.ArgAttrs[p].With(aliasing, ir.Int32(i))
		}
	}
}

// dropUnusedClosures empties the blocks of the closures and scratch blocks that are not a region of
// any op, so that their ops use no values.
func (r *Recorder) dropUnusedClosures() {
	for _, b := range r.closures {
		if b.Parent() == nil {
			b.Clear()
		}
	}
}

func (r *Recorder) paramNames() []string {
	names := make([]string, len(r.main.Params()))
	for i, p := range r.main.Params() {
		names[i] = p.Name
	}
	return names
}

// checkSharding returns an error if a value of type t cannot have the sharding s: there is no mesh
// or s is on another one, or their ranks differ. A nil s is never an error. The errors begin with a
// verb, to go behind the name of the value.
func (r *Recorder) checkSharding(t ir.Type, s *layout.Sharding) error {
	switch {
	case s == nil:
		return nil
	case r.mesh == nil:
		return fmt.Errorf("is annotated with %s, but the recording has no mesh: give Record the mesh, or no shardings", s)
	case !s.Mesh.Equal(r.mesh):
		return fmt.Errorf("is annotated with %s on mesh %s, but the recording's mesh is %s: use one mesh for all", s, s.Mesh, r.mesh)
	case len(s.Dims) != t.Rank():
		return fmt.Errorf("is annotated with %s, which has %d dimensions, but its type %s has %d: give one entry for each dimension",
			s, len(s.Dims), t, t.Rank())
	}
	return nil
}

// Recorder records one GoMLX graph into an ir.Module. It may be used only in the call of build by
// Record, and only by the goroutine of that call.
//
// Its methods panic if they fail, as GoMLX's functions do. Record turns every panic into an error.
type Recorder struct {
	module *ir.Module
	main   *ir.Func
	mesh   *mesh.DeviceMesh // nil: one device
	graph  *graph.Graph

	place    ir.Location    // place that At has set for the layer that is being recorded
	line     *ir.Location   // place of all ops during AtOnePlace; else nil
	path     string         // layer path of new ops; grad(…) in the backward pass
	params   map[string]int // index by name
	results  []*ir.Value    // results of main, in the order of the outputs
	branches bool           // an If or a While was recorded
	closures []*ir.Block    // blocks of closures, and blocks of scratchBlock

	// called once by the next Identity, which otherwise records nothing
	identity func(*emitter, *ir.Value) *ir.Value
	// location of the op that a replay is recording; else nil
	again   *ir.Location
	loops   map[*ir.Op]*scan // the recorded scans, by their loops
	closing *scan            // the scan that the next closure stands for
	// the nodes that depend on the params of the running Gradient; nil if none is running
	wanted *dependents
}

func newRecorder(name string, dm *mesh.DeviceMesh) *Recorder {
	r := newModule(name, dm)
	r.graph = graph.NewGraph(&backend{r: r}, name)
	return r
}

// newModule returns a Recorder with a new module that has the mesh dm, which may be nil, but
// without a graph.
func newModule(name string, dm *mesh.DeviceMesh) *Recorder {
	r := &Recorder{
		module: &ir.Module{Name: name},
		main:   ir.NewFunc("main"),
		params: make(map[string]int),
	}
	r.module.Funcs = []*ir.Func{r.main}
	if dm != nil {
		r.mesh = r.module.AddMesh("mesh", dm)
	}
	return r
}

// Graph returns the GoMLX graph that is being recorded.
func (r *Recorder) Graph() *graph.Graph { return r.graph }

// Path returns the layer path that new ops get: outer/inner within Scopes, grad(outer/inner) in the
// backward pass, and "" outside of all.
func (r *Recorder) Path() string { return r.path }

// Param adds a parameter to main and returns its node. s is its sharding; if it is nil, propagation
// chooses it. It panics with an *Error for an empty or used name, a type that is no tensor of known
// size, a sharding that does not suit, and inside of a closure or function.
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
	if err := t.CheckSize(); err != nil {
		fail("%w", err)
	}
	n := graph.Parameter(r.graph, name, shapes.Make(t.DType, t.Dims...))
	v := r.main.Params()[r.params[name]]
	v.Sharding = s
	return n
}

// Annotate sets the attribute name of the parameter with the name param to value, such as
// ir.RoleAttr, which tells the compiler its role. It panics if there is no such parameter.
func (r *Recorder) Annotate(param, name string, value ir.Attr) {
	i, ok := r.params[param]
	if !ok {
		panic(r.errorf("parameter "+quote(param), "Annotate: there is no such parameter: the parameters are %q", r.paramNames()))
	}
	r.main.ArgAttrs[i] = r.main.ArgAttrs[i].With(name, value)
}

// Scope runs build with name appended to the layer path: ops that build records have the path
// outer/name.
func (r *Recorder) Scope(name string, build func()) {
	outer := r.path
	if outer != "" {
		name = outer + "/" + name
	}
	r.path = name
	build()
	r.path = outer // not deferred: if build panics, errorOfPanic needs the path
}

// Constrain returns x with a sharding_constraint to s, or x itself if s is nil. In the backward
// pass the gradient of x gets the same constraint, in gradients of any order. A sharding that does
// not suit x is a panic.
func (r *Recorder) Constrain(x *graph.Node, s *layout.Sharding) *graph.Node {
	if s == nil {
		return x
	}
	if err := r.checkSharding(typeOfNode(x), s); err != nil {
		panic(r.errorf("Constrain", "%w", err))
	}
	r.identity = constrain(s)
	return graph.IdentityWithCustomGradient(x, func(_, v *graph.Node) *graph.Node { return r.Constrain(v, s) })
}

// constrain returns a function that records a sharding constraint to s on the value it gets, and
// returns the result. It is for Recorder.identity.
func constrain(s *layout.Sharding) func(*emitter, *ir.Value) *ir.Value {
	return func(e *emitter, v *ir.Value) *ir.Value {
		return e.opWithType(ir.OpShardingConstraint, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, v.Type, v)
	}
}

// Mark returns x, marked as the output of the layer of the current Scope. When the backward pass
// reaches x, the ops that it records from then on have the path grad(layer path). A mark records no
// op.
//
// If the output of a layer also has a constraint, mark the constrained value: then the constraint
// on the gradient has the path of the layer.
func (r *Recorder) Mark(x *graph.Node) *graph.Node {
	path, place := gradPath(r.path), r.place
	return graph.IdentityWithCustomGradient(x, func(_, v *graph.Node) *graph.Node {
		r.path, r.place = path, place
		return v
	})
}

// Gradient returns the gradients of the scalar loss with respect to params, as graph.Gradient does.
// It also sets the layer paths of the backward pass: the path is grad(path of the loss) first, and
// that of each Mark from where the backward pass reaches it. Afterwards the path is the one from
// before.
//
// Gradient fails if a gradient would have to flow through an operation without a gradient, or
// through a value that a closure of an If or While uses from outside; graph.Gradient silently
// leaves the latter out. It also fails if a param is a result of graph.StopGradient; graph.Gradient
// would return zeros.
func (r *Recorder) Gradient(loss *graph.Node, params ...*graph.Node) []*graph.Node {
	forward, place := r.path, r.place
	for i, p := range params {
		if p.StopGradient() {
			panic(r.errorf("Gradient", "parameter %d is what graph.StopGradient returned, by which no gradient can be taken: go on with graph.Identity of it, and give that to Gradient", i))
		}
	}
	r.checkCaptures(loss, params)
	r.path = gradPath(nodeLocation(loss).Path)
	grads := r.gradient(loss, params)
	r.path, r.place = forward, place
	return grads
}

// gradient returns the gradients of loss with respect to params, as graph.Gradient does. Meanwhile
// r.wanted holds the nodes that depend on params.
func (r *Recorder) gradient(loss *graph.Node, params []*graph.Node) []*graph.Node {
	outer := r.wanted
	defer func() { r.wanted = outer }()
	r.wanted = dependentsOf(params)
	return graph.Gradient(loss, params...)
}

func gradPath(path string) string { return "grad(" + path + ")" }

// nodeValue returns the value that was recorded for a node, the first if there are several; nil for
// a nil node, a node without outputs, and one of another backend.
func nodeValue(n *graph.Node) *ir.Value {
	if n == nil || n.NumOutputs() == 0 {
		return nil
	}
	v, _ := graph.InternalBackendOutputs(n)[0].(*ir.Value)
	return v
}

// nodeLocation returns the location of the op that was recorded for n. It is empty for parameters.
func nodeLocation(n *graph.Node) ir.Location {
	if v := nodeValue(n); v != nil && v.Def() != nil {
		return v.Def().Loc
	}
	return ir.Location{}
}

func typeOfNode(n *graph.Node) ir.Type {
	return ir.Tensor(n.DType(), n.Shape().Dimensions...)
}
