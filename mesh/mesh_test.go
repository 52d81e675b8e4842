package mesh_test

// This file tests the construction of meshes and their text.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/mesh"
)

func TestNewRefuses(t *testing.T) {
	for _, tc := range []struct {
		name    string
		shape   []int
		axes    []string
		devices []int
		want    []string // parts of the error
	}{
		{name: "fewer names than dimensions", shape: []int{2, 4}, axes: []string{"data"},
			want: []string{"shape [2 4] has 2 dimensions", `axis_names ["data"] has 1 names`, "one name for each dimension"}},
		{name: "more names than dimensions", shape: []int{2}, axes: []string{"data", "model"},
			want: []string{"has 1 dimensions", "has 2 names"}},
		{name: "size zero", shape: []int{0}, axes: []string{"data"}, want: []string{`axis "data" has size 0`, "at least 1"}},
		{name: "negative size", shape: []int{2, -4}, axes: []string{"data", "model"}, want: []string{`axis "model" has size -4`}},
		{name: "no name", shape: []int{2}, axes: []string{""}, want: []string{"axis 0 has no name"}},
		{name: "name with a comma", shape: []int{2}, axes: []string{"data,model"}, want: []string{`"data,model" holds ','`, "letters"}},
		{name: "name with a space", shape: []int{2}, axes: []string{"my axis"}, want: []string{`holds ' '`}},
		{name: "duplicate name", shape: []int{2, 4}, axes: []string{"x", "x"}, want: []string{`"x" is used twice`, "unique"}},
		{name: "all faults at once", shape: []int{0, 2, 2}, axes: []string{"x", "x", ""},
			want: []string{"size 0", "used twice", "axis 2 has no name"}},
		{name: "absurd size", shape: []int{1 << 40, 1 << 40}, axes: []string{"x", "y"}, want: []string{"more than 1048576 devices"}},
		{name: "too few devices", shape: []int{2, 4}, axes: []string{"data", "model"}, devices: []int{0, 1, 2},
			want: []string{"shape [2 4] needs 8 devices", "got 3", "change the shape or the device list"}},
		{name: "too many devices", shape: []int{1}, axes: []string{"data"}, devices: []int{0, 1}, want: []string{"needs 1 devices", "got 2"}},
		{name: "empty device list", shape: []int{1}, axes: []string{"data"}, devices: []int{}, want: []string{"got 0"}},
		{name: "negative device", shape: []int{2}, axes: []string{"data"}, devices: []int{0, -1}, want: []string{"device id -1 at position 1"}},
		{name: "device twice", shape: []int{2}, axes: []string{"data"}, devices: []int{3, 3}, want: []string{"device id 3 is listed twice"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := mesh.New(tc.shape, tc.axes, tc.devices)
			require.Nil(t, m)
			for _, w := range tc.want {
				require.ErrorContains(t, err, w)
			}
		})
	}
}

func TestNew(t *testing.T) {
	devices := []int{5, 4, 3, 2, 1, 0}
	m, err := mesh.New([]int{3, 2}, []string{"data", "model"}, devices)
	require.NoError(t, err)
	devices[0] = 9
	require.Equal(t, []int{5, 4, 3, 2, 1, 0}, m.Devices(), "a mesh keeps its own copy")
	require.Equal(t, []int{3, 2}, m.Shape())
	require.Equal(t, []string{"data", "model"}, m.AxisNames())
	require.Equal(t, []mesh.Axis{{Name: "data", Size: 3}, {Name: "model", Size: 2}}, m.Axes())
	require.Equal(t, 6, m.Size())
	require.Equal(t, 1, m.AxisIndex("model"))
	require.Equal(t, -1, m.AxisIndex("batch"))
	require.Equal(t, 2, m.AxisSize("model"))
	require.Equal(t, 0, m.AxisSize("batch"))
	require.Equal(t, "data=3,model=2 devices=[5 4 3 2 1 0]", m.String())
}

