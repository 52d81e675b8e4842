package layout_test

// This file tests LayoutMap: how it finds the layout of a variable, as keras.distribution.LayoutMap
// does; what it refuses; its keys, mesh and dead rules; and rules that override others.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// kerasMap returns the LayoutMap of the example in Keras' documentation.
func kerasMap(t *testing.T) *layout.LayoutMap {
	m := layout.NewLayoutMap(dataModel)
	require.NoError(t, m.Set(".*dense.*kernel", "", "model"))
	require.NoError(t, m.Set(".*dense.*bias", "model"))
	require.NoError(t, m.Set(".*conv2d.*kernel", "", "", "", "model"))
	require.NoError(t, m.Set(".*conv2d.*bias", "model"))
	return m
}

func TestLayoutMapOfKerasDocumentation(t *testing.T) {
	m := kerasMap(t)
	for _, tc := range []struct{ path, key, layout string }{
		{"dense_1.kernel", ".*dense.*kernel", "(none, model)"},
		{"dense_1.bias", ".*dense.*bias", "(model)"},
		{"dense_2.kernel", ".*dense.*kernel", "(none, model)"},
		{"dense_2.bias", ".*dense.*bias", "(model)"},
		{"my_model/conv2d_123/kernel", ".*conv2d.*kernel", "(none, none, none, model)"},
		{"my_model/conv2d_123/bias", ".*conv2d.*bias", "(model)"},
		{"my_model/conv3d_1/kernel", "", "none"},
		{"my_model/conv3d_1/bias", "", "none"},
	} {
		t.Run(tc.path, func(t *testing.T) {
			key, l, err := m.Match(tc.path)
			require.NoError(t, err)
			require.Equal(t, tc.key, key)
			require.Equal(t, tc.layout, l.String())
			got, err := m.Get(tc.path)
			require.NoError(t, err)
			require.True(t, got.Equal(l))
			if l != nil {
				require.Equal(t, dataModel, l.DeviceMesh(), "a plain list of axes gets the map's mesh")
			}
		})
	}
}

func TestLayoutMapMatch(t *testing.T) {
	for _, tc := range []struct {
		name, path string
		keys       []string
		want       string // the key that wins; empty for none
		wantErr    []string
	}{
		{name: "exact", keys: []string{"d1/kernel"}, path: "d1/kernel", want: "d1/kernel"},
		{name: "exact goes before expressions", keys: []string{".*kernel", "d1/kernel", "d1/.*"}, path: "d1/kernel", want: "d1/kernel"},
		{name: "exact need not match itself", keys: []string{"d1.(kernel)+?"}, path: "d1.(kernel)+?", want: "d1.(kernel)+?"},
		{name: "not a prefix", keys: []string{"d1"}, path: "d1/kernel"},
		{name: "not a suffix", keys: []string{"kernel"}, path: "d1/kernel"},
		{name: "not a part", keys: []string{"1/k"}, path: "d1/kernel"},
		{name: "alternatives are anchored on both sides", keys: []string{"d1|kernel"}, path: "d1/kernel"},
		{name: "alternatives", keys: []string{"(d1|d2)/kernel|d3"}, path: "d3", want: "(d1|d2)/kernel|d3"},
		{name: "own anchors", keys: []string{"^d1/.*$"}, path: "d1/kernel", want: "^d1/.*$"},
		{name: "case counts", keys: []string{"D1/.*"}, path: "d1/kernel"},
		{name: "flags", keys: []string{"(?i)D1/.*"}, path: "d1/kernel", want: "(?i)D1/.*"},
		{name: "a dot is any character", keys: []string{"d1.kernel"}, path: "d1/kernel", want: "d1.kernel"},
		{name: "new line is not skipped", keys: []string{"d1/kernel"}, path: "d1/kernel\n"},
		{name: "no keys", path: "d1/kernel"},
		{name: "two match", keys: []string{"d1/.*", "bias", ".*kernel"}, path: "d1/kernel",
			wantErr: []string{`path "d1/kernel" matches 2 keys, "d1/.*", ".*kernel", want at most one`, "set the path itself as a key"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := layout.NewLayoutMap(dataModel)
			for _, k := range tc.keys {
				require.NoError(t, m.Set(k, "model"))
			}
			key, l, err := m.Match(tc.path)
			if tc.wantErr != nil {
				requireParts(t, err, tc.wantErr)
				_, err = m.Get(tc.path)
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, key)
			require.Equal(t, tc.want == "", l == nil)
		})
	}
}

