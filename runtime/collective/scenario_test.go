package collective_test

// This file makes random collectives. It computes in one process the right results, and the bytes
// that each process should send.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// scenario is one collective on one mesh over some processes, with its operands.
type scenario struct {
	op      *collective.Op
	process []int                 // by position
	types   []ir.Type             // of the operands
	in      [][]collective.Tensor // by position
}

func (s *scenario) String() string {
	return fmt.Sprintf("%s of %v %s groups %v pairs %v dims %d %d summed %t processes %v",
		s.op.Kind, s.types, s.op.Reduction, s.op.Groups, s.op.Pairs, s.op.Cut, s.op.Join, s.op.Summed, s.process)
}

func (s *scenario) processes() int { return slices.Max(s.process) + 1 }

// randomScenario makes a random collective of a kind, on a random mesh over up to 4 processes. It
// puts about half of the devices on random processes. The others are in order.
func randomScenario(rng *rand.Rand, kind ir.OpKind) *scenario {
	var shape []int
	var names []string
	for size := 1; len(shape) == 0 || size < 12 && rng.IntN(3) > 0; size *= shape[len(shape)-1] {
		shape = append(shape, 1+rng.IntN(4))
		names = append(names, string(rune('a'+len(names))))
	}
	m, err := mesh.New(shape, names, nil)
	if err != nil {
		panic(err)
	}
	s := &scenario{op: &collective.Op{Kind: kind}, process: make([]int, m.Size())}
	processes := 1 + rng.IntN(4)
	for pos := range s.process {
		if s.process[pos] = pos * processes / m.Size(); rng.IntN(2) == 0 {
			s.process[pos] = rng.IntN(processes)
		}
	}
	rng.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	axes := mesh.FullAxes(names[:rng.IntN(len(names)+1)]...)
	s.op.Groups = m.ReplicaGroups(axes)
	s.addOperands(rng, len(s.op.Groups[0]))
	if ir.CollectiveOf(kind).Pairs != nil {
		s.addPairs(rng)
	}
	return s
}

// reductions lists element types, with the reductions that are tested for each.
var reductions = []struct {
	dtype dtypes.DType
	kinds []ir.OpKind
}{
	{dtypes.Float32, []ir.OpKind{ir.OpAdd, ir.OpMultiply, ir.OpMaximum, ir.OpMinimum}},
	{dtypes.Float64, []ir.OpKind{ir.OpAdd, ir.OpMaximum}},
	{dtypes.BFloat16, []ir.OpKind{ir.OpAdd, ir.OpMinimum}},
	{dtypes.Float16, []ir.OpKind{ir.OpAdd, ir.OpMaximum}},
	{dtypes.Int32, []ir.OpKind{ir.OpAdd, ir.OpMultiply, ir.OpAnd, ir.OpXor, ir.OpMaximum}},
	{dtypes.Uint8, []ir.OpKind{ir.OpAdd, ir.OpMinimum}},
	{dtypes.Int4, []ir.OpKind{ir.OpAdd}},
	{dtypes.Bool, []ir.OpKind{ir.OpAnd, ir.OpOr}},
	{dtypes.Complex64, []ir.OpKind{ir.OpAdd}},
	{dtypes.Complex128, []ir.OpKind{ir.OpAdd, ir.OpMultiply}},
}

func (s *scenario) addOperands(rng *rand.Rand, n int) {
	o := s.op
	first := reductions[rng.IntN(len(reductions))]
	o.Reduction = first.kinds[rng.IntN(len(first.kinds))]
	rank := 1 + rng.IntN(3)
	o.Cut, o.Join = rng.IntN(rank), rng.IntN(rank)
	operands := 1
	if o.Kind == ir.OpSPMDAllReduce || o.Kind == ir.OpSPMDAllGather {
		operands += rng.IntN(4)
	}
	for range operands {
		d := first.dtype
		if r := reductions[rng.IntN(len(reductions))]; o.Kind != ir.OpSPMDReduceScatter && slices.Contains(r.kinds, o.Reduction) {
			d = r.dtype // operands may have different types
		}
		dims := make([]int, rank)
		for i := range dims {
			dims[i] = rng.IntN(6)
			if rng.IntN(8) == 0 {
				dims[i] = 50 + rng.IntN(60)
			}
		}
		if ir.CollectiveOf(o.Kind).Dims.Cut != "" {
			dims[o.Cut] = n * min(dims[o.Cut], 7)
		}
		if o.Kind == ir.OpSPMDAllReduce && rng.IntN(3) == 0 {
			dims = nil
		}
		s.types = append(s.types, ir.Tensor(d, dims...))
	}
	for range s.process {
		var in []collective.Tensor
		for _, t := range s.types {
			in = append(in, randomTensor(rng, t))
		}
		s.in = append(s.in, in)
	}
}

