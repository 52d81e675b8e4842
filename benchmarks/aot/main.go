package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/runtime/aot"
)

func main() {
	aot.Serve()
	steps.Main("aot", run)
}

// result has the figures of one training step, compiled for one target by our partitioner and by
// XLA's.
type result struct {
	Step          string  `json:"step"`
	Target        string  `json:"target"`
	ShardedUpdate bool    `json:"sharded_update,omitempty"` // of both partitioners' programs
	Ours          figures `json:"ours"`
	XLA           figures `json:"xla"`
}

// moreFlops is how much more our program may compute than XLA's, which sends more bytes instead.
const moreFlops = 1.02

// level is the largest ratio that counts as equal: compilers' figures vary by some thousandths.
const level = 1.005

// worseFigures lists the figures in which our program is worse than XLA's: "sent", "peak" and
// "time" by more than level, "flops" by more than moreFlops. It is nil if there is none.
func (r result) worseFigures() (list []string) {
	if float64(r.Ours.Sent) > level*float64(r.XLA.Sent) {
		list = append(list, "sent")
	}
	if r.Ours.Flops > moreFlops*r.XLA.Flops {
		list = append(list, "flops")
	}
	if float64(r.Ours.Peak) > level*float64(r.XLA.Peak) {
		list = append(list, "peak")
	}
	if r.Ours.Seconds > level*r.XLA.Seconds {
		list = append(list, "time")
	}
	return list
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("aot", flag.ContinueOnError)
	targets := flags.String("target", "v5e:4x4,h100:8", "the targets, separated by commas; with -limits also cpu:8, eight virtual devices of this CPU")
	names := flags.String("steps", "", "the steps, separated by commas; empty: all of them")
	asJSON := flags.Bool("json", false, "print the results as JSON")
	meshes := flags.Bool("meshes", false, "our predictions and the compiler's figures on all meshes, in place of both partitioners on one")
	sharded := flags.Bool("sharded-update", false, "shard the optimizer's slots and its work, for both partitioners")
	limits := flags.Bool("limits", false, "make the steps, and Keras models, fit into parts of the memory that they take")
	ofPeak := flags.String("parts", usualParts, "with -limits: these parts of the peak without a limit, separated by commas")
	var c compiler
	flags.StringVar(&c.dir, "cache", "", "a directory that keeps what compilers say, for the next time")
	flags.BoolVar(&c.options.Install, "install", false, "install the compilers that are missing: some hundred megabytes each")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !*limits && strings.Contains(*targets, hardware.CPU+":") {
		return fmt.Errorf("-target %s: virtual devices are for -limits alone", *targets)
	}
	if *sharded && (*limits || *meshes) {
		return fmt.Errorf("-sharded-update is for the comparison of the partitioners: leave out -limits and -meshes")
	}
	parts, err := parseParts(*ofPeak)
	if err != nil {
		return err
	}
	list := stepNames
	switch {
	case *names != "":
		list = strings.Split(*names, ",")
	case *limits:
		list = limitedNames()
	}
	switch {
	case *limits:
		rows, err := each(*targets, list, func(name string, t hardware.Target) ([]limited, error) {
			rows, err := limit(ctx, name, t, parts, c)
			for _, r := range rows { // the table comes after the last program
				fmt.Fprintf(os.Stderr, "%s for %s, limit %.2f MB: %.2f MB by the compiler, %.2f MB in the device's own memory; %s\n", name, t, float64(r.Limit)/1e6, float64(r.Peak)/1e6, float64(r.Required)/1e6, r.verdict())
			}
			return rows, err
		})
		if err != nil {
			return err
		}
		return writeLimits(out, slices.Concat(rows...), *asJSON)
	case *meshes:
		rows, err := each(*targets, list, func(name string, t hardware.Target) (*ranking, error) { return rank(ctx, name, t, c) })
		if err != nil {
			return err
		}
		return writeRankings(out, rows, *asJSON)
	}
	results, err := each(*targets, list, func(name string, t hardware.Target) (result, error) { return measure(ctx, name, t, *sharded, c) })
	if err != nil {
		return err
	}
	if *asJSON {
		err = json.NewEncoder(out).Encode(results)
	} else {
		err = write(out, results)
	}
	if err != nil {
		return err
	}
	return check(results)
}

// each calls f for each target and each step of the lists, and returns the results in order, all
// steps of the first target first. targets is text, separated by commas. An error of f names the
// step and the target. A line on the standard error tells how long each call took.
func each[R any](targets string, steps []string, f func(name string, t hardware.Target) (R, error)) (list []R, err error) {
	for target := range strings.SplitSeq(targets, ",") {
		t, err := parseTarget(target)
		if err != nil {
			return nil, err
		}
		for _, name := range steps {
			start := time.Now()
			r, err := f(name, t)
			if err != nil {
				return nil, fmt.Errorf("%s for %s: %w", name, t, err)
			}
			list = append(list, r)
			fmt.Fprintf(os.Stderr, "%s for %s: %.1f s\n", name, t, time.Since(start).Seconds())
		}
	}
	return list, nil
}

