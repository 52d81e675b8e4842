package collective_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// kinds returns the kinds of collectives.
func kinds() (out []ir.OpKind) {
	for _, c := range ir.Collectives() {
		out = append(out, c.Kind)
	}
	return out
}

// Run has an algorithm for each collective of the spmd dialect; without one it would return an
// error.
func TestEveryCollectiveHasAnAlgorithm(t *testing.T) {
	for _, kind := range kinds() {
		require.NoError(t, (&collective.Op{Kind: kind}).Run(context.Background(), nil, 1, nil, nil, nil), "it needs a row in algorithms (run.go)")
	}
}

func TestRandom(t *testing.T) {
	for _, over := range transports {
		t.Run(over.name, func(t *testing.T) {
			for _, kind := range kinds() {
				t.Run(kind.String(), func(t *testing.T) {
					ts := over.open(t, 4)
					for seed := range longtest.Pick(over.runs/3, 3*over.runs) {
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

// verify runs the collective of s on the transports. It fails the test unless the results equal
// those of want, up to the bits of NaNs, and each process sends the bytes that bytes says. It does
// not count bytes where a transport has collectives of its own, nor those of an all_reduce that the
// transport does itself.
func (s *scenario) verify(t *testing.T, ts []transport.Transport, seed int) {
	t.Helper()
	want := s.want()
	counted := make([]transport.Transport, len(ts))
	_, own := ts[0].(transport.Collectives) // bytes of the transport's own collectives are not counted
	for i, tr := range ts {
		if counted[i] = tr; !own {
			counted[i] = transporttest.Counted(tr)
		}
	}
	got, errs := s.run(context.Background(), counted, uint64(seed), want)
	for self, err := range errs {
		require.NoError(t, err, "seed %d: %s", seed, s)
		if own {
			continue
		}
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

// onlyNaNsDiffer reports whether two tensors of floats are equal, except for the bits of NaNs; it
// is false for other types. Gloo combines in another order, which can change these bits.
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

// reducing is a transport with an AllReduce of its own, in place of the transport's. It supports
// neither booleans nor products.
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

// Large sums are computed by a reduce-scatter and an all-gather: each process sends as many bytes
// as the doc says.
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

// 24 random collectives of all kinds, each under a tag of its own, run at the same time among 4
// ranks, each five times, in whatever order their goroutines start. All results must have the right
// bits.
func TestConcurrent(t *testing.T) {
	for _, over := range transports {
		t.Run(over.name, func(t *testing.T) {
			ts := over.open(t, 4)
			const ops = 24
			var scenarios []*scenario
			var wants [][][]*interp.Tensor
			for seed := range ops {
				rng := rand.New(rand.NewPCG(uint64(seed), 99))
				s := randomScenario(rng, kinds()[seed%len(kinds())])
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

// Rank 0 of three closes its transport while the others run a collective: that of rank 1, which
// waits for rank 0 in every kind, must fail with an error that names rank 0.
func TestLostProcess(t *testing.T) {
	for _, over := range transports {
		t.Run(over.name, func(t *testing.T) {
			for _, kind := range kinds() {
				ts := over.open(t, 3)
				s := &scenario{op: &collective.Op{Kind: kind, Reduction: ir.OpAdd, Groups: [][]int{{0, 1, 2}}, Pairs: [][2]int{{0, 1}, {1, 2}, {2, 0}}},
					process: []int{0, 1, 2}, types: []ir.Type{ir.Tensor(dtypes.Float32, 3)}}
				for range 3 {
					s.in = append(s.in, []collective.Tensor{{DType: dtypes.Float32, Dims: []int{3}, Data: interp.Alloc(12)}})
				}
				time.AfterFunc(20*time.Millisecond, func() { ts[0].Close(errors.New("killed")) })
				errs := make([]error, 3)
				var wait sync.WaitGroup
				for self := 1; self < len(errs); self++ {
					wait.Go(func() {
						at := &program.Placement{Process: s.process, Self: self}
						w := s.want()[self][0]
						out := collective.Tensor{DType: w.Type.DType, Dims: w.Type.Dims, Data: interp.Alloc(len(w.Data))}
						errs[self] = s.op.Run(context.Background(), ts[self], 1, at, s.in[self:self+1], [][]collective.Tensor{{out}})
					})
				}
				wait.Wait()
				// rank 1 receives from rank 0 in all of these kinds
				require.ErrorContains(t, errs[1], "rank 0", "%s", kind)
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
