package layout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

func TestLint(t *testing.T) {
	dm := mesh.MustParse("data=2,model=4")
	tensor := func(path, rule string, dims []int, axes ...string) layout.LintTensor {
		l, err := layout.NewTensorLayout(axes, dm)
		require.NoError(t, err)
		s, err := l.Sharding(len(dims))
		require.NoError(t, err)
		bytes := 4
		for _, n := range dims {
			bytes *= n
		}
		return layout.LintTensor{Path: path, Rule: rule, Dims: dims, Bytes: bytes, Layout: l, Sharding: s}
	}
	for _, tc := range []struct {
		name    string
		tensors []layout.LintTensor
		o       layout.LintOptions
		want    []string // parts of each finding's text
	}{
		{name: "nothing wrong", tensors: []layout.LintTensor{tensor("d1/kernel", "d1/kernel", []int{8, 8}, "", "model"), tensor("d1/bias", "", []int{8}, "")}},
		{name: "most bytes replicated", tensors: []layout.LintTensor{tensor("d1/kernel", "", []int{8, 8}, "", ""), tensor("d2/bias", "d2/.*", []int{8}, "")},
			want: []string{`288 of 288 parameter bytes (100 %, more than 50 %) are replicated on every device although the mesh has "model" to shard them: ` +
				`"d1/kernel" of shape [8 8] (256 bytes; no rule matches it), "d2/bias" of shape [8] (32 bytes; rule "d2/.*" leaves it replicated)`}},
		{name: "a share that is allowed", o: layout.LintOptions{ReplicatedShare: 1}, tensors: []layout.LintTensor{tensor("d1/kernel", "", []int{8, 8}, "", "")}},
		{name: "no axis but the batch's", o: layout.LintOptions{BatchAxis: "model"}, tensors: []layout.LintTensor{tensor("k", "", []int{8}, "data")}},
		{name: "a waste", tensors: []layout.LintTensor{tensor("d3/kernel", "d3/kernel", []int{8, 2}, "", "model")},
			want: []string{`"d3/kernel" (rule "d3/kernel"): 50 % of its memory is padding: dim 1 of size 2 is sharded 4 ways by "model": shard it by "data", which divides it`}},
		{name: "a waste with no way out", tensors: []layout.LintTensor{tensor("k", "", []int{5, 8}, "model", "")},
			want: []string{`"k" (no rule): 37 % of its memory is padding: dim 0 of size 5 is sharded 4 ways by "model": no axis divides it`}},
		{name: "a layout shorter than its tensor", tensors: []layout.LintTensor{tensor("d1/kernel", "d1/.*", []int{8, 8}, "model")},
			want: []string{`the layout (model) of the rule "d1/.*" is shorter than "d1/kernel", which has 2 dimensions: the missing ones are replicated, as in Keras; write (model, none)`}},
		{name: "little waste", tensors: []layout.LintTensor{tensor("k", "", []int{10, 8}, "model", "")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.o.BatchAxis == "" {
				tc.o.BatchAxis = "data"
			}
			got := layout.Lint(tc.tensors, tc.o)
			require.Len(t, got, len(tc.want))
			for i, f := range got {
				require.Contains(t, f.Text, tc.want[i])
			}
		})
	}
}
