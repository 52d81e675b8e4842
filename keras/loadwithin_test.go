package keras

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/testing/agreetest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// demanding is an engine whose programs need memory by a function of what was predicted for them.
type demanding struct {
	runtime.Engine
	needs  func(predicted int) int // 0: it does not say
	loads  int
	closed int
}

type demandingProgram struct {
	runtime.Loaded
	engine *demanding
	needs  int
}

func (d *demanding) Load(ctx context.Context, p *program.Program) (runtime.Loaded, error) {
	l, err := d.Engine.Load(ctx, p)
	d.loads++
	constants := report.New(p).Memory.Constants
	return &demandingProgram{l, d, d.needs(p.Fitting.After) - constants}, err
}

func (p *demandingProgram) Memory() (runtime.MemoryStats, error) {
	if p.needs <= 0 {
		return runtime.MemoryStats{}, errors.ErrUnsupported
	}
	return runtime.MemoryStats{Temporary: p.needs}, nil
}

func (p *demandingProgram) Close() error {
	p.engine.closed++
	return p.Loaded.Close()
}

// limitOfTests is a limit that the model of deepModel fits with some values computed again.
const limitOfTests = 120_000

// deepModel returns a model of six dense layers that is compiled for limitOfTests on c, and a batch.
func deepModel(t *testing.T, c *runtime.Client, opts ...CompileOption) (*Model, data.Batch) {
	layers.ClearSession()
	x := Input([]int{8})
	y := x
	for range 6 {
		y = y.Apply(layers.Dense(8, layers.Activation("gelu"), layers.KernelInitializer("ones")))
	}
	m, err := NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	opts = append([]CompileOption{Loss("mse"), Client(c), Memory("120kB"), Logger(slog.New(slog.DiscardHandler))}, opts...)
	require.NoError(t, m.Compile(opts...))
	rows := make([][]float32, 256)
	for i := range rows {
		rows[i] = []float32{1, 2, 3, 4, 5, 6, 7, float32(i) / 256}
	}
	for b, err := range data.FromTensorSlices(rows, rows).Batch(256).Batches(t.Context()) {
		require.NoError(t, err)
		return m, b
	}
	panic("no batch")
}

// keepAll lets the compilation cache keep all programs, until the end of the test.
func keepAll(t *testing.T) {
	t.Setenv("GOSPMD_DEBUG", "")
	before := cache.WorthKeeping
	cache.WorthKeeping = 0
	t.Cleanup(func() { cache.WorthKeeping = before })
}

// A step is compiled again for a lower limit while the engine needs more memory than the limit. The
// executables that are not used are closed. If no lower limit helps, a warning has both sizes. A
// second model with the same compilation cache compiles once, and warns again. All train alike.
func TestLoadWithin(t *testing.T) {
	keepAll(t)
	var want []float64
	for _, tc := range []struct {
		name     string
		needs    func(predicted int) int
		loads    int
		compiled func(t *testing.T, f *program.Fitting)
		warning  string
	}{
		{"unknown", func(int) int { return 0 }, 1, func(t *testing.T, f *program.Fitting) { require.Zero(t, f.Compiled) }, ""},
		{"as predicted", func(n int) int { return n }, 1, func(t *testing.T, f *program.Fitting) { require.Zero(t, f.Asked) }, ""},
		{"half as much again", func(n int) int { return n * 3 / 2 }, 2, func(t *testing.T, f *program.Fitting) {
			require.LessOrEqual(t, f.Compiled, limitOfTests)
			require.Less(t, f.Asked, limitOfTests)
		}, ""},
		{"never", func(int) int { return 150_000 }, 5, func(t *testing.T, f *program.Fitting) { require.Equal(t, 150_000, f.Compiled) },
			`a device needs 150,000 bytes of memory, and the limit is 120,000: [\d,]+ were predicted, and lower limits have led to no smaller program`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			kept := cache.NewMemory(1 << 30)
			for _, loads := range []int{tc.loads, 1} {
				d := &demanding{Engine: runtimetest.OpenWith(t, runtime.Options{Engine: runtime.EngineGo, Devices: 1}).Engine(), needs: tc.needs}
				var log bytes.Buffer
				m, b := deepModel(t, runtime.NewClient(d), Logger(slog.New(slog.NewTextHandler(&log, nil))))
				m.compiled.compiler.Cache = kept
				h, err := m.Fit(t.Context(), b.X[0], b.Y[0], BatchSize(256), Epochs(2), Verbose(0))
				require.NoError(t, err)
				if want == nil {
					want = h.Logs["loss"]
				}
				require.InEpsilonSlice(t, want, h.Logs["loss"], 1e-6)
				require.Equal(t, loads, d.loads)
				require.Equal(t, loads-1, d.closed)
				f := m.Programs()[0].Fitting
				require.Equal(t, limitOfTests, f.Limit)
				tc.compiled(t, f)
				if tc.warning == "" {
					require.Empty(t, log.String())
				} else {
					require.Regexp(t, tc.warning, log.String())
				}
			}
		})
	}
}

