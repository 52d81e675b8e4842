// Suggest puts mistakes into the layouts of eleven models, and counts the harmful ones that the first
// suggestion repairs.
//
//	go run ./benchmarks/suggest                     # the table, and the share that is repaired
//	go run ./benchmarks/suggest -model transformer  # of one model
//	go run ./benchmarks/suggest -case 'exchanged'   # of the mistakes whose line matches a regular expression
//	go run ./benchmarks/suggest -lint               # also the mistakes that lint warns of
//
// A mistake is harmful if the program is predicted to take more than 2 % longer than with the good
// layout, bytes sent included, or more than 5 % more memory. It is repaired if the first
// suggestion, applied by its flags -layout, regains at least 90 % of the time and of the memory
// that was lost. The table shows the losses before and after the suggestion: time/bytes/memory.
//
//	file         what it holds
//	main.go      the command: the measurements, and when a mistake counts as repaired
//	tally.go     the counts, by model and by class
//	models.go    the models and their good layouts
//	layers.go    the layers of the models
//	mistakes.go  the mistakes
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"regexp"
	"syscall"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

func main() { steps.Main("suggest", run) }

const (
	slower = 0.02 // part of the good layout's time
	larger = 0.05 // part of the good layout's memory
	mend   = 0.9  // the part of a loss that a suggestion must regain
	want   = 0.9  // the share of harmful mistakes that must be repaired
	warn   = 0.95 // the share of harmful mistakes that lint must warn of
)

func run(_ context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("suggest", flag.ContinueOnError)
	only := flags.String("model", "", "only the mistakes of this model")
	lint := flags.Bool("lint", false, "say also of each mistake whether lint warns of it")
	cases := flags.String("case", "", "only the mistakes whose model, mesh and name match this regular expression")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := regexp.Compile(*cases)
	if err != nil {
		return fmt.Errorf("-case: %w", err)
	}
	t := newTally()
	for _, m := range models {
		if *only != "" && *only != m.name {
			continue
		}
		recorded, err := m.record(mesh.MustParse(m2x4))
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		for _, x := range mistakes {
			if x.model != m.name || !chosen.MatchString(x.model+" "+x.mesh+" "+x.name) {
				continue
			}
			r, err := try(recorded, x, *lint)
			if err != nil {
				return fmt.Errorf("%s on %s, %s: %w", x.model, x.mesh, x.name, err)
			}
			fmt.Fprintf(out, "%s\n", r)
			t.add(m, r)
		}
	}
	if err := t.write(out, *lint); err != nil {
		return err
	}
	return t.check(*lint)
}

// figures are the costs of a program: FLOPs of a device and, in FLOPs too, the cost of its
// collectives; bytes sent; peak memory in bytes.
type figures [3]float64

// result is the result for one mistake. good, spoilt and after are the costs of the program with
// the good layout, after the mistake, and after the suggestion.
type result struct {
	mistake
	good, spoilt, after figures
	first               []layout.Rule // rules of the first suggestion
	seconds             float64       // CPU seconds of the suggestion
	lint, warned        bool          // lint was run on the layout with the mistake; it gave a warning
}

// try spoils the layouts of a copy of the recorded step by the mistake x, applies the first
// suggestion, and returns the costs before, after the mistake and after the suggestion. With lint
// it also tells whether lint warns.
func try(recorded *ir.Module, x mistake, lint bool) (*result, error) {
	m := recorded.Clone()
	if err := sharding.Remesh(m, mesh.MustParse(x.mesh)); err != nil {
		return nil, err
	}
	splitBatch(m)
	r := &result{mistake: x, lint: lint}
	var err error
	if r.good, err = measure(m); err != nil {
		return nil, err
	}
	if err := annotate(m, x.flags); err != nil {
		return nil, err
	}
	if r.spoilt, err = measure(m); err != nil {
		return nil, err
	}
	start := cpuSeconds()
	if r.first, err = firstRules(m); err != nil {
		return nil, err
	}
	r.seconds = cpuSeconds() - start
	if lint {
		w, err := suggest.Lint(m, suggest.Options{})
		if err != nil {
			return nil, err
		}
		r.warned = len(w.Mends) > 0
	}
	var flags []string
	for _, rule := range r.first {
		flags = append(flags, rule.String())
	}
	if err := annotate(m, flags); err != nil {
		return nil, err
	}
	r.after, err = measure(m)
	return r, err
}

