package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/examples/gomlx/programs"
)

func main() { steps.Main("gomlxsteps", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("gomlxsteps", flag.ContinueOnError)
	names := flags.String("programs", "", "the programs, separated by commas; all, if there are none")
	mesh := flags.String("mesh", "2x4", "the mesh")
	rounds := flags.Int("rounds", 10, "turns of each backend")
	seconds := flags.Float64("seconds", 1, "the least length of a turn")
	small := flags.Bool("small", false, "sizes for tests")
	settings := flags.String("set", "", "hyperparameters, as the programs take them: dropout_rate=0;batch_size=8")
	root := flags.String("C", ".", "the directory of gospmd")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(*names)
	if err != nil {
		return err
	}
	head := []string{"program", "steps of a turn", "go-xla, one device", "gospmd, one device", "gospmd / go-xla", "CPU", "gospmd, " + *mesh, *mesh + " / one device", "CPU"}
	var rows [][]any
	for _, p := range chosen {
		r, err := measure(ctx, p, plan{
			mesh: *mesh, layouts: filepath.Join(*root, "examples", "gomlx", p.Name, "layouts.txt"),
			rounds: *rounds, seconds: *seconds, small: *small, settings: *settings,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		rows = append(rows, []any{p.Name, r.steps, milliseconds(r.times[own]), milliseconds(r.times[single]), ratios(r.times[single], r.times[own]), ratios(r.cpu[single], r.cpu[own]),
			milliseconds(r.times[meshed]), ratios(r.times[meshed], r.times[single]), ratios(r.cpu[meshed], r.cpu[single])})
	}
	return steps.Table(out, head, rows)
}

func choose(names string) ([]programs.Program, error) {
	if names == "" {
		return programs.All, nil
	}
	var chosen []programs.Program
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(programs.All, func(p programs.Program) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no program %q in examples/gomlx/programs", name)
		}
		chosen = append(chosen, programs.All[i])
	}
	return chosen, nil
}

func milliseconds(seconds []float64) string {
	return fmt.Sprintf("%.2f ms", 1000*quantile(seconds, 0.5))
}

func ratios(ours, theirs []float64) string {
	var r []float64
	for i := range ours {
		r = append(r, ours[i]/theirs[i])
	}
	return fmt.Sprintf("%.2f (%.2f, %.2f)", quantile(r, 0.5), quantile(r, 0.25), quantile(r, 0.75))
}

// quantile returns the q-quantile of values, from 0 to 1, by linear interpolation. values must have
// at least one, and is not changed.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
