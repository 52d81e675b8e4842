package suggest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/suggest"
)

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"model", "model", 0},
		{"model", "modle", 1}, {"model", "mdel", 1}, {"model", "moddel", 1}, {"model", "motel", 1},
		{"kitten", "sitting", 3}, {"größe", "grösse", 2}, {"ab", "ba", 1}, {"abc", "cab", 2},
	} {
		require.Equal(t, tc.want, suggest.Distance(tc.a, tc.b), "%q %q", tc.a, tc.b)
		require.Equal(t, tc.want, suggest.Distance(tc.b, tc.a), "%q %q", tc.b, tc.a)
	}
}

func TestNearest(t *testing.T) {
	candidates := []string{"d1/kernel", "d2/kernel", "d2/bias", "d1/kernel"}
	require.Equal(t, []string{"d2/bias", "d1/kernel"}, suggest.Nearest("d1/bias", candidates, 2))
	require.Equal(t, []string{"d2/bias", "d1/kernel", "d2/kernel"}, suggest.Nearest("d1/bias", candidates, 9))
	require.Empty(t, suggest.Nearest("d1/bias", candidates, 0))
	require.Empty(t, suggest.Nearest("d1/bias", nil, 3))
}

func TestPaths(t *testing.T) {
	transformer := []string{"dense_1/kernel", "dense_1/bias", "transformer/layer_0/attention/query/kernel", "transformer/layer_0/attention/output/bias",
		"transformer/layer_0/multi_head_attention/kernel", "transformer/layer_0/mlp/dense/kernel", "transformer/embedding/embeddings"}
	for _, tc := range []struct {
		key, want string
		paths     []string
	}{
		{"transformer/.*/mha/kernel", "transformer/layer_0/multi_head_attention/kernel", transformer},
		{"transformer/.*/atention/.*/kernel", "transformer/layer_0/attention/query/kernel", transformer},
		{"transformer/.*/(wq|query)/bias", "transformer/layer_0/attention/output/bias", transformer},
		{"transformer/.*/feedforward/dense/kernel", "transformer/layer_0/mlp/dense/kernel", transformer},
		{".*/embedding/kernel", "transformer/embedding/embeddings", transformer},
		{"dense_2/kernel", "dense_1/kernel", transformer},
		{"dense.*/kernal", "dense_1/kernel", transformer},
		{".*bais", "dense_1/bias", transformer},
		{"lstm_1/.*/recurrent_kernel", "lstm/lstm_cell/recurrent_kernel", []string{"dense_1/kernel", "lstm/lstm_cell/kernel", "lstm/lstm_cell/recurrent_kernel"}},
		{"mha/kernel", "block/multi_head_attention/kernel", []string{"mlp/kernel", "block/multi_head_attention/kernel"}},
		{"", "a", []string{"b/c", "a"}},
		{"a(", "a", []string{"b/c", "a"}},
	} {
		require.Equal(t, tc.want, suggest.Paths(tc.key, tc.paths, 1)[0], tc.key)
	}
	candidates := []string{"d1/kernel", "d2/kernel", "d2/bias", "d1/kernel"}
	require.Equal(t, []string{"d2/bias", "d1/kernel", "d2/kernel"}, suggest.Paths("d1/bias", candidates, 9))
	require.Empty(t, suggest.Paths("d1/bias", candidates, 0))
	require.Empty(t, suggest.Paths("d1/bias", nil, 3))
}

