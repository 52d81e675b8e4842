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

// The kinds. Those up to KeepFirst move nothing between devices.
const (
	// Pad appends elements to Dim, which no axis splits, up to After.
	Pad Kind = iota
	// Trim drops elements at the end of Dim, which no axis splits.
	Trim
	// Slice keeps the part of Dim with the number axis_index(Axes), After long.
	// A start beyond the last possible one is taken to be that one.
	Slice
	// Place makes Dim as long as After and zero but for the operand, at
	// axis_index(Axes) times its length; all zero where that is beyond the end.
	Place
	// KeepFirst zeroes the tensor except where axis_index(Axes) is 0: it turns
	// copies into summands.
	KeepFirst
	// AllGather joins the parts of Dim.
	AllGather
	// AllToAll joins the parts of Dim and splits To.
	AllToAll
	// Permute moves whole shards: from Source to Target.
	Permute
	// ReduceScatter sums and splits Dim.
	ReduceScatter
	// AllReduce sums.
	AllReduce
	// Union joins what Place made: a bitwise or over Axes, which is also a sum of
	// integers since only one of them is not zero.
	Union
	// Reblock changes the length of the blocks of Dim, which Axes split, from
	// Before to After: neighbours exchange what lies between the borders. See
	// Blocks.
	Reblock
	// Exchange is the last resort, for tiny dimensions that are split into more
	// parts than they have elements: from Source to Target, a device looks at
	// the blocks of one neighbour along Axes after the other and keeps what it
	// needs. See Offsets.
	Exchange
)

var kindNames = [...]string{
	Pad: "pad", Trim: "trim", Slice: "slice", Place: "place", KeepFirst: "keep_first",
	AllGather: "all_gather", AllToAll: "all_to_all", Permute: "permute",
	ReduceScatter: "reduce_scatter", AllReduce: "all_reduce", Union: "union", Reblock: "reblock", Exchange: "exchange",
}

// String returns the name: all_gather.
func (k Kind) String() string { return kindNames[k] }

// Communicates reports whether a step of kind k sends anything.
func (k Kind) Communicates() bool { return k > KeepFirst }

// Step is one step of a plan, the same on every device.
type Step struct {
	Kind           Kind
	Dim            int              // the dimension; -1 where there is none
	To             int              // the dimension that AllToAll splits, else -1
	Axes           []mesh.AxisRef   // the axes gathered, moved, split by or summed over; for Reblock those that split Dim
	Source, Target *layout.Sharding // of Permute and Exchange
	Before, After  []int            // the local shape
	Dims           []int            // the global shape
	Bytes          int              // sent by the device that sends most
	Live           int              // bytes of all that a device holds meanwhile
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

// Bytes returns what the device that sends most sends.
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
