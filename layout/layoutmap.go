package layout

// This file defines LayoutMap, which maps paths to layouts. It also reports rules of a LayoutMap
// that do nothing, and layouts that are valid but waste memory.

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/pyregexp"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/mesh"
)

// LayoutMap maps the paths of variables (d1/kernel) and of layer outputs (d1/output) to layouts:
// keras.distribution.LayoutMap. It keeps its keys in the order in which they were set.
//
// A path gets the layout of the key that is equal to the path. If no key is equal, each key is
// taken as a regular expression with the classes of Python's re, such as \w and \d, and the path
// gets the layout of the key that matches all of it. If two keys match, Get returns an error; if
// none does, the path has no layout. Rules of Override go before all others, the newest first.
type LayoutMap struct {
	mesh  *mesh.DeviceMesh
	rules []rule
	errs  []error
}

type rule struct {
	key       string
	full      *regexp.Regexp // key, anchored at both ends
	layout    *TensorLayout
	overrides bool // this rule goes before those without it, and before older ones with it
}

// NewLayoutMap returns an empty map. A layout that has no mesh of its own gets the mesh m, which
// may be nil.
func NewLayoutMap(m *mesh.DeviceMesh) *LayoutMap { return &LayoutMap{mesh: m} }

// DeviceMesh returns the mesh of the map, or nil.
func (m *LayoutMap) DeviceMesh() *mesh.DeviceMesh { return m.mesh }

// Set adds a rule: tensors whose path matches key are sharded by axes, which are as in
// NewTensorLayout. It returns an error if the map already has the key, if the key is not a regular
// expression, or if the axes are wrong.
//
// The map also collects these errors, and Err returns them all. So a table of rules can be written
// without a check after each line.
func (m *LayoutMap) Set(key string, axes ...string) error {
	l, err := NewTensorLayout(axes, m.mesh)
	if err != nil {
		return m.fail(key, err)
	}
	return m.SetLayout(key, l)
}

// Override is like Set, but its rule goes before all rules that the map has: it changes the layout
// of the paths that it matches, even if other keys match them. If the map already has the key, the
// key gets the new axes.
func (m *LayoutMap) Override(key string, axes ...string) error {
	l, err := NewTensorLayout(axes, m.mesh)
	if err != nil {
		return m.fail(key, err)
	}
	return m.add(key, l, true)
}

// SetLayout is like Set, with a TensorLayout in place of the axes.
func (m *LayoutMap) SetLayout(key string, l *TensorLayout) error {
	if l == nil {
		return m.fail(key, errors.New("the layout is nil: leave the key out for tensors without a layout"))
	}
	if i := m.index(key); i >= 0 {
		return m.fail(key, fmt.Errorf("the key is there already, with %s: delete it first, or use one key for each rule", m.rules[i].layout))
	}
	return m.add(key, l, false)
}

// add adds a rule. It replaces the rule that has the same key, if there is one.
func (m *LayoutMap) add(key string, l *TensorLayout, overrides bool) error {
	if _, err := pyregexp.Compile(key); err != nil {
		return m.fail(key, notRegexp(err))
	}
	full, err := pyregexp.Compile(`\A(?:` + key + `)\z`)
	if err != nil {
		return m.fail(key, notRegexp(err))
	}
	if m.mesh != nil {
		if l, err = l.OnMesh(m.mesh); err != nil {
			return m.fail(key, err)
		}
	}
	m.rules = slices.DeleteFunc(m.rules, func(r rule) bool { return r.key == key })
	m.rules = append(m.rules, rule{key, full, l, overrides})
	return nil
}

func notRegexp(err error) error {
	return fmt.Errorf("the key is no regular expression: %w", err)
}

func (m *LayoutMap) fail(key string, err error) error {
	err = fmt.Errorf("layout map: key %q: %w", key, err)
	m.errs = append(m.errs, err)
	return err
}

// Err returns all errors that Set and SetLayout have returned so far, joined.
func (m *LayoutMap) Err() error { return errors.Join(m.errs...) }

// Get returns the layout of a path, or nil if no key matches it.
func (m *LayoutMap) Get(path string) (*TensorLayout, error) {
	_, l, err := m.Match(path)
	return l, err
}

// Match is like Get, and also returns the key whose layout the path gets.
func (m *LayoutMap) Match(path string) (key string, l *TensorLayout, err error) {
	for _, r := range slices.Backward(m.rules) {
		if r.overrides && r.matches(path) {
			return r.key, r.layout, nil
		}
	}
	if i := m.index(path); i >= 0 {
		return path, m.rules[i].layout, nil
	}
	var keys []string
	for _, r := range m.rules {
		if r.full.MatchString(path) {
			keys = append(keys, r.key)
			key, l = r.key, r.layout
		}
	}
	if len(keys) > 1 {
		return "", nil, fmt.Errorf("layout map: path %q matches %d keys, %s, want at most one: narrow them, or set the path itself as a key, which goes first",
			path, len(keys), suggest.Quoted(keys))
	}
	return key, l, nil
}

