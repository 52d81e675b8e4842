package main

// This file is what each process of ours does: it trains, and prints how long that
// took.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"syscall"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// worker has the settings of one process of a job. If processes is 0, this process is the command
// and no worker.
type worker struct {
	processes, rank, devices int
	address                  string
	steps, warmup            int
}

func (w *worker) flags(f *flag.FlagSet) {
	f.IntVar(&w.steps, "steps", 200, "steps of a measurement")
	f.IntVar(&w.warmup, "warmup", 20, "steps before a measurement")
	f.IntVar(&w.processes, "processes", 0, "of one process of a job: their number")
	f.IntVar(&w.rank, "rank", 0, "its number")
	f.IntVar(&w.devices, "devices", 0, "its devices")
	f.StringVar(&w.address, "address", "", "the address of process 0")
}

// arguments returns the arguments that flags reads, which JAX' script has too.
func (w *worker) arguments() (out []string) {
	for _, a := range []struct {
		name  string
		value int
	}{{"steps", w.steps}, {"warmup", w.warmup}, {"processes", w.processes}, {"rank", w.rank}, {"devices", w.devices}} {
		out = append(out, "--"+a.name, strconv.Itoa(a.value))
	}
	return append(out, "--address", w.address)
}

// sizes are the numbers of features of the model: of the input, and of the outputs of each layer.
var sizes = []int{784, 256, 256, 10}

const (
	batch = 256
	rate  = 0.1
)

// run trains as one process of the job, and writes to out the measurement of all its steps after
// the warm-up, as JSON.
func (w *worker) run(ctx context.Context, out io.Writer) error {
	c, err := runtime.Open(ctx, runtime.Options{Devices: w.devices, JobAddresses: w.address, NumProcesses: w.processes, ProcessID: w.rank})
	if err != nil {
		return err
	}
	defer c.Close()
	dm, err := mesh.New([]int{len(c.Devices())}, []string{"data"}, nil)
	if err != nil {
		return err
	}
	p, err := trainStep(dm)
	if err != nil {
		return err
	}
	e, err := c.Load(ctx, p)
	if err != nil {
		return err
	}
	args, err := inputs(c, p)
	if err != nil {
		return err
	}
	var m measurement
	if err := train(ctx, e, args, w.warmup, &m); err != nil {
		return err
	}
	start, used := time.Now(), cpuSeconds()
	if err := train(ctx, e, args, w.steps, &m); err != nil {
		return err
	}
	m.Seconds, m.CPU = time.Since(start).Seconds(), cpuSeconds()-used
	return json.NewEncoder(out).Encode(m)
}

// trainStep records and compiles the training step of a perceptron for the mesh dm, which has the
// axis data: the weights are on all devices, the batch is spread over them. The inputs x and y are
// the batch and its targets; all others are weights, which the step donates to the new ones. The
// last output is the loss.
func trainStep(dm *mesh.DeviceMesh) (*program.Program, error) {
	replicated, byBatch := &layout.Sharding{Mesh: dm}, &layout.Sharding{Mesh: dm, Dims: []layout.DimSharding{{Axes: mesh.FullAxes("data")}, {}}}
	m, err := trace.Record("train", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		var params []*graph.Node
		var outputs []trace.Output
		param := func(name string, dims ...int) *graph.Node {
			s := *replicated
			s.Dims = make([]layout.DimSharding, len(dims))
			p := r.Param(name, ir.Tensor(dtypes.Float32, dims...), &s)
			params = append(params, p)
			outputs = append(outputs, trace.Output{Name: name + "'", Sharding: &s, Donor: name})
			return p
		}
		x, y := r.Param("x", ir.Tensor(dtypes.Float32, batch, sizes[0]), byBatch), r.Param("y", ir.Tensor(dtypes.Float32, batch, sizes[len(sizes)-1]), byBatch)
		z := x
		for i, n := range sizes[1:] {
			if i > 0 {
				z = graph.Max(z, graph.ZerosLike(z))
			}
			w, b := param(fmt.Sprintf("w%d", i), sizes[i], n), param(fmt.Sprintf("b%d", i), n)
			z = graph.Add(graph.Dot(z, w).Product(), graph.ExpandAxes(b, 0))
		}
		loss := graph.Neg(graph.ReduceAllMean(graph.ReduceSum(graph.Mul(graph.LogSoftmax(z), y), 1)))
		for i, g := range r.Gradient(loss, params...) {
			outputs[i].Node = graph.Sub(params[i], graph.MulScalar(g, rate))
		}
		return append(outputs, trace.Output{Name: "loss", Node: loss}), nil
	})
	if err != nil {
		return nil, err
	}
	return compile.Compile(context.Background(), m, compile.Options{})
}

// inputs puts the batch and the first weights on the devices of c, in the order of the inputs of p.
func inputs(c *runtime.Client, p *program.Program) (args []*runtime.Array, err error) {
	layer := uint32(0)
	for _, in := range p.Inputs {
		flat := make([]float32, in.Type.Size())
		switch {
		case in.Name == "x":
			fill(flat, 10, 1)
		case in.Name == "y":
			for i := range batch {
				flat[i*in.Type.Dims[1]+i%in.Type.Dims[1]] = 1
			}
		case in.Type.Rank() == 2:
			fill(flat, layer, float32(1/math.Sqrt(float64(in.Type.Dims[0]))))
			layer++
		}
		a, err := c.Put(in.Type, in.Sharding, flat)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	return args, nil
}

// fill sets flat to the numbers, between -scale and scale, that JAX' script has for the same seed.
func fill(flat []float32, seed uint32, scale float32) {
	for k := range flat {
		h := (uint32(k) + seed*1000003) * 2654435761
		h ^= h >> 15
		h *= 2246822519
		h ^= h >> 13
		flat[k] = (float32(h>>8)/(1<<23) - 1) * scale
	}
}

// train runs the given number of training steps, and adds each loss to m. After each step it
// replaces the weights in args by the new ones.
func train(ctx context.Context, e *runtime.Executable, args []*runtime.Array, steps int, m *measurement) error {
	for range steps {
		out, err := e.Run(args...)
		if err != nil {
			return err
		}
		for i, in := range e.Program().Inputs {
			if in.Donated() {
				args[i] = out[in.Alias]
			}
		}
		loss := out[len(out)-1]
		value, err := runtime.Values[float32](ctx, loss)
		if err != nil {
			return err
		}
		loss.Release()
		m.Losses = append(m.Losses, float64(value[0]))
	}
	return nil
}

// cpuSeconds returns the CPU seconds of this process so far.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
