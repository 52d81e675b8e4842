package collective

// This file implements Op.Run: it checks the tensors, finds the process of each position, and calls
// the function of the kind.

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/transport"
)

// Tensor is a tensor in host memory: elements in row-major order. Booleans and integers of less
// than 8 bits take one byte each.
type Tensor struct {
	DType dtypes.DType
	Dims  []int
	Data  []byte // aligned for DType
}

// run is one execution of an Op in one process. process returns the process of a position of the
// mesh. Messages are sent over t with the tag.
type run struct {
	*Op
	ctx     context.Context
	t       transport.Transport
	tag     uint64
	self    int // this process
	process func(pos int) int
	local   map[int]int // index of each position in in and out
	in, out [][]Tensor
}

// algorithms has the function that runs each kind of collective.
var algorithms = map[ir.OpKind]func(r *run) error{
	ir.OpSPMDAxisIndex:     (*run).axisIndex,
	ir.OpSPMDAllReduce:     (*run).allReduce,
	ir.OpSPMDReduceScatter: (*run).reduceScatter,
	ir.OpSPMDAllGather:     func(r *run) error { return r.move(r.gatherBlocks()) },
	ir.OpSPMDAllToAll:      func(r *run) error { return r.move(r.exchangeBlocks()) },
	ir.OpSPMDPermute:       func(r *run) error { return r.move(r.permuteBlocks()) },
	ir.OpSPMDShift:         func(r *run) error { return r.move(r.permuteBlocks()) },
}

// Run executes the collective: in[i][k] is operand k of the device at the i-th position of this
// process, out[i][k] is the memory for its result, which must not overlap an operand. All processes
// that have positions of the mesh must call it with the same tag, and with types that are the same
// at all positions. Tensors that do not fit the collective are an error before anything is sent.
//
// If the placement is nil, all positions are in one process, and t may be nil.
func (o *Op) Run(ctx context.Context, t transport.Transport, tag uint64, at *program.Placement, in, out [][]Tensor) error {
	r := &run{Op: o, ctx: ctx, t: t, tag: tag, in: in, out: out}
	do := algorithms[o.Kind]
	if do == nil {
		return fmt.Errorf("%s is no collective of the spmd dialect", o.Kind)
	}
	r.place(at, len(out))
	if len(out) != len(r.local) || len(in) != len(out) {
		return fmt.Errorf("%s has operands for %d devices and results for %d, want %d, the devices of this process", o.Kind, len(in), len(out), len(r.local))
	}
	if err := r.check(); err != nil {
		return fmt.Errorf("%s: %w", o.Kind, err)
	}
	return do(r)
}

// place sets r.process, the process of each position, by the placement at, and r.local, the index
// of each position of this process among in and out. If at is nil, all positions are in this
// process; devices is their number then.
func (r *run) place(at *program.Placement, devices int) {
	r.local = make(map[int]int, devices)
	if at == nil {
		r.process = func(int) int { return 0 }
		for pos := range devices {
			r.local[pos] = pos
		}
		return
	}
	r.self, r.process = at.Self, func(pos int) int { return at.Process[pos] }
	for i, pos := range at.Local() {
		r.local[pos] = i
	}
}

// check returns an error unless the tensors agree with each other and with the kind.
func (r *run) check() error {
	c := ir.CollectiveOf(r.Kind)
	if c == nil || len(r.out) == 0 {
		return nil // axis_index has no operands
	}
	for k, x := range r.in[0] {
		if k < len(r.out[0]) {
			if err := r.checkResult(c, x, r.out[0][k]); err != nil {
				return fmt.Errorf("operand %d: %w", k, err)
			}
		}
	}
	for i := range r.out {
		if err := checkTensors("operand", i, r.in[i], r.in[0], len(r.in[0])); err != nil {
			return err
		}
		if err := checkTensors("result", i, r.out[i], r.out[0], len(r.in[0])); err != nil {
			return err
		}
	}
	return nil
}

// checkTensors returns an error unless list, the tensors of device i of this process, are n, have
// the types of those of the first device, and have as many bytes as their types. what names them in
// the error.
func checkTensors(what string, i int, list, first []Tensor, n int) error {
	if len(list) != n {
		return fmt.Errorf("there are %d of %s on device %d of this process, want %d", len(list), what, i, n)
	}
	for k, t := range list {
		if want := first[k]; t.DType != want.DType || !slices.Equal(t.Dims, want.Dims) {
			return fmt.Errorf("%s %d on device %d of this process is %s%v, want %s%v as on the first", what, k, i, t.DType, t.Dims, want.DType, want.Dims)
		}
		if want := t.bytes(t.Dims); len(t.Data) != want {
			return fmt.Errorf("%s %d on device %d of this process has %d bytes, want %d for %s%v", what, k, i, len(t.Data), want, t.DType, t.Dims)
		}
	}
	return nil
}

// bytes returns the size of a box of elements of t, in bytes.
func (t Tensor) bytes(box []int) int { return ir.Tensor(t.DType, box...).MemoryBytes() }

// checkResult compares the type of result z with the type that the kind, which c describes, makes
// of operand x. A difference is an error, and so is a dimension that the group cannot divide.
func (r *run) checkResult(c *ir.CollectiveInfo, x, z Tensor) error {
	want := slices.Clone(x.Dims)
	var err error
	scale := func(dim, times, parts int) {
		if dim < 0 || dim >= len(want) || want[dim]*times%parts != 0 {
			err = fmt.Errorf("%v cannot be divided by %d along dimension %d", x.Dims, parts, dim)
			return
		}
		want[dim] = want[dim] * times / parts
	}
	n := r.groupSize()
	if c.Dims.Cut != "" {
		scale(r.Cut, 1, n)
	}
	if c.Dims.Join != "" && err == nil {
		scale(r.Join, n, 1)
	}
	if err != nil {
		return err
	}
	if x.DType != z.DType || !slices.Equal(want, z.Dims) {
		return fmt.Errorf("the result is %s%v, want %s%v", z.DType, z.Dims, x.DType, want)
	}
	return nil
}

// groupSize returns the size of the groups, which is the same for all; 1 if there are no groups.
func (r *run) groupSize() int {
	if len(r.Groups) == 0 {
		return 1
	}
	return len(r.Groups[0])
}

// members returns the members of a group that are in a process, as indices of
// the group.
func (r *run) members(group []int, process int) []int {
	var out []int
	for i, pos := range group {
		if r.process(pos) == process {
			out = append(out, i)
		}
	}
	return out
}

// axisIndex writes into each result of this process the index of its device in its group, a scalar.
func (r *run) axisIndex() error {
	for _, group := range r.Groups {
		for i, pos := range group {
			if l, ok := r.local[pos]; ok {
				copy(r.out[l][0].Data, ir.Scalar(r.out[l][0].DType, float64(i)).Data)
			}
		}
	}
	return nil
}
