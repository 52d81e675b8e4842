package collective_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
)

// measured are the collectives that BenchmarkCollectives measures.
var measured = []ir.OpKind{ir.OpSPMDAllReduce, ir.OpSPMDAllGather, ir.OpSPMDReduceScatter, ir.OpSPMDAllToAll}

// paths are the ways in which a collective can communicate between processes.
var paths = []string{
	"tcp",  // our exchanges, over tcp
	"gloo", // Gloo's own collective
	"ours", // our exchanges, over Gloo
}

// BenchmarkCollectives measures collectives of f32 over processes of one device each, which share
// this machine. The paths take turns, so that other load of the machine slows all of them down;
// each metric is the median, in microseconds, of b.N runs.
func BenchmarkCollectives(b *testing.B) {
	needGloo(b)
	for _, size := range []int{2, 4} {
		b.Run(fmt.Sprintf("%dprocesses", size), func(b *testing.B) {
			dir := b.TempDir()
			for rank := 1; rank < size; rank++ {
				child := exec.Command(os.Args[0], "-test.run=^TestBenchmarkChild$")
				child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %s", childVar, rank, size, dir))
				child.Stderr = os.Stderr
				require.NoError(b, child.Start())
				defer child.Wait()
			}
			ts := openPaths(b, 0, size, dir)
			order := func(o [3]uint64) {
				var data []byte
				for _, n := range o {
					data = binary.NativeEndian.AppendUint64(data, n)
				}
				var sends []transport.Message
				for rank := 1; rank < size; rank++ {
					sends = append(sends, transport.Message{Rank: rank, Data: data})
				}
				require.NoError(b, ts[0].Exchange(context.Background(), orders, sends, nil))
			}
			for kind := range measured {
				for _, bytes := range []int{16, 1 << 10, 32 << 10, 128 << 10, 512 << 10, 2 << 20, 16 << 20} {
					b.Run(fmt.Sprintf("%s/%d", strings.TrimPrefix(measured[kind].String(), "spmd."), bytes), func(b *testing.B) {
						order([3]uint64{uint64(kind), uint64(bytes), uint64(b.N)})
						times, err := takeTurns(ts, measured[kind], bytes, b.N)
						require.NoError(b, err)
						for i, path := range paths {
							slices.Sort(times[i])
							b.ReportMetric(float64(times[i][len(times[i])/2].Nanoseconds())/1e3, path+"-µs")
						}
					})
				}
			}
			order([3]uint64{})
			for _, tr := range ts {
				tr.Close(nil)
			}
		})
	}
}

const (
	childVar = "GOSPMD_COLLECTIVE_BENCHMARK_CHILD"
	orders   = 1 << 40 // the tag of the commands to the children
)

// openPaths returns the transports to compare of one rank of a job of size processes, in the order
// of paths: TCP, Gloo, and Gloo without its own collectives. The processes find each other by files
// in dir.
func openPaths(t testing.TB, rank, size int, dir string) []transport.Transport {
	store := transporttest.Files(dir)
	tcp, err := openRank("tcp", rank, size, store)
	require.NoError(t, err)
	own, err := openRank("gloo", rank, size, store)
	require.NoError(t, err)
	return []transport.Transport{tcp, own, exchanging{own}}
}

// TestBenchmarkChild is one process of BenchmarkCollectives. It runs the measurements that process
// 0 orders, until process 0 orders none.
func TestBenchmarkChild(t *testing.T) {
	fields := strings.Fields(os.Getenv(childVar))
	if len(fields) == 0 {
		t.Skip("it is run by BenchmarkCollectives")
	}
	rank, err := strconv.Atoi(fields[0])
	require.NoError(t, err)
	size, err := strconv.Atoi(fields[1])
	require.NoError(t, err)
	ts := openPaths(t, rank, size, fields[2])
	for {
		order := make([]byte, 3*8)
		require.NoError(t, ts[0].Exchange(context.Background(), orders, nil, []transport.Message{{Rank: 0, Data: order}}))
		number := func(i int) int { return int(binary.NativeEndian.Uint64(order[8*i:])) }
		if number(2) == 0 {
			break
		}
		_, err := takeTurns(ts, measured[number(0)], number(1), number(2))
		require.NoError(t, err)
	}
	time.Sleep(100 * time.Millisecond) // the others may still receive
	for _, tr := range ts {
		_ = tr.Close(nil)
	}
}

// takeTurns runs a collective of the given bytes n times over each of the transports in turn, and
// returns the times by transport.
func takeTurns(ts []transport.Transport, kind ir.OpKind, bytes, n int) ([][]time.Duration, error) {
	size := ts[0].Size()
	o := &collective.Op{Kind: kind, Reduction: ir.OpAdd, Groups: [][]int{nil}}
	at := &program.Placement{Self: ts[0].Rank()}
	for rank := range size {
		o.Groups[0], at.Process = append(o.Groups[0], rank), append(at.Process, rank)
	}
	tensor := func(elements int) [][]collective.Tensor {
		return [][]collective.Tensor{{{DType: dtypes.Float32, Dims: []int{elements}, Data: interp.Alloc(4 * elements)}}}
	}
	results := map[ir.OpKind]int{ir.OpSPMDAllReduce: bytes / 4, ir.OpSPMDAllGather: bytes / 4 * size, ir.OpSPMDReduceScatter: bytes / 4 / size, ir.OpSPMDAllToAll: bytes / 4}
	in, out := tensor(bytes/4), tensor(results[kind])
	times := make([][]time.Duration, len(ts))
	for range n {
		for i, tr := range ts {
			start := time.Now()
			if err := o.Run(context.Background(), tr, uint64(i), at, in, out); err != nil {
				return nil, fmt.Errorf("%s: %w", paths[i], err)
			}
			times[i] = append(times[i], time.Since(start))
		}
	}
	return times, nil
}
