// Kerasfiles loads .keras files that Keras has written, with all of its layers and options of
// compile. It counts the files whose predictions and losses in further training equal Keras'.
//
//	python benchmarks/peers/keras_files.py DIR     # Keras writes the files, some ten minutes
//	go run ./benchmarks/kerasfiles DIR             # each file that differs, and the shares
//	go run ./benchmarks/kerasfiles -engine pjrt DIR
//
// The tolerance is 1e-5 for predictions, 1e-4 for losses and for predictions after training, and
// 2e-2 with a policy of 16 bits.
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
	client, err := runtime.Open(ctx, runtime.Options{Platform: hardware.CPU, Engine: *engine, Devices: 1})
	if err != nil {
		return err
	}
	defer client.Close()
	loaded, equal := 0, 0
	for _, file := range files {
		ok, err := compare(ctx, client, file)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if ok {
			loaded++
		}
		if err == nil {
			equal++
			continue
		}
		fmt.Fprintf(out, "%s: %s\n", strings.TrimSuffix(filepath.Base(file), ".keras"), strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	share := func(n int) string {
		return fmt.Sprintf("%d of %d, %.1f %%", n, len(files), 100*float64(n)/float64(len(files)))
	}
	fmt.Fprintf(out, "loaded: %s\nequal predictions and training: %s\n", share(loaded), share(equal))
	if float64(equal) < *least*float64(len(files)) {
		return fmt.Errorf("kerasfiles: %s are equal, want %.0f %%", share(equal), 100**least)
	}
	return nil
}
