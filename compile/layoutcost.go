package compile

// This file computes what it costs to keep all layouts as annotated.

import (
	"context"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// LayoutCost compares two programs: one in which all layouts are binding, and one in which the
// compiler may change them.
type LayoutCost struct {
	Kept   Totals `json:"kept"`   // with Options.KeepLayouts
	Chosen Totals `json:"chosen"` // without Options.KeepLayouts
	// KeptSeconds and ChosenSeconds are the predicted times of one run of the programs with and
	// without Options.KeepLayouts (cost.Machine.Predict). They are 0 if times on the machine cannot
	// be predicted.
	KeptSeconds   float64 `json:"kept_seconds,omitempty"`
	ChosenSeconds float64 `json:"chosen_seconds,omitempty"`
	// Overrides are the annotations that are changed if layouts are not binding.
	Overrides []program.Override `json:"overrides"`
}

// Totals is what a program costs a device in one run.
type Totals struct {
	Collectives int `json:"collectives"`
	Bytes       int `json:"bytes"` // bytes that a device sends
	Flops       int `json:"flops"`
	Memory      int `json:"memory"` // bytes of memory at the peak
}

func totalsOf(r *report.Report) Totals {
	return Totals{len(r.Collectives), r.Bytes, r.Flops, r.Memory.Peak}
}

// CostOfLayouts compiles m with and without Options.KeepLayouts, whatever o says of it, and
// compares the costs of the two programs per device. Its errors are those of Compile.
func CostOfLayouts(ctx context.Context, m *ir.Module, o Options) (*LayoutCost, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("compile: CostOfLayouts: %w", err)
	}
	out := &LayoutCost{Overrides: []program.Override{}}
	for _, x := range []struct {
		keep    bool
		totals  *Totals
		seconds *float64
	}{{true, &out.Kept, &out.KeptSeconds}, {false, &out.Chosen, &out.ChosenSeconds}} {
		o.KeepLayouts = x.keep
		p, err := Compile(ctx, m, o)
		if err != nil {
			return nil, err
		}
		r := report.NewFor(p, o.machine())
		*x.totals = totalsOf(r)
		if r.Prediction != nil {
			*x.seconds = r.Prediction.Seconds
		}
		out.Overrides = append(out.Overrides, p.Overrides...)
	}
	return out, nil
}

// String returns the comparison as a table, followed by the annotations that are changed.
func (c *LayoutCost) String() string {
	var b strings.Builder
	b.WriteString("what a device spends on a run, with all layouts as they are asked for and as the compiler chooses them\n")
	w := texttable.New(&b)
	fmt.Fprintln(w, "  \tas asked for\tchosen\tmore")
	for _, row := range []struct {
		what         string
		kept, chosen int
	}{
		{"collectives", c.Kept.Collectives, c.Chosen.Collectives},
		{"bytes sent", c.Kept.Bytes, c.Chosen.Bytes},
		{"flops", c.Kept.Flops, c.Chosen.Flops},
		{"bytes of memory at the peak", c.Kept.Memory, c.Chosen.Memory},
	} {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", row.what, texttable.GroupDigits(row.kept), texttable.GroupDigits(row.chosen), excessText(float64(row.kept), float64(row.chosen)))
	}
	if c.KeptSeconds > 0 {
		fmt.Fprintf(w, "  predicted µs\t%.1f\t%.1f\t%s\n", c.KeptSeconds*1e6, c.ChosenSeconds*1e6, excessText(c.KeptSeconds, c.ChosenSeconds))
	}
	w.Flush()
	if len(c.Overrides) > 0 {
		fmt.Fprintf(&b, "annotations that the chosen layouts override: %d\n", len(c.Overrides))
		for _, o := range c.Overrides {
			fmt.Fprintf(&b, "  %s\n", o)
		}
	}
	return texttable.Trim(b.String())
}

// excessText returns by how much a is more than b, in percent, such as "+12.5 %"; "" if b is 0.
func excessText(a, b float64) string {
	if b == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100*(a-b)/b)
}
