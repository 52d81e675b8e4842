// Collectives compares the communication of programs: gospmd's partitioner
// against XLA's own, on the same modules and by the same formula (package
// cost): the bytes that a device sends in one training step, and the number of
// collectives.
//
//	go run ./benchmarks/collectives              # the table
//	go run ./benchmarks/collectives -report      # and gospmd's report of each program
//	go run ./benchmarks/collectives -json        # the lines for programs
//
// The command fails if a line is worse than XLA's.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras/distribution"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "collectives:", err)
		os.Exit(1)
	}
}

// result is a line of the table.
type result struct {
	Model    string          `json:"model"`
	Mesh     []int           `json:"mesh"`
	Bytes    int             `json:"bytes"`
	XLABytes int             `json:"xla_bytes"`
	Count    int             `json:"collectives"`
	XLACount int             `json:"xla_collectives"`
	Report   *compile.Report `json:"report"`
}

// wins reports whether our partitioner sends fewer bytes or, of equal bytes,
// needs no more collectives.
func (r result) wins() bool {
	return r.Bytes < r.XLABytes || r.Bytes == r.XLABytes && r.Count <= r.XLACount
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("collectives", flag.ContinueOnError)
	report := flags.Bool("report", false, "print gospmd's report of each program")
	asJSON := flags.Bool("json", false, "print the results as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	results, err := compareAll(ctx, steps.All)
	if err != nil {
		return err
	}
	if *asJSON {
		err = json.NewEncoder(out).Encode(results)
	} else {
		err = print(out, results, *report)
	}
	if err != nil {
		return err
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

// print writes the table, and the report of each program if it is asked for.
func print(out io.Writer, results []result, reports bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "model\tmesh\tbytes\tXLA's bytes\tcollectives\tXLA's\t")
	for _, r := range results {
		verdict := "ok"
		if !r.wins() {
			verdict = "WORSE"
		}
		fmt.Fprintf(w, "%s\t%dx%d\t%d\t%d\t%d\t%d\t%s\n", r.Model, r.Mesh[0], r.Mesh[1], r.Bytes, r.XLABytes, r.Count, r.XLACount, verdict)
	}
	if err := w.Flush(); err != nil || !reports {
		return err
	}
	for _, r := range results {
		if _, err := fmt.Fprintf(out, "\n%s on %dx%d\n%s", r.Model, r.Mesh[0], r.Mesh[1], r.Report); err != nil {
			return err
		}
	}
	return nil
}

// compareAll compares the models on all meshes.
func compareAll(ctx context.Context, models []steps.Model) ([]result, error) {
	x, err := openXLA(ctx, steps.Devices)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if err := distribution.Initialize(distribution.Options{Devices: steps.Devices}); err != nil {
		return nil, err
	}
	var out []result
	for _, m := range models {
		for _, mesh := range steps.Meshes {
			module, err := m.Record(ctx, mesh)
			if err != nil {
				return nil, err
			}
			p, err := compile.Compile(module, compile.Options{Partitioner: compile.SPMD})
			if err != nil {
				return nil, fmt.Errorf("%s on %v: %w", m.Name, mesh, err)
			}
			theirs, err := x.collectives(ctx, module)
			if err != nil {
				return nil, fmt.Errorf("%s on %v: %w", m.Name, mesh, err)
			}
			r := result{Model: m.Name, Mesh: mesh, Report: p.Report(), XLACount: len(theirs)}
			r.Bytes, r.Count, r.XLABytes = r.Report.Bytes, len(r.Report.Collectives), totalBytes(theirs)
			out = append(out, r)
		}
	}
	return out, nil
}
