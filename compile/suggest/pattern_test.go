package suggest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPatternOf(t *testing.T) {
	for _, tc := range []struct {
		name          string
		names, others []string
		want          string
	}{
		{"one", []string{"d1/kernel"}, nil, "d1/kernel"},
		{"all layers", []string{"block0/up", "block1/up", "block10/up"}, []string{"block0/down"}, `block\d+/up`},
		{"some layers", []string{"block0/up", "block2/up"}, []string{"block1/up"}, `block(0|2)/up`},
		{"one number is the same", []string{"a1/b1", "a2/b1"}, []string{"a1/b2"}, `a\d+/b1`},
		{"siblings", []string{"b0/q/k", "b1/q/k", "b0/v/k", "b1/v/k"}, []string{"b0/o/k"}, `b\d+/(q|v)/k`},
		{"what means something to a regular expression", []string{"params['l0'].w", "params['l1'].w"}, nil, `params\['l\d+'\]\.w`},
		{"nothing in common", []string{"x", "ä"}, nil, `(x|ä)`},
		{"parts of a rune", []string{"ä/x", "ö/x"}, nil, `(ä|ö)/x`},
		{"positions", []string{"arg0", "arg2"}, []string{"arg1"}, `(arg0|arg2)`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := patternOf(tc.names, tc.others)
			require.Equal(t, tc.want, got)
			require.True(t, isExact(got, tc.names, tc.others))
		})
	}
}
