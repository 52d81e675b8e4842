package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// chain is two layers of tanh, a loss and its gradient; the paths are those of package trace.
const chain = `func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("net/b0")
  %b = stablehlo.tanh %a : tensor<64x32xf32> loc("net/b0")
  %c = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("net/b0")
  %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("net/b1")
  %e = stablehlo.tanh %d : tensor<64x32xf32> loc("net/b1")
  %f = stablehlo.dot_general %e, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("net/b1")
  %g = stablehlo.dot_general %f, %w, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("grad(net/b1)")
  %h = stablehlo.multiply %g, %e : tensor<64x32xf32> loc("grad(net/b1)")
  %i = stablehlo.dot_general %h, %w, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("grad(net/b1)")
  %j = stablehlo.dot_general %i, %w, contracting_dims = [1] x [1] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32> loc("grad(net/b0)")
  %k = stablehlo.multiply %j, %b : tensor<64x32xf32> loc("grad(net/b0)")
  %l = stablehlo.dot_general %x, %k, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32> loc("grad(net/b0)")
  return %l : tensor<32x32xf32>
}`

// applied returns the function that Apply makes of chain with the policies p, for a compiler that
// keeps barriers, and what Apply says about it.
func applied(t *testing.T, p *memory.Policies) (*ir.Func, *memory.Applied) {
	t.Helper()
	m, err := ir.Parse(chain)
	require.NoError(t, err)
	machine := *cost.Default()
	machine.Platform = "tpu"
	before := m.Main().String()
	f, did, err := memory.Apply(m.Main(), memory.Options{Machine: &machine, Mesh: mesh.MustParse("x=1"),
		Donated: func(int) int { return -1 }, KeepsBarriers: true, Policies: p})
	require.NoError(t, err)
	require.Equal(t, before, m.Main().String(), "the function is not changed")
	return f, did
}

// tanhs returns the paths of the tanh ops of f in order, joined by spaces. A path that occurs twice
// is computed again.
func tanhs(f *ir.Func) string {
	var paths []string
	for op := range f.Body.Ops() {
		if op.Kind == ir.OpTanh {
			paths = append(paths, op.Loc.Path)
		}
	}
	return strings.Join(paths, " ")
}

// Without policies Apply computes nothing again.
func TestApplyNothing(t *testing.T) {
	f, did := applied(t, nil)
	require.Equal(t, "net/b0 net/b1", tanhs(f))
	require.False(t, did.Asked)
	require.Equal(t, did.Before, did.After)
}

// Apply computes the tanh of a layer again if the rule of the innermost layer that has one says so,
// or a scope if no rule decides. The program then has a barrier, takes longer, and has no higher
// peak.
func TestApply(t *testing.T) {
	for _, tc := range []struct {
		name  string
		rules []string // key, action
		scope []string // paths
		want  string   // the layers of tanh, in order
	}{
		{name: "none", want: "net/b0 net/b1"},
		{name: "one", rules: []string{"net/b0", "recompute"}, want: "net/b0 net/b1 net/b0"},
		{name: "both", rules: []string{`net/b\d`, "recompute"}, want: "net/b0 net/b1 net/b1 net/b0"},
		{name: "a layer within another", rules: []string{"net", "recompute", "net/b1", "save"}, want: "net/b0 net/b1 net/b0"},
		{name: "a key that is equal", rules: []string{"net/b.", "save", "net/b0", "recompute"}, want: "net/b0 net/b1 net/b0"},
		{name: "scope", scope: []string{"net/b1"}, want: "net/b0 net/b1 net/b1"},
		{name: "rule before scope", rules: []string{"net", "save"}, scope: []string{"net/b1"}, want: "net/b0 net/b1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := memory.NewPolicies()
			for i := 0; i < len(tc.rules); i += 2 {
				require.NoError(t, p.Set(tc.rules[i], program.Action(tc.rules[i+1])))
			}
			by := map[string]string{}
			for _, path := range tc.scope {
				by[path] = "scope"
			}
			f, did := applied(t, p.WithScopes(by))
			require.Equal(t, tc.want, tanhs(f), f.String())
			if recomputed := tc.want != "net/b0 net/b1"; recomputed {
				require.Contains(t, f.String(), "optimization_barrier")
				require.Positive(t, did.Seconds)
				require.LessOrEqual(t, did.After, did.Before)
			}
			for _, v := range did.Values {
				require.Equal(t, v.Action == memory.Recompute, v.Seconds > 0, "%+v", v)
				require.True(t, v.Action == memory.Save || v.By != "", "%+v", v)
			}
		})
	}
}

// Set returns an error for a wrong rule, and Err returns all of them. Nil policies have no errors
// and no text.
func TestPolicyErrors(t *testing.T) {
	p := memory.NewPolicies()
	require.NoError(t, p.Err())
	require.ErrorContains(t, p.Set("a(", memory.Save), `memory policies: key "a(": the key is no regular expression`)
	require.ErrorContains(t, p.Set("a", "delay"), `got action "delay", want one of ["recompute" "save" "offload" "compress"]`)
	require.NoError(t, p.Set("a", memory.Save))
	require.ErrorContains(t, p.Set("a", memory.Recompute), "the key is there already, with save")
	require.Equal(t, 3, strings.Count(p.Err().Error(), "memory policies: key"))

	var none *memory.Policies
	require.NoError(t, none.Err())
	require.Empty(t, none.String())
	require.Equal(t, p.String(), p.WithScopes(nil).String())
	require.NotEqual(t, p.String(), p.WithScopes(map[string]string{"b": "scope"}).String())
}

// DeadRules finds rules that decide for no layer, and returns an error for a layer that matches two
// keys.
func TestDeadPolicies(t *testing.T) {
	m, err := ir.Parse(chain)
	require.NoError(t, err)
	p := memory.NewPolicies()
	p.Set("net/b0", memory.Recompute)
	p.Set("b1", memory.Recompute)
	p.Set("net/b[0]", memory.Save)
	dead, err := p.DeadRules(m)
	require.NoError(t, err)
	require.Len(t, dead, 2)
	require.Contains(t, dead[0].String(), `"b1" matches nothing; the nearest paths are "net/b1"`)
	require.Contains(t, dead[1].String(), "has a key of its own")

	p.Set("net/.*", memory.Recompute)
	p.Set("net/b1.*", memory.Save)
	_, err = p.DeadRules(m)
	require.ErrorContains(t, err, `layer "net/b1" matches 2 keys`)
}
