package main

// This file is the process that is measured, and starts it.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// start is one start of a program, up to its first loss, in seconds.
type start struct {
	Loss  string // all digits
	CPU   float64
	Parts parts
	wall  float64
}

// parts are the CPU seconds of the parts of a start: the plugin and the model; recording the
// step, propagation and our compiler; XLA's compiler, or loading what it compiled; the step.
type parts struct{ Open, Record, Load, Step float64 }

// startProcess starts a program with the compilation cache in a directory.
func startProcess(ctx context.Context, name, dir string) (s start, err error) {
	self, err := os.Executable()
	if err != nil {
		return s, err
	}
	cmd := exec.CommandContext(ctx, self, "-process", name)
	cmd.Env = append(os.Environ(), "GOSPMD_COMPILATION_CACHE="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return s, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return s, err
	}
	err = json.NewDecoder(out).Decode(&s)
	s.wall = time.Since(begin).Seconds()
	if ended := cmd.Wait(); ended != nil {
		return s, ended
	}
	return s, err
}

// beProcess trains a program for one step and writes a start.
func beProcess(ctx context.Context, name string, out io.Writer) error {
	opened, err := runtime.Open(ctx, runtime.Options{Devices: steps.Devices, Engine: runtime.EnginePJRT})
	if err != nil {
		return err
	}
	engine := &timedEngine{Engine: opened.Engine()}
	if err := distribution.UseClient(runtime.NewClient(engine)); err != nil {
		return err
	}
	random.SetRandomSeed(1)
	p := programs[name]
	d, err := p.parallel()
	if err != nil {
		return err
	}
	return distribution.Scope(d, func() error {
		t, err := p.build()
		if err != nil {
			return err
		}
		open := cpuSeconds()
		history, err := t.model.Fit(ctx, t.x, t.y, keras.BatchSize(t.batch), keras.Shuffle(false), keras.Output(io.Discard))
		if err != nil {
			return err
		}
		end, loss := cpuSeconds(), history.Logs["loss"]
		if len(loss) != 1 || engine.before < open {
			return fmt.Errorf("BUG: %d epochs, want 1, and a program that is loaded in it", len(loss))
		}
		return json.NewEncoder(out).Encode(start{
			Loss: strconv.FormatFloat(loss[0], 'x', -1, 64), CPU: end,
			Parts: parts{open, engine.before - open, engine.after - engine.before, end - engine.after},
		})
	})
}

// timedEngine notes the CPU seconds of the process before and after it loads a program: in
// a start there is one.
type timedEngine struct {
	runtime.Engine
	before, after float64
}

func (e *timedEngine) Load(ctx context.Context, p *program.Program) (runtime.Loaded, error) {
	e.before = cpuSeconds()
	defer func() { e.after = cpuSeconds() }()
	return e.Engine.Load(ctx, p)
}

// cpuSeconds returns the CPU time of the process so far.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
