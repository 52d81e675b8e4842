package suggest

// This file defines Suggestions, and prints them.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// Suggestions are changes of a program's layouts that reduce its cost. The JSON form has the names
// in the tags.
type Suggestions struct {
	Program string `json:"program"`
	Before  Cost   `json:"before"`
	// Best are the changes that gain most, the best first. It is empty if no change that was tried
	// gains anything.
	Best []*Suggestion `json:"best"`
	// Tried is the number of changes that were estimated.
	Tried int `json:"tried"`
	// ShardedUpdate is the cost with Options.ShardedUpdate, which changes no layout of a weight. It
	// is nil if that option is set already, or gains nothing.
	ShardedUpdate *Cost `json:"sharded_update,omitempty"`
}

// Suggestion is a change of layouts, made by rules.
type Suggestion struct {
	// Rules must be added in front of the existing rules.
	Rules   []layout.Rule `json:"rules"`
	Instead []string      `json:"instead"` // the layouts that the rules change
	Flags   []string      `json:"flags"`   // the rules as flags of gospmd
	Lines   []string      `json:"lines"`   // the rules as lines of Go
	// Because has, for each rule, the evidence that the layout before is a mistake, such as a
	// conflict. It is empty for a rule without evidence: another layout may just cost less.
	Because []string `json:"because"`
	After   Cost     `json:"after"`

	candidate *candidate
	program   *program.Program // compiled with the rules
	// the gain that candidates are sorted by; it is increased if the change mends a conflict
	rank float64
}

// Cost is what one run of a program costs a device.
type Cost struct {
	// Ops is the most important figure. It is the number of operations that the device could do in
	// the time of a run: its arithmetic, and the cost of each collective on the machine. If the
	// trip count of a loop is not known, Ops counts cost.AssumedTripCount iterations, and Flops,
	// Bytes and Collectives count one.
	Ops int `json:"ops"`
	// Seconds is the predicted time; 0 if the machine's scale is not known.
	Seconds     float64 `json:"seconds,omitempty"`
	Flops       int     `json:"flops"`
	Bytes       int     `json:"bytes"` // bytes that a device sends
	Collectives int     `json:"collectives"`
	Memory      int     `json:"memory"` // at the peak

	inputs int // bytes of memory for inputs and outputs
}

// Options are the options of Find and Lint.
type Options struct {
	compile.Options // Partitioner must be SPMD
	// WeightsOnly leaves out rules for data, outputs and the optimizer's slots, which a layout map
	// of package keras does not accept.
	WeightsOnly bool
	// Compiled is the module, compiled with these options. If it is nil, Find and Lint compile it.
	Compiled *program.Program
}

// Find compiles m, and finds the changes of its layouts that reduce its cost. m must be as for
// compile.Compile. The result depends only on m and o. Options.Debug and Options.Budget do not
// count. For one device it has no changes. Another partitioner than SPMD is an error, and so is a
// module that does not compile.
func Find(m *ir.Module, o Options) (*Suggestions, error) {
	s, err := newSearcher(m, o)
	if err == nil {
		err = s.measure()
	}
	if err != nil {
		return nil, err
	}
	out := &Suggestions{Program: m.Name, Before: s.before, Best: []*Suggestion{}}
	if s.groups == nil {
		return out, nil
	}
	best, err := s.bestSuggestions()
	if err != nil {
		return nil, err
	}
	out.Best = append(out.Best, best...) // not nil, for JSON
	out.Tried = len(s.tried)
	out.ShardedUpdate, err = s.shardedUpdate()
	return out, err
}

// shardedUpdate returns the cost of the program with a sharded update. It returns nil if the program
// has one, or no state of an optimizer that it would shard, or if it gains less than gainful: of
// time, or of memory in the same time.
func (s *searcher) shardedUpdate() (*Cost, error) {
	o := s.o.Options
	if o.ShardedUpdate || o.FullySharded || !slices.Contains(roles.Of(s.first.Main()), ir.RoleOptimizer) {
		return nil, nil
	}
	o.ShardedUpdate = true
	p, err := compile.Compile(context.Background(), s.m, o)
	if err != nil {
		return nil, err
	}
	after := s.costOf(p)
	time, memory := after.time()/s.before.time(), float64(after.Memory)/float64(max(1, s.before.Memory))
	if time <= 1-gainful && memory <= 1 || time <= 1+gainful && memory <= 1-gainful {
		return &after, nil
	}
	return nil, nil
}

