package report

// This file tells what was done to make a program fit into a limit of memory.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/program"
)

// crossingGroup is values of one type that the same op makes in one layer, or in layers whose names
// differ in their numbers, that were treated alike.
type crossingGroup struct {
	program.Crossing // the first; its layer has * for numbers that differ, its sums are of all
	count            int
}

// crossingGroups returns the groups of values, sorted by action, the largest of each first.
func crossingGroups(values []program.Crossing) []crossingGroup {
	at := map[program.Crossing]int{}
	var groups []crossingGroup
	for _, v := range values {
		layer := withoutNumbers(v.Layer)
		key := program.Crossing{Action: v.Action, Type: v.Type, Op: v.Op, Layer: layer, By: v.By}
		i, ok := at[key]
		if !ok {
			at[key] = len(groups)
			groups = append(groups, crossingGroup{v, 1})
			continue
		}
		g := &groups[i]
		if g.Layer != v.Layer {
			g.Layer = layer
		}
		g.count, g.Bytes, g.Seconds = g.count+1, g.Bytes+v.Bytes, g.Seconds+v.Seconds
	}
	slices.SortStableFunc(groups, func(a, b crossingGroup) int {
		return cmp.Or(cmp.Compare(a.Action, b.Action), cmp.Compare(b.Bytes, a.Bytes))
	})
	return groups
}

// placementText says where the limit has put weights and the optimizer's state, what that saves, and
// why.
func placementText(f *program.Fitting) string {
	p := f.Placement
	text := fmt.Sprintf("the limit has chosen %s: a device keeps %s of weights and the optimizer's state in place of %s; without that ", p, texttable.Bytes(p.After), texttable.Bytes(p.Before))
	if p.Least > 0 {
		return text + fmt.Sprintf("the peak is at least %s", texttable.Bytes(p.Least))
	}
	return text + "a run takes " + longer(f, p.Saved, f.RelativeTo)
}

// longer says by how many of f's seconds a run takes longer or, if they are less than 0, shorter:
// than before, a run whose time is of, where the machine has no scale of time.
func longer(f *program.Fitting, seconds, of float64) string {
	if seconds < 0 {
		return timeText(f, -seconds, of) + " shorter"
	}
	return timeText(f, seconds, of) + " longer"
}

// timeText returns f's seconds as text: a time or, if the machine has no scale of time, in percent
// of another time.
func timeText(f *program.Fitting, seconds, of float64) string {
	if f.RelativeTo > 0 {
		return fmt.Sprintf("%.3g %%", 100*seconds/of)
	}
	return Duration(seconds)
}

// maxCrossing bounds the groups that the table lists of each action.
const maxCrossing = 20

// writeFitting writes to b how the program was made to fit: limit, micro-batches, the peak before
// and after, and the values with their actions. It writes nothing if r.Fitting is nil.
func (r *Report) writeFitting(b *strings.Builder) {
	f := r.Fitting
	if f == nil {
		return
	}
	divided := f.MicroBatches > 1
	before := f.RelativeTo - f.Seconds // the time of a run without the limit and the policies
	switch {
	case f.Limit > 0:
		fmt.Fprintf(b, "\nmemory limit: %s; ", texttable.Bytes(f.Limit))
	case divided:
		fmt.Fprint(b, "\nmicro-batches: ")
	default:
		fmt.Fprint(b, "\nmemory policies: ")
	}
	if divided {
		fmt.Fprintf(b, "the batch is computed in %d parts, one after the other; ", f.MicroBatches)
	}
	if f.Gathers {
		fmt.Fprint(b, "loops gather the weights that they read, in each iteration; ")
	}
	if f.Placement != nil {
		fmt.Fprintf(b, "%s; ", placementText(f))
	}
	if f.Compiled > 0 {
		fmt.Fprintf(b, "the devices' compiler needs %s; ", texttable.Bytes(f.Compiled))
	}
	switch {
	case f.Before != f.After || len(f.Values) > 0:
		fmt.Fprintf(b, "the peak is %s, and was %s; a run takes %s\n", texttable.Bytes(f.After), texttable.Bytes(f.Before), longer(f, f.Seconds, before))
	case divided:
		fmt.Fprintf(b, "the peak is %s\n", texttable.Bytes(f.After))
	case f.Limit > 0:
		fmt.Fprintln(b, "the program fits as it is")
	default:
		fmt.Fprintln(b, "the backward pass reads nothing of the layers that they name")
	}
	if len(f.Values) == 0 {
		return
	}
	w := texttable.New(b)
	fmt.Fprintln(w, "  action\tbytes\ttime\tvalues\top\tlayer\tby")
	shown := map[program.Action]int{}
	for _, g := range crossingGroups(f.Values) {
		if shown[g.Action]++; shown[g.Action] > maxCrossing {
			continue
		}
		typ, took := g.Type, ""
		if g.count > 1 {
			typ = fmt.Sprintf("%d × %s", g.count, g.Type)
		}
		if g.Seconds > 0 {
			took = timeText(f, g.Seconds, before)
		}
		by := g.By
		if by == "" && g.Action != program.Save {
			by = "the limit"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", g.Action, texttable.Bytes(g.Bytes), took, typ, g.Op, g.Layer, by)
	}
	for _, a := range slices.Sorted(slices.Values(program.Actions)) {
		if n := shown[a] - maxCrossing; n > 0 {
			fmt.Fprintf(w, "  %s\t… and %d smaller ones\n", a, n)
		}
	}
	w.Flush()
}
