package difftest_test

// This file runs random programs on several devices and on one.

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

var (
	programs = flag.Int("programs", 0, "number of random programs; 0: those of a normal test")
	first    = flag.Uint64("first", 1, "seed of the first program")
	from     = flag.String("from", "grown", "grown, or jax for programs of package jaxsuite on random meshes and layouts")
	suite    = flag.String("suite", "", "for -from jax: a file of benchmarks/peers/jax_suite.py in place of the suite")
	kinds    = flag.String("kinds", "", "comma-separated op names to make programs of; empty: all")
	engine   = flag.String("engine", "go", "go, or pjrt for a sample on XLA")
	across   = flag.Int("processes", 0, "run the programs on that many processes, of 9 devices together, which stand anywhere in the mesh")
	byXLA    = flag.Bool("xla", false, "let XLA partition the programs, from annotations; wants -engine pjrt")
	inParts  = flag.Bool("microbatches", false, "compute the batch in 2 to 4 micro-batches where that is possible")
	inLess   = flag.Bool("limits", false, "give each program a limit of memory below the peak that is predicted without one, where it fits")
	keepOn   = flag.Bool("keepon", false, "report all mismatches, not only the first")
	seeds    = flag.Bool("seeds", false, "print each seed before its program runs: the last one has ended the process")
)

// TestRandomPrograms requires that the programs of consecutive seeds compute the same on many
// devices, after partitioning, as on one. At most one program in twenty may be one that the engine
// does not run on one device. Flags choose the engine, the kinds of ops and the number of programs.
func TestRandomPrograms(t *testing.T) {
	h := open(t, *engine)
	if *across > 0 {
		h.openJob(t, *engine, *across)
	}
	if *byXLA {
		h.partitioner = compile.XLA
	}
	h.parts, h.limits = *inParts, *inLess
	o := randprog.Options{AnyOrder: *engine == "pjrt"}
	for name := range strings.SplitSeq(*kinds, ",") {
		if name != "" {
			kind := ir.KindByName(name)
			require.NotEqual(t, ir.OpUnregistered, kind, "no op %q", name)
			o.Kinds = append(o.Kinds, kind)
		}
	}
	count := *programs
	if count == 0 {
		count = longtest.Pick(100, 800)
	}
	try := func(seed uint64) (*randprog.Program, error) {
		p := randprog.New(seed, o)
		h.machine = machineOf(seed)
		return p, h.check(p)
	}
	if *from == "jax" {
		try = tryJAX(t, h)
	}
	done, failed := 0, 0
	for seed := *first; done < count; seed++ {
		if *seeds {
			fmt.Fprintln(os.Stderr, "seed", seed)
		}
		if p, err := try(seed); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p.Module)
			if failed++; !*keepOn || failed > 20 {
				break
			}
		}
		done++
	}
	t.Logf("%d programs, %d wrong", done, failed)
	if h.parts {
		t.Logf("%d of them in micro-batches", h.divided)
	}
	if h.limits {
		t.Logf("%d of them in less memory", h.lessened)
	}
	left := 0
	for _, text := range slices.Sorted(maps.Keys(h.refused)) {
		left += h.refused[text]
		t.Logf("refused %d times: %s", h.refused[text], text)
	}
	require.LessOrEqual(t, left, done/20, "one device does not run so many programs that the others show little")
}

// TestEveryKind runs a few random programs for each op kind, with ops of that kind only. On a mesh
// they must give the same results as on one device. Programs that the engine does not run on one
// device pass.
func TestEveryKind(t *testing.T) {
	h := open(t, *engine)
	n := longtest.Pick[uint64](2, 4)
	for _, kind := range randprog.Kinds() {
		t.Run(kind.String(), func(t *testing.T) {
			for seed := range n {
				p := randprog.New(seed, randprog.Options{Kinds: []ir.OpKind{kind}, Ops: 2})
				require.NoError(t, h.check(p), "seed %d\n%s", seed, p.Module)
			}
		})
	}
}

// TestFound runs the programs of testdata that once had wrong results, on their mesh and on one
// device. Both must agree.
func TestFound(t *testing.T) { found(t, open(t, *engine)) }

func found(t *testing.T, h *harness) {
	files, err := filepath.Glob("testdata/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mlir"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			m, err := ir.Parse(string(text))
			require.NoError(t, err)
			p := &randprog.Program{Module: m, Mesh: m.Meshes[0].Mesh, Exact: make([]bool, len(m.Main().Results))}
			require.NoError(t, h.check(p))
		})
	}
}

// FuzzPrograms compares the random program of each seed that the fuzzer chooses.
func FuzzPrograms(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	h := open(f, *engine)
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := randprog.New(seed, randprog.Options{})
		h.machine = machineOf(seed)
		if err := h.check(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Module)
		}
	})
}

// harness runs programs on their mesh and on one device, and compares the results.
type harness struct {
	client      *runtime.Client
	signs       bool // whether the engine keeps the sign of zeros
	partitioner compile.Partitioner
	machine     *cost.Machine     // nil means the default
	parts       bool              // compute the batch in micro-batches where that is possible
	divided     int               // number of programs that ran in micro-batches
	limits      bool              // give each program a limit of memory, where it fits
	lessened    int               // number of programs that ran with such a limit
	refused     map[string]int    // number of programs that one device does not run, by error
	job         []*runtime.Client // if it is not nil, programs on several devices run on this job
}

