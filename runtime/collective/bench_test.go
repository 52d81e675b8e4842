package collective_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// BenchmarkAllReduce sums vectors of f32 over processes of one device each, which share
// this machine. It reports the processor time of one of them, too.
func BenchmarkAllReduce(b *testing.B) {
	for _, over := range []string{"tcp", "gloo"} {
		for _, bytes := range []int{1 << 10, 1 << 20, 16 << 20} {
			for _, size := range []int{2, 3, 4} {
				b.Run(fmt.Sprintf("%s/%dKB/%dprocesses", over, bytes>>10, size), func(b *testing.B) {
					if over == "gloo" {
						needGloo(b)
					}
					dir := b.TempDir()
					for rank := 1; rank < size; rank++ {
						child := exec.Command(os.Args[0], "-test.run=^TestBenchmarkChild$")
						child.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %d %d %s", childVar, over, rank, size, bytes, dir))
						child.Stderr = os.Stderr
						require.NoError(b, child.Start())
						defer child.Wait()
					}
					tr, err := openRank(over, 0, size, transporttest.Files(dir))
					require.NoError(b, err)
					defer tr.Close(nil)
					b.SetBytes(int64(bytes))
					count := binary.NativeEndian.AppendUint64(nil, uint64(b.N))
					var orders []transport.Message
					for rank := 1; rank < size; rank++ {
						orders = append(orders, transport.Message{Rank: rank, Data: count})
					}
					require.NoError(b, tr.Exchange(context.Background(), 1, orders, nil))
					b.ResetTimer()
					before := processorTime()
					require.NoError(b, sumAgain(tr, b.N, bytes))
					b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
				})
			}
		}
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const childVar = "GOSPMD_COLLECTIVE_BENCHMARK_CHILD"

// TestBenchmarkChild is one process of BenchmarkAllReduce.
func TestBenchmarkChild(t *testing.T) {
	fields := strings.Fields(os.Getenv(childVar))
	if len(fields) == 0 {
		t.Skip("it is run by BenchmarkAllReduce")
	}
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.Atoi(fields[i+1])
		require.NoError(t, err)
		numbers[i] = n
	}
	tr, err := openRank(fields[0], numbers[0], numbers[1], transporttest.Files(fields[4]))
	require.NoError(t, err)
	count := make([]byte, 8)
	require.NoError(t, tr.Exchange(context.Background(), 1, nil, []transport.Message{{Rank: 0, Data: count}}))
	require.NoError(t, sumAgain(tr, int(binary.NativeEndian.Uint64(count)), numbers[2]))
	time.Sleep(100 * time.Millisecond) // the others may still receive
	require.NoError(t, tr.Close(nil))
}

// sumAgain sums vectors over all processes, n times.
func sumAgain(tr transport.Transport, n, bytes int) error {
	o := &collective.Op{Kind: ir.OpSPMDAllReduce, Reduction: ir.OpAdd, Groups: [][]int{nil}}
	at := &program.Placement{Self: tr.Rank()}
	for rank := range tr.Size() {
		o.Groups[0], at.Process = append(o.Groups[0], rank), append(at.Process, rank)
	}
	tensor := func() [][]collective.Tensor {
		return [][]collective.Tensor{{{DType: dtypes.Float32, Dims: []int{bytes / 4}, Data: interp.Alloc(bytes)}}}
	}
	in, out := tensor(), tensor()
	for range n {
		if err := o.Run(context.Background(), tr, 1, at, in, out); err != nil {
			return err
		}
	}
	return nil
}