// matches reports whether rule r applies to the path: the key is equal to the path or matches it.
func (r rule) matches(path string) bool { return r.key == path || r.full.MatchString(path) }

// Delete removes a key.
func (m *LayoutMap) Delete(key string) error {
	i := m.index(key)
	if i < 0 {
		return fmt.Errorf("layout map: there is no key %q to delete%s: the keys are %s",
			key, suggest.DidYouMean(key, m.Keys()), suggest.Quoted(m.Keys()))
	}
	m.rules = slices.Delete(m.rules, i, i+1)
	return nil
}

func (m *LayoutMap) index(key string) int {
	return slices.IndexFunc(m.rules, func(r rule) bool { return r.key == key })
}

// Len returns the number of keys.
func (m *LayoutMap) Len() int { return len(m.rules) }

// Keys returns the keys in the order in which they were set.
func (m *LayoutMap) Keys() []string {
	keys := make([]string, len(m.rules))
	for i, r := range m.rules {
		keys[i] = r.key
	}
	return keys
}

// All iterates over keys and layouts in the order in which they were set.
func (m *LayoutMap) All() iter.Seq2[string, *TensorLayout] {
	return func(yield func(string, *TensorLayout) bool) {
		for _, r := range slices.Clone(m.rules) {
			if !yield(r.key, r.layout) {
				return
			}
		}
	}
}

// DeadRule is a rule that gives no path its layout.
type DeadRule struct {
	Key string
	// Shadowed holds the paths that the key matches as a regular expression. Each of them is also a
	// key itself and gets its layout from that key.
	Shadowed []string
	// Nearest holds up to three paths whose segments are most similar to those of the key.
	Nearest []string
}

