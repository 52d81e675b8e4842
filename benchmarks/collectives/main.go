// Collectives compares the communication of programs: gospmd's partitioner
// against XLA's own, on the same modules and by the same formula (package
// cost): the bytes that a device sends in one training step, and the number of
// collectives.
//
//	go run ./benchmarks/collectives              # the table
//	go run ./benchmarks/collectives -report      # and gospmd's report of each program
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras/distribution"
)

// devices is the size of all meshes.
const devices = 8

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "collectives:", err)
		os.Exit(1)
	}
}

// result is a line of the table.
type result struct {
	model       string
	mesh        []int
	ours, xla   int // bytes
	count, xlas int // of collectives
	report      *compile.Report
}

// wins reports whether our partitioner sends fewer bytes or, of equal bytes,
// needs no more collectives.
func (r result) wins() bool { return r.ours < r.xla || r.ours == r.xla && r.count <= r.xlas }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("collectives", flag.ContinueOnError)
	report := flags.Bool("report", false, "print gospmd's report of each program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	results, err := compareAll(ctx, models)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "model\tmesh\tbytes\tXLA's bytes\tcollectives\tXLA's\t")
	for _, r := range results {
		verdict := "ok"
		if !r.wins() {
			verdict = "WORSE"
		}
		fmt.Fprintf(w, "%s\t%dx%d\t%d\t%d\t%d\t%d\t%s\n", r.model, r.mesh[0], r.mesh[1], r.ours, r.xla, r.count, r.xlas, verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range results {
		if *report {
			fmt.Fprintf(out, "\n%s on %dx%d\n%s", r.model, r.mesh[0], r.mesh[1], r.report)
		}
	}
	return nil
}

// compareAll compares the models on all meshes.
func compareAll(ctx context.Context, models []model) ([]result, error) {
	x, err := openXLA(ctx, devices)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if err := distribution.Initialize(distribution.Options{Devices: devices}); err != nil {
		return nil, err
	}
	var out []result
	for _, m := range models {
		for _, mesh := range meshes {
			module, err := m.record(ctx, mesh)
			if err != nil {
				return nil, err
			}
			p, err := compile.Compile(module, compile.Options{Partitioner: compile.SPMD})
			if err != nil {
				return nil, fmt.Errorf("%s on %v: %w", m.name, mesh, err)
			}
			theirs, err := x.collectives(ctx, module)
			if err != nil {
				return nil, fmt.Errorf("%s on %v: %w", m.name, mesh, err)
			}
			r := result{model: m.name, mesh: mesh, report: p.Report(), xlas: len(theirs)}
			r.ours, r.count = r.report.Bytes, len(r.report.Collectives)
			for _, c := range theirs {
				r.xla += c.bytes
			}
			out = append(out, r)
		}
	}
	return out, nil
}
