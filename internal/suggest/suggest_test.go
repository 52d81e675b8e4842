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
	} {
		require.Equal(t, tc.want, suggest.Paths(tc.key, tc.paths, 1)[0], tc.key)
	}
	candidates := []string{"d1/kernel", "d2/kernel", "d2/bias", "d1/kernel"}
	require.Equal(t, []string{"d2/bias", "d1/kernel", "d2/kernel"}, suggest.Paths("d1/bias", candidates, 9))
	require.Empty(t, suggest.Paths("d1/bias", candidates, 0))
	require.Empty(t, suggest.Paths("d1/bias", nil, 3))
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
