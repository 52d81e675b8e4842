//go:build cgo

package gloo_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

var (
	reduced    = []dtypes.DType{dtypes.Float32, dtypes.Float64, dtypes.BFloat16, dtypes.Float16, dtypes.Int32, dtypes.Int64}
	reductions = []ir.OpKind{ir.OpAdd, ir.OpMultiply, ir.OpMaximum, ir.OpMinimum}
)

// numbers returns the bytes of n random elements of type d: whole numbers from -1 to 2, which are
// exact in sums and products of every type; or, if special is true and d is a float type, NaN,
// infinities, zeros and numbers that small types round.
func numbers(rng *rand.Rand, d dtypes.DType, n int, special bool) []byte {
	out := interp.Alloc(n * ir.ElementBytes(d))[:0]
	for range n {
		v := float64(rng.IntN(4)) - 1
		if special && d.IsFloat() {
			v = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, 65504, 1e-7, 3.1415926}[rng.IntN(9)]
		}
		out = append(out, ir.Scalar(d, v).Data...)
	}
	return out
}

// Every type and reduction, over all processes and over some, gives the interpreter's results, with
// the same bits in all processes.
func TestAllReduce(t *testing.T) {
	ts := open(t, 4)
	tag := uint64(1) << 40
	for _, ranks := range [][]int{{0, 1, 2, 3}, {0, 3}, {1, 2, 3}, {0, 1}, {2}} {
		for _, d := range reduced {
			for _, kind := range reductions {
				for _, n := range []int{1, 3000, 40_001} {
					tag++
					rng := rand.New(rand.NewPCG(tag, 1))
					var parts [][]byte
					for range ranks {
						parts = append(parts, numbers(rng, d, n, false))
					}
					want := interp.Alloc(len(parts[0]))
					require.NoError(t, interp.CombineInto(kind, d, want, parts...))
					got := allReduce(t, ts, tag, ranks, parts, d, kind)
					for i, rank := range ranks {
						require.True(t, slices.Equal(want, got[i]), "%s of %d %s over %v on rank %d", kind, n, d, ranks, rank)
					}
				}
			}
		}
	}
}

// allReduce reduces parts, one of each of ranks, by kind, in all these ranks at once, and returns
// the result of each.
func allReduce(t *testing.T, ts []transport.Transport, tag uint64, ranks []int, parts [][]byte, d dtypes.DType, kind ir.OpKind) [][]byte {
	t.Helper()
	out, errs := make([][]byte, len(ranks)), make([]error, len(ranks))
	var wait sync.WaitGroup
	for i, rank := range ranks {
		wait.Go(func() {
			out[i] = append(interp.Alloc(len(parts[i]))[:0], parts[i]...)
			errs[i] = ts[rank].AllReduce(context.Background(), tag, ranks, out[i], d, kind)
		})
	}
	wait.Wait()
	require.NoError(t, errors.Join(errs...))
	return out
}

// Infinities, NaNs, and numbers that small types round, are combined as by the interpreter, up to
// the bits of NaNs, and with the same bits in both processes. There are two, so that only one order
// is possible.
func TestSpecialNumbers(t *testing.T) {
	ts := open(t, 2)
	tag := uint64(0)
	for _, d := range reduced {
		for _, kind := range reductions {
			tag++
			rng := rand.New(rand.NewPCG(tag, 2))
			parts := [][]byte{numbers(rng, d, 4000, true), numbers(rng, d, 4000, true)}
			want := interp.Alloc(len(parts[0]))
			require.NoError(t, interp.CombineInto(kind, d, want, parts...))
			got := allReduce(t, ts, tag, []int{0, 1}, parts, d, kind)
			require.Equal(t, got[0], got[1], "bits differ between the processes")
			a := (&ir.Dense{Type: ir.Tensor(d, 4000), Data: want}).Float64s()
			b := (&ir.Dense{Type: ir.Tensor(d, 4000), Data: got[0]}).Float64s()
			for i := range a {
				if !(a[i] == b[i] && math.Signbit(a[i]) == math.Signbit(b[i]) || math.IsNaN(a[i]) && math.IsNaN(b[i])) {
					t.Fatalf("%s of %s: element %d is %v, want %v", kind, d, i, b[i], a[i])
				}
			}
		}
	}
}

func TestNotReduced(t *testing.T) {
	ts := open(t, 2)
	for _, tc := range []struct {
		d    dtypes.DType
		kind ir.OpKind
	}{{dtypes.Bool, ir.OpOr}, {dtypes.Complex64, ir.OpAdd}, {dtypes.Uint8, ir.OpAdd}, {dtypes.Int32, ir.OpXor}} {
		err := ts[0].AllReduce(context.Background(), 1, []int{0, 1}, make([]byte, 8), tc.d, tc.kind)
		require.ErrorIs(t, err, errors.ErrUnsupported, "%s of %s", tc.kind, tc.d)
	}
	for _, ranks := range [][]int{{1}, {0, 2}, {-1, 0}} {
		err := ts[0].AllReduce(context.Background(), 1, ranks, make([]byte, 8), dtypes.Int32, ir.OpAdd)
		require.ErrorContains(t, err, fmt.Sprintf("over the ranks %v", ranks))
	}
}

// Overlapping groups of ranks connect at the same time, in a different order on each rank, and
// reduce with many tags at once. All sums must be exact.
func TestGroupsAtOnce(t *testing.T) {
	ts := open(t, 4)
	groups := [][]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 1, 2}, {1, 2, 3}, {0, 1, 2, 3}, {0, 2}}
	errs := make([]error, len(ts))
	var processes sync.WaitGroup
	for rank, tr := range ts {
		processes.Go(func() {
			var ops sync.WaitGroup
			results := make([]error, len(groups))
			for i := range groups {
				i = (i*3 + rank*5) % len(groups)
				if !slices.Contains(groups[i], rank) {
					continue
				}
				ops.Go(func() {
					for round := range 10 {
						data := interp.Alloc(4 * 1000)
						for k := range 1000 {
							binary.NativeEndian.PutUint32(data[4*k:], uint32(k+rank+round))
						}
						if err := tr.AllReduce(context.Background(), uint64(i)<<32|uint64(round), groups[i], data, dtypes.Int32, ir.OpAdd); err != nil {
							results[i] = err
							return
						}
						for k := range 1000 {
							want := 0
							for _, r := range groups[i] {
								want += k + r + round
							}
							if got := binary.NativeEndian.Uint32(data[4*k:]); got != uint32(want) {
								results[i] = fmt.Errorf("group %v round %d: element %d is %d, want %d", groups[i], round, k, got, want)
							}
						}
					}
				})
			}
			ops.Wait()
			errs[rank] = errors.Join(results...)
		})
	}
	processes.Wait()
	require.NoError(t, errors.Join(errs...))
}
