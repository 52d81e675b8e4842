package variable

// This file defines Variable and its value on the devices, and
// StatelessScope, through which traced code accesses variables.

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// Filler computes any part of the first value of a variable. Initializers are
// Fillers.
type Filler interface {
	// Fill writes the elements in ranges of a tensor of shape global into dst,
	// in row-major order. dst is a slice of the Go type of dtype with exactly
	// that many elements.
	Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error
}

// Variable is a named tensor that outlives a step, such as a weight or a slot of an optimizer.
type Variable struct {
	path      string
	typ       ir.Type
	trainable bool
	role      ir.Role
	init      Filler
	penalty   Rule // the regularizer, whose result is added to the loss; or nil
	limit     Rule // the constraint, which is applied after each step of an optimizer; or nil

	mu       sync.Mutex
	sharding *layout.Sharding
	array    *runtime.Array
}

// Option configures New, which takes any of them.
type Option func(*Variable)

// NonTrainable makes a variable that the optimizer does not change, until SetTrainable.
func NonTrainable() Option { return func(v *Variable) { v.trainable = false } }

// Rule is a function of a variable's value: a regularizer or a constraint.
type Rule interface {
	Call(x *graph.Node) *graph.Node
}

// Regularized sets a regularizer: in training, the number r that it computes of the variable is
// added to the loss.
func Regularized(r Rule) Option { return func(v *Variable) { v.penalty = r } }

// Constrained sets a constraint: after each step of an optimizer, the value is replaced by c's
// result for it.
func Constrained(c Rule) Option { return func(v *Variable) { v.limit = c } }

// As sets the variable's role in a recording; the default is ir.RoleParameter.
func As(role ir.Role) Option { return func(v *Variable) { v.role = role } }

// New returns a variable of the shape and type without a value: Allocate makes it on the devices,
// with the numbers of init. path is Keras' path, such as d1/kernel. By default it is trainable, and
// a parameter.
func New(path string, shape []int, dtype dtypes.DType, init Filler, opts ...Option) *Variable {
	v := &Variable{path: path, typ: ir.Tensor(dtype, slices.Clone(shape)...), init: init, trainable: true, role: ir.RoleParameter}
	for _, o := range opts {
		o(v)
	}
	return v
}

// Path returns the full name, the names of layers and the variable's own, such as d1/kernel.
func (v *Variable) Path() string { return v.path }

// Name returns the last part of the path, such as kernel.
func (v *Variable) Name() string { return v.path[strings.LastIndexByte(v.path, '/')+1:] }

// SeedState is the name of the variable that holds the state of a random generator.
const SeedState = "seed_generator_state"

// IsSeedState reports whether v is the state of a random generator. Keras does not count it as a
// weight.
func (v *Variable) IsSeedState() bool { return v.Name() == SeedState }

// Type returns the element type and the global shape.
func (v *Variable) Type() ir.Type { return v.typ }

// Shape returns the global shape. The caller must not change it.
func (v *Variable) Shape() []int { return v.typ.Dims }

// DType returns the element type, such as dtypes.Float32.
func (v *Variable) DType() dtypes.DType { return v.typ.DType }

// Regularizer returns the regularizer that the option Regularized has set, or nil.
func (v *Variable) Regularizer() Rule { return v.penalty }

// Constraint returns the constraint that the option Constrained has set, or nil.
func (v *Variable) Constraint() Rule { return v.limit }

// Trainable reports whether the optimizer may change the variable: true unless NonTrainable or
// SetTrainable says otherwise.
func (v *Variable) Trainable() bool { return v.trainable }

// SetTrainable says whether the optimizer may change the variable, from the
// next Compile on.
func (v *Variable) SetTrainable(t bool) { v.trainable = t }

// Sharding returns the sharding that SetSharding or Relayout has set; nil stands for one device.
func (v *Variable) Sharding() *layout.Sharding {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sharding
}

// SetSharding sets the sharding. It returns an error if the variable has a value already.
func (v *Variable) SetSharding(s *layout.Sharding) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		return fmt.Errorf("variable %s: its layout cannot change from %s to %s once it has a value: set the distribution before the model is used",
			v.path, v.sharding, s)
	}
	v.sharding = s
	return nil
}

