// Start measures the time from the start of a process to the first loss of a model, with
// an empty compilation cache and with what the run before has left in it, in turns: what
// XLA compiled is loaded the second time.
//
//	go run ./benchmarks/start
//	go run ./benchmarks/start -rounds 5 -programs quickstart
//
// CPU seconds are those of the process until the loss; the shortest of the rounds count.
// The parts of the last starts follow: the plugin and the model (open), tracing, propagation
// and our compiler (record), XLA's compiler with an empty cache (compile), what it compiled
// with a filled one (load), and the step. The losses of all rounds must be the same to the bit.
//
//	file          what it holds
//	main.go       the command: its flags, rounds and table
//	process.go    the process that is measured, and how it is started
//	programs.go   the models
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
)

func main() { steps.Main("start", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("start", flag.ContinueOnError)
	rounds := flags.Int("rounds", 3, "how often each program starts with an empty cache, and with a filled one")
	names := flags.String("programs", strings.Join(programNames(), ","), "which programs")
	process := flags.String("process", "", "be a process that is measured: the program that it starts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *process != "" {
		return beProcess(ctx, *process, out)
	}
	if *rounds < 1 {
		return fmt.Errorf("got -rounds %d: want at least 1", *rounds)
	}
	var rows [][]any
	for name := range strings.SplitSeq(*names, ",") {
		if !slices.Contains(programNames(), name) {
			return fmt.Errorf("got the program %q: want some of %s", name, strings.Join(programNames(), ", "))
		}
		r, err := measure(ctx, name, *rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, r.cells(name))
	}
	return steps.Table(out, []string{"program", "CPU s, empty cache", "filled", "ratio", "wall s, empty cache", "filled", "ratio", "open", "record", "compile", "load", "step"}, rows)
}

// result holds the best of several starts of each kind.
type result struct{ empty, filled start }

func (r result) cells(name string) []any {
	seconds := func(s float64) string { return fmt.Sprintf("%.2f", s) }
	return []any{
		name, seconds(r.empty.CPU), seconds(r.filled.CPU), seconds(r.filled.CPU / r.empty.CPU),
		seconds(r.empty.wall), seconds(r.filled.wall), seconds(r.filled.wall / r.empty.wall),
		seconds(r.filled.Parts.Open), seconds(r.filled.Parts.Record), seconds(r.empty.Parts.Load), seconds(r.filled.Parts.Load), seconds(r.filled.Parts.Step),
	}
}

// measure starts a program with an empty cache and with a filled one, in turns.
func measure(ctx context.Context, name string, rounds int) (r result, err error) {
	losses := map[string]bool{}
	for i := range rounds {
		dir, err := os.MkdirTemp("", "gospmd-start-")
		if err != nil {
			return r, err
		}
		defer os.RemoveAll(dir)
		for _, best := range []*start{&r.empty, &r.filled} {
			s, err := startProcess(ctx, name, dir)
			if err != nil {
				return r, err
			}
			if i == 0 {
				*best = s
			}
			best.CPU, best.wall = min(best.CPU, s.CPU), min(best.wall, s.wall)
			best.Parts = s.Parts
			losses[s.Loss] = true
		}
	}
	if len(losses) > 1 {
		return r, fmt.Errorf("the losses of a program that was compiled and of one that was loaded differ: %v", losses)
	}
	return r, nil
}
