package ir_test

// This file tests that values keep the names and identities that they have in the marked module.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

const originText = `module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = stablehlo.negate %0 : tensor<4xf32>
    %2 = stablehlo.negate %0 : tensor<4xf32>
    %3 = stablehlo.add %1, %2 : tensor<4xf32>
    %4 = call @twice(%3) : (tensor<4xf32>) -> tensor<4xf32>
    return %4 : tensor<4xf32>
  }
  func.func private @twice(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}`

func TestOriginsOutliveRewriting(t *testing.T) {
	m, err := ir.Parse(originText)
	require.NoError(t, err)
	marks := ir.MarkOrigins(m)
	require.Len(t, marks.Ops, 8)
	require.Equal(t, "%3", marks.Values[4].String())
	require.Equal(t, "@twice %0", marks.Values[7].String())

	clone := m.Clone()
	var ops []*ir.Op
	for op := range clone.Main().Body.Ops() {
		ops = append(ops, op)
	}
	abs, first, second, sum, call := ops[0], ops[1], ops[2], ops[3], ops[4]
	second.ReplaceWith(first.Result())
	b := ir.Builder{Loc: sum.Loc}
	made := b.Before(call).Build(ir.OpExp, nil, nil, nil, sum.Result()).Result()
	call.SetOperand(0, made)
	require.Equal(t, `func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %3 = stablehlo.add %1, %1 : tensor<4xf32>
  %5 = stablehlo.exponential %3 : tensor<4xf32>
  %4 = call @twice(%5) : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}`, clone.Main().String(), "an op that is added has a number behind those of the marked module")
	require.Equal(t, []string{"%1", "%2"}, namesOf(first.Result()), "one value computes two")
	require.Equal(t, []string{"%0"}, namesOf(abs.Result()))
	require.Empty(t, namesOf(made))
	require.Same(t, marks.Ops[3], made.Def().Loc.Op, "what is built in place of an op is made for it")
	require.Equal(t, []string{"%2"}, namesOf(m.Main().Body.Terminator().Prev().Prev().Prev().Result()), "the original stays as it is")
}

func namesOf(v *ir.Value) (out []string) {
	for _, o := range v.Origins {
		out = append(out, o.Of.String())
	}
	return out
}

// Sibling regions may use the same names. A value that moves out of a region gets another name if
// its own is taken.
func TestOriginNamesOfRegions(t *testing.T) {
	m, err := ir.Parse(`module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.if"(%arg0) ({
      %1 = stablehlo.negate %arg1 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }, {
      %1 = stablehlo.abs %arg1 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %1 = stablehlo.add %0, %0 : tensor<f32>
    return %1 : tensor<f32>
  }
}`)
	require.NoError(t, err)
	before := m.String()
	ir.MarkOrigins(m)
	require.Equal(t, before, m.String())
	branch := m.Main().Body.First()
	for _, r := range branch.Regions {
		r.First().MoveBefore(branch)
	}
	require.NoError(t, ir.Verify(m))
	again, err := ir.Parse(m.String())
	require.NoError(t, err, m.String())
	require.NoError(t, ir.Verify(again))
}

// Origins that share memory grow independently by Add. They stay in order, and hold each value
// once.
func TestOriginsAdd(t *testing.T) {
	of := make([]ir.Origin, 8)
	for i := range of {
		of[i].Of = &ir.ValueID{Number: i}
	}
	numbers := func(list ir.Origins) (out []int) {
		for _, o := range list {
			out = append(out, o.Of.Number)
		}
		return out
	}
	list := ir.Origins{}.Add(of[3], of[1], of[5])
	left, right := list.Add(of[6]), list.Add(of[7])
	require.Equal(t, []int{3, 1, 5}, numbers(list))
	require.Equal(t, []int{3, 1, 5, 6}, numbers(left))
	require.Equal(t, []int{3, 1, 5, 7}, numbers(right))
	require.Equal(t, []int{3, 1, 2, 5, 6}, numbers(left.Add(of[2], of[1], of[3], of[6])))
	require.Equal(t, []int{3, 1, 5, 6}, numbers(left))
}
