package cost

// This file counts the bytes that a collective sends.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Kind is a kind of collective: the name of its op in the spmd dialect, such as "all_reduce".
type Kind string

// Kinds returns all kinds, in the order of the table of collectives in package ir.
func Kinds() []Kind {
	var out []Kind
	for _, c := range ir.Collectives() {
		out = append(out, Kind(c.Name))
	}
	return out
}

// KindOf returns the kind of collective that op is. ok is false for ops that are no collectives of
// the spmd dialect.
func KindOf(op *ir.Op) (k Kind, ok bool) {
	c := ir.CollectiveOf(op.Kind)
	if c == nil {
		return "", false
	}
	return Kind(c.Name), true
}

// KindOfHLO returns the kind of an XLA instruction, such as all-reduce or all-reduce-start; ok is
// false if it is not a collective. A collective-permute is of kind Permute.
func KindOfHLO(opcode string) (k Kind, ok bool) {
	name := "stablehlo." + strings.ReplaceAll(strings.TrimSuffix(opcode, "-start"), "-", "_")
	for _, c := range ir.Collectives() {
		if c.Becomes.Kind.String() == name {
			return Kind(c.Name), true
		}
	}
	return "", false
}

// Bytes returns the bytes that the busiest device of a group of n sends in a collective of one
// tensor. in and out are the types of the tensor on each device, before and after. The table of
// collectives has the formula. A group of one sends nothing.
func Bytes(k Kind, n int, in, out ir.Type) int {
	return bytesOf(k.row(), n, in, out)
}

func bytesOf(c *ir.CollectiveInfo, n int, in, out ir.Type) int {
	if n == 1 || in.IsToken() {
		return 0
	}
	return c.Sent(n, in.Size(), out.Size()) * ir.ElementBytes(in.DType)
}

// Reduces reports whether collectives of the kind combine elements.
func (k Kind) Reduces() bool { return k.row().Reduces() }

// row returns the row of the kind in the table of collectives.
func (k Kind) row() *ir.CollectiveInfo {
	c := ir.CollectiveOf(ir.KindByName("spmd." + string(k)))
	if c == nil {
		panic(fmt.Sprintf("BUG: a collective of kind %q", string(k)))
	}
	return c
}

// SentBytes returns the bytes that a device sends when it runs op once, or 0 if op is not a
// collective. m is the mesh of op's axes.
func SentBytes(m *mesh.DeviceMesh, op *ir.Op) int {
	c := ir.CollectiveOf(op.Kind)
	if c == nil {
		return 0
	}
	n := GroupSize(m, op)
	if c.Idle != nil && c.Idle(op, n) {
		return 0
	}
	total := 0
	for i, v := range op.Operands {
		total += bytesOf(c, n, v.Type, op.Results[i].Type)
	}
	return total
}

// GroupSize returns the number of devices in a group of an spmd collective. For a permute these are
// the devices that hold different shards.
func GroupSize(m *mesh.DeviceMesh, op *ir.Op) int { return m.RefsSize(Axes(m, op)) }

// Axes returns the mesh axes that op, a collective of the spmd dialect, communicates along. For a
// permute these are the axes that the two shardings use, in the mesh's order.
func Axes(m *mesh.DeviceMesh, op *ir.Op) []mesh.AxisRef {
	return ir.CollectiveOf(op.Kind).AxesOf(op, m)
}
