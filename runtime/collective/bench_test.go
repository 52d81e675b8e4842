package collective_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// BenchmarkAllReduce sums vectors of f32 over ranks of one device each, which share this
// machine.
func BenchmarkAllReduce(b *testing.B) {
	for _, over := range transports[2:] {
		for _, bytes := range []int{1 << 10, 1 << 20, 16 << 20} {
			for _, ranks := range []int{2, 3, 4} {
				b.Run(fmt.Sprintf("%s/%dKB/%dranks", over.name, bytes>>10, ranks), func(b *testing.B) {
					ts := over.open(b, ranks)
					o := &collective.Op{Kind: ir.OpSPMDAllReduce, Reduction: ir.OpAdd, Groups: [][]int{nil}}
					var process []int
					for rank := range ranks {
						o.Groups[0], process = append(o.Groups[0], rank), append(process, rank)
					}
					b.SetBytes(int64(bytes))
					errs := make([]error, ranks)
					var wait sync.WaitGroup
					b.ResetTimer()
					for rank, tr := range ts {
						wait.Go(func() {
							at := &program.Placement{Process: process, Self: rank}
							tensor := func() [][]collective.Tensor {
								return [][]collective.Tensor{{{DType: dtypes.Float32, Dims: []int{bytes / 4}, Data: interp.Alloc(bytes)}}}
							}
							in, out := tensor(), tensor()
							for range b.N {
								if errs[rank] = o.Run(context.Background(), tr, 1, at, in, out); errs[rank] != nil {
									return
								}
							}
						})
					}
					wait.Wait()
					require.NoError(b, errors.Join(errs...))
				})
			}
		}
	}
}
