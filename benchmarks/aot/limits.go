package main

// This file makes programs fit into parts of the memory that they take, and compares our
// predictions with the compiler's figures.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// usualParts is the text of the parts of the peak that are limits where no others are asked for.
const usualParts = "0.7,0.5,0.35"

// parseParts returns the parts of the peak that are limits, from text with commas between them. A
// part that is no number between 0 and 1 is an error.
func parseParts(text string) (parts []float64, err error) {
	for part := range strings.SplitSeq(text, ",") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || !(0 < x && x < 1) {
			return nil, fmt.Errorf("-parts %s: %q is no number between 0 and 1", text, part)
		}
		parts = append(parts, x)
	}
	return parts, nil
}

// models are the Keras models that are made to fit, besides the steps of JAX. They run on the axis
// data alone.
var models = append(slices.Clone(steps.Models), steps.Loops...)

// limited has the figures of a step's program for one limit of memory: bytes of a device, and
// seconds of a run.
type limited struct {
	Program string  `json:"program"`
	Target  string  `json:"target"`
	Part    float64 `json:"part"`
	Limit   int     `json:"limit"`
	Free    int     `json:"free"` // the compiler's peak without a limit
	// the part of Predicted (or Peak) that arguments and results take, in bytes
	Fixed int `json:"fixed"`
	// PredictedFree is our prediction of Free. Predicted and Peak are the peaks of the program that
	// fits, by us and by the compiler. Predicted is 0 if we found none.
	PredictedFree int `json:"predicted_free"`
	Predicted     int `json:"predicted"`
	Peak          int `json:"peak"`
	// Required is what the program needs of the device's own memory, by the compiler. On TPUs Peak
	// also counts the memory on the chip, which libtpu fills as far as there is room.
	Required int `json:"required"`
	Tries    int `json:"tries"` // how often the compiler was asked
	// Placement says where the limit has put weights and the optimizer's state; nil if both stayed in
	// their places.
	Placement *program.StatePlacement `json:"placement,omitempty"`
	// More is how much longer a run takes, as a part of the time without a limit: predicted, and by
	// the compiler, 0 if it has no times or the batch is computed in parts; on virtual devices,
	// measured.
	PredictedMore float64 `json:"predicted_more"`
	More          float64 `json:"more"`
	Error         string  `json:"error,omitempty"`   // why it does not fit
	Dropped       bool    `json:"dropped,omitempty"` // the compiler undid a part of what made it fit

	program *program.Program // the program that fits
}

// judge compiles programs for a target, and says what memory they take. compiler is the judge for
// absent devices, host that for virtual ones.
type judge interface {
	compile(ctx context.Context, p *program.Program, t hardware.Target) (*aot.Executable, error)
}

// recorded returns the module of a step of JAX, or, for the name keras:NAME, of a Keras model, and
// the mesh of t that it runs on. An unknown name is an error that lists all programs.
func recorded(ctx context.Context, name string, t hardware.Target) (*ir.Module, *mesh.DeviceMesh, error) {
	if slices.Contains(stepNames, name) {
		m, err := readStep(name, onHost(t))
		if err != nil {
			return nil, nil, err
		}
		dm, err := usualMesh(fit.Axes(m), t)
		return m, dm, err
	}
	at := slices.IndexFunc(models, func(m steps.Model) bool { return "keras:"+m.Name == name })
	if at < 0 {
		return nil, nil, fmt.Errorf("program %q: want one of %q", name, limitedNames())
	}
	if err := distribution.Initialize(ctx, distribution.Options{Platform: hardware.CPU, Devices: steps.Devices}); err != nil {
		return nil, nil, err
	}
	m, err := models[at].Record([]int{steps.Devices, 1})
	if err != nil {
		return nil, nil, err
	}
	dm, err := mesh.New([]int{t.Devices(), 1}, steps.Axes, nil)
	return m, dm, err
}

// limitedNames returns the names of the programs that are compiled under limits: the steps, and
// Keras models as keras:NAME.
func limitedNames() []string {
	list := slices.Clone(stepNames)
	for _, m := range models {
		list = append(list, "keras:"+m.Name)
	}
	return list
}

// limit makes the program of a step on target t fit into several memories, each one of parts of its
// peak without a limit. It returns the figures for each limit, by our prediction and
// by the compiler c. On the host, they are XLA's for CPUs, and it also measures the times.
func limit(ctx context.Context, name string, t hardware.Target, parts []float64, c compiler) ([]limited, error) {
	if !onHost(t) {
		_, list, err := limitBy(ctx, name, t, parts, c)
		return list, err
	}
	h, err := openHost(ctx, t)
	if err != nil {
		return nil, err
	}
	defer h.close()
	free, list, err := limitBy(ctx, name, t, parts, h)
	if err != nil {
		return nil, err
	}
	return list, h.measure(ctx, free, list)
}