// randomTensor returns a tensor of small whole numbers, whose sums are exact in all types.
// Sometimes it also contains special values.
func randomTensor(rng *rand.Rand, t ir.Type) collective.Tensor {
	values := make([]float64, t.Size())
	special := rng.IntN(10) == 0
	for i := range values {
		values[i] = float64(rng.IntN(3))
		if t.DType == dtypes.Bool {
			values[i] = float64(rng.IntN(2))
		}
		if special && t.DType.IsFloat() {
			values[i] = []float64{math.Inf(1), math.NaN(), -1, math.Copysign(0, -1)}[rng.IntN(4)]
		}
	}
	data := interp.Alloc(t.MemoryBytes())[:0]
	for _, v := range values {
		data = append(data, ir.Scalar(t.DType, v).Data...)
	}
	return collective.Tensor{DType: t.DType, Dims: t.Dims, Data: data}
}

// addPairs adds the pairs of a random permutation, and removes the groups. Some positions are no
// target.
func (s *scenario) addPairs(rng *rand.Rand) {
	sources := rng.Perm(len(s.process))
	for i, to := range rng.Perm(len(s.process)) {
		if rng.IntN(4) > 0 {
			s.op.Pairs = append(s.op.Pairs, [2]int{sources[i], to})
		}
	}
	s.op.Groups = nil
}

// presum sets Summed, and replaces each operand by the combination of those of its group's members
// in the same process, as an engine does.
func (s *scenario) presum() {
	s.op.Summed = true
	sums := make([][]collective.Tensor, len(s.in))
	for _, group := range s.op.Groups {
		for _, pos := range group {
			for k, t := range s.types {
				var parts []*interp.Tensor
				for _, other := range group {
					if s.process[other] == s.process[pos] {
						parts = append(parts, interp.FromBytes(t, s.in[other][k].Data))
					}
				}
				sums[pos] = append(sums[pos], collective.Tensor{DType: t.DType, Dims: t.Dims, Data: interp.Combine(s.op.Reduction, parts).Data})
			}
		}
	}
	s.in = sums
}

// want computes the results in one process, from the definition of the ops. It combines first
// within each process, and then over the processes, as package collective does, so that the bits
// must be the same.
func (s *scenario) want() [][]*interp.Tensor {
	out := make([][]*interp.Tensor, len(s.process))
	for pos := range out {
		out[pos] = make([]*interp.Tensor, len(s.types))
	}
	at := func(pos, k int) *interp.Tensor { return interp.FromBytes(s.types[k], s.in[pos][k].Data) }
	sum := func(group []int, k int) *interp.Tensor {
		var parts []*interp.Tensor
		for p := range s.processes() {
			var mine []*interp.Tensor
			for _, pos := range group {
				if s.process[pos] == p {
					mine = append(mine, at(pos, k))
				}
			}
			if s.op.Summed && len(mine) > 0 {
				mine = mine[:1]
			}
			if len(mine) > 0 {
				parts = append(parts, interp.Combine(s.op.Reduction, mine))
			}
		}
		return interp.Combine(s.op.Reduction, parts)
	}
	for k, t := range s.types {
		for _, pair := range s.op.Pairs {
			out[pair[1]][k] = at(pair[0], k)
		}
		for _, group := range s.op.Groups {
			n := len(group)
			for i, pos := range group {
				switch s.op.Kind {
				case ir.OpSPMDAllReduce:
					out[pos][k] = sum(group, k)
				case ir.OpSPMDReduceScatter:
					size := t.Dims[s.op.Cut] / n
					out[pos][k] = interp.Slice(sum(group, k), s.op.Cut, i*size, size)
				case ir.OpSPMDAllGather:
					var shards []*interp.Tensor
					for _, other := range group {
						shards = append(shards, at(other, k))
					}
					out[pos][k] = interp.Concatenate(shards, s.op.Join)
				case ir.OpSPMDAllToAll:
					size := t.Dims[s.op.Cut] / n
					var parts []*interp.Tensor
					for _, other := range group {
						parts = append(parts, interp.Slice(at(other, k), s.op.Cut, i*size, size))
					}
					out[pos][k] = interp.Concatenate(parts, s.op.Join)
				}
			}
		}
		for pos := range out {
			if out[pos][k] == nil {
				out[pos][k] = interp.New(t)
			}
		}
	}
	return out
}

