package main

// This file tests gospmd opt by what it prints.

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const program = `sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
`

func TestOpt(t *testing.T) {
	for _, tc := range []struct {
		name, passes, want string // want: a part of the output
		wantErr            string
	}{
		{name: "no pass", passes: "", want: "stablehlo.transpose %arg0, dims = [1, 0] :"},
		{name: "propagation", passes: "basic-propagate", want: `[{"b", ?}, {"a", ?}]`},
		{name: "options", passes: "aggressive-propagate{propagation-strategy=basic conservative-propagation=true}", want: `[{"b", ?}, {"a", ?}]`},
		{name: "rules", passes: "add-data-flow-edges,populate-op-sharding-rules", want: "#sdy.op_sharding_rule<([j, i])->([i, j]) {i=8, j=8}>"},
		{name: "unknown pass", passes: "propagate", wantErr: `unknown pass "propagate": want one of add-data-flow-edges`},
		{name: "unknown option", passes: "basic-propagate{fast=true}", wantErr: `has no option "fast"`},
		{name: "unknown strategy", passes: "basic-propagate{propagation-strategy=fast}", wantErr: `propagation-strategy is "fast", want one of`},
		{name: "open braces", passes: "basic-propagate{a=b", wantErr: "are not closed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out, diag bytes.Buffer
			err := run([]string{"opt", "-passes=" + tc.passes}, strings.NewReader(program), &out, &diag)
			if tc.wantErr != "" {
				require.ErrorContains(t, err, tc.wantErr)
				return
			}
			require.NoError(t, err)
			require.Contains(t, out.String(), tc.want)
		})
	}
}

func TestCommands(t *testing.T) {
	var diag bytes.Buffer
	require.ErrorContains(t, run(nil, nil, nil, &diag), "no command given")
	require.ErrorContains(t, run([]string{"dance"}, nil, nil, &diag), `unknown command "dance"`)
	require.Contains(t, diag.String(), "opt")
}
