package cost

// This file holds the formula for the bytes of a collective.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Kind is a kind of collective.
type Kind string

// The kinds, named as the spmd dialect's ops without their prefix.
const (
	AllReduce     Kind = "all_reduce"
	AllGather     Kind = "all_gather"
	ReduceScatter Kind = "reduce_scatter"
	AllToAll      Kind = "all_to_all"
	Permute       Kind = "permute"
	Shift         Kind = "shift"
)

// Kinds lists all of them.
func Kinds() []Kind {
	return []Kind{AllReduce, AllGather, ReduceScatter, AllToAll, Permute, Shift}
}

// kindOf maps op kinds to kinds of collectives.
var kindOf = map[ir.OpKind]Kind{
	ir.OpSPMDAllReduce:     AllReduce,
	ir.OpSPMDAllGather:     AllGather,
	ir.OpSPMDReduceScatter: ReduceScatter,
	ir.OpSPMDAllToAll:      AllToAll,
	ir.OpSPMDPermute:       Permute,
	ir.OpSPMDShift:         Shift,
}

// KindOf returns the kind of collective that op is; ok is false for ops that
// send nothing.
func KindOf(op *ir.Op) (k Kind, ok bool) {
	k, ok = kindOf[op.Kind]
	return k, ok
}

// Bytes returns what the device of a group of n that sends most sends in a collective
// of one tensor, in and out being its type before and after on each device:
//
//	all_gather      (n-1) shards: a ring hands each shard on n-1 times
//	reduce_scatter  (n-1) result shards, alike
//	all_reduce      a reduce_scatter and an all_gather of parts that differ by at most
//	                an element: twice all of them but one, the next and the one after
//	all_to_all      all but the n-th that stays
//	permute, shift  the tensor
//
// These are the counts of the ring algorithms, which no algorithm beats in
// bytes per device (Patarasu and Yuan, Bandwidth optimal all-reduce, 2009).
// A group of one sends nothing.
func Bytes(k Kind, n int, in, out ir.Type) int {
	if n == 1 || in.IsToken() {
		return 0
	}
	element := ir.ElementBytes(in.DType)
	switch k {
	case AllGather:
		return (n - 1) * in.Size() * element
	case ReduceScatter:
		return (n - 1) * out.Size() * element
	case AllReduce:
		elements := 2 * (in.Size() - in.Size()/n)
		if in.Size()%n == n-1 {
			elements-- // no two parts next to each other are of the smaller size
		}
		return elements * element
	case AllToAll:
		return (in.Size() - in.Size()/n) * element
	case Permute, Shift:
		return in.Size() * element
	}
	panic(fmt.Sprintf("BUG: cost of a collective of kind %q", k))
}

// Sent returns the bytes that a device sends when it runs op once; 0 for an op
// that is no collective. m is the mesh that op's axes are of.
func Sent(m *mesh.DeviceMesh, op *ir.Op) int {
	k, ok := kindOf[op.Kind]
	if !ok {
		return 0
	}
	n := GroupSize(m, op)
	if k == Shift && !hasPartner(op, n) {
		return 0
	}
	total := 0
	for i, v := range op.Operands {
		total += Bytes(k, n, v.Type, op.Results[i].Type)
	}
	return total
}

// hasPartner reports whether in a group of n any member gets what another has.
// It asks no member: groups may be large.
func hasPartner(op *ir.Op, n int) bool {
	k := op.Int("offset")
	if !op.Bool("mirrored") {
		return k != 0 && -n < k && k < n
	}
	// Members first to last get something, member i from k-i: all of them from
	// others, but for the one in the middle.
	first, last := max(0, k-n+1), min(n-1, k)
	return first < last || first == last && 2*first != k
}

// GroupSize returns the number of devices among which a collective of the spmd
// dialect communicates: for a permute, the devices that hold different shards.
func GroupSize(m *mesh.DeviceMesh, op *ir.Op) int { return m.RefsSize(Axes(m, op)) }

// Axes returns the mesh axes along which a collective communicates: for a
// permute those that the two shardings use, in the mesh's order.
func Axes(m *mesh.DeviceMesh, op *ir.Op) []mesh.AxisRef {
	if op.Kind != ir.OpSPMDPermute {
		return op.Axes("axes")
	}
	var out []mesh.AxisRef
	for _, axis := range m.AxisNames() {
		if usesAxis(op, "from", axis) || usesAxis(op, "to", axis) {
			out = append(out, mesh.FullAxis(axis))
		}
	}
	return out
}

func usesAxis(op *ir.Op, attr, axis string) bool {
	s, _ := op.Attrs.Get(attr).(ir.ShardingAttr)
	if s.Sharding == nil {
		return false
	}
	for _, d := range s.Dims {
		for _, a := range d.Axes {
			if a.Name == axis {
				return true
			}
		}
	}
	return false
}
