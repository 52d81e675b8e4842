// Saves measures what saving a training costs it: a model of 1 GB is saved each 20 steps by
// callbacks.BackupAndRestore, behind the training and synchronously.
//
//	go run ./benchmarks/saves                        # 20 minutes on two quiet cores
//	go run ./benchmarks/saves -mesh data=4,model=2   # on virtual devices
//	go run ./benchmarks/saves -dir /mnt/shared       # on another disk
//
// One training has it all. Its steps are divided into periods: a period begins with a save of its
// mode, or without one, and ends when its steps are done and its file is complete. The modes take
// turns, each round in another order, so that other load of the machine slows all of them alike. A
// ratio compares periods of one round.
//
// Medians of three rounds with their range, on two cores that other work shared:
//
//	save                 seconds of a period  / without            seconds waited  CPU seconds
//	without              78.91                1.000                0.00            53.75
//	behind the training  65.11                0.939 (0.825–1.027)  0.21            53.33
//	synchronous          97.85                1.252 (1.240–1.326)  2.45            53.56
//
// A ratio below 1 is noise of the other work. The CPU time of a save behind the training cannot be
// seen beside that of 20 steps; with periods of 4 steps it was 0.3 s.
//
// The training stands still while it waits for a save: for the copy to the host's memory, or until
// the file is on the disk. Writing takes CPU time too. Where the devices are the CPU's cores, as in
// this benchmark, it slows the steps down.
//
//	file      what it holds
//	main.go   the command and its table
//	train.go  the training
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gospmd/gospmd/benchmarks/steps"
)

func main() { steps.Main("saves", run) }

// options are the flags of the command: the model's layers and their units, the batch size, the
// steps of a period, the number of rounds, the mesh ("" for one device), and the directory of the
// backups.
type options struct {
	layers, width, batch int
	every, rounds        int
	mesh, dir            string
}

// period is the measurement of some steps with one save: its wall time, the part in which the
// training waited for the save, and its CPU time, in seconds.
type period struct {
	time, waited, cpu float64 // waited is the time in which the training waited for the save
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("saves", flag.ContinueOnError)
	var o options
	flags.IntVar(&o.layers, "layers", 16, "layers of the model")
	flags.IntVar(&o.width, "width", 4096, "units of each layer: 16 layers of 4096 units have 1 GB")
	flags.IntVar(&o.batch, "batch", 64, "samples of a step")
	flags.IntVar(&o.every, "every", 20, "steps of a period")
	flags.IntVar(&o.rounds, "rounds", 5, "periods of each mode")
	flags.StringVar(&o.mesh, "mesh", "", "the mesh, such as data=4,model=2; one device by default")
	flags.StringVar(&o.dir, "dir", "", "where the saves go: a new directory in this one, which is removed; the directory of temporary files by default")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if min(o.layers, o.width, o.batch, o.every, o.rounds) < 1 {
		return fmt.Errorf("got %d layers of %d units, a batch of %d, %d steps and %d rounds: want at least 1 of each", o.layers, o.width, o.batch, o.every, o.rounds)
	}
	dir, err := os.MkdirTemp(o.dir, "saves-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o.dir = dir
	periods, bytes, err := train(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "a checkpoint of %d MB each %d steps; medians of %d rounds, ratios with their range\n\n", bytes>>20, o.every, o.rounds)
	var rows [][]any
	for _, m := range modes {
		all := periods[m]
		ratios := make([]float64, len(all))
		for i, p := range all {
			ratios[i] = p.time / periods[without][i].time
		}
		seconds := func(of func(period) float64) string {
			var list []float64
			for _, p := range all {
				list = append(list, of(p))
			}
			return fmt.Sprintf("%.2f", median(list))
		}
		ratio := fmt.Sprintf("%.3f", median(ratios))
		if m != without {
			ratio += fmt.Sprintf(" (%.3f–%.3f)", slices.Min(ratios), slices.Max(ratios))
		}
		rows = append(rows, []any{m, seconds(func(p period) float64 { return p.time }), ratio,
			seconds(func(p period) float64 { return p.waited }), seconds(func(p period) float64 { return p.cpu })})
	}
	return steps.Table(out, []string{"save", "seconds of a period", "/ without", "seconds waited", "CPU seconds"}, rows)
}

// median returns the middle of the numbers, the upper one of two.
func median(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }
