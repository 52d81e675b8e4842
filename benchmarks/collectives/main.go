package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

func main() { steps.Main("collectives", run) }

// result is a line of the table.
type result struct {
	steps.Line
	Bytes    int            `json:"bytes"`
	XLABytes int            `json:"xla_bytes"`
	Count    int            `json:"collectives"`
	XLACount int            `json:"xla_collectives"`
	Report   *report.Report `json:"report"`
}

// wins reports whether our partitioner sends fewer bytes or, of equal bytes,
// needs no more collectives.
func (r result) wins() bool {
	return r.Bytes < r.XLABytes || r.Bytes == r.XLABytes && r.Count <= r.XLACount
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("collectives", flag.ContinueOnError)
	showReport := flags.Bool("report", false, "print gospmd's report of each program")
	asJSON := flags.Bool("json", false, "print the results as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	results, err := compareAll(ctx, steps.All)
	if err != nil {
		return err
	}
	if err := steps.Print(out, *asJSON, results, "bytes", "XLA's bytes", "collectives", "XLA's", ""); err != nil {
		return err
	}
	for _, r := range results {
		if *showReport && !*asJSON {
			fmt.Fprintf(out, "\n%s\n%s", r.Line, r.Report)
		}
	}
	worse := 0
	for _, r := range results {
		if !r.wins() {
			worse++
		}
	}
	if worse > 0 {
		return fmt.Errorf("%d of %d programs send more than XLA's, or as much in more collectives", worse, len(results))
	}
	return nil
}

// Cells returns the columns of the table.
func (r result) Cells() []any {
	verdict := "ok"
	if !r.wins() {
		verdict = "WORSE"
	}
	return []any{r.Bytes, r.XLABytes, r.Count, r.XLACount, verdict}
}

// compareAll compares the models on all meshes.
func compareAll(ctx context.Context, models []steps.Model) ([]result, error) {
	x, err := openXLA(ctx, steps.Devices)
	if err != nil {
		return nil, err
	}
	defer x.close()
	var out []result
	err = steps.Each(ctx, models, func(l steps.Line, recorded *ir.Module, p *program.Program) error {
		theirs, err := x.collectives(ctx, recorded)
		r := result{Line: l, Report: report.New(p), XLACount: len(theirs), XLABytes: totalBytes(theirs)}
		r.Bytes, r.Count = r.Report.Bytes, len(r.Report.Collectives)
		out = append(out, r)
		return err
	})
	return out, err
}
