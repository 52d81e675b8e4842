package collective_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// scenario is one collective on one mesh over some processes, with its operands.
type scenario struct {
	op      *collective.Op
	process []int                 // by position
	types   []ir.Type             // of the operands
	in      [][]collective.Tensor // by position
}

func (s *scenario) String() string {
	return fmt.Sprintf("%s of %v %s groups %v pairs %v dims %d %d %d summed %t processes %v",
		s.op.Kind, s.types, s.op.Reduction, s.op.Groups, s.op.Pairs, s.op.Dim, s.op.SplitDim, s.op.ConcatDim, s.op.Summed, s.process)
}

func (s *scenario) processes() int { return slices.Max(s.process) + 1 }

// randomScenario makes a scenario on a random mesh whose devices are spread over
// processes at random, or in order.
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
	if kind == ir.OpSPMDPermute || kind == ir.OpSPMDShift {
		s.addPairs(rng)
	}
	return s
}

// reductions are the types that are combined, with the kinds that they have.
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
	o.Dim, o.SplitDim, o.ConcatDim = rng.IntN(rank), rng.IntN(rank), rng.IntN(rank)
	operands := 1
	if o.Kind == ir.OpSPMDAllReduce || o.Kind == ir.OpSPMDAllGather {
		operands += rng.IntN(4)
	}
	for range operands {
		d := first.dtype
		if r := reductions[rng.IntN(len(reductions))]; o.Kind != ir.OpSPMDReduceScatter && slices.Contains(r.kinds, o.Reduction) {
			d = r.dtype // operands of several types
		}
		dims := make([]int, rank)
		for i := range dims {
			dims[i] = rng.IntN(6)
			if rng.IntN(8) == 0 {
				dims[i] = 50 + rng.IntN(60)
			}
		}
		switch o.Kind {
		case ir.OpSPMDReduceScatter:
			dims[o.Dim] = n * min(dims[o.Dim], 7)
		case ir.OpSPMDAllToAll:
			dims[o.SplitDim] = n * min(dims[o.SplitDim], 7)
		case ir.OpSPMDAllReduce:
			if rng.IntN(3) == 0 {
				dims = nil
			}
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

// randomTensor has small whole numbers, which all types add up exactly, and now and
// then special ones.
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

// addPairs makes the pairs of a permutation in which some positions get nothing.
func (s *scenario) addPairs(rng *rand.Rand) {
	sources := rng.Perm(len(s.process))
	for i, to := range rng.Perm(len(s.process)) {
		if rng.IntN(4) > 0 {
			s.op.Pairs = append(s.op.Pairs, [2]int{sources[i], to})
		}
	}
	s.op.Groups = nil
}

// presum combines the operands of each group's members in each process, as an
// engine has done that sets Summed.
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

// want computes the results in one process, from the definition of the ops. Sums
// are hierarchical like those of package collective, so that the bits must be the
// same.
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
					size := t.Dims[s.op.Dim] / n
					out[pos][k] = interp.Slice(sum(group, k), s.op.Dim, i*size, size)
				case ir.OpSPMDAllGather:
					var shards []*interp.Tensor
					for _, other := range group {
						shards = append(shards, at(other, k))
					}
					out[pos][k] = interp.Concatenate(shards, s.op.Dim)
				case ir.OpSPMDAllToAll:
					size := t.Dims[s.op.SplitDim] / n
					var parts []*interp.Tensor
					for _, other := range group {
						parts = append(parts, interp.Slice(at(other, k), s.op.SplitDim, i*size, size))
					}
					out[pos][k] = interp.Concatenate(parts, s.op.ConcatDim)
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

// bytes returns what a process sends, by the formulas of the package's doc.
func (s *scenario) bytes(self int) int {
	total, buffers := 0, map[string]int{} // of all_reduce, by type and processes
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

// allReduceBytes is what process self sends of a buffer of B bytes, whose type and
// processes are in its name.
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

// run executes the scenario on transports and returns the results by position.
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

var crossing = []ir.OpKind{ir.OpSPMDAllReduce, ir.OpSPMDAllGather, ir.OpSPMDReduceScatter, ir.OpSPMDAllToAll, ir.OpSPMDPermute, ir.OpSPMDShift}

func TestRandom(t *testing.T) {
	for _, over := range transports {
		t.Run(over.name, func(t *testing.T) {
			for _, kind := range crossing {
				t.Run(kind.String(), func(t *testing.T) {
					ts := over.open(t, 4)
					for seed := range longtest.Pick(over.runs, 5*over.runs) {
						rng := rand.New(rand.NewPCG(uint64(seed), uint64(kind)))
						s := randomScenario(rng, kind)
						if kind == ir.OpSPMDAllReduce && rng.IntN(3) == 0 {
							s.presum()
						}
						s.verify(t, ts, seed)
					}
				})
			}
		})
	}
}

// verify runs s and compares results and traffic.
func (s *scenario) verify(t *testing.T, ts []transport.Transport, seed int) {
	t.Helper()
	want := s.want()
	counted := make([]transport.Transport, len(ts))
	for i, tr := range ts {
		counted[i] = transporttest.Counted(tr)
	}
	got, errs := s.run(context.Background(), counted, uint64(seed), want)
	for self, err := range errs {
		require.NoError(t, err, "seed %d: %s", seed, s)
		sent := int(counted[self].(*transporttest.Counter).Bytes.Load())
		if reduces := errors.Is(ts[self].AllReduce(context.Background(), 0, []int{self}, nil, dtypes.Float32, ir.OpAdd), errors.ErrUnsupported); reduces || s.op.Kind != ir.OpSPMDAllReduce {
			require.Equal(t, s.bytes(self), sent, "seed %d: %s: bytes that process %d sent", seed, s, self)
		}
	}
	for pos := range got {
		for k, z := range got[pos] {
			if !slices.Equal(want[pos][k].Data, z.Data) && !onlyNaNsDiffer(want[pos][k], z.Data) {
				t.Fatalf("seed %d: %s: result %d at position %d is\n%v\nwant\n%v", seed, s, k, pos, z.Data, want[pos][k].Data)
			}
		}
	}
}

// onlyNaNsDiffer reports whether two tensors have the same elements where NaN counts as
// equal to any other: Gloo combines in another order, which can change its bits.
func onlyNaNsDiffer(want *interp.Tensor, got []byte) bool {
	if !want.Type.DType.IsFloat() {
		return false
	}
	a := (&ir.Dense{Type: want.Type, Data: want.Data}).Float64s()
	b := (&ir.Dense{Type: want.Type, Data: got}).Float64s()
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	})
}

// reducing adds an AllReduce to a transport, of all but a few types.
type reducing struct{ transport.Transport }

func withAllReduce(ts []transport.Transport) []transport.Transport {
	out := make([]transport.Transport, len(ts))
	for i, t := range ts {
		out[i] = &reducing{t}
	}
	return out
}

func (r *reducing) AllReduce(ctx context.Context, tag uint64, ranks []int, data []byte, dtype dtypes.DType, kind ir.OpKind) error {
	if dtype == dtypes.Bool || kind == ir.OpMultiply {
		return errors.ErrUnsupported
	}
	var parts [][]byte
	var sends, recvs []transport.Message
	for _, rank := range ranks {
		if rank == r.Rank() {
			parts = append(parts, data)
			continue
		}
		parts = append(parts, interp.Alloc(len(data)))
		sends = append(sends, transport.Message{Rank: rank, Data: data})
		recvs = append(recvs, transport.Message{Rank: rank, Data: parts[len(parts)-1]})
	}
	if err := r.Exchange(ctx, tag, sends, recvs); err != nil {
		return err
	}
	return interp.CombineInto(kind, dtype, data, parts...)
}

// Large sums are scattered and gathered: every process sends what the doc says.
func TestLargeAllReduce(t *testing.T) {
	for _, tc := range []struct{ processes, elements int }{{2, 100_001}, {3, 100_000}, {4, 33_333}} {
		s := &scenario{op: &collective.Op{Kind: ir.OpSPMDAllReduce, Reduction: ir.OpAdd, Groups: [][]int{nil}}, types: []ir.Type{ir.Tensor(dtypes.Float32, tc.elements)}}
		rng := rand.New(rand.NewPCG(1, 2))
		for pos := range 2 * tc.processes {
			s.op.Groups[0] = append(s.op.Groups[0], pos)
			s.process = append(s.process, pos/2)
			s.in = append(s.in, []collective.Tensor{randomTensor(rng, s.types[0])})
		}
		want := s.want()
		var ts []transport.Transport
		for _, tr := range transporttest.Local(tc.processes) {
			ts = append(ts, transporttest.Counted(tr))
		}
		got, errs := s.run(context.Background(), ts, 1, want)
		for self, err := range errs {
			require.NoError(t, err)
			N, P, B := tc.elements, tc.processes, 4*tc.elements
			C := 4 * ((self+1)*N/P - self*N/P)
			require.EqualValues(t, B-C+(P-1)*C, ts[self].(*transporttest.Counter).Bytes.Load(), "bytes of process %d of %d", self, P)
		}
		for pos := range got {
			require.True(t, slices.Equal(want[pos][0].Data, got[pos][0].Data), "position %d", pos)
		}
	}
}

// Operations with different tags run at once, started in another order in each
// process.
func TestConcurrent(t *testing.T) {
	for _, over := range transports {
		t.Run(over.name, func(t *testing.T) {
			ts := over.open(t, 4)
			const ops = 24
			var scenarios []*scenario
			var wants [][][]*interp.Tensor
			for seed := range ops {
				rng := rand.New(rand.NewPCG(uint64(seed), 99))
				s := randomScenario(rng, crossing[seed%len(crossing)])
				scenarios, wants = append(scenarios, s), append(wants, s.want())
			}
			var wait sync.WaitGroup
			for _, i := range rand.New(rand.NewPCG(5, 5)).Perm(ops) {
				wait.Go(func() {
					for range 5 {
						got, errs := scenarios[i].run(context.Background(), ts, uint64(i), wants[i])
						for _, err := range errs {
							require.NoError(t, err, "%s", scenarios[i])
						}
						for pos := range got {
							for k, z := range got[pos] {
								require.True(t, slices.Equal(wants[i][pos][k].Data, z.Data), "%s", scenarios[i])
							}
						}
					}
				})
			}
			wait.Wait()
		})
	}
}

// An operation that waits for a process that is lost fails with its rank.
func TestLostProcess(t *testing.T) {
	for _, over := range transports {
		t.Run(over.name, func(t *testing.T) {
			for _, kind := range crossing {
				ts := over.open(t, 3)
				s := &scenario{op: &collective.Op{Kind: kind, Reduction: ir.OpAdd, Groups: [][]int{{0, 1, 2}}, Pairs: [][2]int{{0, 1}, {1, 2}, {2, 0}}},
					process: []int{0, 1, 2}, types: []ir.Type{ir.Tensor(dtypes.Float32, 3)}}
				for range 3 {
					s.in = append(s.in, []collective.Tensor{{DType: dtypes.Float32, Dims: []int{3}, Data: interp.Alloc(12)}})
				}
				time.AfterFunc(20*time.Millisecond, func() { ts[2].Close(errors.New("killed")) })
				errs := make([]error, 2)
				var wait sync.WaitGroup
				for self := range errs {
					wait.Go(func() {
						at := &program.Placement{Process: s.process, Self: self}
						w := s.want()[self][0]
						out := collective.Tensor{DType: w.Type.DType, Dims: w.Type.Dims, Data: interp.Alloc(len(w.Data))}
						errs[self] = s.op.Run(context.Background(), ts[self], 1, at, s.in[self:self+1], [][]collective.Tensor{{out}})
					})
				}
				wait.Wait()
				require.ErrorContains(t, errs[0], "rank 2", "%s", kind) // it receives from rank 2 in all of them
			}
		})
	}
}

func TestAxisIndex(t *testing.T) {
	m := mesh.MustParse("a=2,b=3")
	axes := mesh.FullAxes("b", "a")
	o := &collective.Op{Kind: ir.OpSPMDAxisIndex, Groups: m.ReplicaGroups(axes)}
	at := &program.Placement{Process: []int{0, 0, 1, 1, 0, 0}, Self: 1}
	require.False(t, o.Crosses(at))
	out := [][]collective.Tensor{{{DType: dtypes.Int32, Data: interp.Alloc(4)}}, {{DType: dtypes.Int32, Data: interp.Alloc(4)}}}
	require.NoError(t, o.Run(context.Background(), nil, 1, at, make([][]collective.Tensor, 2), out))
	for i, pos := range at.Local() {
		require.EqualValues(t, m.RefsCoordinate(pos, axes), binary.NativeEndian.Uint32(out[i][0].Data))
	}
}
