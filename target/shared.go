package target

// This file makes the module for devices that share the memory of a process. Its collectives are
// custom calls that block no thread.

import (
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// SharedCall is the target of the custom calls that replace collectives in a module for devices
// that share memory. One call replaces one collective, or several of the same kind and the same
// devices that are next to each other. Its operands and results are those of the collectives, in
// row-major memory layout; the last operand is the replica's number. The attributes
//
//	backend_config = {channel = 2 : i64, kind = 0 : i64, reduction = 0 : i64, size = 2 : i64, dims = array<i64: 0>,
//	  groups = array<i64: 0, 1, 2, 3>, to = array<i64: 0>}
//
// describe the call. channel is its number in the module; kind is an index into sharedKinds, and
// reduction one into sharedReductions. dims has, for each operand except the last, the dimension
// that is gathered, scattered or split, and to has the dimension that the parts are joined along.
// groups lists the replicas of the groups, each of the given size. For a permutation it lists the
// pairs, and size is the number of replicas.
const SharedCall = "gospmd_shared"

// sharedKinds and sharedReductions are the collectives and reductions that the C code implements,
// in the order of C's enums.
var (
	sharedKinds      = ir.SharedCollectives()
	sharedReductions = ir.SharedReductions()
)

// Shared is a module for devices of the CPU that are all in one process.
type Shared struct {
	Text []byte
	// Waits says that executions of the module must not overlap: in XLA's own collectives a thread
	// may wait for another device, or overlap was not tried on the platform.
	Waits bool
	// Collectives has the names of the collectives that each SharedCall replaces, by channel.
	Collectives []string
}

// Share returns the module of p for CPUs whose devices are all in one process. In XLA's own
// collectives a thread of each device waits, once for each operand; a SharedCall blocks no thread.
// Sums and products of 16-bit floats are computed in float32 and rounded once. If one collective
// cannot be a SharedCall, such as a sum of complex numbers, all are XLA's own, because the waiting
// threads of one could keep the others from running. A program in Form Annotated or for one device,
// and one without collectives, gets the text of CPU.Text.
func Share(p *program.Program) Shared {
	if p.Form != program.PerDevice || len(p.Module.Meshes) == 0 {
		return Shared{Text: CPU.Text(p), Waits: p.Mesh.Size() > 1}
	}
	m, _ := emit(p.Module, nil, 0)
	names, all := shareCollectives(m, p.Mesh.Size())
	if !all || len(names) == 0 {
		return Shared{Text: CPU.Text(p), Waits: !all}
	}
	return Shared{Text: text(m), Collectives: names}
}

// shareCollectives replaces the collectives of m, a module that emit has made for the given number
// of replicas, by custom calls. It returns the names (Place) of the collectives by channel. all
// is false if a collective cannot be replaced: m is then unusable.
func shareCollectives(m *ir.Module, replicas int) (names []string, all bool) {
	all = true
	var parts []*ir.Op // collectives that become one call
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			kind := sharedKind(op)
			if kind < 0 {
				all = all && !op.Info().Is(ir.Collective)
				return
			}
			c, ok := sharedCallOf(op, kind, replicas)
			if all = all && ok; !all {
				return
			}
			if parts = append(parts, op); c.goesOn(parts, replicas) {
				return
			}
			c.channel = len(names)
			names = append(names, parts[0].Place())
			c.replace(parts)
			parts = nil
		})
	}
	return names, all
}

// sharedKind returns the value of C's enum for the kind of op, or -1 if C has no code for that
// kind.
func sharedKind(op *ir.Op) int {
	return slices.IndexFunc(sharedKinds, func(e ir.Emitted) bool { return e.Kind == op.Kind })
}

// goesOn reports whether the op after the last of parts, the collectives of the call c between so
// many replicas, can belong to the call, too. It must be a collective of the same kind and
// reduction among the same devices, of a kind that may have several operands, and must not use
// results of parts.
func (c sharedCall) goesOn(parts []*ir.Op, replicas int) bool {
	next := parts[len(parts)-1].Next()
	kind := sharedKind(next)
	if kind != c.kind || !sharedKinds[kind].Several() {
		return false
	}
	n, ok := sharedCallOf(next, kind, replicas)
	return ok && n.reduction == c.reduction && reflect.DeepEqual(n.groups, c.groups) &&
		!slices.ContainsFunc(next.Operands, func(v *ir.Value) bool { return slices.Contains(parts, v.Def()) })
}

