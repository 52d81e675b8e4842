package jsonfloat_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/jsonfloat"
)

func Example() {
	text, err := json.Marshal([]jsonfloat.Float{0.1, jsonfloat.Float(math.Inf(1))})
	fmt.Println(string(text), err)
	// Output: [0.1,"+Inf"] <nil>
}

func TestRoundTrip(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, 0.1, -1e300, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1)} {
		text, err := json.Marshal(jsonfloat.Float(x))
		require.NoError(t, err)
		var got jsonfloat.Float
		require.NoError(t, json.Unmarshal(text, &got))
		require.Equal(t, math.Float64bits(x), math.Float64bits(float64(got)), "%g", x)
	}
	var nan jsonfloat.Float
	require.NoError(t, json.Unmarshal([]byte(`"NaN"`), &nan))
	require.True(t, math.IsNaN(float64(nan)))
	require.ErrorContains(t, json.Unmarshal([]byte(`"much"`), &nan), `got "much", want a number`)
}
