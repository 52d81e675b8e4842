package layout

// This file finds the rules of a LayoutMap that do nothing, the commonest way
// to end up with a tensor that is silently replicated.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// DeadRule is a rule that no path gets its layout from.
type DeadRule struct {
	Key string
	// Shadowed are the paths that the key matches but that are keys themselves,
	// and so get those.
	Shadowed []string
	// Nearest are the at most three paths that look most like the key.
	Nearest []string
}

// Unmatched returns the rules of m that give none of the paths its layout. It
// fails where a path matches several keys.
func (m *LayoutMap) Unmatched(paths []string) ([]DeadRule, error) {
	var errs []error
	won := make(map[string]bool)
	for _, p := range paths {
		key, l, err := m.Match(p)
		if err != nil {
			errs = append(errs, err)
		}
		if l != nil {
			won[key] = true
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
			d.Nearest = suggest.Nearest(literal.Replace(r.key), paths, 3)
		}
		dead = append(dead, d)
	}
	return dead, nil
}

// literal drops from a regular expression what no path holds.
var literal = strings.NewReplacer(".*", "", ".+", "", `\`, "", "^", "", "$", "", "(", "", ")", "", "?", "", "[", "", "]", "")

// String names the rule and what to do about it.
func (d DeadRule) String() string {
	switch {
	case len(d.Shadowed) > 0:
		return fmt.Sprintf("the rule %q does nothing: all it matches has a key of its own (%s): delete the rule", d.Key, suggest.Quoted(d.Shadowed))
	case len(d.Nearest) == 0:
		return fmt.Sprintf("the rule %q matches nothing: there are no paths", d.Key)
	}
	return fmt.Sprintf("the rule %q matches nothing; the nearest paths are %s: correct the rule or delete it", d.Key, suggest.Quoted(d.Nearest))
}
