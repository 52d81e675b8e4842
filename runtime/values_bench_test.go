package runtime_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// BenchmarkPrint computes the fingerprint of a batch that each process gives as a whole.
func BenchmarkPrint(b *testing.B) {
	for _, dims := range [][]int{{32, 10}, {32, 224, 224, 3}, {256, 224, 224, 3}} {
		t := ir.Tensor(dtypes.Float32, dims...)
		data := make([]byte, t.Bytes())
		b.Run(fmt.Sprint(dims), func(b *testing.B) {
			for b.Loop() {
				runtime.PrintOf(t, data)
			}
		})
	}
}
