package reshard

// This file defines what a plan consists of.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Tensor is what a plan needs to know of a tensor.
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

// The kinds. Those up to ReplicatedToUnreduced move nothing between devices.
const (
	// Pad appends elements to Dim, which is not sharded, up to After.
	Pad Kind = iota
	// Trim drops elements at the end of Dim, which is not sharded.
	Trim
	// Slice keeps the part of Dim with the number axis_index(Axes), After long.
	// A start beyond the last possible one is clamped to it.
	Slice
	// PadToOffset pads Dim with zeros to the length After so that the operand
	// starts at axis_index(Axes) times its length; where that is beyond the end, the
	// result is all zero.
	PadToOffset
	// ReplicatedToUnreduced zeroes the tensor except where axis_index(Axes) is 0:
	// so copies become summands.
	ReplicatedToUnreduced
	// AllGather concatenates the parts of Dim.
	AllGather
	// AllToAll concatenates the parts of Dim and slices To.
	AllToAll
	// Permute moves full shards: from Source to Target.
	Permute
	// ReduceScatter reduces and slices Dim.
	ReduceScatter
	// AllReduce reduces.
	AllReduce
	// BitwiseAllReduce combines the results of PadToOffset by a bitwise or over Axes. A sum of the
	// bits as integers gives the same, because at most one operand is not zero.
	BitwiseAllReduce
	// HaloExchange changes the length of the blocks of Dim, which Axes shard, from Before to After:
	// neighbours exchange the elements between the old and the new borders. See Halo.
	HaloExchange
	// NeighbourGather is for dimensions of fewer elements than they have parts, where every other
	// plan needs too much memory: from Source to Target, a device gets the blocks of one neighbour
	// along Axes after the other and keeps the elements that it needs. See Offsets.
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

// Step is one step of a plan, the same on every device.
type Step struct {
	Kind Kind
	Dim  int // the dimension; -1 where there is none
	To   int // the dimension that AllToAll slices, else -1
	// the axes gathered, moved, sharded by or reduced over; for HaloExchange those that shard Dim
	Axes           []mesh.AxisRef
	Source, Target *layout.Sharding // of Permute and NeighbourGather
	Before, After  []int            // the local shape
	Dims           []int            // the global shape
	Bytes          int              // sent by the device that sends most
	Live           int              // bytes of all that a device holds during the step
}

// String returns the step on one line.
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

// Steps is a plan.
type Steps []Step

// Bytes returns the bytes that the busiest device sends.
func (p Steps) Bytes() int {
	n := 0
	for _, s := range p {
		n += s.Bytes
	}
	return n
}

// Live returns the most bytes that a device holds during a step.
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
