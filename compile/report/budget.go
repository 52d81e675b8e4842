package report

// This file compares programs with a budget.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Budget limits what a program may cost. The zero value allows everything.
type Budget struct {
	// Bytes is the most bytes that a device may send in one run; 0: no limit.
	Bytes int
	// Memory is the most bytes of memory that a device may need at the peak; 0: no limit.
	Memory int
	// Forbid lists the kinds of collectives that may not occur. cost.Kinds() returns all kinds.
	Forbid []cost.Kind
}

// IsZero reports whether the budget allows everything.
func (b Budget) IsZero() bool { return b.Bytes == 0 && b.Memory == 0 && len(b.Forbid) == 0 }

// Validate returns an error if the budget has a negative number, or forbids a kind that
// cost.Kinds() does not have.
func (b Budget) Validate() error {
	if b.Bytes < 0 || b.Memory < 0 {
		return fmt.Errorf("allows %d bytes and %d of memory: want positive numbers, or 0 for no bound", b.Bytes, b.Memory)
	}
	for _, k := range b.Forbid {
		if !slices.Contains(cost.Kinds(), k) {
			return fmt.Errorf("forbids %q: want some of %q", k, cost.Kinds())
		}
	}
	return nil
}

// OverBudgetError is the error for a program that costs more than its budget allows.
type OverBudgetError struct{ text string }

// Error says what costs too much, and what can be done.
func (e *OverBudgetError) Error() string { return e.text }

func budgetError(format string, args ...any) error {
	return &OverBudgetError{fmt.Sprintf(format, args...)}
}

// ParseBudget reads a budget such as bytes=10MB,memory=1.5GiB,forbid=all_to_all, whose entries are
// separated by commas. There may be several forbid. Unknown bounds, sizes that are none, and kinds
// that Validate refuses are errors; so is an empty text.
func ParseBudget(text string) (Budget, error) {
	var b Budget
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		var err error
		switch {
		case !ok:
			err = errors.New("want bytes=SIZE, memory=SIZE or forbid=KIND")
		case key == "bytes":
			b.Bytes, err = texttable.ParseBytes(value)
		case key == "memory":
			b.Memory, err = texttable.ParseBytes(value)
		case key == "forbid":
			b.Forbid = append(b.Forbid, cost.Kind(value))
		default:
			err = fmt.Errorf("there is no bound %q%s: want bytes, memory or forbid", key, suggest.DidYouMean(key, []string{"bytes", "memory", "forbid"}))
		}
		if err != nil {
			return Budget{}, fmt.Errorf("budget %q: %w", part, err)
		}
	}
	if err := b.Validate(); err != nil {
		return Budget{}, fmt.Errorf("budget %q %w", text, err)
	}
	return b, nil
}

// Check returns an *OverBudgetError if r costs more than the budget allows. The error names the
// most expensive parts and a remedy.
func (b Budget) Check(r *Report) error {
	for _, c := range r.Collectives {
		if slices.Contains(b.Forbid, c.Kind) {
			return budgetError("%s is over budget: it holds the %s, and the budget forbids the kind; change the layouts that it moves between, or allow it", ProgramName(r.Program), c)
		}
	}
	if b.Bytes > 0 && r.Bytes > b.Bytes {
		largest := slices.MaxFunc(r.Collectives, func(x, y Collective) int { return cmp.Compare(x.Total(), y.Total()) })
		return budgetError("%s is over budget: a device sends %s bytes, the budget allows %s; the largest of its %d collectives is the %s; change the layouts that it moves between, or allow more",
			ProgramName(r.Program), texttable.GroupDigits(r.Bytes), texttable.GroupDigits(b.Bytes), len(r.Collectives), largest)
	}
	if b.Memory > 0 && r.Memory.Peak > b.Memory {
		return budgetError("%s is over budget: a device needs %s bytes of memory, the budget allows %s; %s",
			ProgramName(r.Program), texttable.GroupDigits(r.Memory.Peak), texttable.GroupDigits(b.Memory), r.largestMemory())
	}
	return nil
}

