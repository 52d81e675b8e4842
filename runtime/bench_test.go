package runtime_test

// This file measures a training step of the quickstart's size on the engine
// that GOSPMD_ENGINE names.

import (
	"fmt"
	"testing"

	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// BenchmarkStep trains the layers of the Keras guide's model, batch 16. On 2
// cores that other work kept busy as well: PJRT 3.4 ms on one device and 10 ms
// on eight, the engine written in Go 57 and 253 ms, 17 and 25 times as long.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprintf("%d devices", n), func(b *testing.B) {
			s := mlp{batch: 16, in: 784, hidden: 200, out: 10, rate: 0.1, donate: true}
			c := runtimetest.Open(b, n)
			var m *mesh.DeviceMesh
			if n > 1 {
				m = mesh.MustParse(fmt.Sprintf("data=%d", n))
			}
			e := load(b, c, s.compile(b, m))
			b.ResetTimer()
			s.losses(b, c, e, b.N, 1)
		})
	}
}
