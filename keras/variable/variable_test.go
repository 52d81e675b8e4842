package variable_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

func Example() {
	v := variable.New("d1/kernel", []int{2, 2}, dtypes.Float32, initializers.Ones())
	fmt.Println(v.Path(), v.Name(), v.Trainable())
	fmt.Println(v)
	// Output:
	// d1/kernel kernel true
	// d1/kernel tensor<2x2xf32> on one device
}

func split(t *testing.T, axes ...string) *layout.Sharding {
	t.Helper()
	l, err := layout.NewTensorLayout(axes, mesh.MustParse("data=2,model=3"))
	require.NoError(t, err)
	s, err := l.Sharding(len(axes))
	require.NoError(t, err)
	return s
}

// TestAssign assigns a value to a variable before and after it is on the devices, with even and
// uneven shardings, and reads it back. A variable with a value refuses another sharding.
func TestAssign(t *testing.T) {
	want := make([]float32, 2*3*5)
	for i := range want {
		want[i] = float32(i)
	}
	for _, axes := range [][]string{{"", "", ""}, {"data", "", "model"}, {"model", "data", ""}, {"", "model", "data"}} {
		t.Run(fmt.Sprint(axes), func(t *testing.T) {
			c := runtimetest.Open(t, 6)
			v := variable.New("v", []int{2, 3, 5}, dtypes.Float32, initializers.Zeros())
			require.NoError(t, v.SetSharding(split(t, axes...)))
			require.NoError(t, v.Assign(nil, want))
			for range 2 {
				got, err := v.Value(t.Context())
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.NoError(t, v.Allocate(c))
			}
			want[0]++
			require.NoError(t, v.Assign(c, want))
			got, err := v.Value(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.NoError(t, v.Reset(c))
			require.ErrorContains(t, v.SetSharding(nil), "its layout cannot change")
		})
	}
}

func TestAssignErrors(t *testing.T) {
	v := variable.New("d/bias", []int{2}, dtypes.Float32, initializers.Zeros())
	require.ErrorContains(t, v.Assign(nil, []float32{1}), "variable d/bias of type tensor<2xf32> cannot be assigned []float32 with 1 elements: want []float32 with 2")
	require.ErrorContains(t, v.Assign(nil, []float64{1, 2}), "cannot be assigned []float64")
	require.ErrorContains(t, v.Assign(nil, 3), "cannot be assigned int")
}
