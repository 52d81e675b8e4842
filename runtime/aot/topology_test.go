package aot_test

// This file tests how devices are described to compilers.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/runtime/plugin"
)

func TestTPUs(t *testing.T) {
	megacore := aot.Option{Name: "chip_config_name", Text: "megacore"}
	wrap := func(axes ...int64) aot.Option { return aot.Option{Name: "wrap", List: axes} }
	for name, want := range map[string][]aot.Option{
		"v5e:2x4":     nil,
		"v5e:8x16":    {wrap(0, 1, 0)},
		"v5e:16x16":   {wrap(1, 1, 0)},
		"v5p:2x2x2":   nil,
		"v5p:4x4x8":   {wrap(1, 1, 1)},
		"v4:2x2x1":    {megacore},
		"v4:4x4x4":    {megacore, wrap(1, 1, 1)},
		"tpu7x:2x2x1": nil,
	} {
		to, err := hardware.ParseTarget(name)
		if err != nil {
			t.Error(err)
			continue
		}
		described, options, err := aot.Describe(to, "")
		require.NoError(t, err)
		require.Equal(t, name, described)
		require.Equal(t, want, options, name)
	}
}

// Every GPU that a target can name has a specification, the plugin's or ours. Another name is an
// error.
func TestGPUs(t *testing.T) {
	file, err := plugin.Find(t.Context(), plugin.Options{Platform: "cuda"})
	if err != nil {
		needs.Plugin(t, "cuda", err)
	}
	for _, c := range hardware.Chips() {
		if c.Platform != "cuda" {
			continue
		}
		config, err := aot.GPUConfig(c.Name, file)
		require.NoError(t, err, c.Name)
		require.Contains(t, config, "gpu_device_info {")
	}
	_, err = aot.GPUConfig("abacus", file)
	require.ErrorContains(t, err, "has no specification of abacus: it knows")
}
