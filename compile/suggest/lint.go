package suggest

// This file warns of mistakes in layouts.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/ir"
)

// A layout counts as a mistake if a change gains more than mendedTime, or reduces memory to less
// than the share mendedMemory and takes at most 1 % more time.
const mendedTime, mendedMemory = 0.02, 0.95

// Warnings are the warnings of Lint about layouts that are mistakes.
type Warnings struct {
	// Before is the cost of the program; zero if there was nothing to compare with it.
	Before Cost `json:"before,omitzero"`
	// Mends are the changes that mend these mistakes. No two change the same layout.
	Mends []*Suggestion `json:"mends"`
}

// Lint returns warnings about layouts of m that are mistakes and cost time or memory. For each it
// gives a change that mends it, and that was verified by compiling the program with it. m must be
// as for Find, which starts with the same changes.
//
// A layout gets a warning only if there is evidence for a mistake in everything that the change is
// about (see the package's documentation). Without evidence it gets none, even if another layout
// would cost less: Find finds that. A layout also gets none if it costs next to nothing, or if
// replicating would be better: it may be sharded on purpose, to save memory. If no layout has
// evidence, Lint takes no longer than propagation. With Options.Cache, it returns the result that
// an earlier call has kept. It returns an error if m does not compile, or if the partitioner is not
// compile.SPMD.
func Lint(m *ir.Module, o Options) (*Warnings, error) {
	out := &Warnings{}
	k := o.Kept(m, cache.Warnings, fmt.Sprint(o.WeightsOnly))
	if k.Get(func(content []byte) error { return json.Unmarshal(content, out) }) {
		return out, nil
	}
	out, err := lint(m, o)
	if err != nil {
		return nil, err
	}
	k.Put(func(b *bytes.Buffer) error { return json.NewEncoder(b).Encode(out) })
	return out, nil
}

func lint(m *ir.Module, o Options) (*Warnings, error) {
	s, err := newSearcher(m, o)
	if err != nil {
		return nil, err
	}
	out := &Warnings{Mends: []*Suggestion{}}
	if s.groups == nil || len(doubtfulClasses(s.groups.classes)) == 0 {
		return out, nil
	}
	if err := s.measure(); err != nil {
		return nil, err
	}
	out.Before = s.before
	found, err := s.mends()
	out.Mends = append(out.Mends, found...)
	return out, err
}

// isMistake reports whether c mends a mistake, by the costs before and after it: whether it gains
// enough time or memory (mendedTime, mendedMemory). Another axis of the batch, which all others may
// have for good, must gain time, or enough memory for a little time.
func isMistake(c *candidate, before, after Cost) bool {
	const asBefore, little = 1.01, 1.05
	time, memory := after.time()/before.time(), float64(after.Memory)/float64(max(1, before.Memory))
	if c.addsBatch() {
		return gain(before, after, false) > mendedTime || memory < mendedMemory && time < little
	}
	return gain(before, after, c.spreads()) > mendedTime || memory < mendedMemory && time < asBefore
}

// Texts returns one line for each warning, with the mistake, the evidence and the mend.
func (w *Warnings) Texts() (out []string) {
	for _, s := range w.Mends {
		var wrong []string
		for i, r := range s.Rules {
			wrong = append(wrong, fmt.Sprintf("%q is sharded as %s: %s", r.Key, s.Instead[i], s.Because[i]))
		}
		out = append(out, fmt.Sprintf("%s; with %s", strings.Join(wrong, "; "), w.mend(s)))
	}
	return out
}

// Brief returns the warnings, as Texts does, without the evidence, which Find tells too.
func (w *Warnings) Brief() (out []string) {
	for _, s := range w.Mends {
		var wrong []string
		for i, r := range s.Rules {
			wrong = append(wrong, fmt.Sprintf("%q as %s", r.Key, s.Instead[i]))
		}
		out = append(out, fmt.Sprintf("%s may be a mistake: with %s", strings.Join(wrong, " and "), w.mend(s)))
	}
	return out
}

// mend returns the lines of a mend, and what it gains.
func (w *Warnings) mend(s *Suggestion) string {
	return fmt.Sprintf("%s the step takes %s of the time and %s of the memory",
		strings.Join(s.Lines, " and "), share(w.Before.time(), s.After.time()), share(float64(w.Before.Memory), float64(s.After.Memory)))
}

// String returns the warnings, one on each line.
func (w *Warnings) String() string {
	var b strings.Builder
	for _, t := range w.Texts() {
		fmt.Fprintf(&b, "warning: %s\n", t)
	}
	return b.String()
}

// share returns b as a percentage of a, as text.
func share(a, b float64) string { return fmt.Sprintf("%.0f %%", 100*b/max(1e-12, a)) }
