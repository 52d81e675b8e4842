package hardware_test

// This file tests the names of targets, and the figures of all devices.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/hardware"
)

func TestParseTarget(t *testing.T) {
	for _, tc := range []struct {
		text, want string
		devices    int
	}{
		{"v5e:2x4", "v5e:2x4", 8},
		{"v5e:16x16", "v5e:16x16", 256},
		{"V5litepod:1x1", "v5e:1x1", 1},
		{"v5p:2x2x1", "v5p:2x2x1", 4},
		{"v5p:16x16x24", "v5p:16x16x24", 6144},
		{"v4:8x8x12", "v4:8x8x12", 768},
		{"trillium:8x16", "v6e:8x16", 128},
		{"tpu7x:2x2x1", "tpu7x:2x2x1", 8},
		{"h100:1", "h100:1", 1},
		{"h100:4x8", "h100:4x8", 32},
		{"a100-80g:8", "a100:8", 8},
		{"a100-40g:2x4", "a100-40g:2x4", 8},
		{"gb200:2x72", "gb200:2x72", 144},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := hardware.ParseTarget(tc.text)
			require.NoError(t, err)
			require.Equal(t, tc.want, got.String())
			require.Equal(t, tc.devices, got.Devices())
			n := 1
			for _, l := range got.Levels() {
				for _, size := range l.Sizes {
					n *= size
				}
			}
			require.Equal(t, tc.devices, n, "the levels hold all devices")
			again, err := hardware.ParseTarget(got.String())
			require.NoError(t, err)
			require.True(t, got.Equal(again))
		})
	}
}

func TestParseTargetErrors(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", `target "": the device "" is not known: want one of v4, v5e, v5p, v6e, tpu7x, a100-40g, a100, h100`},
		{"v5f:2x4", `the device "v5f" is not known (did you mean "v5e"?)`},
		{"h1000:8", `(did you mean "h100"?)`},
		{"v5e", `target "v5e": there is no shape: want one such as v5e:2x4`},
		{"h100:8y", `the size "8y" in the shape "8y" is no whole number from 1 to 1048576: want one such as h100:8`},
		{"v5p:2x-2x2", `the size "-2" in the shape "2x-2x2" is no whole number from 1 to 1048576: want one such as v5p:2x2x2`},
		{"v5e:0x4", `the size "0" in the shape "0x4"`},
		{"h100:100000000", `the size "100000000" in the shape "100000000" is no whole number from 1 to 1048576: want one such as h100:8`},
		{"h100:1048576", "NVLink joins at most 8 devices: did you mean h100:131072x8"},
		{"v5e:4x2", "there is no such torus: did you mean v5e:2x4?"},
		{"v5e:16x32", "there is no such torus: want one of 1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16"},
		{"v5e:2x2x2", "got 3 sizes, a torus of v5e has 2 axes: want one of 1x1"},
		{"v5p:4x4", "got 2 sizes, a torus of v5p has 3 axes"},
		{"v5p:1x2x2", "did you mean v5p:2x2x1?"},
		{"v5p:8x4x4", "did you mean v5p:4x4x8?"},
		{"v5p:4x4x6", "or three multiples of 4, the smallest first, of at most 6144 chips together"},
		{"v5p:16x20x28", "there is no such torus"},
		{"h100:16", "NVLink joins at most 8 devices: did you mean h100:2x8, that many in each of 2 hosts?"},
		{"h100:2x9", "NVLink joins at most 8 devices, not 9"},
		{"h100:2x2x2", "got 3 sizes, want GPUs, or hosts and the GPUs of each: h100:8 or h100:4x8"},
	} {
		t.Run(tc.text, func(t *testing.T) {
			_, err := hardware.ParseTarget(tc.text)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// Every chip has a unique name and aliases, plausible figures of all that a prediction needs, and
// their sources. Only its last link reaches without limit.
func TestChips(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range hardware.Chips() {
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			require.False(t, seen[name], name)
			seen[name] = true
		}
		require.Contains(t, []string{"tpu", "cuda"}, c.Platform, c.Name)
		for _, d := range []dtypes.DType{dtypes.BFloat16, dtypes.Float32} {
			require.Greater(t, c.Flops[d], 1e13, c.Name)
		}
		require.LessOrEqual(t, c.Exact, c.Flops[dtypes.Float32], c.Name)
		require.Greater(t, c.MemoryBandwidth, 1e11, c.Name)
		require.LessOrEqual(t, c.UsableMemory(), c.Memory, c.Name)
		require.Greater(t, c.UsableMemory(), c.Memory*9/10, c.Name)
		require.NotEmpty(t, c.Links, c.Name)
		for i, l := range c.Links {
			require.Greater(t, l.Bandwidth, 1e9, c.Name)
			require.Greater(t, l.Latency, 0.0, c.Name)
			require.Equal(t, i == len(c.Links)-1, l.Reach == 0, "%s: all links but the last have a reach", c.Name)
		}
		require.NotEmpty(t, c.Sources, c.Name)
	}
}