// newSuggestion returns the suggestion for a candidate; after is its cost.
func newSuggestion(c *candidate, after Cost) *Suggestion {
	s := &Suggestion{Rules: c.rules(), After: after, candidate: c}
	for i, e := range c.edits {
		instead := "no layout"
		if e.sharding() != nil {
			instead = layout.Rule{Axes: axesOf(e.sharding())}.String()[1:]
		}
		s.Instead = append(s.Instead, instead)
		s.Flags = append(s.Flags, s.Rules[i].Flag())
		s.Lines = append(s.Lines, s.Rules[i].Line())
		s.Because = append(s.Because, e.evidence)
	}
	return s
}

// String returns the suggestions as text: for each the changed time, bytes and memory, the flags,
// the new and the old lines of code, and reasons. Without any it says how many were tried. The last
// line tells what a sharded update gains.
func (s *Suggestions) String() string {
	var b strings.Builder
	name := report.ProgramName(s.Program)
	if len(s.Best) == 0 {
		fmt.Fprintf(&b, "suggestions for %s: none of the %d changes of layouts that were tried makes it cheaper\n", name, s.Tried)
	} else {
		fmt.Fprintf(&b, "suggestions for %s, the best of %d that were tried:\n", name, s.Tried)
	}
	for i, x := range s.Best {
		fmt.Fprintf(&b, "\n%d. %s\n", i+1, s.Before.changesTo(x.After))
		fmt.Fprintf(&b, "   %s\n", strings.Join(x.Flags, " "))
		for j, line := range x.Lines {
			fmt.Fprintf(&b, "   %s // instead of %s\n", line, x.Instead[j])
			if x.Because[j] != "" {
				fmt.Fprintf(&b, "     // %s\n", x.Because[j])
			}
		}
	}
	if after := s.ShardedUpdate; after != nil {
		fmt.Fprintf(&b, "\nwith a sharded update of the weights (-sharded-update; in Go distribution.ShardedUpdate()): %s\n", s.Before.changesTo(*after))
	}
	return b.String()
}

// changesTo describes what changes from c to after: the time, the bytes sent, and the memory.
func (c Cost) changesTo(after Cost) string {
	return fmt.Sprintf("time %s, bytes sent %s, memory %s", c.timeTo(after), bytesTo(c.Bytes, after.Bytes), bytesTo(c.Memory, after.Memory))
}

// time returns a figure that compares the times of two programs on one machine: Seconds or, if they
// are not known, Ops, at least 1.
func (c Cost) time() float64 {
	if c.Seconds > 0 {
		return c.Seconds
	}
	return float64(max(1, c.Ops))
}

// TimeSaved returns the part of c's time that after saves. It is negative if after takes longer.
func (c Cost) TimeSaved(after Cost) float64 { return 1 - after.time()/c.time() }

// timeTo describes the change of the time. It gives both times only if the machine has a scale.
func (c Cost) timeTo(after Cost) string {
	text := change(c.time(), after.time())
	if c.Seconds > 0 && c.Seconds != after.Seconds {
		text += fmt.Sprintf(" (%s → %s)", report.Duration(c.Seconds), report.Duration(after.Seconds))
	}
	return text
}

// bytesTo returns a text about the change of a number of bytes, in percent and with both numbers if
// they differ.
func bytesTo(before, after int) string {
	text := change(float64(before), float64(after))
	if before != after {
		text += fmt.Sprintf(" (%s → %s bytes)", texttable.GroupDigits(before), texttable.GroupDigits(after))
	}
	return text
}

func change(before, after float64) string {
	if before == after {
		return "as before"
	}
	return fmt.Sprintf("%+.1f %%", 100*(after/max(1e-12, before)-1))
}
