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
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/sharding"
)

// stepNames are the training steps, by the names of their files.
var stepNames = []string{"mlp", "conv_net", "resnet50_blocks", "transformer", "transformer_moe", "recommender"}

//go:embed testdata/*.mlir.gz
var testdata embed.FS

// readStep returns a step as JAX made it.
func readStep(name string) (*ir.Module, error) {
	packed, err := testdata.ReadFile("testdata/" + name + ".mlir.gz")
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

// compileStep compiles a step for all devices of t: four along the axis model.
func compileStep(name string, t hardware.Target, by compile.Partitioner) (*program.Program, error) {
	const model = 4
	if t.Devices()%model != 0 {
		return nil, fmt.Errorf("target %s has %d devices: want a multiple of %d, which are along the axis model", t, t.Devices(), model)
	}
	m, err := readStep(name)
	if err != nil {
		return nil, err
	}
	dm, err := mesh.New([]int{t.Devices() / model, model}, []string{"data", "model"}, nil)
	if err != nil {
		return nil, err
	}
	if err := sharding.Remesh(m, dm); err != nil {
		return nil, err
	}
	return compile.Compile(context.Background(), m, compile.Options{Partitioner: by, Platform: t.Chip.Platform})
}

// figures are what a compiler says of a program, for each device.
type figures struct {
	Collectives    int     `json:"collectives"`
	Async          int     `json:"asynchronous"` // of the collectives
	Results        int     `json:"result_bytes"` // of the collectives
	Sent           int     `json:"sent_bytes"`
	Flops          float64 `json:"flops"`
	Peak           int     `json:"peak_bytes"`
	Arguments      int     `json:"argument_bytes"`
	Temporary      int     `json:"temporary_bytes"`
	Accessed       float64 `json:"accessed_bytes"`
	Seconds        float64 `json:"estimated_seconds"` // 0: the compiler does not say, or not of all ops
	CompileSeconds float64 `json:"compile_seconds"`
	// Predicted and PredictedArguments are our own predictions, for programs of ours.
	Predicted          int `json:"predicted_peak_bytes,omitempty"`
	PredictedArguments int `json:"predicted_argument_bytes,omitempty"`
}

// measure compiles a step by both partitioners.
func measure(ctx context.Context, name string, t hardware.Target, o aot.Options) (result, error) {
	r := result{Step: name, Target: t.String()}
	for _, by := range []struct {
		partitioner compile.Partitioner
		to          *figures
	}{{compile.SPMD, &r.Ours}, {compile.XLA, &r.XLA}} {
		p, err := compileStep(name, t, by.partitioner)
		if err != nil {
			return r, err
		}
		e, err := aot.Compile(ctx, p, t, o)
		if err != nil {
			return r, err
		}
		*by.to = figuresOf(e)
		if by.partitioner == compile.SPMD {
			if err := by.to.predict(p, t); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// predict sets what we predict. libtpu counts a result apart from the argument whose
// memory it takes over; XLA for GPUs counts the memory once.
func (f *figures) predict(p *program.Program, t hardware.Target) error {
	m, err := cost.MachineFor(t, p.Mesh)
	if err != nil {
		return err
	}
	donor := func(result int) int {
		return slices.IndexFunc(p.Inputs, func(in program.Input) bool { return in.Alias == result })
	}
	if m.Platform == hardware.TPU {
		donor = func(int) int { return -1 }
	}
	u := m.MemoryOf(p.Module.Main(), donor)
	f.Predicted, f.PredictedArguments = u.Peak(), u.Inputs
	return nil
}

func figuresOf(e *aot.Executable) figures {
	f := figures{
		Collectives: len(e.Collectives), Flops: e.Flops, Peak: e.Memory.Peak, Arguments: e.Memory.Arguments,
		Temporary: e.Memory.Temporary, Accessed: e.BytesAccessed, CompileSeconds: e.CompileSeconds,
	}
	if e.OpsWithoutEstimate == 0 {
		f.Seconds = e.EstimatedSeconds
	}
	for _, c := range e.Collectives {
		f.Results += c.Bytes
		f.Sent += sent(c)
		if c.Async {
			f.Async++
		}
	}
	return f
}

// sent returns what a device sends in a collective, by the formula of package cost. One that it
// has no formula for counts as its result.
func sent(c aot.Collective) int {
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