// limitBy makes the named program fit into each of parts of the memory that it takes by the figures
// of c, and returns a result for each of them. It also returns the program without a limit.
func limitBy(ctx context.Context, name string, t hardware.Target, parts []float64, c judge) (*program.Program, []limited, error) {
	m, dm, err := recorded(ctx, name, t)
	if err != nil {
		return nil, nil, err
	}
	free, err := compileOn(m.Clone(), dm, t, compile.Options{Partitioner: compile.SPMD})
	if err != nil {
		return nil, nil, err
	}
	e, err := c.compile(ctx, free, t)
	if err != nil {
		return nil, nil, err
	}
	var before figures
	if err := before.predict(free, t); err != nil {
		return nil, nil, err
	}
	var out []limited
	for _, part := range parts {
		r := limited{Program: name, Target: t.String(), Part: part, Free: e.Memory.Peak, Fixed: e.Memory.Arguments + e.Memory.Outputs - e.Memory.Aliases, PredictedFree: before.Predicted}
		r.Limit = int(part * float64(r.Free))
		if err := r.within(ctx, m, dm, t, c, before.PredictedKernels, e.EstimatedSeconds); err != nil {
			return nil, nil, err
		}
		out = append(out, r)
	}
	return free, out, nil
}

// measure runs free and the programs of list that fit, in turns on the virtual devices. It sets in
// each element of list how much longer a run takes than one of free.
func (h *host) measure(ctx context.Context, free *program.Program, list []limited) error {
	programs := []*program.Program{free}
	for _, r := range list {
		if r.program != nil {
			programs = append(programs, r.program)
		}
	}
	seconds, err := h.times(ctx, programs)
	if err != nil {
		return err
	}
	for i := range list {
		if at := slices.Index(programs, list[i].program); at > 0 {
			list[i].More = seconds[at]/seconds[0] - 1
		}
	}
	return nil
}

// within makes m fit into the limit r.Limit. It sets the figures of r and its program; if it does
// not fit, it sets r.Error and returns nil. predicted and seconds are the times of the program
// without the limit: by package cost, and by the compiler (0: it has none).
func (r *limited) within(ctx context.Context, m *ir.Module, dm *mesh.DeviceMesh, t hardware.Target, c judge, predicted, seconds float64) error {
	type made struct {
		program *program.Program
		*aot.Executable
	}
	tried, err := fit.Within(r.Limit, fit.Answer{}, func(ask int) (made, int, int, error) {
		p, err := compileOn(m.Clone(), dm, t, compile.Options{Partitioner: compile.SPMD, MemoryLimit: ask})
		if err != nil {
			return made{}, 0, 0, err
		}
		r.Tries++
		r.Predicted = p.Fitting.After
		e, err := c.compile(ctx, p, t)
		if err != nil {
			return made{}, 0, 0, err
		}
		return made{p, e}, p.Fitting.After, e.Memory.Peak, nil
	}, nil)
	p, e := tried.Made.program, tried.Made.Executable
	if p != nil {
		r.Predicted, r.Peak, r.Placement = tried.Predicted, tried.Peak, p.Fitting.Placement
		r.Required = e.Memory.Required() - e.Memory.Code
	}
	var none *report.OverBudgetError
	var over *fit.OverLimitError
	var dropped *aot.DroppedError
	if errors.As(err, &none) || errors.As(err, &over) || errors.As(err, &dropped) {
		r.Error, r.Dropped = err.Error(), dropped != nil
		if tried.Ask == 0 && none != nil {
			r.Predicted = 0 // of a try without the margin
		}
		return nil
	}
	if err != nil {
		return err
	}
	var after figures
	if err := after.predict(p, t); err != nil {
		return err
	}
	r.program, r.PredictedMore = p, after.PredictedKernels/predicted-1
	if seconds > 0 && p.Fitting.MicroBatches <= 1 { // libtpu counts the body of a loop once
		r.More = e.EstimatedSeconds/seconds - 1
	}
	return nil
}

// verdict says whether the program fits, and else why not.
func (r limited) verdict() string {
	switch {
	case r.Error == "" && r.Placement != nil:
		return "fits with " + r.Placement.String()
	case r.Error == "":
		return "fits"
	case r.Dropped:
		return "the compiler drops a part of what made it fit"
	case r.Predicted > 0:
		return "the compiler needs more than predicted"
	case r.Fixed > r.Limit:
		return "no choice found: arguments and results alone are larger, where nothing moves them"
	}
	return "no choice found"
}

// writeLimits writes to out a row for each program and limit, and a table of how many programs fit;
// or the list as JSON. The table sorts the list by target and part.
func writeLimits(out io.Writer, list []limited, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(list)
	}
	mega := func(bytes int) string { return fmt.Sprintf("%.2f", float64(bytes)/1e6) }
	w := texttable.New(out)
	fmt.Fprintln(w, "program\ttarget\tpart\tpeak MB\tpredicted\tfixed\tlimit MB\tpredicted\tcompiler\tdevice's own\ttries\tlonger, predicted\tcompiler\tresult")
	for _, r := range list {
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%+.1f %%\t%+.1f %%\t%s\n", r.Program, r.Target, r.Part, mega(r.Free), mega(r.PredictedFree), mega(r.Fixed),
			mega(r.Limit), mega(r.Predicted), mega(r.Peak), mega(r.Required), r.Tries, 100*r.PredictedMore, 100*r.More, r.verdict())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b limited) int { return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(b.Part, a.Part)) })
	w = texttable.New(out)
	fmt.Fprintln(w, "\ntarget\tpart\tprograms\tfit")
	for i := 0; i < len(list); {
		n, fits := i, 0
		for ; n < len(list) && list[n].Target == list[i].Target && list[n].Part == list[i].Part; n++ {
			if list[n].Error == "" {
				fits++
			}
		}
		fmt.Fprintf(w, "%s\t%.2f\t%d\t%d\n", list[i].Target, list[i].Part, n-i, fits)
		i = n
	}
	return w.Flush()
}
