package memory

// This file defines Policies, which say for layers by their paths what becomes of their values.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/pathkey"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// The actions of Policies.Set.
const (
	// Recompute frees what the layer computes, except its outputs, and computes it again from the
	// layer's inputs when the backward pass needs it: jax.checkpoint around the layer.
	Recompute = program.Recompute
	// Save keeps what the layer computes in memory. It makes an exception within a layer with
	// Recompute, and Options.Limit does not change it.
	Save = program.Save
)

// Policies map the paths of layers (blocks_1/attention) to actions, as a layout.LayoutMap maps the
// paths of variables to layouts: a path gets the action of the key that is equal to it or, if none
// is, of the key that matches all of it as a regular expression. The ops of a layer have the action
// of the layer; if it has none, that of the layer around it.
//
// A nil *Policies has no rules.
type Policies struct {
	rules  []policyRule
	scopes map[string]policyRule // by path; they go behind the rules
	errs   []error
}

// policyRule is a rule, or the action that a scope has given to a layer.
type policyRule struct {
	key    pathkey.Key
	action program.Action
	by     string // what reports call it
}

func keyOf(r policyRule) pathkey.Key { return r.key }

// NewPolicies returns policies without rules.
func NewPolicies() *Policies { return &Policies{} }

// Set adds a rule: layers whose path matches key have the action, Recompute or Save. It returns an
// error if the key is there already or is no regular expression, and for other actions. Err returns
// all these errors, so that rules can be written without a check after each line.
func (p *Policies) Set(key string, action program.Action) error {
	fail := func(format string, args ...any) error {
		err := fmt.Errorf("memory policies: key %q: %w", key, fmt.Errorf(format, args...))
		p.errs = append(p.errs, err)
		return err
	}
	if action != Recompute && action != Save {
		return fail("got action %q, want %q or %q", action, Recompute, Save)
	}
	if i := p.index(key); i >= 0 {
		return fail("the key is there already, with %s: use one key for each rule", p.rules[i].action)
	}
	k, err := pathkey.Compile(key)
	if err != nil {
		return fail("%w", err)
	}
	p.rules = append(p.rules, policyRule{k, action, fmt.Sprintf("policy %q", key)})
	return nil
}

// Err returns all errors that Set has returned so far, joined.
func (p *Policies) Err() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.errs...)
}

// WithScopes returns a copy of p, which may be nil, that gives the layers at these paths the action
// Recompute where no key matches them. by has for each path what reports call the scope, such as
// RematScope(full).
func (p *Policies) WithScopes(by map[string]string) *Policies {
	out := &Policies{scopes: map[string]policyRule{}}
	if p != nil {
		out.rules, out.errs = slices.Clone(p.rules), slices.Clone(p.errs)
		maps.Copy(out.scopes, p.scopes)
	}
	for path, name := range by {
		out.scopes[path] = policyRule{key: pathkey.Key{Text: path}, action: Recompute, by: name}
	}
	return out
}

// String returns the rules in order, then the scopes sorted by path: equal texts mean equal
// policies.
func (p *Policies) String() string {
	if p == nil {
		return ""
	}
	var lines []string
	for _, r := range p.scopes {
		lines = append(lines, fmt.Sprintf("%q: %s by %s", r.key.Text, r.action, r.by))
	}
	slices.Sort(lines)
	for i, r := range p.rules {
		lines = slices.Insert(lines, i, fmt.Sprintf("%q: %s", r.key.Text, r.action))
	}
	return strings.Join(lines, "\n")
}

func (p *Policies) index(key string) int { return pathkey.Index(p.rules, keyOf, key) }

// match returns the rule of a layer, nil if there is none. It returns an error if two keys match.
func (p *Policies) match(path string) (*policyRule, error) {
	i, err := pathkey.Find(p.rules, keyOf, "layer", path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("memory policies: %w", err)
	case i < 0:
		return nil, nil
	}
	return &p.rules[i], nil
}

// region is a layer that a rule gives its action to, with the layers in it.
type region struct {
	path   string
	action program.Action
	by     string
	scoped bool // by a scope, and no rule
}

// none reports whether there is no such layer.
func (r region) none() bool { return r.path == "" }

// contains reports whether the layer at path is the region's or in it.
func (r region) contains(path string) bool {
	return path == r.path || strings.HasPrefix(path, r.path+"/")
}

// regions finds the regions of paths, each once.
type regions struct {
	policies *Policies
	of       map[string]region
}

// find returns the region of the ops of a layer. Layers around it count as well: the innermost one
// with a rule decides and, if there are no rules, the innermost scope. Of layers with one action
// within each other the outermost is the region.
func (s *regions) find(path string) (region, error) {
	if path == "" {
		return region{}, nil
	}
	if r, ok := s.of[path]; ok {
		return r, nil
	}
	outer, err := s.find(path[:max(0, strings.LastIndexByte(path, '/'))])
	if err != nil {
		return region{}, err
	}
	rule, err := s.policies.match(path)
	if err != nil {
		return region{}, err
	}
	found := outer
	if scope, ok := s.policies.scopes[path]; ok && rule == nil && outer.none() {
		found = region{path, scope.action, scope.by, true}
	}
	if rule != nil && (rule.action != outer.action || outer.scoped) {
		found = region{path, rule.action, rule.by, false}
	}
	s.of[path] = found
	return found, nil
}

// backward returns the layer whose gradient an op of this path computes; ok is false for ops of the
// forward pass. Package trace writes such paths.
func backward(path string) (layer string, ok bool) {
	layer, ok = strings.CutPrefix(path, "grad(")
	for strings.HasPrefix(layer, "grad(") { // gradients of gradients
		layer = strings.TrimPrefix(layer, "grad(")
	}
	return strings.TrimRight(layer, ")"), ok
}

// DeadRules returns the rules whose keys decide for no layer of m, in the order in which they were
// set. It returns an error if a layer matches several keys.
func (p *Policies) DeadRules(m *ir.Module) ([]layout.DeadRule, error) {
	if p == nil || len(p.rules) == 0 {
		return nil, nil
	}
	seen := map[string]bool{}
	var paths []string
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			path, _ := backward(op.Loc.Path)
			for path != "" && !seen[path] {
				seen[path] = true
				paths = append(paths, path)
				path = path[:max(0, strings.LastIndexByte(path, '/'))]
			}
		})
	}
	won := map[string]bool{}
	for _, path := range paths {
		r, err := p.match(path)
		if err != nil {
			return nil, err
		}
		if r != nil {
			won[r.key.Text] = true
		}
	}
	var dead []layout.DeadRule
	for _, r := range p.rules {
		if won[r.key.Text] {
			continue
		}
		d := layout.DeadRule{Key: r.key.Text}
		d.Shadowed, d.Nearest = r.key.Describe(paths)
		dead = append(dead, d)
	}
	return dead, nil
}
