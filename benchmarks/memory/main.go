// Memory compares the memory that package report predicts for a device with the memory that XLA
// assigns to the compiled program. It does so for programs of many kinds, and for the training
// steps of package steps.
//
//	go run ./benchmarks/memory              # the table
//	go run ./benchmarks/memory -json        # the same for programs
//	go run ./benchmarks/memory FILE.mlir …  # other programs
//	go run ./benchmarks/memory -limits      # programs that are made to fit parts of their memory
//
// XLA's peak is from its buffer assignment, in PJRT's CompiledMemoryStats: inputs + outputs -
// aliases + temporary. This peak leaves out the generated code and the constants, so the prediction
// leaves them out, too. The command fails if the predicted bytes of a program's inputs are not
// exact, or if a predicted peak differs by more than 5 %. The tables farther and fartherFitted have
// programs with wider limits. Of a program that is made to fit a limit, the peak may be predicted
// too high, but not too low.
//
//	file         what it holds
//	main.go      the command and its table
//	programs.go  the programs
//	limits.go    programs that are made to fit limits of memory
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/runtime"
)

func main() { steps.Main("memory", run) }

// tolerance is the largest relative difference of a predicted peak.
const tolerance = 0.05

// farther has the programs that may be farther off. XLA reads the second result of the loop in
// scan_grad first, and another value then reuses its memory. We read it last: 197 kB more.
var farther = map[string]float64{"scan_grad": 0.13}

// fartherFitted is farther for programs that are made to fit a limit. In conv_net, cut into
// micro-batches, XLA runs one of two independent kernels first, and we the other; then two values do
// not share memory, and the gaps in XLA's heap are larger.
var fartherFitted = map[string]float64{"conv_net": 0.12}

// result is a line of the table, in bytes of one device.
type result struct {
	Program   string `json:"program"`
	Mesh      string `json:"mesh"`
	Limit     int    `json:"limit,omitempty"` // of memory, that the program is made to fit; 0: none
	Inputs    int    `json:"inputs"`          // inputs are parameters, optimizer, batch, totals and seeds
	XLAInputs int    `json:"xla_inputs"`
	Peak      int    `json:"peak"` // peak without constants
	XLAPeak   int    `json:"xla_peak"`
}

// deviation returns the predicted peak's relative deviation from XLA's. It is positive if the
// predicted peak is larger.
func (r result) deviation() float64 { return float64(r.Peak)/float64(r.XLAPeak) - 1 }

// check returns an error unless the bytes of inputs are those of XLA, and the predicted peak
// differs from XLA's by at most the tolerance of the program. With a limit, it may be higher.
func (r result) check() error {
	if r.Inputs != r.XLAInputs {
		return fmt.Errorf("%s on %s: predicted %d bytes of inputs, XLA has %d", r.Program, r.Mesh, r.Inputs, r.XLAInputs)
	}
	off, allowed := r.deviation(), farther
	if r.Limit > 0 {
		off, allowed = min(off, 0), fartherFitted
	}
	if math.Abs(off) > max(tolerance, allowed[r.Program]) {
		return fmt.Errorf("%s on %s: predicted a peak of %d bytes, XLA says %d: %+.1f %%", r.Program, r.Mesh, r.Peak, r.XLAPeak, 100*r.deviation())
	}
	return nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("memory", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print the results as JSON")
	limits := flags.Bool("limits", false, "make the programs fit parts of the memory that they take")
	if err := flags.Parse(args); err != nil {
		return err
	}
	list := files(flags.Args())
	if flags.NArg() == 0 {
		list = append(storedPrograms(), trainingPrograms(steps.Perceptrons)...)
	}
	var measure measureFunc = whole
	if *limits {
		measure = fitted(limitParts...)
	}
	results, err := compare(ctx, list, measure)
	if err != nil {
		return err
	}
	if err := write(out, *asJSON, results); err != nil {
		return err
	}
	var failed []error
	for _, r := range results {
		failed = append(failed, r.check())
	}
	return errors.Join(failed...)
}

// measureFunc returns our predictions of the memory of programs of s, and what XLA reports.
type measureFunc = func(ctx context.Context, client *runtime.Client, s source) ([]result, error)

// compare returns what measure returns for each program of list. client has eight devices. The
// first program that fails ends it with an error that names the program.
func compare(ctx context.Context, list []source, measure measureFunc) ([]result, error) {
	client, err := runtime.Open(ctx, runtime.Options{Devices: steps.Devices})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var out []result
	for _, s := range list {
		results, err := measure(ctx, client, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		out = append(out, results...)
	}
	return out, nil
}

// whole compiles and loads the program of s without a limit, and returns our prediction of its
// memory and what XLA reports, as a list of one element.
func whole(ctx context.Context, client *runtime.Client, s source) ([]result, error) {
	r, err := measure(ctx, client, s, 0)
	return []result{r}, err
}

// measure compiles and loads the program of s for a limit of memory in bytes, 0 for none.
func measure(ctx context.Context, client *runtime.Client, s source, limit int) (result, error) {
	p, err := s.compile(ctx, limit)
	if err != nil {
		return result{}, err
	}
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
		Program: s.name, Mesh: p.Mesh.String(), Limit: limit, Inputs: m.Data + m.Parameters + m.Optimizer + m.State, XLAInputs: xla.Inputs,
		Peak: m.Peak - m.Constants, XLAPeak: xla.Required(),
	}, nil
}