// check returns an error that lists the figures in which our programs are worse than XLA's, except
// those that known has a reason for.
func check(results []result) error {
	var unknown []string
	for _, r := range results {
		for _, what := range r.worseFigures() {
			if known[r.key(what)] == "" {
				unknown = append(unknown, r.key(what))
			}
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("worse than XLA's partitioner, for no reason that is known: %s", strings.Join(unknown, "; "))
	}
	return nil
}

// columns are the columns of the table, after step, target and partitioner.
var columns = []struct {
	head, format string
	value        func(figures) float64
}{
	{"collectives", "%.0f", func(f figures) float64 { return float64(f.Collectives) }},
	{"async", "%.0f", func(f figures) float64 { return float64(f.Async) }},
	{"results MB", "%.2f", func(f figures) float64 { return float64(f.Results) / 1e6 }},
	{"sent MB", "%.2f", func(f figures) float64 { return float64(f.Sent) / 1e6 }},
	{"GFLOP", "%.2f", func(f figures) float64 { return f.Flops / 1e9 }},
	{"peak MB", "%.2f", func(f figures) float64 { return float64(f.Peak) / 1e6 }},
	{"predicted", "%.2f", func(f figures) float64 { return float64(f.Predicted) / 1e6 }},
	{"bounded", "%.2f", func(f figures) float64 { return float64(f.Bounded) / 1e6 }},
	{"arguments", "%.2f", func(f figures) float64 { return float64(f.Arguments) / 1e6 }},
	{"temporary", "%.2f", func(f figures) float64 { return float64(f.Temporary) / 1e6 }},
	{"accessed", "%.1f", func(f figures) float64 { return f.Accessed / 1e6 }},
	{stepTime, "%.3f", func(f figures) float64 { return f.Seconds * 1e3 }},
	{stepWaits, "%.3f", func(f figures) float64 { return f.withWaits() * 1e3 }},
	{"predicted ms", "%.3f", func(f figures) float64 { return f.PredictedKernels * 1e3 }},
	{"compile s", "%.1f", func(f figures) float64 { return f.CompileSeconds }},
}

// stepTime is the column of the compiler's time, stepWaits that of this time and the waits for
// collectives.
const stepTime, stepWaits = "step ms", "and waits"

// withWaits returns the compiler's time and the waits for collectives; 0 if the compiler has no
// time.
func (f figures) withWaits() float64 {
	if f.Seconds == 0 {
		return 0
	}
	return f.Seconds + f.Waits
}

// write writes to out three rows for each result: our figures, XLA's, and their ratio; then the
// means of the ratios of times; then the figures of ours that are worse, each with its reason if
// there is one.
func write(out io.Writer, results []result) error {
	w := texttable.New(out)
	fmt.Fprint(w, "step\ttarget\tpartitioner")
	for _, c := range columns {
		fmt.Fprint(w, "\t", c.head)
	}
	fmt.Fprintln(w)
	for _, r := range results {
		row := func(name string, cell func(i int) string) {
			fmt.Fprint(w, r.Step, "\t", r.Target, "\t", name)
			for i := range columns {
				fmt.Fprint(w, "\t", cell(i))
			}
			fmt.Fprintln(w)
		}
		row("gospmd", func(i int) string { return r.cell(i, r.Ours) })
		row("XLA", func(i int) string { return r.cell(i, r.XLA) })
		row("ratio", r.ratio)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	writeMeans(out, results)
	for _, r := range results {
		for _, what := range r.worseFigures() {
			why := known[r.key(what)]
			if why == "" {
				why = "not known why"
			}
			fmt.Fprintf(out, "worse: %s: %s\n", r.key(what), why)
		}
	}
	return nil
}

// writeMeans prints the means of ours / XLA's times over the results that have times, which leave
// out ops without an estimate.
func writeMeans(out io.Writer, results []result) {
	var alone, withWaits float64
	n := 0
	for _, r := range results {
		if r.Ours.Seconds > 0 && r.XLA.Seconds > 0 {
			alone += r.Ours.Seconds / r.XLA.Seconds
			withWaits += r.Ours.withWaits() / r.XLA.withWaits()
			n++
		}
	}
	if n > 0 {
		fmt.Fprintf(out, "mean of gospmd's / XLA's times of %d steps, without ops that are unknown: %.3f, and with waits %.3f\n", n, alone/float64(n), withWaits/float64(n))
	}
}

func (result) cell(column int, f figures) string {
	v := columns[column].value(f)
	switch {
	case v == 0:
		return "–"
	case columns[column].head == stepTime:
		return f.time()
	}
	return fmt.Sprintf(columns[column].format, v)
}

func (r result) ratio(column int) string {
	ours, xla := columns[column].value(r.Ours), columns[column].value(r.XLA)
	head := columns[column].head
	if ours == 0 || xla == 0 || (head == stepTime || head == stepWaits) && r.Ours.Without+r.XLA.Without > 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", ours/xla)
}
