// Guides measures the CPU time of the programs in examples/guides beside the same programs in
// Python, on one device. The models are small and train for a few steps, so the time is that of
// tracing and compiling.
//
//	go run ./benchmarks/guides                  # all, about ten minutes
//	go run ./benchmarks/guides -python FILE vit vae
//
// Ours is the time of the process from its start to its end. Keras' is that of the program after
// Keras and JAX are imported; the imports have a column of their own. Both find empty compilation
// caches. A ratio is ours / Keras', without the imports. A program that fails has no row: the
// others are measured, and the command ends with its error. feature_space and those with texts need
// TensorFlow in Python.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/gospmd/gospmd/benchmarks/steps"
)

func main() { steps.Main("guides", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("guides", flag.ContinueOnError)
	python := flags.String("python", "", steps.PythonUsage)
	if err := flags.Parse(args); err != nil {
		return err
	}
	found, err := steps.FindPython(*python)
	if err != nil {
		return err
	}
	names, err := choose(flags.Args())
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gospmd-guides-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var rows [][]any
	var all []float64
	var failed []error
	for _, name := range names {
		ours, err := measureOurs(ctx, dir, name)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
			continue
		}
		keras, err := measureKeras(ctx, found, name)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s in Python: %w", name, err))
			continue
		}
		ratio := ours / keras.Program
		all = append(all, ratio)
		rows = append(rows, []any{name, seconds(ours), seconds(keras.Program), seconds(keras.Imports), fmt.Sprintf("%.2f", ratio)})
	}
	if len(all) > 0 {
		slices.Sort(all)
		rows = append(rows, []any{"median", "", "", "", fmt.Sprintf("%.2f", all[len(all)/2])}, []any{"largest", "", "", "", fmt.Sprintf("%.2f", all[len(all)-1])})
	}
	failed = append(failed, steps.Table(out, []string{"program", "ours", "Keras", "its imports", "ours / Keras"}, rows))
	return errors.Join(failed...)
}

// choose returns the guides with these names, or all guides without names. An unknown name, and a
// directory other than the repository's root, are errors.
func choose(names []string) ([]string, error) {
	mains, err := filepath.Glob("examples/guides/*/main.go")
	if err != nil {
		return nil, err
	}
	var all []string
	for _, file := range mains {
		all = append(all, filepath.Base(filepath.Dir(file)))
	}
	if len(all) == 0 {
		return nil, errors.New("there is no examples/guides here: run this command in the directory of gospmd")
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("there is no guide %q in examples/guides: want one of %q", name, all)
		}
	}
	if len(names) > 0 {
		return names, nil
	}
	return all, nil
}

// measureOurs builds the named guide in dir, runs it on one device without the compilation cache,
// and returns its CPU seconds. The error of a build or a run has what it printed.
func measureOurs(ctx context.Context, dir, name string) (float64, error) {
	file := filepath.Join(dir, name)
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", file, "./examples/guides/"+name).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	defer os.Remove(file)
	cmd := exec.CommandContext(ctx, file, "-mesh", "single")
	cmd.Env = append(os.Environ(), "GOSPMD_COMPILATION_CACHE=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// kerasTimes are CPU seconds of a guide in Python: of importing Keras and JAX, and of the program
// after that.
type kerasTimes struct{ Imports, Program float64 }

func measureKeras(ctx context.Context, python, name string) (t kerasTimes, err error) {
	cmd := exec.CommandContext(ctx, python, "benchmarks/peers/guides_cpu.py", name)
	text, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		lines := bytes.Split(bytes.TrimSpace(exit.Stderr), []byte("\n"))
		return t, fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	} else if err != nil {
		return t, err
	}
	return t, json.Unmarshal(text, &t)
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(10 * time.Millisecond).String()
}
