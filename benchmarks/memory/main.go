// Memory compares the memory that package report predicts for a device with
// what XLA reports for the compiled program, on the training steps of package steps.
//
//	go run ./benchmarks/memory              # the table, in bytes
//	go run ./benchmarks/memory -json        # the same for programs
//
// XLA's peak is PJRT's CompiledMemoryStats, inputs + outputs - aliases +
// temporary, without the generated code. The command fails if an input is not
// predicted to the byte, or a peak is more than a tenth off.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

func main() { steps.Main("memory", run) }

// tolerance is how far a predicted peak may be off.
const tolerance = 0.1

// result is a line of the table, in bytes of one device.
type result struct {
	steps.Line
	Parameters int `json:"parameters"`
	Optimizer  int `json:"optimizer"`
	Inputs     int `json:"inputs"` // parameters, optimizer, batch, totals and seeds
	XLAInputs  int `json:"xla_inputs"`
	Peak       int `json:"peak"`
	XLAPeak    int `json:"xla_peak"`
}

// off is how much more, or less, the prediction is than XLA's peak.
func (r result) off() float64 { return float64(r.Peak)/float64(r.XLAPeak) - 1 }

// check returns an error if the prediction is not good enough.
func (r result) check() error {
	if r.Inputs != r.XLAInputs {
		return fmt.Errorf("%s: predicted %d bytes of inputs, XLA has %d", r.Line, r.Inputs, r.XLAInputs)
	}
	if off := r.off(); off > tolerance || off < -tolerance {
		return fmt.Errorf("%s: predicted a peak of %d bytes, XLA says %d: %+.1f %%", r.Line, r.Peak, r.XLAPeak, 100*off)
	}
	return nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("memory", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print the results as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	results, err := compare(ctx, steps.All)
	if err != nil {
		return err
	}
	err = steps.Print(out, *asJSON, results, "parameters", "optimizer", "inputs", "XLA's", "peak", "XLA's", "off")
	for _, r := range results {
		if err == nil {
			err = r.check()
		}
	}
	return err
}

// Cells returns the columns of the table.
func (r result) Cells() []any {
	return []any{r.Parameters, r.Optimizer, r.Inputs, r.XLAInputs, r.Peak, r.XLAPeak, fmt.Sprintf("%+.1f %%", 100*r.off())}
}

// compare compares the models on all meshes.
func compare(ctx context.Context, models []steps.Model) ([]result, error) {
	client, err := runtime.Open(ctx, runtime.Options{Devices: steps.Devices})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var out []result
	err = steps.Each(ctx, models, func(l steps.Line, _ *ir.Module, p *program.Program) error {
		r, err := measure(ctx, client, p)
		r.Line = l
		out = append(out, r)
		return err
	})
	return out, err
}

func measure(ctx context.Context, client *runtime.Client, p *program.Program) (result, error) {
	exe, err := client.Load(ctx, p)
	if err != nil {
		return result{}, err
	}
	defer exe.Close()
	xla, err := exe.Memory()
	if err != nil {
		return result{}, err
	}
	m := report.New(p).Memory
	return result{
		Parameters: m.Parameters, Optimizer: m.Optimizer,
		Inputs: m.Data + m.Parameters + m.Optimizer + m.State, XLAInputs: xla.Inputs,
		Peak: m.Peak, XLAPeak: xla.Required(),
	}, nil
}
