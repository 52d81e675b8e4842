package ours

// This file determines figures of the step without running it.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"

	"github.com/gospmd/gospmd/benchmarks/internal/hlo"
	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/target"
)

// frontend traces and partitions the step again, and writes the text that XLA's compiler gets.
// Unless the request says not to, XLA then compiles it too. The answer has the seconds of each
// part.
func (t *trainer) frontend(ctx context.Context, r worker.Request) (a worker.Answer, err error) {
	goruntime.GC() // collects the garbage of earlier work
	clock := worker.StartClock()
	p, err := t.compile(clock, &a)
	if err != nil {
		return a, err
	}
	target.CPU.Text(p)
	wall, cpu := clock.Part()
	a.Lower, a.LowerCPU = a.Lower+wall, a.LowerCPU+cpu
	a.CPU = a.TraceCPU + a.LowerCPU
	if r.Compile != nil && !*r.Compile {
		return a, nil
	}
	exe, err := t.client.Load(ctx, p)
	if err != nil {
		return a, err
	}
	a.Compile, a.CompileCPU = clock.Part()
	return a, exe.Close()
}

// memory answers with the bytes of the step's memory that XLA has assigned, and with our prediction
// of the peak, 0 if XLA has partitioned the step.
func (t *trainer) memory(context.Context, worker.Request) (a worker.Answer, err error) {
	m, err := t.step.Memory()
	if err != nil {
		return a, err
	}
	a.Arguments, a.Outputs, a.Temporary, a.Peak = m.Inputs, m.Outputs, m.Temporary, m.Required()
	if t.partitioner != compile.XLA {
		predicted := report.New(t.program).Memory
		a.Predicted = predicted.Peak - predicted.Constants // XLA's figure does not contain constants
	}
	return a, nil
}

// comm answers with the bytes that a device sends in a step, and the number of collectives. Our
// step is compiled for the default machine, which stands for accelerators; of XLA's step, the
// collectives in its dumped text are counted. It is an error unless XLA has dumped the step once.
func (t *trainer) comm(context.Context, worker.Request) (a worker.Answer, err error) {
	if t.partitioner != compile.XLA {
		recorded, err := t.keras.Lower(t.batches[0])
		if err != nil {
			return a, err
		}
		p, err := compile.Compile(context.Background(), recorded, compile.Options{Partitioner: t.partitioner})
		if err != nil {
			return a, err
		}
		r := report.New(p)
		a.Bytes, a.Collectives = r.Bytes, len(r.Collectives)
		return a, nil
	}
	files, err := filepath.Glob(filepath.Join(t.dumps, "*."+stepName+".*after_optimizations.txt"))
	if err != nil {
		return a, err
	}
	if len(files) != 1 {
		return a, fmt.Errorf("XLA dumped %d modules named %s, want 1: was the program in a compilation cache, or does something else set XLA_FLAGS?", len(files), stepName)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return a, err
	}
	list, err := hlo.Collectives(string(text))
	if err != nil {
		return a, err
	}
	a.Bytes, a.Collectives = hlo.TotalBytes(list), len(list)
	return a, nil
}

var goVersion = goruntime.Version()

// revision returns the commit that the executable was built from, with ", modified" after it if
// files had changed. It is "" if Go has not recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	found := map[string]string{}
	for _, s := range info.Settings {
		found[s.Key] = s.Value
	}
	if found["vcs.modified"] == "true" {
		return found["vcs.revision"] + ", modified"
	}
	return found["vcs.revision"]
}