// Unmatched returns the rules of m that give none of the paths its layout, except rules that would
// give one if there were no rules of Override. It returns an error if a path matches several keys.
func (m *LayoutMap) Unmatched(paths []string) ([]DeadRule, error) {
	var errs []error
	won := make(map[string]bool)
	for _, p := range paths {
		key, l, err := m.Match(p)
		if err != nil {
			errs = append(errs, err)
		}
		if l == nil {
			continue
		}
		won[key] = true
		if i := m.index(key); m.rules[i].overrides {
			for _, r := range m.rules {
				won[r.key] = won[r.key] || r.matches(p)
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	var dead []DeadRule
	for _, r := range m.rules {
		if won[r.key] {
			continue
		}
		d := DeadRule{Key: r.key}
		for _, p := range paths {
			if r.full.MatchString(p) {
				d.Shadowed = append(d.Shadowed, p)
			}
		}
		if len(d.Shadowed) == 0 {
			d.Nearest = suggest.Paths(r.key, paths, 3)
		}
		dead = append(dead, d)
	}
	return dead, nil
}

// String says which rule does nothing, why, and what to do about it.
func (d DeadRule) String() string {
	switch {
	case len(d.Shadowed) > 0:
		return fmt.Sprintf("the rule %q does nothing: all it matches has a key of its own (%s): delete the rule", d.Key, suggest.Quoted(d.Shadowed))
	case len(d.Nearest) == 0:
		return fmt.Sprintf("the rule %q matches nothing: there are no paths", d.Key)
	}
	return fmt.Sprintf("the rule %q matches nothing; the nearest paths are %s: correct the rule or delete it", d.Key, suggest.Quoted(d.Nearest))
}

// LintTensor describes a variable, or the output of a layer, to Lint.
type LintTensor struct {
	Path     string
	Rule     string        // the key of the LayoutMap that gave the tensor its layout, or empty
	Layout   *TensorLayout // the layout of that rule, or nil
	Dims     []int
	Bytes    int       // of the full tensor, 0 for outputs of layers
	Sharding *Sharding // nil for outputs of layers
}

// LintOptions are the options of Lint. A share of 0 means its default.
type LintOptions struct {
	// BatchAxis is the mesh axis that shards the data. Lint does not complain that it shards no
	// variable.
	BatchAxis string
	// ReplicatedShare is the share of the bytes of all variables that may be replicated on every
	// device: 0.5 by default.
	ReplicatedShare float64
	// WastedShare is the share of a variable's memory that may be padding: 0.25
	// by default.
	WastedShare float64
}

// Finding is one finding of Lint.
type Finding struct {
	Path string // the variable, the largest of several
	Rule string // the key of the rule that gave the variable its layout, or empty
	Text string // names Path and Rule, says what is wrong and what would help
}

// lintNamed is the largest number of variables that one finding names.
const lintNamed = 3

// Lint reports variables whose shards are mostly padding, and layouts that have fewer dimensions
// than their tensors. If more than ReplicatedShare of all bytes is replicated although the mesh has
// an axis that could shard them, it also reports the largest replicated variables.
func Lint(tensors []LintTensor, o LintOptions) []Finding {
	return slices.Concat(lintReplicated(tensors, o), lintUneven(tensors, o), lintShort(tensors))
}

func lintReplicated(tensors []LintTensor, o LintOptions) []Finding {
	share := cmp.Or(o.ReplicatedShare, 0.5)
	var replicated []LintTensor
	axes := []string{}
	all, bytes := 0, 0
	for _, t := range tensors {
		all += t.Bytes
		if t.Sharding == nil {
			continue
		}
		for _, a := range t.Sharding.Mesh.Axes() {
			if a.Name != o.BatchAxis && a.Size > 1 && !slices.Contains(axes, a.Name) {
				axes = append(axes, a.Name)
			}
		}
		if t.Sharding.ShardCount() == 1 {
			replicated = append(replicated, t)
			bytes += t.Bytes
		}
	}
	if len(axes) == 0 || float64(bytes) <= share*float64(all) {
		return nil
	}
	slices.SortStableFunc(replicated, func(a, b LintTensor) int { return b.Bytes - a.Bytes })
	var named []string
	for _, t := range replicated[:min(lintNamed, len(replicated))] {
		why := fmt.Sprintf("rule %q leaves it replicated", t.Rule)
		if t.Rule == "" {
			why = "no rule matches it"
		}
		named = append(named, fmt.Sprintf("%q of shape %v (%d bytes; %s)", t.Path, t.Dims, t.Bytes, why))
	}
	return []Finding{{replicated[0].Path, replicated[0].Rule, fmt.Sprintf(
		"%d of %d parameter bytes (%d %%, more than %d %%) are replicated on every device although the mesh has %s to shard them: %s: give the largest a rule with one of these axes",
		bytes, all, 100*bytes/all, int(100*share), suggest.Quoted(axes), strings.Join(named, ", "))}}
}

func lintUneven(tensors []LintTensor, o LintOptions) []Finding {
	share := cmp.Or(o.WastedShare, 0.25)
	var out []Finding
	for _, t := range tensors {
		if t.Sharding == nil || len(t.Sharding.Dims) != len(t.Dims) {
			continue
		}
		size, padded, worst, loss := 1, 1, -1, 0.0
		for d, n := range t.Dims {
			shards := t.Sharding.DimShards(d)
			p := (n + shards - 1) / shards * shards
			if l := 1 - float64(n)/float64(max(1, p)); l > loss {
				worst, loss = d, l
			}
			size, padded = size*n, padded*p
		}
		if worst < 0 || float64(padded-size) <= share*float64(padded) {
			continue
		}
		by := AxesText(t.Sharding.Dims[worst].Axes)
		rule := "no rule"
		if t.Rule != "" {
			rule = fmt.Sprintf("rule %q", t.Rule)
		}
		out = append(out, Finding{t.Path, t.Rule, fmt.Sprintf(
			"%q (%s): %d %% of its memory is padding: dim %d of size %d is sharded %d ways by %s: %s",
			t.Path, rule, 100*(padded-size)/padded, worst, t.Dims[worst], t.Sharding.DimShards(worst), by, t.evenAxes(worst))})
	}
	return out
}

// lintShort reports rules whose layouts have fewer dimensions than their tensors.
func lintShort(tensors []LintTensor) []Finding {
	var out []Finding
	for _, t := range tensors {
		if t.Layout == nil || len(t.Layout.axes) >= len(t.Dims) {
			continue
		}
		full := &TensorLayout{axes: append(slices.Clone(t.Layout.axes), make([]string, len(t.Dims)-len(t.Layout.axes))...)}
		out = append(out, Finding{t.Path, t.Rule, fmt.Sprintf(
			"the layout %s of the rule %q is shorter than %q, which has %d dimensions: the missing ones are replicated, as in Keras; write %s",
			t.Layout, t.Rule, t.Path, len(t.Dims), full)})
	}
	return out
}

// evenAxes returns advice for dimension d: the mesh axes whose size divides it or, if there are
// none, what else to do.
func (t *LintTensor) evenAxes(d int) string {
	var fit []string
	for _, a := range t.Sharding.Mesh.Axes() {
		if a.Size > 1 && t.Dims[d]%a.Size == 0 {
			fit = append(fit, a.Name)
		}
	}
	if len(fit) > 0 {
		return "shard it by " + suggest.Quoted(fit) + ", which divides it, or leave it replicated"
	}
	return "no axis divides it: leave it replicated, shard another dimension, or change its size"
}
