package page_test

// This file tests the layers of ops if ops have no layer paths, and the corresponding ops of
// repeated layers.

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// makePage returns the page of a module, compiled with the default options, for the default
// machine.
func makePage(t *testing.T, m *ir.Module) *page.Page {
	t.Helper()
	e, err := compile.Explain(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	p, err := page.New(e, nil)
	require.NoError(t, err)
	return p
}

// module reads the StableHLO module in a file, which is unpacked if its name ends in .gz.
func module(t *testing.T, name string) *ir.Module {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	var from io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		from, err = gzip.NewReader(f)
		require.NoError(t, err)
	}
	text, err := io.ReadAll(from)
	require.NoError(t, err)
	m, err := ir.Parse(string(text))
	require.NoError(t, err)
	return m
}

// outline returns the labels of the tree of layers, and the full paths of the layers that ops have,
// as keys.
func outline(p *page.Page) (labels []string, layers map[string]bool) {
	layers = map[string]bool{}
	for _, name := range p.Layers.Name {
		layers[p.Strings[name]] = true
	}
	return p.Layers.Tree.Name, layers
}

// Modules of JAX have no layer paths. The layers then are those of the arguments, or of the results
// that take these over; arguments without a name are layers by themselves. If ops have locations
// with layers, these count.
func TestLayersOfArguments(t *testing.T) {
	labels, layers := outline(makePage(t, module(t, "../../benchmarks/aot/testdata/transformer.mlir.gz")))
	require.Contains(t, labels, "blocks ×4")
	require.Subset(t, labels, []string{"q", "k", "v", "o", "up", "down", "n1", "n2", "norm", "embedding", "head"})
	require.True(t, layers["blocks[3]/up"], "%v", layers)

	labels, _ = outline(makePage(t, module(t, "../../cmd/gospmd/testdata/jax/transformer_grad.mlir")))
	require.Equal(t, []string{"", "arg6 4x6x16xf32", "arg0 16x4x4xf32", "arg1 16x4x4xf32", "arg2 16x4x4xf32", "arg3 4x4x16xf32", "arg4 16x32xf32", "arg5 32x16xf32"}, labels)

	labels, layers = outline(makePage(t, module(t, "../../runtime/aot/testdata/quickstart.mlir")))
	require.Subset(t, labels, []string{"d1", "d2", "dropout"}, "locations are layers where there are any")
	for name := range layers {
		require.NotContains(t, name, "arg")
	}
}

// The layers of a module of JAX come from the paths of its ops. No layer is there twice because of
// jax.checkpoint. The ops of a called function belong to the layer of the call, and are no layers
// themselves. The sum of the forward pass stays in it, although it is combined with one of the
// backward pass, and although both passes read an equal constant.
func TestLayersOfJAX(t *testing.T) {
	p := makePage(t, ir.MustParse(`sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = call @relu_grad(%x) : (tensor<8x64xf32>) -> tensor<8x64xf32> loc("jit(step)/transpose(jvp(layer_0))/jvp(layer_0)/checkpoint/mlp/jit(relu)")
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32> loc("jit(step)/transpose(jvp(layer_0))/jvp(layer_0)/checkpoint/mlp/dot_general")
  %2 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32> loc("jit(step)/jvp(layer_0)/mlp/dot_general")
  %3 = stablehlo.tanh %2 : tensor<8x64xf32> loc("jit(step)/jvp(layer_0)/mlp/tanh")
  %c = stablehlo.constant dense<0.0> : tensor<8x64xf32> loc("jit(step)/jvp(layer_0)/mlp/jit(relu)/max")
  %4 = stablehlo.maximum %3, %c : tensor<8x64xf32> loc("jit(step)/jvp(layer_0)/mlp/jit(relu)/max")
  return %1, %4 : tensor<8x64xf32>, tensor<8x64xf32>
}
func.func private @relu_grad(%y: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<8x64xf32> loc("broadcast_in_dim")
  %0 = stablehlo.compare GT, %y, %c : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xi1> loc("gt")
  %1 = stablehlo.select %0, %y, %c : tensor<8x64xi1>, tensor<8x64xf32> loc("select_n")
  return %1 : tensor<8x64xf32>
}`))
	labels, _ := outline(p)
	require.Equal(t, []string{"", "layer_0", "mlp", "relu"}, labels)
	phases := map[string]int{}
	for at, kind := range p.Ops.Kind {
		phases[p.Strings[kind]] = p.Ops.Phase[at]
	}
	require.Contains(t, phases, "spmd.all_reduce")
	require.Equal(t, 1, phases["stablehlo.select"])
	require.Equal(t, 0, phases["stablehlo.tanh"], "%v", phases)
	require.Equal(t, 0, phases["stablehlo.maximum"], "%v", phases)
}

// The page says for each op of the other blocks which op of the first block it corresponds to, so
// that the products counted once are those of about one block. In the text of no finding do the
// numbers of unnamed inputs become *.
func TestAlike(t *testing.T) {
	const blocks = 32
	p := makePage(t, transformer(t, mesh.MustParse("data=2,model=4"), blocks))
	first, all := 0, 0
	for at, kind := range p.Ops.Kind {
		require.LessOrEqual(t, p.Ops.Alike[at], at)
		require.Equal(t, p.Ops.Alike[at], p.Ops.Alike[p.Ops.Alike[at]], "the first is like itself")
		require.Equal(t, kind, p.Ops.Kind[p.Ops.Alike[at]])
		if p.Strings[kind] == "stablehlo.dot_general" {
			all++
			if p.Ops.Alike[at] == at {
				first++
			}
		}
	}
	require.Greater(t, all, 10*blocks)
	require.Less(t, first, all/blocks+8, "the first and the last block have products that the others have not")
	findings := makePage(t, module(t, "../../benchmarks/aot/testdata/mlp.mlir.gz")).Findings
	for _, f := range findings {
		require.NotContains(t, f.Text, "arg*")
	}
}