// machineOf returns the machine that the program of a seed is compiled for. Every second program is
// compiled for CPU devices, where some passes do more; the others have nil, the default.
func machineOf(seed uint64) *cost.Machine {
	if seed%2 == 1 {
		return cost.Host()
	}
	return nil
}

func open(t testing.TB, engine string) *harness {
	if engine == runtime.EnginePJRT {
		runtimetest.Need(t, 8)
	}
	c := runtimetest.OpenWith(t, runtime.Options{Devices: 8, Engine: engine})
	return &harness{client: c, signs: engine == runtime.EngineGo, partitioner: compile.SPMD, refused: map[string]int{}}
}

// check verifies the random program p, and runs it on its mesh and on one device. It returns an
// error if the results differ.
func (h *harness) check(p *randprog.Program) error {
	if err := ir.Verify(p.Module); err != nil {
		return fmt.Errorf("the generator: %w", err)
	}
	return h.checkOn(p, p.Inputs())
}

// checkOn checks that p computes on many devices what it computes on one, as check does, but with
// the given inputs. A program that the engine refuses on one device is counted in h.refused, and
// passes.
func (h *harness) checkOn(p *randprog.Program, inputs []any) error {
	p.Signs = h.signs
	one, err := compile.Compile(context.Background(), p.Single(), compile.Options{Partitioner: compile.XLA})
	if err != nil {
		return fmt.Errorf("on one device: %w", err)
	}
	want, err := h.run(one, inputs)
	if err != nil { // the engine does not support the op
		text, _, _ := strings.Cut(err.Error(), "\n")
		_, why, ok := strings.Cut(text, " failed: ")
		if !ok {
			why = text
		}
		h.refused[why]++
		return nil
	}
	if err := h.spread(p); err != nil {
		return err
	}
	many, err := h.compile(p.Module)
	if err != nil {
		return err
	}
	got, err := h.runMany(many, inputs)
	if err != nil {
		return err
	}
	if err := p.Compare(want, got); err != nil {
		return fmt.Errorf("%w\n%s", err, many.Module)
	}
	return nil
}

// compile compiles m for its mesh. With h.parts it divides the batch into as many micro-batches as
// possible, from 4 down; h.divided counts the programs where this is possible.
func (h *harness) compile(m *ir.Module) (*program.Program, error) {
	o := compile.Options{Partitioner: h.partitioner, Machine: h.machine}
	for n := 4; h.parts && n > 1; n-- {
		o.MicroBatches = n
		p, err := compile.Compile(context.Background(), m, o)
		var cannot *microbatch.Error
		if !errors.As(err, &cannot) {
			h.divided++
			return p, err
		}
		o.MicroBatches = 0
	}
	if p, err := h.compileInLess(m, o); p != nil || err != nil {
		return p, err
	}
	return compile.Compile(context.Background(), m, o)
}

// lessOf are the parts of the temporary memory that limits leave to a program.
var lessOf = []float64{0.5, 0.7, 0.9}

// compileInLess compiles m, with h.limits, for the smallest limit of memory in which it fits, and
// counts it in h.lessened. It returns nil if it fits in none.
func (h *harness) compileInLess(m *ir.Module, o compile.Options) (*program.Program, error) {
	if !h.limits {
		return nil, nil
	}
	p, err := compile.Compile(context.Background(), m, o)
	if err != nil {
		return nil, err
	}
	memory := report.NewFor(p, cmp.Or(h.machine, cost.Default())).Memory
	for _, part := range lessOf {
		o.MemoryLimit = memory.Fixed() + int(part*float64(memory.Temporary))
		p, err := compile.Compile(context.Background(), m, o)
		if over := (*report.OverBudgetError)(nil); errors.As(err, &over) || o.MemoryLimit == 0 {
			continue
		}
		h.lessened++
		return p, err
	}
	return nil, nil
}

func (h *harness) run(p *program.Program, inputs []any) ([]any, error) {
	return runOn(h.client, p, inputs, (*runtime.Array).Get)
}

// runOn loads p on a client, runs it once with the inputs, and returns what get reads of each
// result.
func runOn(c *runtime.Client, p *program.Program, inputs []any, get func(*runtime.Array, context.Context) (any, error)) ([]any, error) {
	ctx := context.Background()
	exe, err := c.Load(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("load: %w\n%s", err, p.Module)
	}
	defer exe.Close()
	args := make([]*runtime.Array, len(inputs))
	for i, in := range inputs {
		if args[i], err = c.Put(p.Inputs[i].Type, p.Inputs[i].Sharding, in); err != nil {
			return nil, err
		}
		defer args[i].Release()
	}
	arrays, err := exe.Run(args...)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(arrays))
	for i, a := range arrays {
		if out[i], err = get(a, ctx); err != nil {
			return nil, err
		}
		a.Release()
	}
	return out, nil
}