// DoesNotFit returns the *OverBudgetError of a program that does not fit into a limit of memory. r
// is of the program with the least peak that was found, and f says what was done to it. used is the
// part of the limit that a predicted peak may take. helps says what makes the program fit; "" if
// nothing is known to. cannot says why there are no more micro-batches; nil if they do not help.
func (r *Report) DoesNotFit(f *program.Fitting, used int, helps string, cannot error) error {
	how := "if values are computed again in place of keeping them"
	if f.MicroBatches > 1 {
		how += fmt.Sprintf(" and the batch is computed in %d parts", f.MicroBatches)
	}
	if f.Placement != nil {
		how += fmt.Sprintf(", with %s", f.Placement)
	}
	if helps == "" {
		helps = r.whatHelps(used)
	}
	if cannot != nil {
		helps += "; " + cannot.Error()
	}
	return budgetError("%s does not fit: a device needs %s bytes of memory, and %s %s, the limit is %s, of which predictions may take %s; %s",
		ProgramName(r.Program), texttable.GroupDigits(f.Before), texttable.GroupDigits(r.Memory.Peak), how, texttable.GroupDigits(f.Limit), texttable.GroupDigits(used), helps)
}

// whatHelps returns the part of an error that says what must become smaller so that the program
// fits into used bytes. If the memory that is in use for the whole run exceeds them, computing
// values again cannot help.
func (r *Report) whatHelps(used int) string {
	m := r.Memory
	fixed := m.Fixed()
	if fixed <= used {
		return r.largestMemory()
	}
	text := fmt.Sprintf("%s of them are there for the whole run, whatever is computed again: parameters take %s, the optimizer %s, data %s, results %s; ",
		texttable.GroupDigits(fixed), texttable.GroupDigits(m.Parameters), texttable.GroupDigits(m.Optimizer), texttable.GroupDigits(m.Data), texttable.GroupDigits(m.Outputs))
	saved := map[ir.Role]int{}
	for _, x := range r.Replicated {
		saved[x.Role] += x.Saved
	}
	switch {
	case saved[ir.RoleOptimizer] > 0:
		return text + fmt.Sprintf("a sharded update saves up to %s of the optimizer's (compile.Options.ShardedUpdate, distribution.ShardedUpdate())", texttable.GroupDigits(saved[ir.RoleOptimizer]))
	case saved[ir.RoleParameter] > 0:
		return text + fmt.Sprintf("sharded weights save up to %s of the parameters' (compile.Options.FullySharded, distribution.FullySharded())", texttable.GroupDigits(saved[ir.RoleParameter]))
	case m.Data+m.Outputs > m.Parameters+m.Optimizer:
		return text + "take a smaller batch, or shard it along more axes"
	}
	return text + "shard the parameters along more axes, or take more devices"
}

// String returns a noun phrase for messages: the collective's kind, axes, bytes, how often it runs,
// its layer and place, and why it is there, as far as they are known.
func (c Collective) String() string {
	s := fmt.Sprintf("%s over %s of %s bytes", c.Kind, strings.Join(c.Axes, ","), texttable.GroupDigits(c.Bytes))
	if c.Runs > 1 {
		s += fmt.Sprintf(", %d times,", c.Runs)
	}
	where := c.Layer
	if c.Where != "" {
		where = strings.TrimSpace(where + " (" + c.Where + ")")
	}
	if where != "" {
		s += " at " + where
	}
	if c.Why != "" {
		s += ": " + c.Why
	}
	return s
}

// largestMemory returns the part of an error that names the largest part of the memory and a
// remedy: a replicated input, if sharding it saves more than half of the temporaries take; else the
// largest temporary; without temporaries the sums of the inputs.
func (r *Report) largestMemory() string {
	m := r.Memory
	if len(r.Replicated) > 0 && r.Replicated[0].Saved > m.Temporary/2 {
		x := r.Replicated[0]
		return fmt.Sprintf("input %q takes %s of them on every device along %s: shard it over these axes to save %s",
			x.Name, texttable.GroupDigits(x.Bytes), strings.Join(x.Axes, ","), texttable.GroupDigits(x.Saved))
	}
	if len(m.Largest) > 0 {
		l := m.Largest[0]
		return fmt.Sprintf("temporaries take %s of them, of which the largest is a %s of %s bytes made by %s in %s: shard it, or take a smaller batch",
			texttable.GroupDigits(m.Temporary), l.Type, texttable.GroupDigits(l.Bytes), l.Op, cmp.Or(l.Layer, "no layer"))
	}
	return fmt.Sprintf("parameters take %s, the optimizer %s, data %s: shard more of them, or take more devices",
		texttable.GroupDigits(m.Parameters), texttable.GroupDigits(m.Optimizer), texttable.GroupDigits(m.Data))
}
