package layerpath_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/layerpath"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		path, want string // the layers, separated by slashes
		backward   bool
	}{
		{"d1", "d1", false},
		{"grad(d1)", "d1", true},
		{"", "", false},
		{"block0_attention", "block0/attention", false},
		{"grad(block12_up)", "block12/up", true},
		{"adam/block3_up/kernel", "adam/block3/up/kernel", false},
		{"dense_1", "dense_1", false},
		{"conv2_block1_1_relu", "conv2/block1/1_relu", false},
		{"layers.7.mlp.up", "layers.7/mlp.up", false},
		{"grad(encoder/layer_3/mlp)", "encoder/layer_3/mlp", true},
		{"jit(step)/jvp(block0)/mlp/dot_general", "block0/mlp", false},
		{"jit(step)/transpose(jvp(block0))/mlp/dot_general", "block0/mlp", true},
		{"jit(step)/jvp(block1)/mlp/jit(relu)", "block1/mlp", false},
		{"jit(step)/jvp(block1)/mlp/jit(relu)/max", "block1/mlp/relu", false},
		{"jit(step)/jvp()/reduce_sum", "", false},
		{"jit(f)/while/body/closed_call/cell/dot_general", "cell", false},
		{"jit(step)/sgd/sub", "sgd", false},
		{"jit(step)/transpose(jvp(a/b))/mul", "a/b", true},
		{"name(with brackets)", "name(with brackets)", false},
		{"jit(step)", "", false},
		{"jit(step)/transpose(jvp(layer_0))/jvp(layer_0)/checkpoint/mul", "layer_0", true},
		{"jit(step)/transpose(jvp(layer_0))/jvp(layer_0)/remat2", "layer_0", true},
		{"jit(f)/transpose(jvp(enc))/layer_0/jvp(enc)/layer_0/checkpoint/rematted_computation/mlp/tanh", "enc/layer_0/mlp", true},
		{"jit(f)/train/transpose(jvp(enc))/layer_0/train/jvp(enc)/layer_0/checkpoint/mlp/mul", "train/enc/layer_0/mlp", true},
		{"jit(f)/transpose(jvp(transpose(jvp(enc))))/layer_0/jvp(jvp(enc))/layer_0/jvp(transpose(jvp(enc)))/layer_0/jvp(jvp(enc))/layer_0/checkpoint/att/mul", "enc/layer_0/att", true},
		{"jit(f)/transpose(jvp(block))/block/mul", "block/block", true},
		{"jit(f)/transpose(jvp(block))/block/jvp(block)/block/checkpoint/mul", "block/block", true},
		{"block/block", "block/block", false},
	} {
		t.Run(tc.path, func(t *testing.T) {
			p := layerpath.Parse(tc.path)
			require.Equal(t, tc.want, strings.Join(p.Layers, "/"))
			require.Equal(t, tc.backward, p.Backward)
		})
	}
}

func TestInside(t *testing.T) {
	for _, tc := range []struct{ call, path, want string }{
		{"jit(step)/jvp(jit(relu))", "max", "jit(step)/jvp(jit(relu))/max"},
		{"jit(step)/jvp(enc)/while/body/closed_call", "att/dot_general", "jit(step)/jvp(enc)/while/body/closed_call/att/dot_general"},
		{"jit(step)/jvp(jit(softmax))", "jit(where)", "jit(step)/jvp(jit(softmax))/jit(where)"},
		{"jit(step)/jit(relu)", "jit(step)/jit(relu)/max", "jit(step)/jit(relu)/max"},
		{"jit(step)/jit(relu)", "", "jit(step)/jit(relu)"},
		{"", "max", "max"},
		{"block0", "grad(block0)", "grad(block0)"},
		{"block0", "", "block0"},
	} {
		require.Equal(t, tc.want, layerpath.Inside(tc.call, tc.path))
	}
}