// sharedCall holds the attributes of a custom call, except the dimensions.
type sharedCall struct {
	channel, kind, reduction, size int
	groups                         [][]int
}

// sharedCallOf returns the attributes of the custom call that replaces op, a collective of the
// given kind (see sharedKind) between so many replicas. ok is false if op cannot be replaced.
func sharedCallOf(op *ir.Op, kind, replicas int) (c sharedCall, ok bool) {
	c = sharedCall{kind: kind}
	if op.Has(ir.PairsAttr) {
		c.groups, c.size = op.Matrix(ir.PairsAttr), replicas
	} else if c.groups = op.Matrix(ir.GroupsAttr); len(c.groups) > 0 {
		c.size = len(c.groups[0])
	}
	packed := slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return v.Type.DType.IsPacked() })
	return c, c.size > 0 && !packed && !op.Has("channel_handle") && c.reduces(op)
}

// reduces sets c.reduction if op reduces. It reports whether C has code for the reduction; it is
// true for an op that does not reduce.
func (c *sharedCall) reduces(op *ir.Op) bool {
	if len(op.Regions) == 0 {
		return true
	}
	by, ok := ir.ReductionOf(op)
	c.reduction = slices.IndexFunc(sharedReductions, func(r ir.ReductionInfo) bool { return r.Kind == by })
	logical := by == ir.OpAnd || by == ir.OpOr
	return ok && c.reduction >= 0 && !slices.ContainsFunc(op.Operands, func(v *ir.Value) bool {
		switch t := v.Type.DType; {
		case t.IsFloat():
			return logical
		case t.IsComplex():
			return true
		default: // integers; and booleans, which C can only reduce by and and or
			return !t.IsInt() && !logical
		}
	})
}

// replace replaces parts, collectives that c describes, by one custom call after the last of them,
// and converts operands and results that the call has in another type.
func (c sharedCall) replace(parts []*ir.Op) {
	var b ir.Builder
	last := parts[len(parts)-1]
	b.Before(last).Loc = last.Loc
	reduces := len(last.Regions) > 0
	convert := func(v *ir.Value, t ir.Type) *ir.Value {
		if v.Type.Equal(t) {
			return v
		}
		return b.Convert(v, t)
	}
	var operands, replaced []*ir.Value
	var in, out []ir.Type
	var from, to []int
	for _, op := range parts {
		cut, join := op.CollectiveDims()
		d, t := max(cut, 0), max(join, 0)
		if cut < 0 {
			d = t
		}
		for _, v := range op.Operands {
			operands = append(operands, convert(v, carrierType(v.Type, reduces)))
			from, to = append(from, d), append(to, t)
		}
		for _, v := range op.Results {
			out, replaced = append(out, carrierType(v.Type, reduces)), append(replaced, v)
		}
	}
	operands = append(operands, b.ReplicaID())
	for _, v := range operands {
		in = append(in, v.Type)
	}
	call := b.OpWithTypes(ir.OpCustomCall, ir.Attrs{
		{Name: "call_target_name", Value: ir.String(SharedCall)},
		{Name: "api_version", Value: ir.Int32(4)}, // XLA's typed foreign function interface
		{Name: "backend_config", Value: ir.Dict{
			{Name: "channel", Value: ir.Int(c.channel)}, {Name: "kind", Value: ir.Int(c.kind)}, {Name: "reduction", Value: ir.Int(c.reduction)},
			{Name: "size", Value: ir.Int(c.size)},
			{Name: "dims", Value: ir.Ints(from)}, {Name: "groups", Value: ir.Ints(slices.Concat(c.groups...))}, {Name: "to", Value: ir.Ints(to)},
		}},
		{Name: "has_side_effect", Value: ir.Bool(true)}, // XLA neither copies nor drops it
		{Name: "operand_layouts", Value: ir.RowMajorLayouts(in)},
		{Name: "result_layouts", Value: ir.RowMajorLayouts(out)},
	}, out, operands...)
	for i, v := range call.Results {
		replaced[i].ReplaceAllUsesWith(convert(v, replaced[i].Type))
	}
	for _, op := range parts {
		op.Erase()
	}
}

// carrierType returns the type that an operand or result of type t has in a custom call. If the
// call reduces, small floats become float32.
func carrierType(t ir.Type, reduces bool) ir.Type {
	if reduces && t.DType.IsFloat() && t.DType.Size() < 4 {
		return t.WithDType(dtypes.Float32)
	}
	return t
}
