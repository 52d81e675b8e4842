package compile_test

// This file tests the sums of products that loops make.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// summing is a step whose loop adds up products of %h, a place of %a, with %g, which it saves in %t.
// The gradient of a recurrent layer has such a loop.
const summing = `sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %w: tensor<3x5xf32>, %c: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<4x2x5xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x2x5xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x5xf32>
  %r:3 = stablehlo.while(%i = %0, %s = %none, %t = %zeros) : tensor<i32>, tensor<3x5xf32>, tensor<4x2x5xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %last = stablehlo.constant dense<3> : tensor<i32>
    %j = stablehlo.subtract %last, %i : tensor<i32>
    %h1 = stablehlo.dynamic_slice %a, %j, %0, %0, sizes = [1, 2, 3] : (tensor<4x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %h = stablehlo.reshape %h1 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    %g = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
    %p = stablehlo.dot_general %h, %g, contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<3x5xf32>
    %s1 = stablehlo.add %s, %p : tensor<3x5xf32>
    %g1 = stablehlo.reshape %g : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
    %t1 = stablehlo.dynamic_update_slice %t, %g1, %j, %0, %0 : (tensor<4x2x5xf32>, tensor<1x2x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x5xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %s1, %t1 : tensor<i32>, tensor<3x5xf32>, tensor<4x2x5xf32>
  }
  return %r#1, %r#2 : tensor<3x5xf32>, tensor<4x2x5xf32>
}`

// For TPUs and GPUs a sum of products becomes one product after the loop if both factors of all
// iterations are in arrays, at the index of the same iteration. Whether it does or not, the program
// computes what it computes for CPUs, where the loop stays.
func TestProducts(t *testing.T) {
	c := runtimetest.OpenSample(t, 2, false)
	a, w, s := make([]float32, 4*2*3), make([]float32, 3*5), make([]float32, 3*5)
	for i := range a {
		a[i] = float32(i%7 - 3)
	}
	for i := range w {
		w[i], s[i] = float32(i%4-1), float32(i)
	}
	for _, tc := range []struct {
		name    string
		changes []string // of summing: old and new texts
		inLoop  int      // products that are left in the loop
	}{
		{"a gradient", nil, 1},
		{"added to what there is", []string{"%s = %none", "%s = %c"}, 1},
		{"the sum at the left", []string{"add %s, %p", "add %p, %s"}, 1},
		{"the factors exchanged", []string{
			"%h, %g, contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<2x5xf32>)", "%g, %h, contracting_dims = [0] x [0] : (tensor<2x5xf32>, tensor<2x3xf32>)",
			"-> tensor<3x5xf32>\n    %s1 = stablehlo.add %s, %p", "-> tensor<5x3xf32>\n    %q = stablehlo.transpose %p, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>\n    %s1 = stablehlo.add %s, %q"}, 1},
		{"saved at another index", []string{"%g1, %j", "%g1, %i"}, 2},
		{"not saved", []string{"%t, %g1, %j", "%t, %g1, %0"}, 2},
		{"fewer iterations than places", []string{"%n = stablehlo.constant dense<4>", "%n = stablehlo.constant dense<3>"}, 2},
		{"read in the loop", []string{"%g = stablehlo.dot_general %h, %w", "%g = stablehlo.dot_general %h, %s"}, 2},
		{"a constraint on the sum", []string{"return %r#1, %r#2", `%x = sdy.sharding_constraint %r#1 <@mesh, [{}, {}]> : tensor<3x5xf32>
  return %x, %r#2`}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := strings.NewReplacer(tc.changes...).Replace(summing)
			var want []any
			for _, platform := range []string{hardware.CPU, hardware.TPU, hardware.CUDA} {
				p, err := compileStep(t, text, compile.Options{Platform: platform})
				require.NoError(t, err)
				inside, outside := productsOf(p)
				got := runOn(t, c, p, []any{a, w, s})
				if platform == hardware.CPU {
					require.Equal(t, []int{2, 0}, []int{inside, outside})
					want = got
				}
				require.Equal(t, want, got, platform)
				if platform != hardware.CPU {
					require.Equal(t, []int{tc.inLoop, 2 - tc.inLoop}, []int{inside, outside}, platform)
				}
			}
		})
	}
}

// productsOf returns how many products p has in loops, and elsewhere.
func productsOf(p *program.Program) (inside, outside int) {
	p.Module.Main().Walk(func(op *ir.Op) {
		switch {
		case op.Kind != ir.OpDotGeneral:
		case op.Block().Parent() != nil && op.Block().Parent().Kind == ir.OpWhile:
			inside++
		default:
			outside++
		}
	})
	return inside, outside
}