func TestLayoutMapSetRefuses(t *testing.T) {
	other, err := layout.NewTensorLayout([]string{"x"}, mesh.MustParse("x=8"))
	require.NoError(t, err)
	for _, tc := range []struct {
		name string
		set  func(m *layout.LayoutMap) error
		want []string
	}{
		{"key twice", func(m *layout.LayoutMap) error { return m.Set(".*dense.*bias", "data") },
			[]string{`key ".*dense.*bias": the key is there already, with (model)`, "delete it first"}},
		{"no regular expression", func(m *layout.LayoutMap) error { return m.Set("d1/(kernel", "model") },
			[]string{`key "d1/(kernel"`, "no regular expression", "missing closing )"}},
		{"not closed against the anchors", func(m *layout.LayoutMap) error { return m.Set("d1)|(kernel", "model") },
			[]string{"no regular expression", "unexpected )"}},
		{"look-ahead", func(m *layout.LayoutMap) error { return m.Set("d(?!1).*", "model") },
			[]string{"no look-ahead"}},
		{"unknown axis", func(m *layout.LayoutMap) error { return m.Set("d1/kernel", "", "batch") },
			[]string{`key "d1/kernel"`, `unknown axis "batch"`, `"data", "model"`}},
		{"axis twice", func(m *layout.LayoutMap) error { return m.Set("d1/kernel", "model", "model") },
			[]string{`axis "model" shards dim 0 and again dim 1`}},
		{"nil", func(m *layout.LayoutMap) error { return m.SetLayout("d1/kernel", nil) },
			[]string{"the layout is nil", "leave the key out"}},
		{"layout on another mesh", func(m *layout.LayoutMap) error { return m.SetLayout("d1/kernel", other) },
			[]string{`key "d1/kernel": layout (x) is on the mesh x=8, it cannot move to the mesh data=2,model=4`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := kerasMap(t)
			requireParts(t, tc.set(m), tc.want)
			requireParts(t, m.Err(), tc.want)
			require.Equal(t, 4, m.Len(), "a refused rule leaves the map as it was")
		})
	}
}

func TestLayoutMapIsADict(t *testing.T) {
	m := kerasMap(t)
	want := []string{".*dense.*kernel", ".*dense.*bias", ".*conv2d.*kernel", ".*conv2d.*bias"}
	require.Equal(t, want, m.Keys())
	require.Equal(t, 4, m.Len())
	require.NoError(t, m.Err())

	require.NoError(t, m.Delete(".*dense.*bias"))
	require.Equal(t, []string{want[0], want[2], want[3]}, m.Keys())
	require.NoError(t, m.Set(".*dense.*bias", "data"), "a deleted key may be set again, and comes last")
	var keys []string
	for k, l := range m.All() {
		keys = append(keys, k)
		if len(keys) == 4 {
			require.Equal(t, "(data)", l.String())
		}
	}
	require.Equal(t, []string{want[0], want[2], want[3], want[1]}, keys)
	for range m.All() {
		break
	}

	requireParts(t, m.Delete(".*dense.*bais"),
		[]string{`no key ".*dense.*bais" to delete (did you mean ".*dense.*bias"?)`, `the keys are ".*dense.*kernel"`})
	require.ErrorContains(t, m.Delete("dense_1/bias"), "no key", "deleting takes keys, not paths")
}

