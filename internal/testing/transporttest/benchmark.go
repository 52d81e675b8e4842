package transporttest

// This file measures transports.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport"
)

// Benchmark measures, between two ranks, the time of a round trip of a message, and the bytes per
// second in one direction. open opens the transports of n ranks. cpu-ns/op is the processor time of
// both ranks.
func Benchmark(b *testing.B, open func(b *testing.B, n int) []transport.Transport) {
	for _, n := range []int{0, 1 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("roundtrip/%dKB", n>>10), func(b *testing.B) {
			measure(b, open(b, 2), func(tr transport.Transport, m []transport.Message) error {
				first, second := m, []transport.Message(nil)
				if tr.Rank() == 1 {
					first, second = second, first
				}
				if err := tr.Exchange(context.Background(), 1, first, second); err != nil {
					return err
				}
				return tr.Exchange(context.Background(), 1, second, first)
			}, n)
		})
	}
	for _, n := range []int{1 << 20, 16 << 20} {
		b.Run(fmt.Sprintf("throughput/%dMB", n>>20), func(b *testing.B) {
			b.SetBytes(int64(n))
			measure(b, open(b, 2), func(tr transport.Transport, m []transport.Message) error {
				if tr.Rank() == 0 {
					return tr.Exchange(context.Background(), 1, m, nil)
				}
				return tr.Exchange(context.Background(), 1, nil, m)
			}, n)
		})
	}
}

// measure calls step b.N times on both ranks of ts, with a message of n bytes for the other rank.
// It reports the CPU time for one call on both (cpu-ns/op). An error fails the benchmark.
func measure(b *testing.B, ts []transport.Transport, step func(tr transport.Transport, m []transport.Message) error, n int) {
	errs := make([]error, len(ts))
	var wait sync.WaitGroup
	b.ResetTimer()
	before := processorTime()
	for i, tr := range ts {
		wait.Go(func() {
			m := []transport.Message{{Rank: 1 - tr.Rank(), Data: make([]byte, n)}}
			for range b.N {
				if errs[i] = step(tr, m); errs[i] != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
	require.NoError(b, errors.Join(errs...))
}

// processorTime returns the processor time of this process, in nanoseconds.
func processorTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
