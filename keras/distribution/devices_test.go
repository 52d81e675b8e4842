package distribution_test

// This file tests device names, meshes of them, meshes of a command line, and the
// process' client.

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/runtime"
)

// initialize gives the process n CPU devices until the test ends.
func initialize(t *testing.T, n int) {
	t.Helper()
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: n}))
	t.Cleanup(func() { require.NoError(t, distribution.Close()) })
}

func TestListDevices(t *testing.T) {
	for _, tc := range []struct {
		name string
		env  string
		n    int // devices of Initialize; 0: Initialize is not called
		typ  []string
		want []string
		err  []string
	}{
		{name: "one by default", want: []string{"cpu:0"}},
		{name: "initialized", n: 3, want: []string{"cpu:0", "cpu:1", "cpu:2"}},
		{name: "environment", env: "2", want: []string{"cpu:0", "cpu:1"}},
		{name: "initialize goes before the environment", env: "2", n: 1, want: []string{"cpu:0"}},
		{name: "by type", n: 1, typ: []string{"CPU"}, want: []string{"cpu:0"}},
		{name: "another type", n: 1, typ: []string{"gpu"}, err: []string{`no devices of type "gpu"`, `the process uses "cpu"`, "Initialize"}},
		{name: "two types", n: 1, typ: []string{"cpu", "gpu"}, err: []string{"got 2 device types, want at most one"}},
		{name: "environment is no number", env: "many", err: []string{`GOSPMD_CPU_DEVICES is "many"`, "such as 8"}},
		{name: "environment is zero", env: "0", err: []string{`GOSPMD_CPU_DEVICES is "0"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(distribution.DevicesEnv, tc.env)
			if tc.n > 0 {
				initialize(t, tc.n)
			}
			got, err := distribution.ListDevices(tc.typ...)
			n, countErr := distribution.DeviceCount(tc.typ...)
			if tc.err != nil {
				requireParts(t, err, tc.err)
				requireParts(t, countErr, tc.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
			require.NoError(t, countErr)
			require.Equal(t, len(tc.want), n)
		})
	}
}

func TestNewDeviceMesh(t *testing.T) {
	for _, tc := range []struct {
		name    string
		n       int
		shape   []int
		axes    []string
		devices []string
		want    string
		err     []string
	}{
		{name: "all devices", n: 8, shape: []int{2, 4}, axes: []string{"data", "model"}, want: "data=2,model=4"},
		{name: "chosen devices", n: 8, shape: []int{2, 2}, axes: []string{"data", "model"}, devices: []string{"cpu:6", "CPU:4", "cpu:2", "cpu:0"},
			want: "data=2,model=2 devices=[6 4 2 0]"},
		{name: "empty", n: 8, err: []string{"got shape [] and axis names []", "at least one axis"}},
		{name: "no names", n: 8, shape: []int{8}, err: []string{"got shape [8] and axis names []"}},
		{name: "lengths differ", n: 8, shape: []int{2, 4}, axes: []string{"data"}, err: []string{"has 2 dimensions"}},
		{name: "duplicate name", n: 8, shape: []int{2, 4}, axes: []string{"x", "x"}, err: []string{"used twice"}},
		{name: "too few devices", n: 1, shape: []int{2, 4}, axes: []string{"data", "model"},
			err: []string{"shape [2 4] needs 8 devices", "the process has 1 (cpu:0)", "distribution.Initialize(ctx, distribution.Options{Devices: 8})", "GOSPMD_CPU_DEVICES=8"}},
		{name: "too many devices", n: 8, shape: []int{2}, axes: []string{"data"},
			err: []string{"needs 2 devices", "the process has 8 (cpu:0 to cpu:7)", "list those to use"}},
		{name: "list too short", n: 8, shape: []int{2}, axes: []string{"data"}, devices: []string{"cpu:0"}, err: []string{"needs 2 devices", "got 1"}},
		{name: "no such device", n: 2, shape: []int{2}, axes: []string{"data"}, devices: []string{"cpu:0", "cpu:7"},
			err: []string{`no device "cpu:7"`, "the process has 2 (cpu:0 to cpu:1)", "Devices: 8"}},
		{name: "other type", n: 2, shape: []int{1}, axes: []string{"data"}, devices: []string{"gpu:0"}, err: []string{`there is no device "gpu:0": the process has 2 (cpu:0 to cpu:1): name one of these, or call distribution.Initialize(ctx, distribution.Options{Platform: "cuda"}) before anything runs`}},
		{name: "type misspelt", n: 2, shape: []int{1}, axes: []string{"data"}, devices: []string{"cpus:0"}, err: []string{`there is no device "cpus:0": the process has 2 (cpu:0 to cpu:1): want one of these (did you mean "cpu"?)`}},
		{name: "no id", n: 2, shape: []int{1}, axes: []string{"data"}, devices: []string{"cpu"}, err: []string{`"cpu" is no name of a device`, `"cpu:0"`}},
		{name: "negative id", n: 2, shape: []int{1}, axes: []string{"data"}, devices: []string{"cpu:-1"}, err: []string{"is no name of a device"}},
		{name: "device twice", n: 2, shape: []int{2}, axes: []string{"data"}, devices: []string{"cpu:1", "cpu:1"}, err: []string{"device id 1 is listed twice"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			initialize(t, tc.n)
			m, err := distribution.NewDeviceMesh(tc.shape, tc.axes, tc.devices)
			if tc.err != nil {
				requireParts(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, m.String())
		})
	}
}

func TestInitializeRefuses(t *testing.T) {
	require.ErrorContains(t, distribution.Initialize(t.Context(), distribution.Options{Devices: -1}), "ask for -1 devices, want at least 1")
}

// The client of the process is opened once, with the requested devices. After that its options are
// fixed.
func TestClient(t *testing.T) {
	initialize(t, 4)
	c, err := distribution.Client(t.Context())
	if errors.Is(err, runtime.ErrNoEngine) {
		needs.Cgo(t, runtime.HasPJRT)
	}
	require.NoError(t, err)
	require.Len(t, c.Devices(), 4)

	again, err := distribution.Client(t.Context())
	require.NoError(t, err)
	require.Same(t, c, again)
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 4}), "the same options are no change")
	requireParts(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 8}),
		[]string{"runs on 4 CPU device(s) already", "asks for 8 CPU device(s)", "before anything runs"})

	require.NoError(t, distribution.Close())
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 2}))
	c, err = distribution.Client(t.Context())
	require.NoError(t, err)
	require.Len(t, c.Devices(), 2)
}

// UseClient replaces the client that would be opened, and the same one may be set again. No client,
// and another one after the first has been used, are errors.
func TestUseClient(t *testing.T) {
	open := func(n int) *runtime.Client {
		c, err := runtime.Open(t.Context(), runtime.Options{Devices: n, Engine: runtime.EngineGo})
		require.NoError(t, err)
		return c
	}
	t.Cleanup(func() { require.NoError(t, distribution.Close()) })
	require.ErrorContains(t, distribution.UseClient(nil), "UseClient got no client")
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 7}))
	c, other := open(3), open(2)
	defer other.Close()
	for range 2 {
		require.NoError(t, distribution.UseClient(c))
	}
	got, err := distribution.Client(t.Context())
	require.NoError(t, err)
	require.Same(t, c, got)
	names, err := distribution.ListDevices()
	require.NoError(t, err)
	require.Equal(t, []string{"cpu:0", "cpu:1", "cpu:2"}, names)
	requireParts(t, distribution.UseClient(other), []string{"runs on 3 CPU device(s) already", "UseClient brings 2 CPU device(s)", "before anything runs"})
}

// If the client cannot be opened, each call returns an error, and leaves no state.
func TestClientFails(t *testing.T) {
	t.Cleanup(func() { require.NoError(t, distribution.Close()) })
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Platform: "nonsense"}))
	for range 2 {
		_, err := distribution.Client(t.Context())
		require.Error(t, err)
		_, err = distribution.ListDevices()
		require.Error(t, err, "the devices of an accelerator are known only when it is open")
	}
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 2}))
	n, err := distribution.DeviceCount("cpu")
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestParseMesh(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		devices    int // devices of Initialize; 0: Initialize is not called
		open       bool
		visible    []string
		want       []int // shape
		all        int   // number of devices of the process
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
				require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: tc.devices}))
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
