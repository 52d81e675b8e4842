package suggest

// This file finds mistakes in layouts from the conflicts of propagation.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// A layout counts as a mistake where a change makes the program take less than
// these shares of its time or of its memory, and no more of the other.
const mendedTime, mendedMemory = 0.98, 0.95

// Warnings are about layouts that are in conflict with what is around them.
type Warnings struct {
	Before Cost `json:"before"`
	// Mends are the changes that mend them, of different layouts.
	Mends []*Suggestion `json:"mends"`
}

// Lint returns warnings about layouts of m that are in conflict with what is
// around them and that cost: of each a change that mends it, verified by compiling
// the program with it. m is that of Find.
//
// A layout without a conflict gets no warning, whatever else would be cheaper:
// Find tells of that. Nor does one whose conflict costs next to nothing, or that
// would better be replicated: that one is sharded is a choice, for the memory.
// Where there is no conflict at all, Lint takes no longer than propagation.
func Lint(m *ir.Module, o Options) (*Warnings, error) {
	s, err := newSearcher(m, o)
	if err != nil {
		return nil, err
	}
	out := &Warnings{Mends: []*Suggestion{}}
	if s.groups == nil || len(conflicting(s.groups.classes)) == 0 {
		return out, nil
	}
	if err := s.measure(); err != nil {
		return nil, err
	}
	out.Before = s.before
	found, err := s.search(s.mending())
	if err != nil {
		return nil, err
	}
	for _, x := range found {
		known := slices.ContainsFunc(out.Mends, func(y *Suggestion) bool { return y.candidate.overlaps(x.candidate) })
		if x.candidate.mends() && !x.candidate.replicates() && isMistake(s.before, x.After) && !known {
			out.Mends = append(out.Mends, x)
		}
	}
	return out, nil
}

// overlaps reports whether the two change the same tensors.
func (c *candidate) overlaps(d *candidate) bool {
	return slices.ContainsFunc(c.edits, func(a edit) bool {
		return slices.ContainsFunc(d.edits, func(b edit) bool { return a.class.overlaps(b.class) })
	})
}

// isMistake reports whether a change with these costs mends a mistake.
func isMistake(before, after Cost) bool {
	const asBefore = 1.01
	time, memory := float64(after.Ops)/float64(max(1, before.Ops)), float64(after.Memory)/float64(max(1, before.Memory))
	return time < mendedTime && memory < asBefore || memory < mendedMemory && time < asBefore
}

// replicates reports whether c replicates what is sharded.
func (c *candidate) replicates() bool {
	return slices.ContainsFunc(c.edits, func(e edit) bool { return e.to.IsReplicated() })
}

// Texts returns a text for each warning, in one line: what is wrong, and what
// mends it.
func (w *Warnings) Texts() (out []string) {
	for _, s := range w.Mends {
		var wrong []string
		for i, r := range s.Rules {
			wrong = append(wrong, fmt.Sprintf("%q is sharded as %s: %s", r.Key, s.Instead[i], s.Because[i]))
		}
		out = append(out, fmt.Sprintf("%s; with %s the step takes %s of the time and %s of the memory",
			strings.Join(wrong, "; "), strings.Join(s.Lines, " and "), share(w.Before.Ops, s.After.Ops), share(w.Before.Memory, s.After.Memory)))
	}
	return out
}

// String returns the warnings, one in each line.
func (w *Warnings) String() string {
	var b strings.Builder
	for _, t := range w.Texts() {
		fmt.Fprintf(&b, "warning: %s\n", t)
	}
	return b.String()
}

// share returns b as a percentage of a.
func share(a, b int) string { return fmt.Sprintf("%.0f %%", 100*float64(b)/float64(max(1, a))) }
