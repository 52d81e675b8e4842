package distribution_test

// This file tests distributions, the current one, and look-ups.

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/mesh"
)

var dataModel = mesh.MustParse("data=2,model=4")

// guide returns the layout map of the Keras distribution guide, on the mesh dataModel,
// data=2,model=4: d1/kernel by columns and d1/bias over model, and the rows of d2/output over data.
func guide(t *testing.T) *distribution.LayoutMap {
	m := distribution.NewLayoutMap(dataModel)
	require.NoError(t, m.Set("d1/kernel", distribution.None, "model"))
	require.NoError(t, m.Set("d1/bias", "model"))
	require.NoError(t, m.Set("d2/output", "data", distribution.None))
	return m
}

func modelParallel(t *testing.T, opts ...distribution.Option) *distribution.ModelParallel {
	d, err := distribution.NewModelParallel(guide(t), "data", opts...)
	require.NoError(t, err)
	return d
}

func requireParts(t *testing.T, err error, parts []string) {
	t.Helper()
	for _, p := range parts {
		require.ErrorContains(t, err, p)
	}
}

func TestDataParallel(t *testing.T) {
	for _, tc := range []struct {
		name     string
		opts     []distribution.Option
		mesh     string
		batch    string
		replicas int
		warning  string
		want     []string // parts that the error must contain
	}{
		{name: "all devices", mesh: "batch=8", batch: "batch", replicas: 8},
		{name: "from devices", opts: []distribution.Option{distribution.Devices("cpu:3", "cpu:1")},
			mesh: "batch=2 devices=[3 1]", batch: "batch", replicas: 2},
		{name: "from a mesh", opts: []distribution.Option{distribution.Mesh(mesh.MustParse("data=8"))},
			mesh: "data=8", batch: "data", replicas: 8},
		{name: "from a mesh of two axes", opts: []distribution.Option{distribution.Mesh(dataModel)},
			mesh: "data=2,model=4", batch: "data", replicas: 8,
			warning: "got the mesh data=2,model=4 of 2 axes, want 1: only the first, \"data\", shards the batch"},
		{name: "mesh and devices", opts: []distribution.Option{distribution.Mesh(dataModel), distribution.Devices("cpu:0")},
			want: []string{"both a mesh, data=2,model=4, and devices", "give one of them"}},
		{name: "unknown device", opts: []distribution.Option{distribution.Devices("cpu:8")}, want: []string{`no device "cpu:8"`}},
		{name: "device twice", opts: []distribution.Option{distribution.Devices("cpu:0", "cpu:0")}, want: []string{"device id 0 is listed twice"}},
		{name: "no devices", opts: []distribution.Option{distribution.Devices()}, want: []string{"Devices: got no devices", "leave the option out"}},
		{name: "nil mesh", opts: []distribution.Option{distribution.Mesh(nil)}, want: []string{"Mesh: got a mesh without axes"}},
		{name: "option of ModelParallel", opts: []distribution.Option{distribution.Strict()},
			want: []string{"DataParallel takes no option Strict: it takes Mesh, Devices, ShardedUpdate, FullySharded, OffloadOptimizer, AutoShardDataset, Logger"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			initialize(t, 8)
			var warnings strings.Builder
			d, err := distribution.NewDataParallel(append(tc.opts, distribution.Logger(plainlog.New(&warnings)))...)
			if tc.want != nil {
				requireParts(t, err, tc.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.mesh, d.DeviceMesh().String())
			require.Equal(t, tc.batch, d.BatchDimName())
			require.Equal(t, tc.replicas, d.NumModelReplicas())
			require.Contains(t, warnings.String(), tc.warning)
			require.Equal(t, tc.warning == "", warnings.Len() == 0)

			for rank, want := range []string{"()", "(" + tc.batch + ")", "(" + tc.batch + ", none)"} {
				l, err := d.DataLayout(rank)
				require.NoError(t, err)
				require.Equal(t, want, l.String())
			}
			l, err := d.VariableLayout("d1/kernel", 2)
			require.NoError(t, err)
			require.Equal(t, "(none, none)", l.String())
			require.Equal(t, d.DeviceMesh(), l.DeviceMesh())
			l, err = d.TensorLayout("d1/output")
			require.NoError(t, err)
			require.Nil(t, l)
		})
	}
}

func TestNewModelParallel(t *testing.T) {
	broken := guide(t)
	require.Error(t, broken.Set("d3/kernel", "modle"))
	for _, tc := range []struct {
		name            string
		layouts         *distribution.LayoutMap
		batch, wantName string
		replicas        int
		opts            []distribution.Option
		want            []string
	}{
		{name: "batch over data", layouts: guide(t), batch: "data", wantName: "data", replicas: 2},
		{name: "batch over model", layouts: guide(t), batch: "model", wantName: "model", replicas: 4},
		{name: "batch over the first axis", layouts: guide(t), wantName: "data", replicas: 2},
		{name: "no map", want: []string{"got no layout map", "NewLayoutMap(mesh)"}},
		{name: "no mesh", layouts: distribution.NewLayoutMap(nil), want: []string{"without a mesh"}},
		{name: "unknown batch axis", layouts: guide(t), batch: "batch",
			want: []string{`batch dim name: unknown axis "batch"`, `has axes "data", "model"`, "use one of these"}},
		{name: "a rule failed", layouts: broken, batch: "data",
			want: []string{`key "d3/kernel"`, `unknown axis "modle" (did you mean "model"?)`}},
		{name: "option of DataParallel", layouts: guide(t), opts: []distribution.Option{distribution.Mesh(dataModel)},
			want: []string{"ModelParallel takes no option Mesh: it takes Strict"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, err := distribution.NewModelParallel(tc.layouts, tc.batch, tc.opts...)
			if tc.want != nil {
				requireParts(t, err, tc.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.wantName, d.BatchDimName())
			require.Equal(t, tc.replicas, d.NumModelReplicas())
			require.Equal(t, dataModel, d.DeviceMesh())
			require.Equal(t, tc.layouts, d.LayoutMap())
			require.False(t, d.Strict())
			l, err := d.DataLayout(3)
			require.NoError(t, err)
			require.Equal(t, "("+tc.wantName+", none, none)", l.String())
		})
	}
	require.True(t, modelParallel(t, distribution.Strict()).Strict())
}

func TestModelParallelLayouts(t *testing.T) {
	m := guide(t)
	require.NoError(t, m.Set("d3/.*", "model"))
	require.NoError(t, m.Set(".*/gamma", "model"))
	d, err := distribution.NewModelParallel(m, "data")
	require.NoError(t, err)
	for _, tc := range []struct {
		path     string
		rank     int
		variable string // sharding of the variable
		output   string // sharding of the output with that path
		want     []string
	}{
		{path: "d1/kernel", rank: 2, variable: `[{}, {"model"}]`, output: `[{}, {"model"}]`},
		{path: "d2/output", rank: 2, variable: `[{"data"}, {}]`, output: `[{"data"}, {}]`},
		{path: "d2/kernel", rank: 2, variable: "[{}, {}]", output: "[?]"},
		{path: "d3/kernel", rank: 2, variable: `[{"model"}, {}]`, output: `[{"model"}, {}]`},
		{path: "d3/scalar", rank: 0, want: []string{`"d3/scalar"`, "layout (model) is for 1 dimensions, the tensor has 0"}},
		{path: "d3/gamma", rank: 1, want: []string{`path "d3/gamma" matches 2 keys`}},
	} {
		t.Run(tc.path, func(t *testing.T) {
			err := distribution.Scope(d, func() error {
				s, err := distribution.VariableSharding(tc.path, tc.rank)
				if err == nil {
					require.Equal(t, tc.variable, s.String())
				}
				return err
			})
			s, outErr := distribution.OutputSharding(d, tc.path, tc.rank)
			if tc.want != nil {
				requireParts(t, err, append(tc.want, "distribution: variable"))
				requireParts(t, outErr, append(tc.want, "distribution: layer output"))
				return
			}
			require.NoError(t, err)
			require.NoError(t, outErr)
			require.Equal(t, tc.output, s.String())
		})
	}
	err = distribution.Scope(d, func() error { _, err := distribution.VariableSharding("d3/scalar", 0); return err })
	require.ErrorContains(t, err, `rule "d3/.*"`)
}

func TestUnmatched(t *testing.T) {
	d := modelParallel(t)
	dead, err := d.Unmatched([]string{"d1/kernel", "d2/kernel", "d2/bias"}, []string{"d1/output", "d2/output"})
	require.NoError(t, err)
	require.Len(t, dead, 1)
	require.Equal(t, `the rule "d1/bias" matches nothing; the nearest paths are "d2/bias", "d1/kernel", "d1/output": correct the rule or delete it`, dead[0].String())
}

func TestDataSharding(t *testing.T) {
	for rank, want := range []string{"[]", `[{"data"}]`, `[{"data"}, {}]`} {
		s, err := distribution.DataSharding(modelParallel(t), rank)
		require.NoError(t, err)
		require.Equal(t, want, s.String())
	}
}

func TestCurrent(t *testing.T) {
	require.Nil(t, distribution.Current())
	s, err := distribution.VariableSharding("d1/kernel", 2)
	require.NoError(t, err)
	require.Nil(t, s, "without a distribution there is nothing to lay out")

	outer, inner := modelParallel(t), modelParallel(t)
	distribution.SetDistribution(outer)
	defer distribution.SetDistribution(nil)
	failed := errors.New("failed")
	require.Equal(t, failed, distribution.Scope(inner, func() error {
		require.Same(t, inner, distribution.Current())
		require.NoError(t, distribution.Scope(nil, func() error {
			require.Nil(t, distribution.Current())
			return nil
		}))
		require.Same(t, inner, distribution.Current())
		return failed
	}))
	require.Same(t, outer, distribution.Current())
	require.Panics(t, func() {
		_ = distribution.Scope(inner, func() error { panic("in scope") })
	})
	require.Same(t, outer, distribution.Current())
}
