package main

// This file starts the processes of a job, ours or JAX's, and adds up the measurements that they
// print.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gospmd/gospmd/runtime/coordination"
	_ "github.com/gospmd/gospmd/runtime/coordination/embedded" // process 0 holds the store
)

// measurement is the output of a process, and the sum for a job: seconds of a step, CPU seconds of
// a step in all processes together, and the loss of each step.
type measurement struct {
	Seconds float64   `json:"seconds"`
	CPU     float64   `json:"cpu"`
	Losses  []float64 `json:"losses"`
}

// patience is the time limit of a job: JAX' jobs sometimes hang.
const patience = 2 * time.Minute

// measure runs a job of w.processes processes on this machine. It returns the seconds of a step and
// the losses of process 0, and the CPU seconds of a step in all processes together. command returns
// the command of a process; measure adds the worker's arguments to it. If a process fails, or all
// take longer than patience, the others are ended and the errors returned.
func (w worker) measure(ctx context.Context, command func() (*exec.Cmd, error)) (measurement, error) {
	var err error
	if w.address, err = coordination.FreeAddress(); err != nil {
		return measurement{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("its processes take more than %v", patience))
	defer cancel()
	found, errs := make([]measurement, w.processes), make([]error, w.processes)
	var wait sync.WaitGroup
	for rank := range w.processes {
		w.rank = rank
		c, err := command()
		if err != nil {
			return measurement{}, err
		}
		c.Args = append(c.Args, w.arguments()...)
		wait.Go(func() {
			if found[rank], errs[rank] = outputOf(ctx, c); errs[rank] != nil {
				cancel()
			}
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return measurement{}, err
	}
	m := found[0]
	m.Seconds, m.CPU = m.Seconds/float64(w.steps), 0
	for _, f := range found {
		m.CPU += f.CPU / float64(w.steps)
	}
	return m, nil
}

// outputOf runs a process, at most until ctx ends, and reads the last line of its output. The error
// has the process' standard error, or the line that is no measurement.
func outputOf(ctx context.Context, c *exec.Cmd) (m measurement, err error) {
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		return m, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Process.Kill() })
	defer stop()
	if err := c.Wait(); err != nil {
		return m, fmt.Errorf("%s: %w", filepath.Base(c.Path), errors.Join(err, context.Cause(ctx), errors.New(strings.TrimSpace(stderr.String()))))
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &m); err != nil {
		return m, fmt.Errorf("%s printed %q: %w", filepath.Base(c.Path), stdout.String(), err)
	}
	return m, nil
}

// self returns the command of one of our processes: this executable, without arguments.
func (w worker) self() (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(path), nil
}

// jax returns a function that returns the command of one of JAX's processes: the script of
// benchmarks/peers, run by python. The function fails if the current directory is not the
// repository's root.
func (w worker) jax(python string) func() (*exec.Cmd, error) {
	return func() (*exec.Cmd, error) {
		script := filepath.Join("benchmarks", "peers", "multiprocess_steps.py")
		if _, err := os.Stat(script); err != nil {
			return nil, fmt.Errorf("%w: run the command at the root of the repository", err)
		}
		c := exec.Command(python, script)
		c.Env = append(os.Environ(), "TF_CPP_MIN_LOG_LEVEL=2")
		return c, nil
	}
}