// Relayout sets another sharding. It moves a value on the devices to the host, where it becomes the
// first value, for Reset too. Allocate puts it on the devices again, with the new sharding. In a
// job of several processes all must call it at the same time. If the value cannot be fetched,
// nothing changes.
func (v *Variable) Relayout(ctx context.Context, s *layout.Sharding) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		flat, err := v.array.Gather(ctx)
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.path, err)
		}
		v.init = hostValue{dtypes.UnsafeByteSliceFromAny(flat)}
		v.array.Release()
		v.array = nil
	}
	v.sharding = s
	return nil
}

// Allocate makes the first value on c's devices, shard by shard. It does nothing if the variable
// has a value on devices already. The error is that of the variable's Filler, or of the devices.
func (v *Variable) Allocate(c *runtime.Client) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		return nil
	}
	return v.fill(c)
}

// Reset frees the value on the devices, and gives the variable its first value again, on the
// devices of c. After an error the variable has no value on devices.
func (v *Variable) Reset(c *runtime.Client) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array != nil {
		v.array.Release()
		v.array = nil
	}
	return v.fill(c)
}

// fill makes the first value on c's devices, in the variable's sharding, by its Filler, and sets
// v.array.
func (v *Variable) fill(c *runtime.Client) (err error) {
	v.array, err = v.put(c, v.sharding, v.init)
	return err
}

// put returns a new array on c's devices in this sharding, whose shards f fills.
func (v *Variable) put(c *runtime.Client, sharding *layout.Sharding, f Filler) (*runtime.Array, error) {
	a, err := c.PutShards(v.typ, sharding, func(ranges []layout.Range, dst any) error {
		return f.Fill(dst, v.typ.DType, v.typ.Dims, ranges)
	})
	if err != nil {
		return nil, fmt.Errorf("variable %s: %w", v.path, err)
	}
	return a, nil
}

// Array returns the value on the devices. It is nil if there is none there: before Allocate or
// Reset, and after Relayout. The array belongs to v: the caller must not release it, and the next
// step may consume it.
func (v *Variable) Array() *runtime.Array {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.array
}

// SetArray replaces the value by the result of a step that consumed the old one. It does not
// release the old one.
func (v *Variable) SetArray(a *runtime.Array) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.array = a
}

// Value returns the full value as a flat slice of the Go type of the dtype, row-major. Before
// Allocate the Filler computes it on the host. In a job of several processes all must call it at
// the same time. The error is that of the Filler, or of the devices.
func (v *Variable) Value(ctx context.Context) (any, error) {
	v.mu.Lock()
	a := v.array
	v.mu.Unlock()
	if a != nil {
		flat, err := a.Gather(ctx)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", v.path, err)
		}
		return flat, nil
	}
	flat := dtypes.MakeAnySlice(v.typ.DType, v.typ.Size())
	if err := v.init.Fill(flat, v.typ.DType, v.typ.Dims, v.fullRanges()); err != nil {
		return nil, fmt.Errorf("variable %s: %w", v.path, err)
	}
	return flat, nil
}

