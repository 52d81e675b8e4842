package main

// This file has the steps, and compiles them for a target.

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"fmt"
	"io"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/target"
)

// stepNames are the training steps, by the names of their files.
var stepNames = []string{
	"mlp", "conv_net", "resnet50_blocks", "transformer", "transformer_moe", "recommender",
	"llama", "gpt_scan", "vit", "unet", "lstm", "recommender_million",
}

//go:embed testdata/*.mlir.gz testdata/small/*.mlir.gz
var testdata embed.FS

// readStep returns the module of the named step, which JAX has made and testdata holds: if small is
// true, its form with smaller tensors. An unknown name is an error that lists the steps.
func readStep(name string, small bool) (*ir.Module, error) {
	dir := "testdata/"
	if small {
		dir += "small/"
	}
	packed, err := testdata.ReadFile(dir + name + ".mlir.gz")
	if err != nil {
		return nil, fmt.Errorf("step %q: want one of %q: %w", name, stepNames, err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	return ir.Parse(string(text))
}

// compileStep compiles the step with that name for all devices of t, on its usual mesh, with the
// options o, as compileOn does.
func compileStep(name string, t hardware.Target, o compile.Options) (*program.Program, error) {
	m, err := readStep(name, onHost(t))
	if err != nil {
		return nil, err
	}
	dm, err := usualMesh(fit.Axes(m), t)
	if err != nil {
		return nil, err
	}
	return compileOn(m, dm, t, o)
}

// usualMesh returns the mesh of all devices of t with the named axes: with two axes, a quarter of
// the devices along the first and four along the second; with three, two, two and the rest. One
// virtual device is a mesh of size 1 on each axis. It returns an error if the number of devices is
// no multiple of 4.
func usualMesh(axes []string, t hardware.Target) (*mesh.DeviceMesh, error) {
	n := t.Devices()
	if n == 1 && onHost(t) {
		return mesh.New(slices.Repeat([]int{1}, len(axes)), axes, nil)
	}
	if n%4 != 0 {
		return nil, fmt.Errorf("target %s has %d devices: want a multiple of 4", t, n)
	}
	shape := []int{n / 4, 4}
	if len(axes) == 3 {
		shape = []int{2, 2, n / 4}
	}
	return mesh.New(shape, axes, nil)
}

// machineOf returns the machine of a mesh of t's devices; that of this computer's CPUs if t is the
// host.
func machineOf(t hardware.Target, dm *mesh.DeviceMesh) (*cost.Machine, error) {
	if onHost(t) {
		return cost.Host(), nil
	}
	return cost.MachineFor(t, dm)
}

// compileOn compiles m for dm, a mesh of t's devices. It sets the platform and the machine of the
// options by t, and moves m to the mesh.
func compileOn(m *ir.Module, dm *mesh.DeviceMesh, t hardware.Target, o compile.Options) (*program.Program, error) {
	if err := sharding.Remesh(m, dm); err != nil {
		return nil, err
	}
	machine, err := machineOf(t, dm)
	if err != nil {
		return nil, err
	}
	o.Platform, o.Machine = t.Chip.Platform, machine
	return compile.Compile(context.Background(), m, o)
}

// figures are a compiler's figures of a program, for each device.
type figures struct {
	Collectives    int     `json:"collectives"`
	Async          int     `json:"asynchronous"` // number of asynchronous collectives
	Results        int     `json:"result_bytes"` // bytes of the collectives' results
	Sent           int     `json:"sent_bytes"`
	Flops          float64 `json:"flops"`
	Peak           int     `json:"peak_bytes"`
	Arguments      int     `json:"argument_bytes"`
	Temporary      int     `json:"temporary_bytes"`
	Accessed       float64 `json:"accessed_bytes"`
	Seconds        float64 `json:"estimated_seconds"`    // 0 if the compiler does not say
	Without        int     `json:"ops_without_estimate"` // ops that Seconds leaves out
	Waits          float64 `json:"waiting_seconds"`      // for collectives that are not asynchronous
	CompileSeconds float64 `json:"compile_seconds"`
	// Predictions by package cost, only for programs that our partitioner made. PredictedKernels is
	// PredictedSeconds without the time of waiting for collectives, to be compared with Seconds.
	Predicted          int     `json:"predicted_peak_bytes,omitempty"`
	Bounded            int     `json:"bounded_peak_bytes,omitempty"` // Peak if the compiler may use no more than Predicted
	PredictedArguments int     `json:"predicted_argument_bytes,omitempty"`
	PredictedAccessed  int     `json:"predicted_accessed_bytes,omitempty"`
	PredictedSeconds   float64 `json:"predicted_seconds,omitempty"`
	PredictedKernels   float64 `json:"predicted_kernel_seconds,omitempty"`
}

// time formats Seconds for a table, in milliseconds: "2.855"; "≥ 2.855 (21 ops unknown)" if the
// compiler has no time for some ops; "–" if it has none at all.
func (f figures) time() string {
	switch {
	case f.Seconds == 0:
		return "–"
	case f.Without > 0:
		return fmt.Sprintf("≥ %.3f (%d ops unknown)", f.Seconds*1e3, f.Without)
	}
	return fmt.Sprintf("%.3f", f.Seconds*1e3)
}

// measure compiles the named step for the target t by both partitioners, if sharded is true with a
// sharded update, and returns the figures of both programs.
func measure(ctx context.Context, name string, t hardware.Target, sharded bool, c compiler) (result, error) {
	r := result{Step: name, Target: t.String(), ShardedUpdate: sharded}
	for _, by := range []struct {
		partitioner compile.Partitioner
		to          *figures
	}{{compile.SPMD, &r.Ours}, {compile.XLA, &r.XLA}} {
		p, err := compileStep(name, t, compile.Options{Partitioner: by.partitioner, ShardedUpdate: sharded})
		if err != nil {
			return r, err
		}
		e, err := c.compile(ctx, p, t)
		if err != nil {
			return r, err
		}
		machine, err := machineOf(t, p.Mesh)
		if err != nil {
			return r, err
		}
		*by.to = figuresOf(e)
		by.to.Waits = waits(e, p.Mesh, machine)
		if by.partitioner == compile.SPMD {
			if err := by.to.predict(p, t); err != nil {
				return r, err
			}
			if target.Of(t.Chip.Platform).FillsMemory {
				within := c
				within.options.MemoryBound = by.to.Predicted
				if e, err = within.compile(ctx, p, t); err != nil {
					return r, err
				}
				by.to.Bounded = e.Memory.Peak
			}
		}
	}
	return r, nil
}

// predict sets the figures that package cost predicts for p on the target t.
func (f *figures) predict(p *program.Program, t hardware.Target) error {
	m, err := machineOf(t, p.Mesh)
	if err != nil {
		return err
	}
	donor := func(result int) int {
		return slices.IndexFunc(p.Inputs, func(in program.Input) bool { return in.Alias == result })
	}
	u := m.MemoryOf(p.Module.Main(), donor)
	f.Predicted, f.PredictedArguments = u.Peak(), u.Inputs
	run := m.Predict(p.Mesh, p.Module.Main())
	f.PredictedAccessed, f.PredictedSeconds, f.PredictedKernels = run.BytesAccessed, run.Seconds, run.Compute+run.Memory
	if !m.HasScale() { // its time is that of arithmetic and of sending, one after the other
		f.PredictedKernels = m.Seconds(p.Mesh, p.Module.Main())
	}
	return nil
}

func figuresOf(e *aot.Executable) figures {
	f := figures{
		Collectives: len(e.Collectives), Flops: e.Flops, Peak: e.Memory.Peak, Arguments: e.Memory.Arguments,
		Temporary: e.Memory.Temporary, Accessed: e.BytesAccessed, CompileSeconds: e.CompileSeconds,
		Seconds: e.EstimatedSeconds, Without: e.OpsWithoutEstimate,
	}
	for _, c := range e.Collectives {
		f.Results += c.Bytes
		f.Sent += sentBytes(c)
		if c.Async {
			f.Async++
		}
	}
	return f
}

// waits returns how long devices wait for the collectives that are not asynchronous, by machine's
// links: the compiler's time leaves them out.
func waits(e *aot.Executable, dm *mesh.DeviceMesh, machine *cost.Machine) (seconds float64) {
	for _, c := range e.Collectives {
		if !c.Async {
			seconds += machine.LinkOver(axesOf(dm, c.GroupSize)).Seconds(sentBytes(c))
		}
	}
	return seconds
}

// axesOf returns the axis of dm that has n devices, or all axes if none has.
func axesOf(dm *mesh.DeviceMesh, n int) []mesh.AxisRef {
	names := dm.AxisNames()
	if i := slices.Index(dm.Shape(), n); i >= 0 {
		names = names[i : i+1]
	}
	return mesh.FullAxes(names...)
}

// sentBytes returns what a device sends in a collective, by the formula of package cost. One that
// it has no formula for counts as its result.
func sentBytes(c aot.Collective) int {
	kind, ok := cost.KindOfHLO(c.Kind)
	if !ok {
		return c.Bytes
	}
	before, after := c.Bytes, c.Bytes
	if kind == cost.AllGather {
		before /= c.GroupSize
	}
	return cost.Bytes(kind, c.GroupSize, ir.Tensor(dtypes.Uint8, before), ir.Tensor(dtypes.Uint8, after))
}
