package main

// This file compares our predictions with the compiler's on all meshes of a target: a
// prediction is good if it ranks meshes as the compiler does.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
)

// onMesh has the figures of a step on one mesh.
type onMesh struct {
	Mesh string `json:"mesh"`
	figures
}

// ranking has the figures of a step on all meshes of a target.
type ranking struct {
	Step   string   `json:"step"`
	Target string   `json:"target"`
	Meshes []onMesh `json:"meshes"`
	// Alone compares times without collectives, as the compiler's are. WithWaits compares times with
	// the waits for collectives that are not asynchronous.
	Alone     agreement `json:"alone"`
	WithWaits agreement `json:"with_waits"`
}

// agreement says how well our times of some meshes agree with the compiler's. It is zero if the
// compiler has no times.
type agreement struct {
	Spearman float64 `json:"spearman"` // rank correlation
	// the compiler's time on the mesh that we predict to be the fastest, divided by its shortest time
	Best float64 `json:"best"`
}

// rank compiles the named step, by our partitioner, for each mesh of the target t, and returns the
// predicted and the compiler's time of each. An error names the mesh.
func rank(ctx context.Context, name string, t hardware.Target, c compiler) (*ranking, error) {
	m, err := readStep(name, false)
	if err != nil {
		return nil, err
	}
	meshes, err := fit.Meshes(fit.Axes(m), t.Devices())
	if err != nil {
		return nil, err
	}
	r := &ranking{Step: name, Target: t.String()}
	for _, dm := range meshes {
		p, err := compileOn(m.Clone(), dm, t, compile.Options{Partitioner: compile.SPMD})
		if err != nil {
			return nil, fmt.Errorf("mesh %s: %w", dm, err)
		}
		e, err := c.compile(ctx, p, t)
		if err != nil {
			return nil, fmt.Errorf("mesh %s: %w", dm, err)
		}
		machine, err := machineOf(t, dm)
		if err != nil {
			return nil, err
		}
		f := figuresOf(e)
		f.Waits = waits(e, p.Mesh, machine)
		if err := f.predict(p, t); err != nil {
			return nil, err
		}
		r.Meshes = append(r.Meshes, onMesh{dm.String(), f})
	}
	r.compare()
	return r, nil
}

// compare sets r.Alone and r.WithWaits, which say how well the predicted times rank the meshes.
func (r *ranking) compare() {
	r.Alone = r.agreement(func(f figures) (ours, theirs float64) { return f.PredictedKernels, f.Seconds })
	r.WithWaits = r.agreement(func(f figures) (ours, theirs float64) { return f.PredictedSeconds, f.withWaits() })
}

// agreement compares the times that times returns for each mesh. It is zero if the compiler has no
// time for one of the meshes.
func (r *ranking) agreement(times func(figures) (ours, theirs float64)) agreement {
	var ours, theirs []float64
	for _, m := range r.Meshes {
		a, b := times(m.figures)
		if b == 0 {
			return agreement{}
		}
		ours, theirs = append(ours, a), append(theirs, b)
	}
	return agreement{spearman(ours, theirs), theirs[slices.Index(ours, slices.Min(ours))] / slices.Min(theirs)}
}

// spearman returns the rank correlation of a and b (Spearman, 1904). It is 1 if the ranks are
// equal, also if all values are equal.
func spearman(a, b []float64) float64 {
	if a, b = ranks(a), ranks(b); slices.Equal(a, b) {
		return 1
	}
	return pearson(a, b)
}

// ranks returns the rank of each number, in the order of x; the least has rank 0. Numbers that differ
// by less than half a percent share the mean of their ranks.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Compare(x[i], x[k]) })
	out := make([]float64, len(x))
	for from := 0; from < len(x); {
		to := from + 1
		for to < len(x) && x[order[to]] <= level*x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return out
}

// pearson returns the correlation of a and b; 0 if one of them is constant.
func pearson(a, b []float64) float64 {
	n := float64(len(a))
	var sa, sb, aa, bb, ab float64
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		aa, bb, ab = aa+a[i]*a[i], bb+b[i]*b[i], ab+a[i]*b[i]
	}
	if d := (n*aa - sa*sa) * (n*bb - sb*sb); d > 0 {
		return (n*ab - sa*sb) / math.Sqrt(d)
	}
	return 0
}

// writeRankings prints, for each ranking, a row for each mesh and one that sums up the step, or the
// rankings as JSON.
func writeRankings(out io.Writer, list []*ranking, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(list)
	}
	w := texttable.New(out)
	fmt.Fprintln(w, "step\ttarget\tmesh\tpeak MB\tpredicted\tratio\taccessed MB\tpredicted\tstep ms\tkernels\tand waits\tpredicted\tsent MB")
	for _, r := range list {
		for _, m := range r.Meshes {
			fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%.2f\t%.3f\t%.1f\t%.1f\t%s\t%.3f\t%.3f\t%.3f\t%.2f\n", r.Step, r.Target, m.Mesh,
				float64(m.Peak)/1e6, float64(m.Predicted)/1e6, float64(m.Predicted)/float64(m.Peak),
				m.Accessed/1e6, float64(m.PredictedAccessed)/1e6, m.time(), m.PredictedKernels*1e3, m.withWaits()*1e3, m.PredictedSeconds*1e3, float64(m.Sent)/1e6)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	w = texttable.New(out)
	fmt.Fprintln(w, "\nstep\ttarget\tmeshes\trank correlation\tour best / best\twith waits: correlation\tour best / best\tpredicted peak / peak")
	for _, r := range list {
		var peaks []float64
		for _, m := range r.Meshes {
			peaks = append(peaks, float64(m.Predicted)/float64(m.Peak))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%.2f\t%.3f\t%.2f\t%.3f\t%.2f–%.2f\n", r.Step, r.Target, len(r.Meshes), r.Alone.Spearman, r.Alone.Best, r.WithWaits.Spearman, r.WithWaits.Best, slices.Min(peaks), slices.Max(peaks))
	}
	return w.Flush()
}