// Assign replaces the value by flat, the full tensor row-major in the Go type of the dtype, which
// it copies. Another type or size is an error. Before Allocate it replaces the first value, and c
// may be nil.
func (v *Variable) Assign(c *runtime.Client, flat any) error {
	want := dtypes.MakeAnySlice(v.typ.DType, 0)
	if reflect.TypeOf(flat) != reflect.TypeOf(want) || reflect.ValueOf(flat).Len() != v.typ.Size() {
		return fmt.Errorf("variable %s of type %s cannot be assigned %T with %d elements: want %T with %d",
			v.path, v.typ, flat, length(flat), want, v.typ.Size())
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.array == nil {
		v.init = hostValue{slices.Clone(dtypes.UnsafeByteSliceFromAny(flat))}
		return nil
	}
	a, err := v.put(c, v.array.Sharding(), hostValue{dtypes.UnsafeByteSliceFromAny(flat)})
	if err != nil {
		return err
	}
	v.array.Release()
	v.array = a
	return nil
}

func length(flat any) int {
	if v := reflect.ValueOf(flat); v.Kind() == reflect.Slice {
		return v.Len()
	}
	return 1
}

// String returns path, type and sharding as a text for messages.
func (v *Variable) String() string {
	if s := v.Sharding(); s != nil {
		return fmt.Sprintf("%s %s %s", v.path, v.typ, s)
	}
	return fmt.Sprintf("%s %s on one device", v.path, v.typ)
}

// StatelessScope holds the current node of every variable while one function is traced, as
// keras.StatelessScope does. Reading a variable that the scope has not seen adds it as a parameter
// of the recorded function; assigning replaces the node. It does not change the variables
// themselves.
type StatelessScope struct {
	Recorder *trace.Recorder

	read       []*Variable // in the order of their first use
	values     map[*Variable]*graph.Node
	overridden map[*Variable]*graph.Node // before Override
	assigned   map[*Variable]bool
}

// NewScope returns an empty scope for one recording, that of r.
func NewScope(r *trace.Recorder) *StatelessScope {
	return &StatelessScope{
		Recorder:   r,
		values:     make(map[*Variable]*graph.Node),
		overridden: make(map[*Variable]*graph.Node),
		assigned:   make(map[*Variable]bool),
	}
}

// Value returns the current node of v: the value last assigned, or else a new parameter of the
// recording, and records that v is read.
func (s *StatelessScope) Value(v *Variable) *graph.Node {
	if n, ok := s.values[v]; ok {
		return n
	}
	name := s.name(v)
	n := s.Recorder.Param(name, v.typ, v.Sharding())
	s.Recorder.Annotate(name, ir.RoleAttr, ir.String(v.role))
	s.values[v] = n
	s.read = append(s.read, v)
	return n
}

// name returns the name of v's parameter: its path, and a number if variables with that path came
// before, such as those of a second optimizer.
func (s *StatelessScope) name(v *Variable) string {
	same := 1
	for _, other := range s.read {
		if other == v {
			break
		}
		if other.path == v.path {
			same++
		}
	}
	if same == 1 {
		return v.path
	}
	return fmt.Sprintf("%s#%d", v.path, same)
}

// Assign makes n the current node of v: Value returns n from now on, and v has its value after the
// function has run. It panics if n has another type or shape than v. A variable that was not read
// becomes a parameter.
func (s *StatelessScope) Assign(v *Variable, n *graph.Node) {
	if n.DType() != v.typ.DType || !n.Shape().EqualDimensions(s.Value(v).Shape()) {
		panic(fmt.Errorf("variable %s of type %s cannot hold a value of shape %s", v.path, v.typ, n.Shape()))
	}
	s.values[v] = n
	s.assigned[v] = true
}

// Override makes n the node of v until Restore. Unlike Assign, it does not make n the new value of
// v.
func (s *StatelessScope) Override(v *Variable, n *graph.Node) {
	old := s.Value(v)
	if _, known := s.overridden[v]; !known {
		s.overridden[v] = old
	}
	s.values[v] = n
}

// Restore undoes all calls of Override. Gradients are taken with respect to the restored nodes, and
// an optimizer updates them.
func (s *StatelessScope) Restore() {
	maps.Copy(s.values, s.overridden)
	clear(s.overridden)
}

// Detach makes the assigned values constants for later gradients, such as those of a second
// optimizer in the same step. It adds an Identity to each value, so that gradients with respect to
// the value can still be taken, for a second update of the same variable.
func (s *StatelessScope) Detach() {
	for _, v := range s.Assigned() {
		s.values[v] = graph.Identity(graph.StopGradient(s.values[v]))
	}
}

// Within returns the scope of a loop's body, in which each of vs has the node of that index in
// values, and other variables have their nodes in s. Assignments in the body stay in that scope:
// the loop carries them.
func (s *StatelessScope) Within(vs []*Variable, values []*graph.Node) *StatelessScope {
	inner := NewScope(s.Recorder)
	inner.read = slices.Clone(s.read)
	maps.Copy(inner.values, s.values)
	for i, v := range vs {
		inner.values[v] = values[i]
	}
	return inner
}

// Read returns the variables that became parameters, in the order of the parameters.
func (s *StatelessScope) Read() []*Variable { return s.read }

// Assigned returns the variables that were assigned, in the order of Read.
func (s *StatelessScope) Assigned() []*Variable {
	var out []*Variable
	for _, v := range s.read {
		if s.assigned[v] {
			out = append(out, v)
		}
	}
	return out
}

// Outputs returns the results of the recorded function that hold the new values
// of the assigned variables. Each reuses the buffers of the old value.
func (s *StatelessScope) Outputs() []trace.Output {
	var out []trace.Output
	for _, v := range s.Assigned() {
		out = append(out, trace.Output{Name: s.name(v), Node: s.values[v], Sharding: v.Sharding(), Donor: s.name(v)})
	}
	return out
}