// The explanation of a step is that of the program that runs, also where that has been compiled for
// a lower limit of memory than the user's.
func TestExplainWithin(t *testing.T) {
	keepAll(t)
	for name, needs := range map[string]func(predicted int) int{
		"as predicted":       func(n int) int { return n },
		"half as much again": func(n int) int { return n * 3 / 2 },
		"unknown":            func(int) int { return 0 },
	} {
		t.Run(name, func(t *testing.T) {
			d := &demanding{Engine: runtimetest.OpenWith(t, runtime.Options{Engine: runtime.EngineGo, Devices: 2}).Engine(), needs: needs}
			c := runtime.NewClient(d)
			of, err := distribution.NewDataParallel(distribution.Mesh(mesh.MustParse("batch=2")))
			require.NoError(t, err)
			require.NoError(t, distribution.Scope(of, func() error {
				m, b := deepModel(t, c, Memory("60kB"))
				_, err := m.Fit(t.Context(), b.X[0], b.Y[0], BatchSize(256), Verbose(0))
				require.NoError(t, err)
				runs := m.Programs()[0]
				e, err := m.Explanation()
				require.NoError(t, err)
				require.Equal(t, runs.Module.String(), e.Program().Module.String())
				return nil
			}))
		})
	}
}

// Processes with compilers that need unequal memory run the same program: that for the largest
// figure. So they do if one of them has a filled cache. An error of one process is one of all.
func TestLoadWithinJob(t *testing.T) {
	keepAll(t)
	// tenths of the prediction; the short form has two processes
	factors := longtest.Pick([]int{10, 15}, []int{10, 15, 11})
	kept := make([]cache.Cache, len(factors))
	run := func(needs func(rank, predicted int) int) (steps []*stepProgram, errs []error) {
		steps = make([]*stepProgram, len(factors))
		clients := make([]*runtime.Client, len(factors))
		for rank := range factors {
			d := &demanding{Engine: runtimetest.OpenWith(t, runtime.Options{Engine: runtime.EngineGo, Devices: 1}).Engine(), needs: func(n int) int { return needs(rank, n) }}
			clients[rank] = runtime.NewClient(d)
			m, b := deepModel(t, clients[rank])
			m.targetClient(clients[rank])
			m.compiled.compiler.Cache = kept[rank]
			err := m.resolve(b, trainStep)
			require.NoError(t, err)
			steps[rank], err = m.prepare(t.Context(), trainStep, []data.Batch{b})
			require.NoError(t, err)
		}
		errs = agreetest.Run(len(factors), func(job agree.Job) error {
			return steps[job.ProcessIndex()].loadWithin(t.Context(), clients[job.ProcessIndex()], job)
		})
		return steps, errs
	}
	for _, filled := range []int{0, 1, 3} {
		for rank := range kept {
			if rank >= filled {
				kept[rank] = cache.NewMemory(1 << 30)
			}
		}
		steps, errs := run(func(rank, n int) int { return n * factors[rank] / 10 })
		require.NoError(t, errors.Join(errs...))
		for _, s := range steps {
			require.Equal(t, steps[0].compiled.Module.String(), s.compiled.Module.String())
			require.Equal(t, steps[0].compiled.Fitting, s.compiled.Fitting)
			require.Less(t, s.compiled.Fitting.Asked, limitOfTests)
			require.Nil(t, s.over)
		}
	}
	steps, errs := run(func(int, int) int { return 150_000 })
	require.NoError(t, errors.Join(errs...))
	for _, s := range steps {
		require.Equal(t, &fit.OverLimitError{Limit: limitOfTests, Least: 150_000}, s.over)
	}
}
