package memory

// This file defines Policies: by layer path, what is done with the values of a layer that the
// backward pass reads.

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

// The actions that a policy gives to a layer, by Policies.Set.
const (
	// Recompute frees what the layer computes, except its outputs, and computes it again from the
	// layer's inputs when the backward pass needs it: jax.checkpoint around the layer.
	Recompute = program.Recompute
	// Save keeps what the layer computes in memory, also if a layer around it has another action or
	// the program does not fit into Options.Limit.
	Save = program.Save
	// Offload moves what the layer computes, if the backward pass reads it, to the memory of the
	// host, and fetches it before it is read. It is for targets whose devices have memory apart from
	// the host's; values below LeastOffload stay.
	Offload = program.Offload
	// Compress keeps what the layer computes, if the backward pass reads it, as bfloat16 in place of
	// float32: activation compressed training (Liu et al., GACT, 2022, keep fewer bits still). The
	// forward pass is exact. The backward pass reads values with a relative error of at most 2⁻⁸, so
	// gradients change, by about that part of each product with such a value.
	Compress = program.Compress
)

// actions are the actions of policies.
var actions = []program.Action{Recompute, Save, Offload, Compress}

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

// policyRule is the action of the layers that match a key. It comes from Set, or from a scope
// (WithScopes).
type policyRule struct {
	key    pathkey.Key
	action program.Action
	by     string // the name of the rule in reports
}

func keyOf(r policyRule) pathkey.Key { return r.key }

// NewPolicies returns policies without rules.
func NewPolicies() *Policies { return &Policies{} }

// Set adds a rule: layers whose path matches key get the action, one of Recompute, Save, Offload and
// Compress. It returns an error if p has the key already, if key is no regular expression, or if the
// action is another one.
// Err returns the errors of all calls of Set, so that a program can check once after its last rule.
func (p *Policies) Set(key string, action program.Action) error {
	fail := func(format string, args ...any) error {
		err := fmt.Errorf("memory policies: key %q: %w", key, fmt.Errorf(format, args...))
		p.errs = append(p.errs, err)
		return err
	}
	if !slices.Contains(actions, action) {
		return fail("got action %q, want one of %q", action, actions)
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

// Has reports whether a rule of p has the action. It is false for nil.
func (p *Policies) Has(action program.Action) bool {
	return p != nil && slices.ContainsFunc(p.rules, func(r policyRule) bool { return r.action == action })
}

// Err returns all errors that Set has returned so far, joined; nil if there are none, and for a nil
// p.
func (p *Policies) Err() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.errs...)
}

// WithScopes returns a copy of p that also gives layers the action Recompute: those whose path is a
// key of by, if no rule of p decides for them. The values of by name the scopes in reports, such as
// RematScope(full). p may be nil.
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

// String returns the rules in the order of Set, then the scopes sorted by path, one a line, such as
// "blocks_1": recompute. It is empty without rules, and for nil. Policies with equal texts have the
// same effect.
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

// match returns the rule whose key matches the path of a layer; nil if none does. Scopes do not
// count. It returns an error if two regular expressions match. p must not be nil.
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

// region is the layer at path with all layers in it, whose values have one action. The zero region
// is that of layers without an action.
type region struct {
	path   string
	action program.Action
	by     string // the name of the rule in reports
	scoped bool   // the action comes from a scope, not from a rule
}

// none reports whether r is the zero region.
func (r region) none() bool { return r.path == "" }

// contains reports whether the layer at path belongs to the region.
func (r region) contains(path string) bool {
	return path == r.path || strings.HasPrefix(path, r.path+"/")
}

// regions finds the region of a layer by its path. It remembers what it has found.
type regions struct {
	policies *Policies
	of       map[string]region
}

// newRegions returns the regions of the policies, which may be nil.
func newRegions(p *Policies) *regions {
	if p == nil {
		p = NewPolicies()
	}
	return &regions{policies: p, of: map[string]region{}}
}

// find returns the region of the layer at path, the zero region if it has no action. The rule of
// the innermost layer that has a rule decides: of this layer or a layer around it. If none has a
// rule, the outermost layer that has a scope decides. A layer whose rule has the same action as the
// rule that decides for the layer around it belongs to the region of that layer. Inside the region
// of a scope, a rule begins a region of its own. The error is that of match.
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

// backward returns the path of the layer whose gradient an op computes, from the op's path, such as
// grad(net/b1) for net/b1. Package trace writes these paths. For ops of the forward pass ok is
// false, and layer is the op's path itself.
func backward(path string) (layer string, ok bool) {
	layer, ok = strings.CutPrefix(path, "grad(")
	for strings.HasPrefix(layer, "grad(") { // gradients of gradients
		layer = strings.TrimPrefix(layer, "grad(")
	}
	return strings.TrimRight(layer, ")"), ok
}

// DeadRules returns the rules of p that decide for no layer of m, in the order of Set; nil if there
// are none. It returns an error if a layer of m matches several keys.
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
