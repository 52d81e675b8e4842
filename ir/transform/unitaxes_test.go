package transform_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

func TestWithoutUnitAxes(t *testing.T) {
	for in, want := range map[string]string{
		`[{"x", "y"}, {"y"}]`:               `[{"x"}, {}]`,
		`[{"y"}p1, {"y", ?}p2]`:             `[{}, {?}p2]`,
		`[{"x"}, {}], replicated={"y"}`:     `[{"x"}, {}]`,
		`[{"x":(1)2}, {}], unreduced={"y"}`: `[{"x":(1)2}, {}]`,
		`[{"x"}p1, {?}], replicated={"z"}`:  `[{"x"}p1, {?}], replicated={"z"}`,
	} {
		t.Run(in, func(t *testing.T) {
			parse := func(text string) *ir.Module {
				return ir.MustParse("sdy.mesh @mesh = <[\"x\"=4, \"y\"=1, \"z\"=2]>\nfunc.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, " + text + ">}) -> tensor<8x8xf32> {\nreturn %x : tensor<8x8xf32>\n}")
			}
			s := parse(in).Main().Params()[0].Sharding
			got := transform.WithoutUnitAxes(s)
			require.Equal(t, parse(want).Main().Params()[0].Sharding.String(), got.String())
			require.Same(t, got, transform.WithoutUnitAxes(got))
		})
	}
}
