package reshard

// This file defines plans: Tensor, Kind, Step and Steps.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Tensor describes the tensor that a plan is for.
type Tensor struct {
	Dims     []int // global sizes
	ElemSize int   // bytes of an element
}

// String returns the sizes: 16x16 of 4 bytes.
func (t Tensor) String() string {
	return fmt.Sprintf("%s of %d bytes", dimsText(t.Dims), t.ElemSize)
}

func dimsText(dims []int) string {
	if len(dims) == 0 {
		return "scalar"
	}
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = fmt.Sprint(d)
	}
	return strings.Join(parts, "x")
}

// Kind is a kind of step.
type Kind uint8

// The kinds of steps of a plan. Those up to ReplicatedToUnreduced do not communicate.
const (
	// Pad appends elements to dimension Dim, which is not sharded, so that it has the length After.
	Pad Kind = iota
	// Trim removes elements at the end of dimension Dim, which is not sharded.
	Trim
	// Slice keeps one part of dimension Dim: the part with the number axis_index(Axes). Its length
	// is After. Its start is clamped to the last possible one.
	Slice
	// PadToOffset pads dimension Dim with zeros to the length After. The operand then starts at
	// axis_index(Axes) times its length. If that is beyond the end, the result is all zeros.
	PadToOffset
	// ReplicatedToUnreduced sets the tensor to zero on all devices except those with
	// axis_index(Axes) 0, so that copies become summands.
	ReplicatedToUnreduced
	// AllGather concatenates the parts of dimension Dim.
	AllGather
	// AllToAll concatenates the parts of dimension Dim, and slices dimension To.
	AllToAll
	// Permute moves full shards, so that the sharding Source becomes Target.
	Permute
	// ReduceScatter reduces, and slices dimension Dim.
	ReduceScatter
	// AllReduce reduces.
	AllReduce
	// BitwiseAllReduce combines the results of PadToOffset by a bitwise or over Axes. At most one
	// operand is not zero, so a sum of the bits as integers is the same.
	BitwiseAllReduce
	// HaloExchange changes the length of the blocks of dimension Dim, which Axes shard, from Before
	// to After: neighbours exchange the elements between the old and the new borders. See Halo.
	HaloExchange
	// NeighbourGather is for dimensions with fewer elements than parts, if every other plan needs
	// too much memory. It brings the tensor from Source to Target: each device gets the blocks of
	// one neighbour along Axes after the other, and keeps the elements that it needs. See Offsets.
	NeighbourGather
)

var kindNames = [...]string{
	Pad: "pad", Trim: "trim", Slice: "slice", PadToOffset: "pad_to_offset", ReplicatedToUnreduced: "replicated_to_unreduced",
	AllGather: "all_gather", AllToAll: "all_to_all", Permute: "permute",
	ReduceScatter: "reduce_scatter", AllReduce: "all_reduce", BitwiseAllReduce: "bitwise_all_reduce", HaloExchange: "halo_exchange", NeighbourGather: "neighbour_gather",
}

// String returns the name: all_gather.
func (k Kind) String() string { return kindNames[k] }

// Communicates reports whether a step of kind k sends anything.
func (k Kind) Communicates() bool { return k > ReplicatedToUnreduced }

// Step is one step of a plan. It is the same on every device.
type Step struct {
	Kind Kind
	Dim  int // the dimension, or -1
	To   int // for AllToAll the dimension that becomes sharded; else -1
	// the axes that are gathered, moved, sharded by or reduced over; for HaloExchange those that
	// shard Dim
	Axes           []mesh.AxisRef
	Source, Target *layout.Sharding // for Permute and NeighbourGather only
	Before, After  []int            // local shapes before and after the step
	Dims           []int            // global shape
	Bytes          int              // bytes that the busiest device sends
	Live           int              // bytes of all values that a device holds during the step
}

// String returns the step on one line: its kind, dimensions, axes, target, the local sizes before
// and after it and, if it communicates, the bytes that the busiest device sends.
func (s Step) String() string {
	var b strings.Builder
	b.WriteString(s.Kind.String())
	switch {
	case s.Kind == AllToAll:
		fmt.Fprintf(&b, " dim %d to %d", s.Dim, s.To)
	case s.Dim >= 0:
		fmt.Fprintf(&b, " dim %d", s.Dim)
	}
	if len(s.Axes) > 0 {
		fmt.Fprintf(&b, " {%s}", layout.AxesText(s.Axes))
	}
	if s.Target != nil {
		fmt.Fprintf(&b, " to %s", s.Target)
	}
	fmt.Fprintf(&b, ": %s", dimsText(s.Before))
	if dimsText(s.Before) != dimsText(s.After) {
		fmt.Fprintf(&b, " -> %s", dimsText(s.After))
	}
	if s.Kind.Communicates() {
		fmt.Fprintf(&b, ", %d bytes", s.Bytes)
	}
	return b.String()
}

// Steps is a plan: the steps in their order.
type Steps []Step

// Bytes returns the sum of the bytes of the steps: in each, those that its busiest device sends.
func (p Steps) Bytes() int {
	n := 0
	for _, s := range p {
		n += s.Bytes
	}
	return n
}

// Live returns the largest number of bytes that a device holds during a step; 0 without steps.
func (p Steps) Live() int {
	n := 0
	for _, s := range p {
		n = max(n, s.Live)
	}
	return n
}

// String returns one line for each step.
func (p Steps) String() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteString(s.String() + "\n")
	}
	return b.String()
}
