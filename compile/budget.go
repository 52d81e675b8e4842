package compile

// This file holds programs to a budget.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
)

// Budget bounds what a program may cost. Compile returns an error that names
// the culprit where it costs more. The zero value allows everything.
type Budget struct {
	// Bytes bounds the bytes that a device sends in one run; 0 is no bound.
	Bytes int
	// Memory bounds the bytes that a device needs at the peak; 0 is no bound.
	Memory int
	// Forbid lists the kinds of collectives that may not occur; cost.Kinds()
	// is all of them.
	Forbid []cost.Kind
}

func (b Budget) isZero() bool { return b.Bytes == 0 && b.Memory == 0 && len(b.Forbid) == 0 }

// validate says what is wrong with the budget itself.
func (b Budget) validate(p Partitioner) error {
	if b.Bytes < 0 || b.Memory < 0 {
		return fmt.Errorf("compile: Options.Budget allows %d bytes and %d of memory: want positive numbers, or 0 for no bound", b.Bytes, b.Memory)
	}
	for _, k := range b.Forbid {
		if !slices.Contains(cost.Kinds(), k) {
			return fmt.Errorf("compile: Options.Budget forbids %q: want some of %q", k, cost.Kinds())
		}
	}
	if !b.isZero() && p != SPMD {
		return fmt.Errorf("compile: Options.Budget is set, but what XLA's partitioner makes is not known when it is compiled: use compile.SPMD")
	}
	return nil
}

// check compares r with the budget.
func (b Budget) check(r *Report) error {
	for _, c := range r.Collectives {
		if slices.Contains(b.Forbid, c.Kind) {
			return fmt.Errorf("compile: %s is over budget: it holds the %s, and the budget forbids the kind; change the layouts that it moves between, or allow it", r.name(), c)
		}
	}
	if b.Bytes > 0 && r.Bytes > b.Bytes {
		culprits := slices.Clone(r.Collectives)
		slices.SortStableFunc(culprits, func(x, y Collective) int { return y.Total() - x.Total() })
		return fmt.Errorf("compile: %s is over budget: a device sends %s bytes, the budget allows %s; the largest of its %d collectives is the %s; change the layouts that it moves between, or allow more",
			r.name(), grouped(r.Bytes), grouped(b.Bytes), len(culprits), culprits[0])
	}
	if b.Memory > 0 && r.Memory.Peak > b.Memory {
		return fmt.Errorf("compile: %s is over budget: a device needs %s bytes of memory, the budget allows %s; %s",
			r.name(), grouped(r.Memory.Peak), grouped(b.Memory), r.memoryCulprit())
	}
	return nil
}

// String says what c is in a sentence's part.
func (c Collective) String() string {
	s := fmt.Sprintf("%s over %s of %s bytes", c.Kind, strings.Join(c.Axes, ","), grouped(c.Bytes))
	if c.Runs > 1 {
		s += fmt.Sprintf(", %d times,", c.Runs)
	}
	if c.Layer != "" || c.Where != "" {
		s += " at " + strings.TrimSpace(c.Layer+" "+pick(c.Where == "", "", "("+c.Where+")"))
	}
	if c.Why != "" {
		s += ": " + c.Why
	}
	return s
}

// memoryCulprit names what takes most, and what would help.
func (r *Report) memoryCulprit() string {
	m := r.Memory
	if len(r.Replicated) > 0 && r.Replicated[0].Saved > m.Temporary/2 {
		x := r.Replicated[0]
		return fmt.Sprintf("input %q takes %s of them on every device along %s: split it over these axes to save %s",
			x.Name, grouped(x.Bytes), strings.Join(x.Axes, ","), grouped(x.Saved))
	}
	if len(m.Largest) > 0 {
		h := m.Largest[0]
		return fmt.Sprintf("temporaries take %s of them, of which the largest is a %s of %s bytes made by %s in %s: split it, or take a smaller batch",
			grouped(m.Temporary), h.Type, grouped(h.Bytes), h.Op, pick(h.Layer == "", "no layer", h.Layer))
	}
	return fmt.Sprintf("parameters take %s, the optimizer %s, data %s: split more of them, or take more devices", grouped(m.Parameters), grouped(m.Optimizer), grouped(m.Data))
}
