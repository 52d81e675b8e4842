package transform_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// kinds returns the names of the ops of f, in order.
func kinds(f *ir.Func) []string {
	var out []string
	f.Walk(func(op *ir.Op) { out = append(out, op.FullName()) })
	return out
}

func TestEliminateDeadOps(t *testing.T) {
	const head = "sdy.mesh @mesh = <[\"x\"=2]>\nfunc.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
	constraint := func(result, operand string) string {
		return result + " = sdy.sharding_constraint " + operand + " <@mesh, [{\"x\"}]> : tensor<4xf32>\n"
	}
	keep := transform.DeadOps{KeepConstraints: true}
	for _, tc := range []struct {
		name    string
		options transform.DeadOps
		body    string
		want    []string
	}{
		{"a chain", transform.DeadOps{}, "%1 = stablehlo.abs %x : tensor<4xf32>\n%2 = stablehlo.abs %1 : tensor<4xf32>\nreturn %x : tensor<4xf32>", []string{"func.return"}},
		{"a constraint is an op like others", transform.DeadOps{}, constraint("%1", "%x") + "return %x : tensor<4xf32>", []string{"func.return"}},
		{"a constraint of a value that is needed", keep, constraint("%1", "%x") + "return %x : tensor<4xf32>", []string{"sdy.sharding_constraint", "func.return"}},
		{"a constraint of a parameter that is not needed", keep, constraint("%1", "%y") + "return %x : tensor<4xf32>", []string{"func.return"}},
		{"constraints of a result that is not needed", keep, "%1 = stablehlo.abs %x : tensor<4xf32>\n" + constraint("%2", "%1") + constraint("%3", "%1") + "return %x : tensor<4xf32>", []string{"func.return"}},
		{"a chain of constraints", keep, constraint("%1", "%x") + constraint("%2", "%1") + "return %x : tensor<4xf32>", []string{"sdy.sharding_constraint", "func.return"}},
		{"what the caller calls an effect", transform.DeadOps{HasEffect: func(op *ir.Op) bool { return op.Kind == ir.OpAbs }},
			"%1 = stablehlo.negate %x : tensor<4xf32>\n%2 = stablehlo.abs %1 : tensor<4xf32>\n%3 = stablehlo.negate %2 : tensor<4xf32>\nreturn %x : tensor<4xf32>",
			[]string{"stablehlo.negate", "stablehlo.abs", "func.return"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := ir.MustParse(head + tc.body + "\n}")
			transform.EliminateDeadOps(m.Main(), tc.options)
			require.NoError(t, ir.Verify(m))
			require.Equal(t, tc.want, kinds(m.Main()))
		})
	}
}

// TestDeadCarries drops %c, which the loop carries only to compute its own next value. It keeps %b,
// which %a depends on, and %i, which the condition depends on.
func TestDeadCarries(t *testing.T) {
	m := ir.MustParse(`func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %x, %c = %x) : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %t = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.add %a, %b : tensor<4xf32>
    %e = stablehlo.multiply %c, %d : tensor<4xf32>
    %f = stablehlo.negate %e : tensor<4xf32>
    stablehlo.return %j, %d, %b, %f : tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}`)
	transform.EliminateDeadOps(m.Main(), transform.DeadOps{Carries: true})
	require.NoError(t, ir.Verify(m))
	require.Equal(t, []string{"stablehlo.constant", "stablehlo.while", "stablehlo.constant", "stablehlo.compare", "stablehlo.return",
		"stablehlo.constant", "stablehlo.add", "stablehlo.add", "stablehlo.return", "func.return"}, kinds(m.Main()))
	require.Len(t, m.Main().Body.First().Next().Results, 3)
}

// EliminateDeadOps keeps the dead values that a loop carries if the loop has a sharding rule, which
// counts them.
func TestDeadCarriesOfARule(t *testing.T) {
	m := ir.MustParse(`func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r:2 = stablehlo.while(%a = %x, %b = %x) : tensor<4xf32>, tensor<4xf32>
  attributes {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i], [i]) {i=4}>}
  cond {
    %t = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    stablehlo.return %a, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}`)
	before := m.String()
	transform.EliminateDeadOps(m.Main(), transform.DeadOps{Carries: true})
	require.Equal(t, before, m.String())
}

func TestEliminateDeadFuncs(t *testing.T) {
	m := ir.MustParse(`func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @a(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @a(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @target(%x) {called_computations = [@b]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @b(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @c(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @c(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`)
	transform.EliminateDeadFuncs(m, func(f *ir.Func) bool { return f == m.Main() })
	var names []string
	for _, f := range m.Funcs {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"main", "a", "b"}, names)
}
