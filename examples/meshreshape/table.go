package main

// This file prints the results, and says which mesh shape is best and why.

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
)

// printTable prints a row for each mesh shape: its losses, times, memory and communication. A
// predicted time is relative to the shortest one; "-" if it is not known. With -machine each row
// also has the predicted time of a step there. runs has at least one.
func printTable(out io.Writer, runs []outcome) error {
	least := slices.MinFunc(runs, compareByPrediction)
	t := texttable.New(out)
	head := "mesh\tlosses\tms a step\tpredicted\tmemory of a device\tsent by a device\tcollectives"
	if runs[0].Prediction != nil {
		head += "\tthere\tbound by"
	}
	fmt.Fprintln(t, head)
	for _, r := range runs {
		var losses []string
		for _, l := range r.Losses {
			losses = append(losses, fmt.Sprintf("%.5f", l))
		}
		predicted := "-"
		if p := r.predictedTime(); p > 0 {
			predicted = fmt.Sprintf("%.2f ×", p/least.predictedTime())
		}
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\t%s\t%s\t%s", r.Mesh, strings.Join(losses, " "), 1e3*r.StepSeconds, predicted,
			texttable.Bytes(r.Report.Memory.Peak), texttable.Bytes(r.Report.Bytes), kinds(r.Report.Collectives))
		if p := r.Prediction; p != nil {
			fmt.Fprintf(t, "\t%.3g µs\t%s", 1e6*p.Seconds, p.Bound)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// predictedTime returns the predicted time of a step, as a share of that on one device; 0
// if it is not known.
func (r outcome) predictedTime() float64 {
	if s := r.Report.SpeedUp; s != nil && s.Total > 0 {
		return 1 / s.Total
	}
	return 0
}

func compareByPrediction(a, b outcome) int { return cmp.Compare(a.predictedTime(), b.predictedTime()) }

// kinds returns the number of collectives of each kind as text, in the order of the names: "2
// all_gather, 1 all_reduce"; "none" for an empty list.
func kinds(list []report.Collective) string {
	count := make(map[string]int)
	for _, c := range list {
		count[string(c.Kind)]++
	}
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%d %s", count[kind], kind))
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

// verdict returns a text that compares the fastest shape with the slowest: how much faster it is,
// and what a device computes and sends on each. Then it names the shape that was predicted to be
// the fastest. For one run it has only the shape and its time.
func verdict(runs []outcome) string {
	byTime := func(a, b outcome) int { return cmp.Compare(a.StepSeconds, b.StepSeconds) }
	best, worst := slices.MinFunc(runs, byTime), slices.MaxFunc(runs, byTime)
	var text strings.Builder
	fmt.Fprintf(&text, "best: %s, %.2f ms a step", best.Mesh, 1e3*best.StepSeconds)
	if len(runs) == 1 {
		return text.String()
	}
	fmt.Fprintf(&text, ", %.2f times as fast as %s.\n", worst.StepSeconds/best.StepSeconds, worst.Mesh)
	fmt.Fprintf(&text, "why: a device computes %s operations and sends %s in %d collectives; on %s %s operations and %s in %d.\n",
		texttable.GroupDigits(best.Report.Flops), texttable.Bytes(best.Report.Bytes), len(best.Report.Collectives), worst.Mesh,
		texttable.GroupDigits(worst.Report.Flops), texttable.Bytes(worst.Report.Bytes), len(worst.Report.Collectives))
	for _, r := range []outcome{best, worst} {
		if len(r.Report.Collectives) > 0 {
			most := slices.MaxFunc(r.Report.Collectives, func(a, b report.Collective) int { return cmp.Compare(a.Total(), b.Total()) })
			fmt.Fprintf(&text, "most on %s: %s over %s, %s: %s\n", r.Mesh, most.Kind, strings.Join(most.Axes, ","), texttable.Bytes(most.Total()), most.Why)
		}
	}
	fmt.Fprintf(&text, "predicted best: %s.", slices.MinFunc(runs, compareByPrediction).Mesh)
	if best.Prediction != nil {
		there := slices.MinFunc(runs, func(a, b outcome) int { return cmp.Compare(a.Prediction.Seconds, b.Prediction.Seconds) })
		fmt.Fprintf(&text, "\npredicted best there: %s.", there.Mesh)
	}
	return text.String()
}
