package fit

// This file orders the rows of a Table, and writes it as text.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
)

// Table says what a program costs on the meshes of a target, the best mesh first. Its JSON form has
// the names in the tags.
type Table struct {
	Program string `json:"program"`
	Target  string `json:"target,omitempty"`
	Machine string `json:"machine"` // name of the machine that the estimates are for
	// NoCompiler says why the target's compiler was not asked although Options.Compiler is set.
	NoCompiler string `json:"no_compiler,omitempty"`
	Rows       []*Row `json:"meshes"`
}

// Best returns the row of the best mesh that the program fits on, or nil if there is none.
func (t *Table) Best() *Row {
	if len(t.Rows) == 0 || !t.Rows[0].Fits {
		return nil
	}
	return t.Rows[0]
}

// sort orders the rows: first meshes that the program fits on, by time and then by memory; then
// those that it does not fit on, by memory; then those that it cannot be compiled for.
func (t *Table) sort() {
	rank := func(r *Row) int {
		switch {
		case r.Error != "":
			return 2
		case !r.Fits:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(t.Rows, func(a, b *Row) int {
		if c := cmp.Compare(rank(a), rank(b)); c != 0 || a.Error != "" {
			return c
		}
		if !a.Fits {
			return cmp.Compare(a.needs(), b.needs())
		}
		return cmp.Or(cmp.Compare(a.predicted.Seconds, b.predicted.Seconds), cmp.Compare(a.needs(), b.needs()))
	})
}

// compareTimes sets RelativeTime of all rows whose machine has no scale of time.
func (t *Table) compareTimes() {
	least := math.Inf(1)
	for _, r := range t.Rows {
		if r.predicted != nil {
			least = min(least, r.predicted.Seconds)
		}
	}
	for _, r := range t.Rows {
		if r.predicted != nil && r.Prediction == nil && least > 0 {
			r.RelativeTime = r.predicted.Seconds / least
		}
	}
}

// needs returns the peak of the program's memory: the compiler's figure or, without it, our
// estimate.
func (r *Row) needs() int { return cmp.Or(r.Compiler.peak(), r.Memory.Peak) }

// String returns the table as text: a row for each mesh with its prediction, the figures of the
// chip's own compiler if there are any, and the errors of the meshes that failed.
func (t *Table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %s, per device and run, the best mesh first\n%s\n\n", report.ProgramName(t.Program), cmp.Or(t.Target, t.Machine), t.source())
	w := texttable.New(&b)
	fmt.Fprintln(w, "mesh\tfits\tmemory\tsent\tflops\ttime\tbound")
	var errs, own []string
	for _, r := range t.Rows {
		if r.Error != "" {
			first, _, _ := strings.Cut(r.Error, "\n")
			errs = append(errs, fmt.Sprintf("%s: %s", r.Mesh, first))
			fmt.Fprintf(w, "%s\tno program\t\t\t\t\t\n", r.Mesh)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.4g\t%s\t%s\n", r.Mesh, r.verdict(), texttable.Bytes(r.Memory.Peak), r.sentText(), float64(r.Flops), r.timeText(), r.boundText())
		if c := r.Compiler; c != nil {
			fmt.Fprintf(w, "  its compiler\t%s\n", strings.Join(c.cells(), "\t"))
			own = append(own, fmt.Sprintf("%s on %s", texttable.Bytes(c.Required), r.Mesh))
			if c.OutOfMemory != "" {
				errs = append(errs, fmt.Sprintf("%s: %s", r.Mesh, c.OutOfMemory))
			}
		}
	}
	w.Flush()
	if len(own) > 0 {
		fmt.Fprintf(&b, "\nin a device's own memory its compiler needs, code included: %s\n", strings.Join(own, "; "))
	}
	if t.Best() == nil {
		b.WriteString("\nit fits on none of them\n")
	}
	for _, e := range errs {
		fmt.Fprintf(&b, "\n%s\n", e)
	}
	return texttable.Trim(b.String())
}

// source returns a text that says what the table's figures come from: our estimate or the compiler,
// the machine of our estimate if it is not the target's, why there is no compiler, and the bytes
// that a device gives programs.
func (t *Table) source() string {
	limit, asked := "", false
	for _, r := range t.Rows {
		if r.Limit > 0 {
			limit = fmt.Sprintf("; a device gives programs %s", texttable.Bytes(r.Limit))
		}
		asked = asked || r.Compiler != nil
	}
	ours := "our own estimate"
	if t.Target != "" && t.Machine != "" && t.Machine != t.Target {
		ours += " for the machine " + t.Machine
	}
	switch {
	case t.NoCompiler != "":
		return ours + limit + "\n" + t.NoCompiler
	case asked:
		return ours + ", and below it the figures of the compiler, which decides what fits" + limit
	}
	return ours + ": the target's compiler was not asked" + limit
}

func (r *Row) verdict() string {
	if r.Fits {
		return "yes"
	}
	return "no"
}

// timeText returns the predicted time or, if the machine has no scale of time, by how much it is
// over the least of all rows.
func (r *Row) timeText() string {
	switch {
	case r.Prediction != nil:
		return report.Duration(r.Prediction.Seconds)
	case r.RelativeTime > 1:
		return fmt.Sprintf("%+.1f %%", 100*(r.RelativeTime-1))
	case r.RelativeTime == 1:
		return "least"
	}
	return ""
}

// boundText returns what bounds the time; "" if the machine has no scale of time.
func (r *Row) boundText() string {
	if r.Prediction == nil {
		return ""
	}
	return r.Prediction.Bound
}

// sentText lists the bytes that a device sends, each with its axes and its kind of link, separated
// by commas; "nothing" if it sends none.
func (r *Row) sentText() string {
	p := cmp.Or(r.predicted, r.Prediction)
	if p == nil { // a row that was read from JSON, of a machine without a scale of time
		return texttable.Bytes(r.Bytes)
	}
	var parts []string
	for _, l := range p.Links {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s", l.Axes, texttable.Bytes(l.Bytes), l.Kind)))
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}

// cells returns the columns of the compiler's line: whether the program fits ("yes" or "no"), the
// peak of its memory, as the row above has it, its collectives, FLOPs, and its time ("at least" that
// much where ops have no estimate; empty if the compiler estimates none); the last one is empty. For
// a program that does not fit only the first is known.
func (c *Compiler) cells() []string {
	if c.OutOfMemory != "" {
		return []string{"no", "", "", "", "", ""}
	}
	seconds := ""
	if c.Seconds > 0 {
		seconds = report.Duration(c.Seconds)
	}
	if c.OpsWithoutEstimate > 0 {
		seconds = "at least " + seconds
	}
	return []string{"yes", texttable.Bytes(c.peak()), fmt.Sprintf("%d collectives, results of %s", c.Collectives, texttable.Bytes(c.CollectiveBytes)), fmt.Sprintf("%.4g", c.Flops), seconds, ""}
}
