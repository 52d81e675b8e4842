package main

// This file has the workers: what they are called, how they are started, and what they are
// asked.

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/gospmd/gospmd/benchmarks/internal/gomlx"
	"github.com/gospmd/gospmd/benchmarks/internal/ours"
	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
)

// The names of workers that are no peers.
const (
	us        = "ours"
	oneDevice = "one device" // our worker on one device with all cores, beside each mesh
	before    = "before"     // our worker of the older build that -before names
)

// peer is a kind of worker.
type peer struct {
	name   string
	serves string   // the name of a worker that this executable implements; empty if script is set
	script string   // a script for Python, in benchmarks/peers
	loops  []string // the requests that train: step, fit
	// alone says that it runs only on one device.
	alone bool
	lacks []string // models
	env   []string
}

// uncached is the environment variable, as NAME=value, that turns the compilation cache of our
// workers off: they compile each program, also one that another process has compiled.
const uncached = "GOSPMD_COMPILATION_CACHE=off"

// peers are all workers, in their order in a turn.
var peers = []peer{
	{name: us, serves: "ours", loops: []string{"step", "fit"}},
	{name: oneDevice, serves: "ours", loops: []string{"step", "fit"}},
	{name: before, serves: "ours", loops: []string{"step", "fit"}},
	{name: "xla", serves: "xla", loops: []string{"step"}, env: []string{uncached}}, // programs from a cache are not dumped
	{name: "gomlx", serves: "gomlx", loops: []string{"step"}, alone: true, lacks: []string{"resnet50"}},
	{name: "jax", script: "bench_jax.py", loops: []string{"step"}},
	{name: "keras", script: "bench_keras.py", loops: []string{"fit"}},
}

// served are the workers that this executable can be, by the name that starts it.
var served = map[string]func() worker.Handlers{
	"ours":  func() worker.Handlers { return ours.Handlers(compile.SPMD) },
	"xla":   func() worker.Handlers { return ours.Handlers(compile.XLA) },
	"gomlx": gomlx.Handlers,
}

var stdin io.Reader = os.Stdin

func servedNames() []string { return slices.Sorted(maps.Keys(served)) }

// peerNames returns the workers that we can be compared with.
func peerNames() (out []string) {
	for _, p := range peers {
		if !slices.Contains([]string{us, oneDevice, before}, p.name) {
			out = append(out, p.name)
		}
	}
	return out
}

func findPeer(name string) peer {
	return peers[slices.IndexFunc(peers, func(p peer) bool { return p.name == name })]
}

// command returns the command that starts the worker of p, with the variables env and p.env in
// addition to the process' environment. It is the older build for p before, this program for a
// worker without a script, and otherwise Python with the script.
func (c config) command(p peer, env []string) (*exec.Cmd, error) {
	var cmd *exec.Cmd
	switch {
	case p.name == before:
		cmd = exec.Command(c.before, "-worker", p.serves)
	case p.script == "":
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd = exec.Command(self, "-worker", p.serves)
	default:
		python, err := c.findPython()
		if err != nil {
			return nil, err
		}
		dir, err := scripts()
		if err != nil {
			return nil, err
		}
		cmd = exec.Command(python, filepath.Join(dir, p.script))
	}
	cmd.Env = slices.Concat(os.Environ(), env, p.env)
	return cmd, nil
}

// checkPython returns an error if a script must run, and there is no Python.
func (c config) checkPython() error {
	for _, s := range suites {
		for _, name := range s.workers {
			if slices.Contains(c.suites, s.name) && slices.Contains(c.peers, name) && findPeer(name).script != "" {
				_, err := c.findPython()
				return err
			}
		}
	}
	return nil
}

// findPython returns the path of a Python that has the peers. Without one, the error tells how to
// measure without them.
func (c config) findPython() (string, error) {
	python, err := steps.FindPython(c.python)
	if err != nil {
		return "", fmt.Errorf("%w; or measure without them, by -peers xla,gomlx", err)
	}
	return python, nil
}

// scripts returns the absolute path of benchmarks/peers, the directory of the scripts. The current
// directory is the repository's root, or benchmarks in tests; elsewhere it is an error.
func scripts() (string, error) {
	for _, dir := range []string{filepath.Join("benchmarks", "peers"), "peers"} {
		if _, err := os.Stat(filepath.Join(dir, "bench_jax.py")); err == nil {
			return filepath.Abs(dir)
		}
	}
	return "", errors.New("there is no benchmarks/peers/bench_jax.py: run the command at the root of the repository")
}
