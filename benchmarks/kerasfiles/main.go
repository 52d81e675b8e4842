// Kerasfiles loads .keras files that Keras has written, with all of its layers and options of
// compile. It counts the files that load, whose predictions equal Keras', whose loss and metrics
// do, and whose logs and predictions do in further training. A file with an object of the user's
// counts if the error names the object.
//
//	python benchmarks/peers/keras_files.py DIR       # Keras writes files, one for each option
//	python benchmarks/peers/random_files.py DIR      # or 400 random models
//	go run ./benchmarks/kerasfiles -write OURS DIR   # each file that differs, and the shares
//	python benchmarks/peers/keras_answers.py OURS DIR    # Keras reads the files that we wrote
//
// The tolerance is 1e-5 for predictions and evaluation and 1e-4 in training, relative for numbers
// over 1. For models with 16 bits it is 2e-2 and 5e-2, and metrics are not compared in training.
//
//	file         what it holds
//	main.go      the command and its table
//	compare.go   one file
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/runtime"
)

func main() { steps.Main("kerasfiles", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("kerasfiles", flag.ContinueOnError)
	engine := flags.String("engine", runtime.EngineGo, "the engine that runs the models: go, which compiles nothing, or pjrt")
	least := flags.Float64("least", 0, "fail if a smaller share of the files is equal, such as .95")
	ours := flags.String("write", "", "write each model that was loaded into this directory, for Keras to read")
	only := flags.String("only", "", "only the files whose names contain this")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("kerasfiles: got %d arguments, want the directory that keras_files.py has written", flags.NArg())
	}
	files, err := filepath.Glob(filepath.Join(flags.Arg(0), "*"+*only+"*.keras"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("kerasfiles: there are no .keras files in %s: write them with python benchmarks/peers/keras_files.py %s", flags.Arg(0), flags.Arg(0))
	}
	if *ours != "" {
		if err := os.MkdirAll(*ours, 0o755); err != nil {
			return err
		}
	}
	client, err := runtime.Open(ctx, runtime.Options{Platform: hardware.CPU, Engine: *engine, Devices: 1})
	if err != nil {
		return err
	}
	defer client.Close()
	var passed [stages]int
	for _, file := range files {
		n, err := compare(ctx, client, file, *ours)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range n {
			passed[i]++
		}
		if err != nil {
			fmt.Fprintf(out, "%s: %s\n", strings.TrimSuffix(filepath.Base(file), ".keras"), strings.ReplaceAll(err.Error(), "\n", "; "))
		}
	}
	share := func(n int) string {
		return fmt.Sprintf("%d of %d, %.1f %%", n, len(files), 100*float64(n)/float64(len(files)))
	}
	for i, name := range stageNames {
		fmt.Fprintf(out, "%s: %s\n", name, share(passed[i]))
	}
	if equal := passed[trains]; float64(equal) < *least*float64(len(files)) {
		return fmt.Errorf("kerasfiles: %s are equal, want %.0f %%", share(equal), 100**least)
	}
	return nil
}
