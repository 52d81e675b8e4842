package runtime_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// TestVisit puts an array together again from its shards, each element once.
func TestVisit(t *testing.T) {
	typ := ir.Tensor(dtypes.Uint8, 5, 7)
	want := make([]uint8, typ.Size())
	for i := range want {
		want[i] = uint8(i + 1)
	}
	for _, axes := range [][]string{nil, {"", ""}, {"x", ""}, {"", "y"}, {"x", "y"}, {"y", "x"}} {
		t.Run(fmt.Sprint(axes), func(t *testing.T) {
			var s *layout.Sharding
			if axes != nil {
				l, err := layout.NewTensorLayout(axes, mesh.MustParse("x=3,y=2"))
				require.NoError(t, err)
				s, err = l.Sharding(2)
				require.NoError(t, err)
			}
			a, err := runtimetest.Open(t, 6).Put(typ, s, want)
			require.NoError(t, err)
			defer a.Release()
			got := make([]uint8, len(want))
			require.NoError(t, a.Visit(t.Context(), func(r []layout.Range, data []byte) error {
				require.Len(t, data, r[0].Len()*r[1].Len())
				for i := range data {
					at := (r[0].Start+i/r[1].Len())*7 + r[1].Start + i%r[1].Len()
					require.Zero(t, got[at], "an element comes twice")
					got[at] = data[i]
				}
				return nil
			}))
			require.Equal(t, want, got)
			a.Release()
			require.ErrorContains(t, a.Visit(t.Context(), nil), "was released")
		})
	}
}
