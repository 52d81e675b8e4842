package layout

// This file defines LayoutMap, which maps paths to layouts. It also reports rules of a LayoutMap
// that do nothing.

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/gospmd/gospmd/internal/pathkey"
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
	key       pathkey.Key
	layout    *TensorLayout
	overrides bool // the rule goes before rules without this mark, and before older rules with it
}

func keyOf(r rule) pathkey.Key { return r.key }

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

// Override sets a rule, as Set does, but the rule goes before all rules that the map has: it
// changes the layout of the paths that it matches, even if other keys match them. If the map
// already has the key, the key gets the new axes. Its errors are those of Set, except that for a
// key that the map has, and Err returns them too.
func (m *LayoutMap) Override(key string, axes ...string) error {
	l, err := NewTensorLayout(axes, m.mesh)
	if err != nil {
		return m.fail(key, err)
	}
	return m.add(key, l, true)
}

// SetLayout adds a rule, as Set does, with a TensorLayout in place of the axes. A layout without a
// mesh gets the map's. A nil layout, one on another mesh than the map's, a key that is no regular
// expression, and a key that is there already, are errors, which Err returns too.
func (m *LayoutMap) SetLayout(key string, l *TensorLayout) error {
	if l == nil {
		return m.fail(key, errors.New("the layout is nil: leave the key out for tensors without a layout"))
	}
	if i := m.index(key); i >= 0 {
		return m.fail(key, fmt.Errorf("the key is there already, with %s: delete it first, or use one key for each rule", m.rules[i].layout))
	}
	return m.add(key, l, false)
}

// add adds a rule, in place of the rule that has the same key, if there is one. overrides says that
// it is from Override. A key that is no regular expression, and a layout that does not fit the
// map's mesh, are errors, which Err returns too.
func (m *LayoutMap) add(key string, l *TensorLayout, overrides bool) error {
	k, err := pathkey.Compile(key)
	if err != nil {
		return m.fail(key, err)
	}
	if m.mesh != nil {
		if l, err = l.OnMesh(m.mesh); err != nil {
			return m.fail(key, err)
		}
	}
	m.rules = slices.DeleteFunc(m.rules, func(r rule) bool { return r.key.Text == key })
	m.rules = append(m.rules, rule{k, l, overrides})
	return nil
}

func (m *LayoutMap) fail(key string, err error) error {
	err = fmt.Errorf("layout map: key %q: %w", key, err)
	m.errs = append(m.errs, err)
	return err
}

// Err returns all errors that Set, SetLayout and Override have returned so far, joined; nil if
// there is none.
func (m *LayoutMap) Err() error { return errors.Join(m.errs...) }

// Get returns the layout of a path, or nil if no key matches it. It is an error if several keys
// match it.
func (m *LayoutMap) Get(path string) (*TensorLayout, error) {
	_, l, err := m.Match(path)
	return l, err
}

// Match returns the layout of the path, as Get does, and the key of the rule that gives it. Without
// such a rule key is "" and l nil. Two rules that match equally are an error.
func (m *LayoutMap) Match(path string) (key string, l *TensorLayout, err error) {
	for _, r := range slices.Backward(m.rules) {
		if r.overrides && r.matches(path) {
			return r.key.Text, r.layout, nil
		}
	}
	i, err := pathkey.Find(m.rules, keyOf, "path", path)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("layout map: %w", err)
	case i < 0:
		return "", nil, nil
	}
	return m.rules[i].key.Text, m.rules[i].layout, nil
}

// matches reports whether rule r applies to the path: the key is equal to the path or matches it.
func (r rule) matches(path string) bool { return r.key.Text == path || r.key.Matches(path) }

// Delete removes a key. It is an error if the map does not have the key; Err does not return it.
func (m *LayoutMap) Delete(key string) error {
	i := m.index(key)
	if i < 0 {
		return fmt.Errorf("layout map: there is no key %q to delete%s: the keys are %s",
			key, suggest.DidYouMean(key, m.Keys()), suggest.Quote(m.Keys()))
	}
	m.rules = slices.Delete(m.rules, i, i+1)
	return nil
}

func (m *LayoutMap) index(key string) int { return pathkey.Index(m.rules, keyOf, key) }

// Len returns the number of keys.
func (m *LayoutMap) Len() int { return len(m.rules) }

// Keys returns the keys in the order in which they were set.
func (m *LayoutMap) Keys() []string {
	keys := make([]string, len(m.rules))
	for i, r := range m.rules {
		keys[i] = r.key.Text
	}
	return keys
}

// All iterates over keys and layouts in the order in which they were set.
func (m *LayoutMap) All() iter.Seq2[string, *TensorLayout] {
	return func(yield func(string, *TensorLayout) bool) {
		for _, r := range slices.Clone(m.rules) {
			if !yield(r.key.Text, r.layout) {
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

// DeadRules returns the rules of m that give none of the paths its layout, in the order in which
// they were set. A rule that matches a path whose layout a rule of Override gives does not count as
// dead. It is an error if a path matches several keys; all such paths are reported.
func (m *LayoutMap) DeadRules(paths []string) ([]DeadRule, error) {
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
				won[r.key.Text] = won[r.key.Text] || r.matches(p)
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	var dead []DeadRule
	for _, r := range m.rules {
		if won[r.key.Text] {
			continue
		}
		d := DeadRule{Key: r.key.Text}
		d.Shadowed, d.Nearest = r.key.Describe(paths)
		dead = append(dead, d)
	}
	return dead, nil
}

// String says which rule does nothing, why, and what to do about it.
func (d DeadRule) String() string {
	switch {
	case len(d.Shadowed) > 0:
		return fmt.Sprintf("the rule %q does nothing: all it matches has a key of its own (%s): delete the rule", d.Key, suggest.Quote(d.Shadowed))
	case len(d.Nearest) == 0:
		return fmt.Sprintf("the rule %q matches nothing: there are no paths", d.Key)
	}
	return fmt.Sprintf("the rule %q matches nothing; the nearest paths are %s: correct the rule or delete it", d.Key, suggest.Quote(d.Nearest))
}