func TestMeshOfOneDevice(t *testing.T) {
	single, err := mesh.New(nil, nil, []int{3})
	require.NoError(t, err)
	for _, tc := range []struct {
		name   string
		m      *mesh.DeviceMesh
		device int
		text   string
	}{
		{"no axes", single, 3, "device 3"},
		{"nil", nil, 0, "one device"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, 1, tc.m.Size())
			require.Empty(t, tc.m.Axes())
			require.Empty(t, tc.m.Shape())
			require.Empty(t, tc.m.AxisNames())
			require.Equal(t, []int{tc.device}, tc.m.Devices())
			require.Equal(t, 0, tc.m.AxisSize("x"))
			require.Equal(t, tc.text, tc.m.String())
			require.Equal(t, 1, tc.m.RefsSize(nil))
			require.Equal(t, 0, tc.m.RefsCoordinate(0, nil))
			require.Equal(t, [][]int{{0}}, tc.m.ReplicaGroups(nil))
		})
	}
}

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		name, in, want string
		wantErr        string
	}{
		{name: "one axis", in: "batch=8", want: "batch=8"},
		{name: "spaces", in: " data = 2 , model=4 ", want: "data=2,model=4"},
		{name: "empty", in: "", wantErr: `cannot read "" in "": want axes as name=size`},
		{name: "no size", in: "data=2,model", wantErr: `cannot read "model" in "data=2,model"`},
		{name: "not a number", in: "data=two", wantErr: `such as "data=2,model=4"`},
		{name: "trailing comma", in: "data=2,", wantErr: `cannot read ""`},
		{name: "size zero", in: "data=0", wantErr: "size must be at least 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := mesh.Parse(tc.in)
			if tc.wantErr != "" {
				require.ErrorContains(t, err, tc.wantErr)
				require.Panics(t, func() { mesh.MustParse(tc.in) })
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, m.String())
			require.True(t, m.Equal(mesh.MustParse(m.String())))
		})
	}
}

func TestEqual(t *testing.T) {
	reordered, err := mesh.New([]int{2, 2}, []string{"x", "y"}, []int{0, 2, 1, 3})
	require.NoError(t, err)
	m := mesh.MustParse("x=2,y=2")
	for _, tc := range []struct {
		name string
		o    *mesh.DeviceMesh
		want bool
	}{
		{"same", mesh.MustParse("x=2,y=2"), true},
		{"other names", mesh.MustParse("x=2,z=2"), false},
		{"other sizes", mesh.MustParse("x=2,y=1"), false},
		{"other order of devices", reordered, false},
		{"nil", nil, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, m.Equal(tc.o))
			require.Equal(t, tc.want, tc.o.Equal(m))
		})
	}
	require.True(t, (*mesh.DeviceMesh)(nil).Equal(nil))
}

func TestParseShape(t *testing.T) {
	for _, tc := range []struct {
		text    string
		axes    int
		want    []int
		wantErr string
	}{
		{"2x4", 2, []int{2, 4}, ""},
		{"8", 1, []int{8}, ""},
		{"16x1x3", 3, []int{16, 1, 3}, ""},
		{"2x4", 1, nil, "got 2 sizes, want 1"},
		{"8", 2, nil, "got 1 sizes, want 2"},
		{"", 2, nil, `got the size ""`},
		{"2x", 2, nil, `got the size ""`},
		{"0x4", 2, nil, `got the size "0"`},
		{"-2x4", 2, nil, `got the size "-2"`},
		{"+2x4", 2, nil, `got the size "+2"`},
		{"02x4", 2, nil, `got the size "02"`},
		{"2x4 ", 2, nil, `got the size "4 "`},
		{"2X4", 2, nil, `got the size "2X4"`},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := mesh.ParseShape(tc.text, tc.axes)
			require.Equal(t, tc.want, got)
			if tc.wantErr == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.wantErr)
			}
		})
	}
}