func TestLayoutMapMeshes(t *testing.T) {
	own, err := layout.NewTensorLayout([]string{"x"}, mesh.MustParse("x=8"))
	require.NoError(t, err)
	bare, err := layout.NewTensorLayout([]string{"model"}, nil)
	require.NoError(t, err)

	m := layout.NewLayoutMap(dataModel)
	require.NoError(t, m.SetLayout("d1/bias", bare))
	l, err := m.Get("d1/bias")
	require.NoError(t, err)
	require.Equal(t, dataModel, l.DeviceMesh(), "a layout without a mesh gets the map's")
	require.Nil(t, bare.DeviceMesh())

	m = layout.NewLayoutMap(nil)
	require.Nil(t, m.DeviceMesh())
	require.NoError(t, m.SetLayout("own", own))
	require.NoError(t, m.Set("bare", "anything"))
	l, err = m.Get("own")
	require.NoError(t, err)
	require.True(t, own.Equal(l), "a map without a mesh leaves layouts as they are")
	l, err = m.Get("bare")
	require.NoError(t, err)
	require.Nil(t, l.DeviceMesh())
}

func TestUnmatched(t *testing.T) {
	guide := []string{"d1/kernel", "d2/kernel", "d2/bias", "flatten/output", "d1/output", "d2/output"}
	for _, tc := range []struct {
		name  string
		keys  []string
		paths []string
		want  []string
	}{
		{name: "the Keras guide's d1 has no bias", keys: []string{"d1/kernel", "d1/bias", "d2/output"}, paths: guide,
			want: []string{`the rule "d1/bias" matches nothing; the nearest paths are "d2/bias", "d1/kernel", "d1/output": correct the rule or delete it`}},
		{name: "all alive", keys: []string{"d./kernel", "d2/bias"}, paths: guide},
		{name: "expressions", keys: []string{".*d3.*bias"}, paths: guide[:3],
			want: []string{`the rule ".*d3.*bias" matches nothing; the nearest paths are "d2/bias", "d1/kernel", "d2/kernel": correct the rule or delete it`}},
		{name: "shadowed by exact keys", keys: []string{"d1/kernel", "d1/.*", "d1/output"}, paths: guide,
			want: []string{`the rule "d1/.*" does nothing: all it matches has a key of its own ("d1/kernel", "d1/output"): delete the rule`}},
		{name: "no paths", keys: []string{"a", "b"},
			want: []string{`the rule "a" matches nothing: there are no paths`, `the rule "b" matches nothing: there are no paths`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := layout.NewLayoutMap(dataModel)
			for _, k := range tc.keys {
				require.NoError(t, m.Set(k, "model"))
			}
			dead, err := m.DeadRules(tc.paths)
			require.NoError(t, err)
			var texts []string
			for _, d := range dead {
				texts = append(texts, d.String())
			}
			require.Equal(t, tc.want, texts)
		})
	}
	m := layout.NewLayoutMap(dataModel)
	require.NoError(t, m.Set("d1/.*", "model"))
	require.NoError(t, m.Set(".*kernel", "model"))
	_, err := m.DeadRules(guide)
	require.ErrorContains(t, err, `path "d1/kernel" matches 2 keys`)
}

// A rule of Override goes before all others, even exact keys and newer rules of Set. A rule that is
// hidden by it is not reported as dead.
func TestLayoutMapOverride(t *testing.T) {
	m := layout.NewLayoutMap(dataModel)
	require.NoError(t, m.Set("d1/kernel", "", "model"))
	require.NoError(t, m.Override("d./kernel", "model", ""))
	require.NoError(t, m.Set(".*/kernel", "data", ""))
	match := func(path string) string {
		key, _, err := m.Match(path)
		require.NoError(t, err)
		return key
	}
	require.Equal(t, "d./kernel", match("d1/kernel"))
	require.Equal(t, ".*/kernel", match("head/kernel"))
	require.NoError(t, m.Override("d1/kernel", "data", "model")) // replaces the rule of Set
	require.Equal(t, "d1/kernel", match("d1/kernel"))
	require.Equal(t, "d./kernel", match("d2/kernel"))
	require.Equal(t, []string{"d./kernel", ".*/kernel", "d1/kernel"}, m.Keys())
	dead, err := m.DeadRules([]string{"d1/kernel", "d2/kernel"})
	require.NoError(t, err)
	require.Empty(t, dead)
	dead, err = m.DeadRules([]string{"d1/kernel"})
	require.NoError(t, err)
	require.Empty(t, dead)
	require.ErrorContains(t, m.Override("(", "data"), "no regular expression")
	require.ErrorContains(t, m.Override("d1/kernel", "modle"), "modle")
}
