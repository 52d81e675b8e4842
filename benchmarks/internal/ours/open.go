package ours

// This file builds and compiles a training step.

import (
	"context"
	"errors"
	"os"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// trainer is the worker: a model on a mesh.
type trainer struct {
	partitioner compile.Partitioner
	limit       int // of the memory of a device, in bytes; 0 is none
	model       steps.Model
	dist        distribution.Distribution // nil means one device

	client    *runtime.Client
	dumps     string // directory of XLA's dumps; empty unless XLA's own partitioner is used
	keras     *keras.Model
	batches   []data.Batch // which steps take in turn
	next      int          // index of the next batch
	program   *program.Program
	step      *runtime.Executable
	variables map[string]*variable.Variable // variables of the model and its optimizer, by path
	// other arrays that a step reads and writes, by name: totals of metrics
	totals map[string]*runtime.Array
}

// Handlers returns the functions that handle requests, with the given partitioner. They share one
// model, that of the last request open; before it, the other requests are errors.
func Handlers(p compile.Partitioner) worker.Handlers {
	t := &trainer{partitioner: p}
	needsModel := func(f func(context.Context, worker.Request) (worker.Answer, error)) func(context.Context, worker.Request) (worker.Answer, error) {
		return func(ctx context.Context, r worker.Request) (worker.Answer, error) {
			if t.step == nil {
				return worker.Answer{}, errors.New("no model is open")
			}
			return f(ctx, r)
		}
	}
	return worker.Handlers{
		"open": t.open, "step": needsModel(t.steps), "fit": needsModel(t.fit),
		"frontend": needsModel(t.frontend), "memory": needsModel(t.memory), "comm": needsModel(t.comm),
	}
}

// open opens a client for the mesh of the request, builds the model there, compiles its step and
// runs it once. The answer has the time of each part, and the loss.
func (t *trainer) open(ctx context.Context, r worker.Request) (a worker.Answer, err error) {
	clock := worker.StartClock()
	if err := t.openClient(ctx, r.Mesh); err != nil {
		return a, err
	}
	a.Import, _ = clock.Part()
	t.limit = r.MemoryLimit
	if t.model, err = steps.Find(r.Model); err != nil {
		return a, err
	}
	if len(r.Mesh) > 0 {
		if t.dist, err = t.model.ModelParallel(r.Mesh); err != nil {
			return a, err
		}
	}
	err = distribution.Scope(t.dist, func() (err error) {
		t.keras, err = t.model.Build(compile.Options{Partitioner: t.partitioner})
		return err
	})
	if err != nil {
		return a, err
	}
	if err := t.makeBatches(); err != nil {
		return a, err
	}
	a.Build, _ = clock.Part()
	p, err := t.compile(clock, &a)
	if err != nil {
		return a, err
	}
	if err := t.load(ctx, p); err != nil {
		return a, err
	}
	a.Compile, a.CompileCPU = clock.Part()
	losses, err := t.run(ctx, 1, nil)
	if err != nil {
		return a, err
	}
	a.FirstStep, _ = clock.Part()
	a.Loss, a.Devices, a.CPU = losses[0], p.Mesh.Size(), worker.CPUSeconds()
	a.Versions = map[string]string{"go": goVersion, "gospmd": revision()}
	return a, nil
}

// openClient opens the devices of a mesh, and sets t.client. For XLA's own partitioner it sets
// XLA_FLAGS and t.dumps, so that XLA dumps its programs there. XLA reads the variable when the
// first client is made.
func (t *trainer) openClient(ctx context.Context, shape []int) (err error) {
	if t.partitioner == compile.XLA {
		if t.dumps, err = os.MkdirTemp("", "gospmd-xla-"); err != nil {
			return err
		}
		flags := os.Getenv("XLA_FLAGS") + " --xla_dump_to=" + t.dumps + " --xla_dump_hlo_as_text --xla_dump_hlo_module_re=^" + stepName
		if err := os.Setenv("XLA_FLAGS", flags); err != nil {
			return err
		}
	}
	devices := 1
	for _, n := range shape {
		devices *= n
	}
	if err := distribution.Initialize(ctx, distribution.Options{Devices: devices}); err != nil {
		return err
	}
	t.client, err = distribution.Client(ctx)
	return err
}

// stepName is the name of the module of a training step.
const stepName = "train_step"

// compile traces and compiles the training step for the first batch, with the partitioner and the
// memory limit of t, up to the partitioned program. It sets the times of both in a: Trace and
// Lower.
func (t *trainer) compile(clock *worker.Clock, a *worker.Answer) (*program.Program, error) {
	recorded, err := t.keras.Lower(t.batches[0])
	if err != nil {
		return nil, err
	}
	a.Trace, a.TraceCPU = clock.Part()
	p, err := compile.Compile(context.Background(), recorded, compile.Options{Partitioner: t.partitioner, MemoryLimit: t.limit, Machine: t.machine(), Cache: t.client.CompilationCache()})
	if err != nil {
		return nil, err
	}
	a.Lower, a.LowerCPU = clock.Part()
	return p, nil
}

// makeBatches sets t.batches to the batches of the model, which the steps use in turn.
func (t *trainer) makeBatches() error {
	xs, ys, err := t.model.Batches()
	if err != nil {
		return err
	}
	for i := range xs {
		t.batches = append(t.batches, data.Batch{X: xs[i : i+1], Y: ys[i : i+1]})
	}
	return nil
}

// machine returns the machine that Fit compiles a step for: that of CPU devices; nil for other
// devices.
func (t *trainer) machine() *cost.Machine {
	if t.client.Platform() != hardware.CPU {
		return nil
	}
	return cost.Host()
}

// load loads the step, and meanwhile puts its variables on the devices, as Fit does. It sets
// t.program and t.step.
func (t *trainer) load(ctx context.Context, p *program.Program) error {
	t.program = p
	loaded := make(chan error)
	go func() {
		var err error
		t.step, err = t.client.Load(ctx, p)
		loaded <- err
	}()
	err := t.allocate()
	return errors.Join(err, <-loaded)
}

// allocate puts the variables on the devices, with the shardings of the step's inputs. It sets
// t.variables, and makes t.totals empty.
func (t *trainer) allocate() error {
	t.variables, t.totals = map[string]*variable.Variable{}, map[string]*runtime.Array{}
	for _, v := range append(t.keras.Variables(), t.keras.Optimizer().Variables()...) {
		t.variables[v.Path()] = v
	}
	for _, in := range t.state() {
		v, ok := t.variables[in.Name]
		if !ok {
			continue
		}
		if v.Sharding() != nil {
			if err := v.Relayout(context.Background(), in.Sharding); err != nil {
				return err
			}
		}
		if err := v.Allocate(t.client); err != nil {
			return err
		}
	}
	return nil
}

// state returns the step's inputs after those of the batch: variables, optimizer slots and totals.
func (t *trainer) state() []program.Input {
	return t.program.Inputs[len(t.batches[0].Tensors()):]
}
