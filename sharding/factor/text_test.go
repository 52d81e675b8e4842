package factor_test

// This file tests the text of rules.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/sharding/factor"
)

func TestParseRule(t *testing.T) {
	for _, text := range []string{
		"([], [])->([])",
		"([i, jk], [k, j])->([i, z_2]) {i=2, j=4, k=8, l=1, m=1, n=1, o=1, p=1, q=1, r=1, s=1, t=1, u=1, v=1, w=1, x=1, y=1, z=1, z_1=3, z_2=5} reduction={j, z_1} need_replication={k} permutation={i} blocked_propagation={i, z_2}, custom",
	} {
		for _, wrapped := range []string{text, "#sdy.op_sharding_rule<" + text + ">"} {
			rule, err := factor.ParseRule(wrapped)
			require.NoError(t, err)
			require.Equal(t, text, rule.String())
		}
	}
	for _, tc := range []struct{ name, text, want string }{
		{"no arrow", "([i])([i]) {i=2}", `want "->"`},
		{"factor without size", "([i])->([j]) {i=2}", "factor j has no size"},
		{"sizes out of order", "([i])->([j]) {j=2, i=2}", "want the size of factor i"},
		{"no size", "([i])->([i]) {i=}", "want a size"},
		{"empty dimension", "([i, ])->([i]) {i=2}", "want a factor"},
		{"unknown set", "([i])->([i]) {i=2} sum={i}", "want reduction, need_replication"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := factor.ParseRule(tc.text)
			require.ErrorContains(t, err, tc.want)
		})
	}
}
