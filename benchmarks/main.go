package main

// This file implements the command, and its flags.

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/mesh"
)

func main() { steps.Main("benchmarks", run) }

// config holds the flags.
type config struct {
	suites, models, peers []string
	meshes                [][]int
	rounds, steps         int
	seconds               float64
	timeout               time.Duration
	before, python        string
	json, plots           string
	markdown              bool
}

// single is the shape of a mesh that stands for one device, without a mesh.
var single []int

func run(ctx context.Context, args []string, out io.Writer) error {
	c, serve, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if serve != "" {
		return serveWorker(ctx, serve, out)
	}
	return c.measure(ctx, out)
}

// parse reads the flags. serve names the worker that this process runs. It is empty in the process
// that a user starts. Arguments that are no flags, and numbers that make no sense, are errors.
func parse(args []string) (c config, serve string, err error) {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	known := map[string][]string{"suite": names(suites, false), "models": steps.Names(steps.Models), "meshes": meshNames(), "peers": peerNames()}
	lists := map[string]*string{}
	for _, f := range []struct{ name, about string }{
		{"suite", "what is measured; also " + strings.Join(names(suites, true), ", ")}, {"models", "the models; also " + strings.Join(steps.Names(steps.Loops), ", ")}, {"meshes", "devices along data x model, or single for one device"}, {"peers", "who is compared with us"},
	} {
		lists[f.name] = flags.String(f.name, strings.Join(known[f.name], ","), f.about)
	}
	known["suite"] = append(known["suite"], names(suites, true)...)
	known["models"] = append(known["models"], steps.Names(steps.Loops)...)
	flags.IntVar(&c.rounds, "rounds", 5, "rounds: in each, every worker has its turn")
	flags.IntVar(&c.steps, "steps", 0, "training steps of a turn; 0: as many as fit into -seconds")
	flags.Float64Var(&c.seconds, "seconds", 0.5, "about how long a turn takes; it is one step at least")
	flags.DurationVar(&c.timeout, "timeout", 10*time.Minute, "how long a worker may take for an answer")
	flags.StringVar(&c.before, "before", "", "an older build of this command, whose steps are compared with ours")
	flags.StringVar(&c.python, "python", "", steps.PythonUsage)
	flags.StringVar(&c.json, "json", "", "write all measurements into this file")
	flags.StringVar(&c.plots, "plot", "", "write plots into this directory, as PNG")
	flags.BoolVar(&c.markdown, "markdown", false, "print the tables as Markdown")
	flags.StringVar(&serve, "worker", "", "be a worker, as the command starts them: "+strings.Join(servedNames(), ", "))
	if err := flags.Parse(args); err != nil || serve != "" {
		return c, serve, err
	}
	if flags.NArg() > 0 {
		return c, "", fmt.Errorf("got the argument %q: want flags only", flags.Arg(0))
	}
	if c.rounds < 1 || c.steps < 0 || c.seconds <= 0 || c.timeout <= 0 {
		return c, "", fmt.Errorf("got -rounds %d -steps %d -seconds %g -timeout %v: want at least 1 round, and no negative numbers", c.rounds, c.steps, c.seconds, c.timeout)
	}
	for _, f := range []struct {
		name string
		to   *[]string
	}{{"suite", &c.suites}, {"models", &c.models}, {"peers", &c.peers}} {
		if *f.to, err = choose(f.name, *lists[f.name], known[f.name]); err != nil {
			return c, "", err
		}
	}
	c.meshes, err = parseMeshes(*lists["meshes"])
	return c, "", err
}

// choose returns the names in list, which are separated by commas, in the order of known and each
// once. Empty names are ignored, so an empty list gives nil. Another name that is not in known is
// an error, which names the flag.
func choose(flag, list string, known []string) (out []string, err error) {
	var asked []string
	for name := range strings.SplitSeq(list, ",") {
		switch {
		case slices.Contains(known, name):
			asked = append(asked, name)
		case name != "":
			return nil, fmt.Errorf("-%s: got %q: want some of %s", flag, name, strings.Join(known, ","))
		}
	}
	for _, name := range known {
		if slices.Contains(asked, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// meshNames returns the names of the meshes that are measured by default: one device, and
// steps.Meshes.
func meshNames() []string {
	out := []string{steps.MeshText(single)}
	for _, shape := range steps.Meshes {
		out = append(out, steps.MeshText(shape))
	}
	return out
}

// parseMeshes reads a list of meshes, such as single,2x4, with commas between. A text that is no
// mesh is an error.
func parseMeshes(list string) (out [][]int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		shape := single
		if text != steps.MeshText(single) {
			if shape, err = mesh.ParseShape(text, len(steps.Axes)); err != nil {
				return nil, fmt.Errorf("-meshes: %w; or single, for one device", err)
			}
		}
		out = append(out, shape)
	}
	return out, nil
}

// serveWorker is what a worker process does: it answers requests as the worker with the given name,
// on out, until the request quit. A name that no worker has is an error.
func serveWorker(ctx context.Context, name string, out io.Writer) error {
	handlers, ok := served[name]
	if !ok {
		return fmt.Errorf("-worker: got %q: want one of %s", name, strings.Join(servedNames(), ", "))
	}
	return worker.Serve(ctx, stdin, out, handlers())
}
