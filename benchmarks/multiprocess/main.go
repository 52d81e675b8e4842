// Multiprocess compares the time of a training step on several processes with JAX', whose
// collectives between processes are Gloo's too. The model is a perceptron 784-256-256-10 on batches
// of 256, data-parallel.
//
//	go run ./benchmarks/multiprocess                          # 2 and 4 processes of 2 devices each
//	go run ./benchmarks/multiprocess -jobs 4x1 -rounds 5      # other jobs, other numbers of rounds
//	go run ./benchmarks/multiprocess -python ''               # without JAX
//
// The two take turns. Both read the loss of each step before the next step. The command fails if
// their losses differ, or if the median of a job's ratios is above -limit. JAX is that of the
// Python that GOSPMD_ORACLE_PYTHON names.
//
//	file       what it holds
//	main.go    the command and its table
//	job.go     starts the processes of a job, and reads their output
//	worker.go  one of our processes; JAX' is benchmarks/peers/multiprocess_steps.py
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
)

func main() { steps.Main("multiprocess", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	python := os.Getenv("GOSPMD_ORACLE_PYTHON")
	if python == "" {
		python = "python3"
	}
	flags := flag.NewFlagSet("multiprocess", flag.ContinueOnError)
	jobs := flags.String("jobs", "2x2,4x2", "jobs as processes x devices of each")
	rounds := flags.Int("rounds", 5, "measurements of each job")
	limit := flags.Float64("limit", 0.8, "greatest ratio of our time to JAX'")
	flags.StringVar(&python, "python", python, "a Python that has JAX; empty: measure without it")
	w := worker{}
	w.flags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if w.processes > 0 {
		return w.run(ctx, out)
	}
	var rows [][]any
	var failed []error
	for text := range strings.SplitSeq(*jobs, ",") {
		if _, err := fmt.Sscanf(text, "%dx%d", &w.processes, &w.devices); err != nil || w.processes < 1 || w.devices < 1 {
			return fmt.Errorf("got the job %q: want processes x devices, such as 2x2", text)
		}
		r := result{job: text}
		for range *rounds {
			if err := r.measure(ctx, w, python); err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
		}
		rows = append(rows, r.cells())
		failed = append(failed, r.check(*limit))
	}
	head := []string{"processes x devices", "ms", "JAX' ms", "ratio", "from-to", "CPU ms", "JAX' CPU ms", "loss", "loss differs by"}
	if err := steps.Table(out, head, rows); err != nil {
		return err
	}
	return errors.Join(failed...)
}

// result is a line of the table: the measurements of a job, in seconds of a step. ours and theirs,
// JAX's, have a measurement for each round; theirs is empty without JAX.
type result struct {
	job          string
	ours, theirs []measurement
}

// measure measures one more round, of our processes and, if python is not empty, of JAX' processes,
// and adds it to r. The error of JAX's processes says so.
func (r *result) measure(ctx context.Context, w worker, python string) error {
	m, err := w.measure(ctx, w.self)
	if err != nil {
		return err
	}
	r.ours = append(r.ours, m)
	if python == "" {
		return nil
	}
	if m, err = w.measure(ctx, w.jax(python)); err != nil {
		return fmt.Errorf("JAX: %w", err)
	}
	r.theirs = append(r.theirs, m)
	return nil
}

// ratios returns our time divided by JAX', for each round, in ascending order.
func (r *result) ratios() []float64 {
	var out []float64
	for i, m := range r.theirs {
		out = append(out, r.ours[i].Seconds/m.Seconds)
	}
	slices.Sort(out)
	return out
}

// differs returns the greatest difference of a loss in the same step of a round.
func (r *result) differs() (most float64) {
	for i, m := range r.theirs {
		for k, loss := range m.Losses {
			most = max(most, math.Abs(loss-r.ours[i].Losses[k]))
		}
	}
	return most
}

// lossTolerance is the largest difference of losses: sums may have another order.
const lossTolerance = 1e-4

func (r *result) check(limit float64) error {
	if d := r.differs(); !(d <= lossTolerance) {
		return fmt.Errorf("%s: losses differ from JAX' by %g", r.job, d)
	}
	if ratios := r.ratios(); len(ratios) > 0 && median(ratios) > limit {
		return fmt.Errorf("%s: a step takes %.2f times as long as JAX', want at most %g", r.job, median(ratios), limit)
	}
	return nil
}

func (r *result) cells() []any {
	of := func(list []measurement, field func(measurement) float64) any {
		var values []float64
		for _, m := range list {
			values = append(values, 1000*field(m))
		}
		if len(values) == 0 {
			return "-"
		}
		slices.Sort(values)
		return fmt.Sprintf("%.2f", median(values))
	}
	seconds := func(m measurement) float64 { return m.Seconds }
	cpu := func(m measurement) float64 { return m.CPU }
	losses := r.ours[0].Losses
	cells := []any{r.job, of(r.ours, seconds), of(r.theirs, seconds), "-", "-", of(r.ours, cpu), of(r.theirs, cpu),
		fmt.Sprintf("%.5f-%.5f", losses[0], losses[len(losses)-1]), "-"}
	if ratios := r.ratios(); len(ratios) > 0 {
		cells[3], cells[4] = fmt.Sprintf("%.2f", median(ratios)), fmt.Sprintf("%.2f-%.2f", ratios[0], ratios[len(ratios)-1])
		cells[8] = fmt.Sprintf("%.1g", r.differs())
	}
	return cells
}

// median returns the median of sorted values, the upper one of two.
func median(values []float64) float64 { return values[len(values)/2] }
