package main

// This file tests the benchmark on a few mistakes, in the long form on all of one model, and that
// good layouts cause no warnings.

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// The command puts mistakes into the layouts of the model mlp. The suggestions repair at least 95 %
// of the harmful ones, and lint warns of a mistake that conflicts with other layouts. The short
// form tries one mistake, the long form all of this model.
func TestMistakesAreMended(t *testing.T) {
	var out bytes.Buffer
	err := run(context.Background(), longtest.Pick([]string{"-lint", "-model", "mlp", "-case", "slots"}, []string{"-lint", "-model", "mlp"}), &out)
	t.Log(out.String())
	require.NoError(t, err)
	require.Contains(t, out.String(), "mended, warned    mlp")
	require.Regexp(t, `(?m)^all +(\d+) +\d+ +\d+ % +\d+ +(9[5-9]|100) %`, out.String())
}

// goodLayouts are the layouts of the models, and layouts that others use for transformers:
// keras-hub's for Gemma, EasyLM's for Llama, T5X's with parameters sharded over the data axis.
var goodLayouts = []struct {
	name, model, mesh string
	flags             []string
}{
	{"own", "mlp", m2x4, nil},
	{"own", "conv", m2x4, nil},
	{"own", "embedding", m2x4, nil},
	{"own", "mlp", m4x2, nil},
	{"own", "transformer", m2x4, nil},
	{"own", "lstm", m2x4, nil},
	{"own", "vit", m2x4, nil},
	{"own", "unet", m2x4, nil},
	{"own", "llama", m2x4, nil},
	{"own", "recommender", m2x4, nil},
	{"own", "mixer", m2x4, nil},
	{"own", "outputs", m2x4, nil},
	{"own", "transformer", m4x2, nil},
	{"Gemma", "transformer", m2x4, []string{
		"tokens/embeddings=model,data", ".*(query|key|value)/kernel=data,model,-", ".*attention_output/kernel=model,-,data",
		".*up/kernel=data,model", ".*down/kernel=model,data", "head/kernel=data,model",
	}},
	{"EasyLM", "transformer", m2x2x2, []string{
		"tokens/embeddings=model,fsdp", ".*(query|key|value)/kernel=fsdp,model,-", ".*attention_output/kernel=model,-,fsdp",
		".*up/kernel=fsdp,model", ".*down/kernel=model,fsdp", "head/kernel=fsdp,model",
	}},
	{"T5X", "transformer", m2x4, []string{
		".*(query|key|value)/kernel=data,model,-", ".*up/kernel=data,model",
	}},
}

// Lint gives no warning of a good layout. If package suggest suggests a change of it, the compiled
// program must cost less time or less memory with the change, and have just the memory and the
// bytes sent that the suggestion predicts. The short form tests the first four layouts.
func TestGoodLayouts(t *testing.T) {
	recorded := map[string]*ir.Module{}
	for _, tc := range goodLayouts[:longtest.Pick(4, len(goodLayouts))] {
		t.Run(tc.name+" "+tc.model+" "+tc.mesh, func(t *testing.T) {
			if recorded[tc.model] == nil {
				for _, m := range models {
					if m.name == tc.model {
						var err error
						recorded[tc.model], err = m.record(mesh.MustParse(m2x4))
						require.NoError(t, err)
					}
				}
			}
			m := recorded[tc.model].Clone()
			require.NoError(t, sharding.Remesh(m, mesh.MustParse(tc.mesh)))
			splitBatch(m)
			require.NoError(t, annotate(m, tc.flags))
			w, err := suggest.Lint(m, suggest.Options{})
			require.NoError(t, err)
			require.Empty(t, w.String())
			s, err := suggest.Find(m, suggest.Options{})
			require.NoError(t, err)
			before, err := measure(m)
			require.NoError(t, err)
			for _, x := range s.Best {
				changed := m.Clone()
				layouts := layout.NewLayoutMap(changed.Meshes[0].Mesh)
				for _, r := range x.Rules {
					require.NoError(t, layouts.Override(r.Key, r.Axes...))
				}
				require.NoError(t, sharding.Annotate(changed, layouts))
				after, err := measure(changed)
				require.NoError(t, err)
				require.True(t, after[0] < before[0] || after[2] < before[2], "%v: %v -> %v", x.Rules, before, after)
				require.InDelta(t, x.After.Memory, after[2], 0)
				require.InDelta(t, x.After.Bytes, after[1], 0)
			}
		})
	}
}
