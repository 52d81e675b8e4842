package distribution_test

// This file tests meshes of a command line.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/distribution"
)

func TestParseMesh(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		devices    int // of Initialize; 0 means not called
		open       bool
		visible    []string
		want       []int // shape
		all        int   // devices of the process
		wantErr    []string
	}{
		{name: "all devices", text: "2x4", devices: 8, want: []int{2, 4}, all: 8},
		{name: "the first devices", text: "3x2", devices: 8, want: []int{3, 2}, all: 8},
		{name: "more devices", text: "3x5", devices: 8, want: []int{3, 5}, all: 15},
		{name: "not initialized", text: "2x4", want: []int{2, 4}, all: 8},
		{name: "one device", text: distribution.Single, devices: 8, all: 8},
		{name: "no mesh", text: "8by1", wantErr: []string{`mesh "8by1"`, "along data and model", "2x2", "single"}},
		{name: "one size", text: "8", wantErr: []string{`mesh "8"`, "along data and model"}},
		{name: "too late for more", text: "2x4", devices: 2, open: true, wantErr: []string{"[2 4] needs 8 devices", "the process has 2"}},
		{name: "too few visible", text: "2x4", devices: 8, visible: []string{"cpu:0", "cpu:1"}, wantErr: []string{"[2 4] needs 8 devices", "the process has 2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Cleanup(func() { require.NoError(t, distribution.Close()) })
			if tc.devices > 0 {
				require.NoError(t, distribution.Initialize(distribution.Options{Devices: tc.devices}))
			}
			if tc.visible != nil {
				require.NoError(t, distribution.SetVisibleDevices(tc.visible...))
			}
			if tc.open {
				_, err := distribution.Client(t.Context())
				require.NoError(t, err)
			}
			m, err := distribution.ParseMesh(tc.text, "data", "model")
			if tc.wantErr != nil {
				requireParts(t, err, tc.wantErr)
				return
			}
			require.NoError(t, err)
			if tc.want == nil {
				require.Nil(t, m)
			} else {
				require.Equal(t, tc.want, m.Shape())
			}
			n, err := distribution.DeviceCount()
			require.NoError(t, err)
			require.Equal(t, tc.all, n)
		})
	}
}
