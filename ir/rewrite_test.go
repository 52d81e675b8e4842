package ir_test

// This file tests the rewrite driver.

import (
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

// samplePatterns cancel double negations, turn x+x into a multiplication, and change square roots
// of absolute values in place.
var samplePatterns = ir.NewPatterns([]ir.Pattern{
	{Name: "negate (negate x) => x", Kinds: []ir.OpKind{ir.OpNegate}, Apply: func(r *ir.Rewriter, op *ir.Op) bool {
		inner := op.Operands[0].Def()
		if inner == nil || inner.Kind != ir.OpNegate {
			return false
		}
		r.Replace(op, inner.Operands[0])
		return true
	}},
	{Name: "x + x => 2 x", Kinds: []ir.OpKind{ir.OpAdd}, Apply: func(r *ir.Rewriter, op *ir.Op) bool {
		if op.Operands[0] != op.Operands[1] {
			return false
		}
		two := r.Typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: ir.Splat(op.Result().Type, 2)}}, []ir.Type{op.Result().Type})
		r.Replace(op, r.Typed(ir.OpMultiply, nil, []ir.Type{op.Result().Type}, op.Operands[0], two.Result()).Result())
		return true
	}},
}, []ir.Pattern{
	{Name: "sqrt (abs x) => cbrt x", Kinds: []ir.OpKind{ir.OpSqrt}, Apply: func(r *ir.Rewriter, op *ir.Op) bool {
		inner := op.Operands[0].Def()
		if inner == nil || inner.Kind != ir.OpAbs {
			return false
		}
		op.Kind = ir.OpCbrt
		op.SetOperand(0, inner.Operands[0])
		return true
	}},
})

func TestApplyPatterns(t *testing.T) {
	always := func(*ir.Op) bool { return true }
	for _, tc := range []struct {
		name, body string
		o          ir.RewriteOptions
		want       string
		applied    []string
	}{
		{"nothing fits", "%0 = stablehlo.negate %x : tensor<4xf32>", ir.RewriteOptions{}, "%0 = stablehlo.negate %x : tensor<4xf32>", nil},
		{
			"a chain in one walk, replaced ops stay",
			`%a = stablehlo.negate %x : tensor<4xf32>
			 %b = stablehlo.negate %a : tensor<4xf32>
			 %c = stablehlo.negate %b : tensor<4xf32>
			 %0 = stablehlo.negate %c : tensor<4xf32>`,
			ir.RewriteOptions{},
			`%a = stablehlo.negate %x : tensor<4xf32>
			 %b = stablehlo.negate %a : tensor<4xf32>
			 %c = stablehlo.negate %x : tensor<4xf32>
			 %d = stablehlo.negate %c : tensor<4xf32>
			 return %x : tensor<4xf32>`,
			[]string{"negate (negate x) => x", "negate (negate x) => x"},
		},
		{
			"dead ops go, and what only they used",
			`%a = stablehlo.negate %x : tensor<4xf32>
			 %b = stablehlo.negate %a : tensor<4xf32>
			 %0 = stablehlo.add %b, %x : tensor<4xf32>`,
			ir.RewriteOptions{IsDead: always},
			`%c = stablehlo.constant dense<2.0> : tensor<4xf32>
			 %0 = stablehlo.multiply %x, %c : tensor<4xf32>`,
			[]string{"negate (negate x) => x", "x + x => 2 x"},
		},
		{
			"in place",
			`%a = stablehlo.abs %x : tensor<4xf32>
			 %0 = stablehlo.sqrt %a : tensor<4xf32>`,
			ir.RewriteOptions{},
			`%a = stablehlo.abs %x : tensor<4xf32>
			 %0 = stablehlo.cbrt %x : tensor<4xf32>`,
			[]string{"sqrt (abs x) => cbrt x"},
		},
		{
			"skipped ops stay as they are",
			"%0 = stablehlo.add %x, %x : tensor<4xf32>",
			ir.RewriteOptions{Skip: func(op *ir.Op) bool { return op.Kind == ir.OpAdd }},
			"%0 = stablehlo.add %x, %x : tensor<4xf32>", nil,
		},
		{
			"regions",
			`%0 = "stablehlo.case"(%i) ({
			   %a = stablehlo.negate %x : tensor<4xf32>
			   %b = stablehlo.negate %a : tensor<4xf32>
			   stablehlo.return %b : tensor<4xf32>
			 }) : (tensor<i32>) -> tensor<4xf32>`,
			ir.RewriteOptions{IsDead: always},
			`%0 = "stablehlo.case"(%i) ({
			   stablehlo.return %x : tensor<4xf32>
			 }) : (tensor<i32>) -> tensor<4xf32>`,
			[]string{"negate (negate x) => x"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			parse := func(body string) *ir.Module {
				if !strings.Contains(body, " return ") {
					body += "\nreturn %0 : tensor<4xf32>"
				}
				return ir.MustParse("func.func @main(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<4xf32> {\n" + body + "\n}")
			}
			m, want := parse(tc.body), parse(tc.want)
			var applied []string
			tc.o.Applied = func(p *ir.Pattern) { applied = append(applied, p.Name) }
			require.Equal(t, len(tc.applied) > 0, ir.ApplyPatterns(m.Main(), samplePatterns, tc.o))
			require.NoError(t, ir.Verify(m))
			require.Equal(t, want.String(), m.String())
			require.Equal(t, tc.applied, applied)
		})
	}
}

// A pattern that replaces a value by one of another type is a bug.
func TestReplaceByAnotherType(t *testing.T) {
	_, f, _ := sample()
	wrong := ir.NewPatterns([]ir.Pattern{{Name: "wrong", Kinds: []ir.OpKind{ir.OpAdd}, Apply: func(r *ir.Rewriter, op *ir.Op) bool {
		zero := ir.Scalar(dtypes.Float32, 0)
		r.Replace(op, r.Typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: zero}}, []ir.Type{zero.Type}).Result())
		return true
	}}})
	require.PanicsWithValue(t, "BUG: result 0 of stablehlo.add of type tensor<4xf32> is replaced by a value of type tensor<f32>",
		func() { ir.ApplyPatterns(f, wrong, ir.RewriteOptions{}) })
}