// The nearest path has what the key names, although models name it differently.
func TestPathsOfModels(t *testing.T) {
	flat := []string{"tokens/embeddings", "block0_norm1/gamma", "block0_norm1/beta", "block0_attention/query/kernel", "block0_attention/key/kernel", "block0_attention/value/kernel",
		"block0_attention/attention_output/kernel", "block0_up/kernel", "block0_up/bias", "block0_down/kernel", "dense_1/kernel", "head/kernel", "head/bias"}
	bert := []string{"embeddings/word_embeddings/embeddings", "encoder/layer_0/attention/query/kernel", "encoder/layer_0/attention/query/bias", "encoder/layer_0/attention/attention_output/kernel",
		"encoder/layer_0/layer_norm/gamma", "encoder/layer_0/layer_norm/beta", "encoder/layer_0/intermediate/kernel", "encoder/layer_0/output/kernel", "pooler/kernel", "dense_1/kernel"}
	resnet := []string{"conv1_conv/kernel", "conv1_bn/gamma", "conv2_block1_1_conv/kernel", "conv2_block1_1_bn/gamma", "conv2_block1_2_conv/kernel", "predictions/kernel", "predictions/bias"}
	for _, tc := range []struct {
		name, key string
		paths     []string
		want      string // how the nearest path begins
	}{
		{"mha", "transformer/.*/mha/kernel", flat, "block0_attention/"},
		{"mha alone", ".*/mha/.*", flat, "block0_attention/"},
		{"attn", "h/\\d+/attn/c_proj/kernel", flat, "block0_attention/attention_output/kernel"},
		{"self_attn, q_proj", "model.layers.0.self_attn.q_proj.weight", flat, "block0_attention/query/kernel"},
		{"wk", ".*/attention/wk", flat, "block0_attention/key/kernel"},
		{"part of a class", ".*/[qkv]_proj/kernel", flat, "block0_attention/"},
		{"mlp", ".*/mlp/c_fc/kernel", flat, "block0_up/kernel"},
		{"fc2", ".*fc2.*", flat, "block0_down/kernel"},
		{"ffn", ".*/ffn/kernel", flat, "block0_up/kernel"},
		{"ln", ".*ln_1/.*", flat, "block0_norm1/"},
		{"scale", "block0_ln/scale", flat, "block0_norm1/gamma"},
		{"wte", ".*wte.*", flat, "tokens/embeddings"},
		{"wte of BERT", ".*wte.*", bert, "embeddings/word_embeddings/embeddings"},
		{"lm_head", "lm_head/kernel", flat, "head/kernel"},
		{"a mistyped end", ".*up.kernal", flat, "block0_up/kernel"},
		{"a mistyped layer", "^block0_upp/kernel$", flat, "block0_up/kernel"},
		{"segments joined", "block\\d+/attention/query/kernel", flat, "block0_attention/query/kernel"},
		{"dots", "encoder.layer_0.output.kernel", bert, "encoder/layer_0/output/kernel"},
		{"dots and numbers", `encoder\.layer\.0\.attention\.query\.bias`, bert, "encoder/layer_0/attention/query/bias"},
		{"capitals", "Encoder/Layer_0/Output/Kernel", bert, "encoder/layer_0/output/kernel"},
		{"an acronym", "encoder/layer_0/ao/kernel", bert, "encoder/layer_0/attention/attention_output/kernel"},
		{"no mlp", "encoder/layer_[0-9]+/mlp/dense_1/kernel", bert, "encoder/layer_0/intermediate/kernel"},
		{"fc of a CNN", "fc/kernel", resnet, "predictions/kernel"},
		{"batch norm", "conv1/batch_norm/gamma", resnet, "conv1_bn/gamma"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			paths := suggest.Paths(tc.key, tc.paths, 1)
			require.True(t, strings.HasPrefix(paths[0], tc.want), "%v", paths)
		})
	}
	require.Equal(t, []string{"a/b"}, suggest.Paths("a/bc", []string{"a/bc", "a/b"}, 3), "not the key itself")
}

func TestDidYouMean(t *testing.T) {
	for _, tc := range []struct{ name, want string }{
		{"modle", ` (did you mean "model"?)`},
		{"Model", ` (did you mean "model"?)`},
		{"MODEL", ` (did you mean "model"?)`},
		{"dat", ` (did you mean "data"?)`},
		{"batch", ""},
		{"", ""},
	} {
		require.Equal(t, tc.want, suggest.DidYouMean(tc.name, []string{"data", "model"}), tc.name)
	}
}

func TestClosest(t *testing.T) {
	losses := []string{"mse", "mae", "huber", "hinge", "poisson", "ctc", "dice", "circle", "tversky"}
	for _, tc := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"msae", losses, `; did you mean "mse" or "mae"?`},
		{"Huber", losses, `; did you mean "huber"?`},
		{"crossentropy", losses, ""},
		{"crossentropy", losses[:2], `; there are "mse", "mae"`},
		{strings.Repeat("m", 300), losses[:1], `; there are "mse"`},
		{"mse", nil, "; there are none"},
	} {
		require.Equal(t, tc.want, suggest.Closest(tc.name, tc.candidates, "there are "), tc.name)
	}
}

func Example() {
	axes := []string{"data", "model"}
	fmt.Printf("unknown axis %q%s: have %s\n", "modle", suggest.DidYouMean("modle", axes), suggest.Quote(axes))
	// Output: unknown axis "modle" (did you mean "model"?): have "data", "model"
}
