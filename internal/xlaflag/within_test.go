package xlaflag_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/xlaflag"
)

// A program is compiled a second time only if it needs more than the bound. Within returns the result
// that needs less, and frees the other one. An error of the second compilation leaves the first.
func TestWithin(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		bound, first, ordered int // bytes; -1: an error
		want                  int
		freed                 []int
	}{
		{0, 9, 5, 9, nil}, {9, 9, 5, 9, nil}, {8, 9, 5, 5, []int{9}}, {8, 9, 10, 9, []int{10}}, {8, 9, -1, 9, nil}, {8, -1, 5, 0, nil},
	} {
		var freed []int
		got, err := xlaflag.Within(c.bound, func(flags ...xlaflag.Flag) (int, error) {
			n := c.first
			if len(flags) > 0 {
				require.Equal(t, []xlaflag.Flag{xlaflag.InOrder}, flags)
				n = c.ordered
			}
			if n < 0 {
				return 0, broken
			}
			return n, nil
		}, func(n int) int { return n }, func(n int) { freed = append(freed, n) })
		require.Equal(t, c.first < 0, err != nil, "%+v", c)
		require.Equal(t, c.want, got, "%+v", c)
		require.Equal(t, c.freed, freed, "%+v", c)
	}
}
