package budget_test

// This file tests the limits of the budget, and that the cost of JSON is at least what decoding it
// allocates.

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/budget"
)

func Example() {
	b := budget.ForFile(80)
	fmt.Println(b.Take(1<<20, "the header"))
	fmt.Println(b.Check(budget.Product(200000, 200000, 4), "an image of 200000x200000 pixels"))
	// Output:
	// <nil>
	// an image of 200000x200000 pixels needs 160 GB, but a file of 80 bytes may take 41.9 MB: the file is damaged, or made to fill the memory
}

func TestTake(t *testing.T) {
	b := budget.ForFile(100)
	limit := int64(budget.Floor + 100*budget.PerByte)
	require.Equal(t, limit, b.Limit())
	require.NoError(t, b.Take(limit-10, "most"))
	require.NoError(t, b.Check(10, "the rest"))
	require.ErrorIs(t, b.Check(11, "more"), budget.ErrExceeded)
	require.ErrorIs(t, b.Take(11, "more"), budget.ErrExceeded)
	require.NoError(t, b.Take(10, "the rest"), "a refused Take charges nothing")
	require.ErrorIs(t, b.Take(1, "one"), budget.ErrExceeded)
	require.ErrorIs(t, b.Take(-1, "less than nothing"), budget.ErrExceeded)
	require.Equal(t, int64(math.MaxInt64), budget.ForFile(math.MaxInt64).Limit())
	require.Equal(t, int64(budget.Floor), budget.ForFile(-5).Limit())
	require.Equal(t, int64(7), budget.WithLimit(1, 7).Limit())
}

func TestProduct(t *testing.T) {
	for _, tc := range []struct {
		numbers []int64
		want    int64
	}{
		{nil, 1},
		{[]int64{3, 4}, 12},
		{[]int64{1 << 31, 1 << 31}, 1 << 62},
		{[]int64{1 << 32, 1 << 32}, -1},
		{[]int64{1 << 32, 1 << 32, 0}, -1},
		{[]int64{0, math.MaxInt64}, 0},
		{[]int64{-1, 0}, -1},
	} {
		require.Equal(t, tc.want, budget.Product(tc.numbers...), "%v", tc.numbers)
	}
}

// TestJSONCost requires that the budget's cost of a JSON text is at least the bytes that decoding
// it allocates, for texts of all kinds, but not many times as much.
func TestJSONCost(t *testing.T) {
	const n = 20000
	list := func(s string) string { return "[" + strings.Repeat(s+",", n-1) + s + "]" }
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"%x":0`, i)
	}
	for name, text := range map[string]string{
		"numbers":         list("0"),
		"nulls":           list("null"),
		"empty lists":     list("[]"),
		"lists":           list("[0,0]"),
		"empty objects":   list("{}"),
		"objects":         list(`{"a":0}`),
		"larger objects":  list(`{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0,"g":0,"h":0,"i":0}`),
		"strings":         list(`"a,[{\"\\"`),
		"one object":      "{" + strings.Join(keys, ",") + "}",
		"nested objects":  strings.Repeat(`{"a":`, 9000) + "0" + strings.Repeat("}", 9000),
		"nested lists":    strings.Repeat("[", 9000) + "0" + strings.Repeat("]", 9000),
		"text of a model": list(`{"class_name":"Dense","config":{"name":"dense","units":8,"kernel":[3,4]}}`),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			var v any
			runtime.ReadMemStats(&before)
			err := json.Unmarshal([]byte(text), &v)
			runtime.ReadMemStats(&after)
			require.True(t, err == nil || strings.Contains(text, `\`), "%v", err)
			allocated := int64(after.TotalAlloc-before.TotalAlloc) - int64(len(text))
			// The least budget that the text fits into is its cost.
			cost := int64(0)
			for step := int64(1) << 40; step > 0; step /= 2 {
				if budget.WithLimit(0, cost+step).JSON([]byte(text), budget.Any, "it") != nil {
					cost += step
				}
			}
			require.Greater(t, float64(cost), 0.95*float64(allocated))
			require.Less(t, cost, 6*allocated+4096)
		})
	}
}