// bytes returns the number of bytes that process self sends in the scenario, by the formulas of the
// package's doc.
func (s *scenario) bytes(self int) int {
	total, buffers := 0, map[string]int{} // buffers of all_reduce, by type and processes
	for _, group := range s.op.Groups {
		count := make([]int, s.processes())
		for _, pos := range group {
			count[s.process[pos]]++
		}
		G, L, P, ranks := len(group), count[self], 0, []int(nil)
		for p, n := range count {
			if n > 0 {
				P, ranks = P+1, append(ranks, p)
			}
		}
		if L == 0 {
			continue
		}
		for _, t := range s.types {
			B := t.MemoryBytes()
			switch s.op.Kind {
			case ir.OpSPMDAllGather:
				total += (P - 1) * L * B
			case ir.OpSPMDReduceScatter:
				total += B / G * (G - L)
			case ir.OpSPMDAllToAll:
				total += L * B / G * (G - L)
			case ir.OpSPMDAllReduce:
				buffers[fmt.Sprint(t.DType, ranks)] += B
			}
		}
	}
	for name, B := range buffers {
		total += allReduceBytes(name, B, self)
	}
	for _, pair := range s.op.Pairs {
		if s.process[pair[0]] == self && s.process[pair[1]] != self {
			for _, t := range s.types {
				total += t.MemoryBytes()
			}
		}
	}
	return total
}

// allReduceBytes returns the bytes that process self sends of a buffer of B bytes. name contains
// the type and the processes of the buffer.
func allReduceBytes(name string, B, self int) int {
	typ, list, _ := strings.Cut(name, " ")
	ranks := strings.Fields(strings.Trim(list, "[]"))
	P, i := len(ranks), slices.Index(ranks, strconv.Itoa(self))
	if (P-1)*B <= 128<<10 {
		return (P - 1) * B
	}
	d, err := dtypes.DTypeString(typ)
	if err != nil {
		panic(err)
	}
	elem := ir.ElementBytes(d)
	N := B / elem
	C := elem * ((i+1)*N/P - i*N/P)
	return B - C + (P-1)*C
}

// run executes the collective of s over transports, one for each process, with operations under
// tag. It returns the results by position and the errors by process. want gives the types of the
// results, whose memory has other contents at first.
func (s *scenario) run(ctx context.Context, ts []transport.Transport, tag uint64, want [][]*interp.Tensor) ([][]collective.Tensor, []error) {
	results := make([][]collective.Tensor, len(s.process))
	errs := make([]error, s.processes())
	var wait sync.WaitGroup
	for self := range errs {
		wait.Go(func() {
			at := &program.Placement{Process: s.process, Self: self}
			var in, out [][]collective.Tensor
			for _, pos := range at.Local() {
				in = append(in, s.in[pos])
				var mine []collective.Tensor
				for _, w := range want[pos] {
					z := collective.Tensor{DType: w.Type.DType, Dims: w.Type.Dims, Data: interp.Alloc(len(w.Data))}
					for i := range z.Data {
						z.Data[i] = 0xa5
					}
					mine = append(mine, z)
				}
				out, results[pos] = append(out, mine), mine
			}
			errs[self] = s.op.Run(ctx, ts[self], tag, at, in, out)
		})
	}
	wait.Wait()
	return results, errs
}
