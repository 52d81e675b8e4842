package gomlxbackend

// This file chooses the shardings of a graph's parameters.

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// layouts holds the rules for the shardings of variables and inputs.
type layouts struct {
	mesh  *mesh.DeviceMesh // nil for one device
	rules *layout.LayoutMap
	auto  bool // the compiler chooses the shardings of variables
	batch []string

	mu   sync.Mutex
	seen map[string]bool // the paths of variables in graphs so far
}

func newLayouts(c *config) *layouts {
	return &layouts{mesh: c.mesh, rules: c.rules, auto: c.layouts == auto, batch: c.batch, seen: map[string]bool{}}
}

// isVariable reports whether name, that of a parameter, is a path of scopes, which begins with a
// slash: GoMLX names variables so.
func isVariable(name string) bool { return strings.HasPrefix(name, "/") }

// annotate sets the roles of main's parameters and, if there is a mesh, their shardings by the
// layout rules. A variable without a rule that follows another one, as Adam's moments do, gets the
// rule of that one. A rule that does not suit its variable, and several rules for one, are errors.
func (l *layouts) annotate(main *ir.Func) error {
	for i, p := range main.Params() {
		main.ArgAttrs[i] = main.ArgAttrs[i].With(ir.RoleAttr, ir.String(roleOf(p, main.Params())))
	}
	if l.mesh == nil {
		return nil
	}
	ruled := map[*ir.Value]*layout.TensorLayout{}
	for _, p := range main.Params() {
		t, err := l.ruleOf(p.Name)
		if err != nil {
			return err
		}
		ruled[p] = t
	}
	for _, p := range main.Params() {
		t := ruled[p]
		if t == nil && isVariable(p.Name) {
			if of := followedVariable(p, main.Params()); of != nil {
				t = ruled[of]
			}
		}
		var err error
		if p.Sharding, err = l.shardingOf(p, t); err != nil {
			return err
		}
	}
	return nil
}

// ruleOf returns the layout of the rule that matches a parameter's name, with or without its first
// slash; nil if none does. Several rules that match are an error.
func (l *layouts) ruleOf(name string) (*layout.TensorLayout, error) {
	if l.rules == nil {
		return nil, nil
	}
	for _, path := range slices.Compact([]string{name, strings.TrimPrefix(name, "/")}) {
		if t, err := l.rules.Get(path); t != nil || err != nil {
			return t, err
		}
	}
	return nil, nil
}

// followedVariable returns the variable in params that p belongs to, as a moment of an optimizer
// does: one of the same dimensions whose path p's path contains, the longest such path. It returns
// nil if there is none.
func followedVariable(p *ir.Value, params []*ir.Value) (of *ir.Value) {
	for _, q := range params {
		if q != p && isVariable(q.Name) && strings.Contains(p.Name, q.Name) && slices.Equal(p.Type.Dims, q.Type.Dims) &&
			(of == nil || len(q.Name) > len(of.Name)) {
			of = q
		}
	}
	return of
}

// roleOf returns the role of a parameter: RoleData for an input, RoleOptimizer for a variable that
// follows another one, RoleParameter for other variables.
func roleOf(p *ir.Value, params []*ir.Value) ir.Role {
	switch {
	case !isVariable(p.Name):
		return ir.RoleData
	case followedVariable(p, params) != nil:
		return ir.RoleOptimizer
	}
	return ir.RoleParameter
}

// shardingOf returns the sharding that the layout t gives p. Without a layout (t is nil), dimension
// 0 of an input is sharded by the batch axes, and a variable is replicated. With l.auto the
// sharding of such a variable is nil: the compiler chooses one.
func (l *layouts) shardingOf(p *ir.Value, t *layout.TensorLayout) (*layout.Sharding, error) {
	rank := p.Type.Rank()
	switch {
	case t != nil:
		s, err := t.Sharding(rank)
		if err != nil {
			return nil, fmt.Errorf("layouts: %s %s: %w", p.Name, p.Type, err)
		}
		return s, nil
	case isVariable(p.Name) && l.auto:
		return nil, nil
	}
	s := layout.Replicated(l.mesh, rank)
	if !isVariable(p.Name) && rank > 0 {
		s.Dims[0].Axes = mesh.FullAxes(l.batch...)
	}
	return s, nil
}

// checkTraining returns an error if a rule matches no parameter of main, a graph that trains, nor
// one of an earlier graph that trained. It remembers the names of main's parameters.
func (l *layouts) checkTraining(main *ir.Func) error {
	if l.rules == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range main.Params() {
		l.seen[p.Name] = true
		l.seen[strings.TrimPrefix(p.Name, "/")] = true
	}
	var paths []string
	for path := range l.seen {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	dead, err := l.rules.DeadRules(paths)
	if err != nil {
		return err
	}
	for _, d := range dead {
		return fmt.Errorf("layouts: %s", d)
	}
	return nil
}
