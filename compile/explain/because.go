package explain

// This file says why a value runs in another layout than was asked for, and which annotations are
// overridden.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/layout"
)

// ReasonKind says what a Reason is about: it is one of the constants below, such as Conflict.
type ReasonKind string

// The kinds of reasons for the layout that a value runs in.
const (
	Search   ReasonKind = "search"   // the layout search changed the value
	Partial  ReasonKind = "partial"  // the op leaves partial results, which are unreduced
	Strategy ReasonKind = "strategy" // the op costs least in this way
	Conflict ReasonKind = "conflict" // an axis lost a conflict in propagation
	Same     ReasonKind = "same"     // the value is equal to another one, and computed as that one
	Removed  ReasonKind = "removed"  // nothing computes the value
)

// Reason is one reason for the layout that a value runs in.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	Text string     `json:"text"`
	// The savings of a device in a run by this step of the search, for all values that the step
	// changed together; negative if it costs more.
	Bytes   int     `json:"bytes,omitempty"`
	Flops   int     `json:"flops,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
}

// Because returns the reasons for the layouts that the value runs in, the strongest first. There
// are none if it runs as it was asked for and no axis was lost. If the compilation failed, they are
// only the conflicts in propagation.
func (v *Value) Because() []Reason {
	if v.e.Err != nil || v.e.trail.Program == nil {
		return v.conflicts(nil)
	}
	if v.id != nil {
		if other := v.e.trail.Same[v.id]; other != nil {
			return []Reason{{Kind: Same, Text: fmt.Sprintf("it is the same as %s, and computed as that", other)}}
		}
	}
	if len(v.Runs) == 0 {
		return []Reason{v.removalReason()}
	}
	out, layout := v.searchSteps()
	out = append(out, v.choiceReasons(layout)...)
	return v.conflicts(out)
}

// Search describes each step of the layout search: the axis that it moved, the number of values and
// layers, and the savings.
func (e *Explanation) Search() (out []string) {
	for i, s := range e.trail.Search {
		layers := map[string]bool{}
		for _, v := range s.Values {
			layers[v.Def().Loc.Path] = true
		}
		out = append(out, fmt.Sprintf("step %d of the layout search: axis %s shards other dimensions of %d values in %d layers than was asked for, from %s on; %s",
			i+1, s.Axis, len(s.Values), len(layers), s.Values[0].Origins.Best(), s.saving()))
	}
	return out
}

// removalReason returns the reason why no op of the program computes the value.
func (v *Value) removalReason() Reason {
	if v.Kind == Made && v.global != nil {
		return Reason{Kind: Removed, Text: "no op of the program that runs needs it: what used it takes it from elsewhere, or makes it itself"}
	}
	return Reason{Kind: Removed, Text: "nothing needs it once the program is simplified"}
}

// searchSteps returns the steps of the layout search that changed the value, as reasons, and its
// layout after the last of them, or the asked one if there are none.
func (v *Value) searchSteps() (out []Reason, last *layout.Sharding) {
	last = v.Asked
	for _, i := range v.e.steps[v.global] {
		s := v.e.trail.Search[i]
		now := s.Layouts[slices.Index(s.Values, v.global)]
		verb := "no longer shards it"
		if isShardedBy(now, s) {
			verb = "shards it"
		}
		others := ""
		if n := len(s.Values) - 1; n > 0 {
			others = fmt.Sprintf(", with %d more values", n)
		}
		out = append(out, Reason{
			Kind:  Search,
			Text:  fmt.Sprintf("step %d of the layout search: axis %s %s%s; %s", i+1, s.Axis, verb, others, s.saving()),
			Bytes: s.Bytes, Flops: s.Flops, Seconds: s.Seconds,
		})
		last = now
	}
	return out, last
}

// isShardedBy reports whether the axis of step s shards a dimension of l.
func isShardedBy(l *layout.Sharding, s Step) bool {
	return slices.ContainsFunc(l.Dims, func(d layout.DimSharding) bool { return slices.Contains(d.Axes, s.Axis) })
}

// saving says what the step saves. It may save bytes and cost arithmetic, or the other way round.
func (s Step) saving() string {
	var parts []string
	part := func(n int, what string) {
		switch {
		case n > 0:
			parts = append(parts, fmt.Sprintf("%s %s less", texttable.GroupDigits(n), what))
		case n < 0:
			parts = append(parts, fmt.Sprintf("%s %s more", texttable.GroupDigits(-n), what))
		}
	}
	part(s.Bytes, "bytes sent")
	part(s.Flops, "flops")
	saved := time.Duration(s.Seconds * 1e9).Round(100 * time.Nanosecond)
	return fmt.Sprintf("a device saves %s a run, as is predicted (%s)", saved, strings.Join(parts, ", "))
}

// choiceReasons says why the op that computes the value, in the first of its Runs, does so in
// another layout than want; nil if it does not, or if want is nil. The value must have a run.
func (v *Value) choiceReasons(want *layout.Sharding) []Reason {
	run := v.Runs[0]
	if run.Sharding == nil || want == nil || sameLayout(run.Sharding, want) {
		return nil
	}
	if u := run.Sharding.Unreduced; len(u) > 0 {
		return []Reason{{Kind: Partial, Text: fmt.Sprintf("%s sums over what %s shards: a device has a partial result, which is reduced where the value is used", run.Op, layout.AxesText(u))}}
	}
	if v.Kind == Made && !run.computes {
		return []Reason{{Kind: Strategy, Text: "it is made where it is used, in the layout that is read there: nothing is sent for that"}}
	}
	return []Reason{{Kind: Strategy, Text: fmt.Sprintf("%s costs least so, with what its operands are sharded as and what its users read", run.Op)}}
}

// conflicts appends to out the conflicts that the value lost in propagation.
func (v *Value) conflicts(out []Reason) []Reason {
	for _, l := range v.Conflicts() {
		out = append(out, Reason{Kind: Conflict, Text: fmt.Sprintf("dim %d is not sharded by %s as %s (%s): %s", l.Dim, layout.AxesText(l.Axes), l.From, l.Came, l.Why)})
	}
	return out
}