// splitBatch shards dimension 0 of the first two parameters of m's main function, the batch and its
// labels, by all mesh axes except model. The other dimensions become replicated.
func splitBatch(m *ir.Module) {
	dm := m.Meshes[0].Mesh
	for _, p := range m.Main().Params()[:2] {
		s := layout.Replicated(dm, p.Type.Rank())
		for _, a := range dm.AxisNames() {
			if a != "model" {
				s.Dims[0].Axes = append(s.Dims[0].Axes, mesh.FullAxis(a))
			}
		}
		p.Sharding = s
	}
}

// annotate applies flags, values of -layout, to the module as layouts of its mesh. It changes the
// module. Wrong flags are errors.
func annotate(m *ir.Module, flags []string) error {
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	if err := layouts.OverrideBy(flags...); err != nil {
		return err
	}
	return sharding.Annotate(m, layouts)
}

// firstRules asks package suggest for cheaper layouts of m, and returns the layout rules of the
// best suggestion; nil if there is none.
func firstRules(m *ir.Module) ([]layout.Rule, error) {
	s, err := suggest.Find(m, suggest.Options{})
	if err != nil || len(s.Best) == 0 {
		return nil, err
	}
	return s.Best[0].Rules, nil
}

func measure(m *ir.Module) (figures, error) {
	p, err := compile.Compile(context.Background(), m, compile.Options{})
	if err != nil {
		return figures{}, err
	}
	r := report.New(p)
	return figures{float64(r.SpeedUp.OneDevice) / r.SpeedUp.Total, float64(r.Bytes), float64(r.Memory.Peak)}, nil
}

// loss returns how much worse f is than the good figures, as a fraction of them; negative where f
// is better. A good figure of 0 counts as 1.
func (r *result) loss(f figures) (out figures) {
	for i := range f {
		out[i] = (f[i] - r.good[i]) / max(1, r.good[i])
	}
	return out
}

func (r *result) isHarmful() bool {
	l := r.loss(r.spoilt)
	return l[0] > slower || l[2] > larger
}

// isMended reports whether the suggestion regains at least the part mend of the time and of the
// memory that the mistake cost. Losses up to slower (time) and larger (memory) do not count.
func (r *result) isMended() bool {
	before, after := r.loss(r.spoilt), r.loss(r.after)
	isRegained := func(i int, harm float64) bool { return before[i] <= harm || after[i] <= (1-mend)*before[i] }
	return isRegained(0, slower) && isRegained(2, larger)
}

// String returns the line of the table. It has the verdict (harmless, mended or MISSED, and whether
// lint warned), model, mesh and name of the mistake, the losses by the mistake and after the
// suggestion, both in percent of time, bytes and memory, the CPU seconds that the suggestion took,
// and the suggestion.
func (r *result) String() string {
	verdict := "harmless"
	if r.isHarmful() {
		verdict = "MISSED"
		if r.isMended() {
			verdict = "mended"
		}
	}
	if r.lint && r.warned {
		verdict += ", warned"
	}
	percent := func(f figures) string {
		l := r.loss(f)
		return fmt.Sprintf("%+.0f/%+.0f/%+.0f %%", 100*l[0], 100*l[1], 100*l[2])
	}
	return fmt.Sprintf("%-16s  %-11s %-20s  %-45s  %22s -> %-18s %5.1f s  %v", verdict, r.model, r.mesh, r.name, percent(r.spoilt), percent(r.after), r.seconds, r.first)
}

// cpuSeconds returns the processor time of this process in seconds, 0 if the system does not tell
// it.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime)
}
