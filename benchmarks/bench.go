package main

// This file implements a run of the benchmarks.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/internal/atomicfile"
)

// bench is a run of the benchmarks in progress: its settings, the results so far, and the
// directories of its files.
type bench struct {
	config
	results  *Results
	progress *progress
	dir      string // directory with a folder for each model
	cache    string // the compilation cache of our workers
}

// measure runs the suites that the config names, and writes their results as tables, and to the
// files that the flags ask for. After an error or an interrupt it writes the results so far.
// Measurements that failed are in the tables, and an error at the end.
func (c config) measure(ctx context.Context, out io.Writer) error {
	if err := c.checkPython(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gospmd-benchmarks-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{config: c, results: newResults(), dir: dir, cache: filepath.Join(dir, "cache")}
	b.progress = newProgress(os.Stderr, b.units())
	err = b.runSuites(ctx)
	b.progress.end()
	b.results.compare(b.suites)
	if shown := b.show(out); shown != nil {
		return shown
	}
	if err != nil {
		return err
	}
	if n := len(b.results.Failures); n > 0 {
		return fmt.Errorf("%d measurements failed", n)
	}
	return nil
}

func newResults() *Results {
	return &Results{
		Date: time.Now().UTC().Format(time.RFC3339), Commit: commit(), Machine: machine(), Command: os.Args,
		Versions: map[string]map[string]string{},
	}
}

// runSuites measures all suites that the user has chosen. For each model and mesh, the suites whose
// workers take turns share their workers. The other suites run after them.
func (b *bench) runSuites(ctx context.Context) error {
	var shared []suite
	for _, s := range suites {
		if slices.Contains(b.suites, s.name) && s.inTurns != nil {
			shared = append(shared, s)
		}
	}
	for _, model := range b.models {
		if err := b.export(ctx, model); err != nil {
			return err
		}
		for _, shape := range b.meshes {
			if err := b.runTurns(ctx, place{model, shape, b.modelDir(model)}, shared); err != nil {
				return err
			}
		}
	}
	for _, s := range suites {
		if slices.Contains(b.suites, s.name) && s.alone != nil {
			if err := s.alone(ctx, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// runTurns runs the suites of list at one place, a model and a mesh. It starts each worker that a
// suite of the list needs once, for all of them.
func (b *bench) runTurns(ctx context.Context, at place, list []suite) error {
	var who []string
	for _, p := range peers {
		wanted := p.name == us || p.name == oneDevice || p.name == before && b.before != "" || slices.Contains(b.peers, p.name)
		if wanted && slices.ContainsFunc(list, func(s suite) bool { return slices.Contains(s.workers, p.name) }) {
			who = append(who, p.name)
		}
	}
	if len(who) == 0 {
		return nil
	}
	t, err := b.assemble(ctx, at, who)
	defer t.close()
	if err != nil {
		return err
	}
	for _, s := range list {
		b.progress.next(fmt.Sprintf("%s: %s", at, s.name))
		s.inTurns(ctx, t)
		if err := context.Cause(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) modelDir(model string) string { return filepath.Join(b.dir, model) }

// export writes the named model and its weights into a directory, for the workers in Python. It
// does nothing if the directory exists.
func (b *bench) export(ctx context.Context, name string) error {
	m, err := steps.Find(name)
	if err != nil {
		return err
	}
	switch err := os.Mkdir(b.modelDir(name), 0o777); {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return m.Export(ctx, b.modelDir(name))
}

// units returns the number of parts of the run, for the progress.
func (b *bench) units() (n int) {
	for _, s := range suites {
		if slices.Contains(b.suites, s.name) {
			n += s.units(b.config)
		}
	}
	return n
}

// show writes the tables to out, the results as JSON into the file of -json, and the plots into the
// directory of -plot, if these flags are given. The error of a file names its flag.
func (b *bench) show(out io.Writer) error {
	if err := b.results.print(out, b.suites, b.markdown); err != nil {
		return err
	}
	if b.json != "" {
		err := atomicfile.Write(b.json, func(f *os.File) error {
			e := json.NewEncoder(f)
			e.SetIndent("", "  ")
			return e.Encode(b.results)
		})
		if err != nil {
			return fmt.Errorf("-json: %w", err)
		}
	}
	if b.plots != "" {
		if err := b.results.plot(b.plots); err != nil {
			return fmt.Errorf("-plot: %w", err)
		}
	}
	return nil
}

// commit returns the commit of the checkout; empty if there is none.
func commit() string {
	text, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// machine describes the machine: the name of its processor, the number of logical processors, and
// the operating system.
func machine() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %s", name, runtime.NumCPU(), runtime.GOOS)
}