func TestAgain(t *testing.T) {
	for _, tc := range []struct{ path, again, part string }{
		{"block0/mlp", "block0/mlp/rematted_computation.3", "block0/mlp/rematted_computation.3"},
		{"", "rematted_computation.3", "rematted_computation.3"},
		{"jit(step)/jvp(block0)/mlp/dot_general", "jit(step)/jvp(block0)/mlp/rematted_computation.3/dot_general", "jit(step)/jvp(block0)/mlp/rematted_computation.3"},
		{"jit(f)/transpose(jvp(a/b))/checkpoint/rematted_computation/tanh", "jit(f)/transpose(jvp(a/b))/checkpoint/rematted_computation/rematted_computation.3/tanh",
			"jit(f)/transpose(jvp(a/b))/checkpoint/rematted_computation/rematted_computation.3"},
	} {
		again := layerpath.Again(tc.path, 3)
		require.Equal(t, tc.again, again)
		require.Equal(t, layerpath.Parse(tc.path), layerpath.Parse(again))
		part, ok := layerpath.AgainPart(again)
		require.True(t, ok)
		require.Equal(t, tc.part, part)
	}
	part, ok := layerpath.AgainPart("jit(f)/checkpoint/rematted_computation/tanh")
	require.True(t, ok)
	require.Equal(t, "jit(f)/checkpoint/rematted_computation", part)
	_, ok = layerpath.AgainPart("block0/my_rematted_computation")
	require.False(t, ok)
}

// outline returns the tree as indented text.
func outline(t *layerpath.Tree) string {
	depth := map[int]int{-1: -1}
	var b strings.Builder
	for i, n := range t.Nodes {
		depth[i] = depth[n.Parent] + 1
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", depth[i]), n.Label())
	}
	return b.String()
}

func TestTree(t *testing.T) {
	var blocks []string
	for i := range 12 {
		for _, name := range []string{"norm1", "attention", "norm2", "up"} {
			blocks = append(blocks, fmt.Sprintf("block%d_%s", i, name), fmt.Sprintf("grad(block%d_%s)", i, name))
		}
	}
	for _, tc := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"blocks", append([]string{"tokens"}, append(blocks, "head")...), "\n  tokens\n  block ×12\n    norm1\n    attention\n    norm2\n    up\n  head\n"},
		{"two leaves stay", []string{"d1", "d2"}, "\n  d1\n  d2\n"},
		{"three leaves", []string{"d1", "d10", "d2"}, "\n  d ×3\n"},
		{"repeats in repeats", []string{"conv2_block1_x", "conv2_block2_x", "conv3_block1_x", "conv3_block2_x", "conv3_block3_x"}, "\n  conv ×2\n    block ×3\n      x\n"},
		{"a leaf and a block of one name", []string{"b0_x", "b1_x", "b2"}, "\n  b ×2\n    x\n  b2\n"},
		{"numbers alone", []string{"h/0/mlp", "h/1/mlp", "h/2/mlp"}, "\n  h\n     ×3\n      mlp\n"},
		{"none", nil, "\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, outline(layerpath.NewTree(tc.paths))) })
	}
}

func TestPlace(t *testing.T) {
	tree := layerpath.NewTree([]string{"conv2_block1_x", "conv2_block2_x", "conv3_block1_x", "grad(conv3_block2_x)", "out", ""})
	place := func(path string) string {
		p := tree.Place(path)
		return fmt.Sprint(tree.Nodes[p.Node].Label(), " ", p.Repeat, " ", p.Backward)
	}
	require.Equal(t, "x [0 1] false", place("conv2_block2_x"))
	require.Equal(t, "x [1 1] true", place("grad(conv3_block2_x)"))
	require.Equal(t, "out [] false", place("out"))
	require.Equal(t, " [] false", place(""))
	require.Equal(t, " [] false", place("unknown"))
}

func Example() {
	tree := layerpath.NewTree([]string{"block0_up", "grad(block0_up)", "block1_up", "block2_up"})
	for _, n := range tree.Nodes[1:] {
		fmt.Println(n.Label())
	}
	fmt.Printf("%+v\n", tree.Place("grad(block0_up)"))
	// Output:
	// block ×3
	// up
	// {Node:2 Repeat:[0] Backward:true}
}
