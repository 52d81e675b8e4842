package keras_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// mixer is a residual block of the user's own: x + down(gelu(up(norm(x)))).
type mixer struct {
	layers.Base
	Norm, Up, Drop, Down layers.Layer
}

// newMixer returns a mixer of 16 features with the given name. Drop is a Dropout if drops is true,
// and else an Identity.
func newMixer(name string, drops bool) *mixer {
	l := &mixer{
		Norm: layers.LayerNormalization(layers.Name("norm")),
		Up:   layers.Dense(64, layers.Activation("gelu"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1))), layers.Name("up")),
		Drop: layers.Identity(layers.Name("drop")),
		Down: layers.Dense(16, layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(2))), layers.Name("down")),
	}
	if drops {
		l.Drop = layers.Dropout(0.1, layers.Seed(int(name[len(name)-1])), layers.Name("drop"))
	}
	l.SetName(name)
	return l
}

func (l *mixer) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	y := c.Apply(l.Drop, c.Apply(l.Up, c.Apply(l.Norm, in[0])))
	return []*graph.Node{graph.Add(in[0], c.Apply(l.Down, y))}
}

// halfMixer is a mixer that computes only norm and up again in the backward pass.
type halfMixer struct{ mixer }

func (l *halfMixer) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	y := c.Remat(func(in []*graph.Node) []*graph.Node {
		return []*graph.Node{c.Apply(l.Drop, c.Apply(l.Up, c.Apply(l.Norm, in[0])))}
	}, in[0])
	return []*graph.Node{graph.Add(in[0], c.Apply(l.Down, y[0]))}
}

// trained is the outcome of training a stack of mixers: losses, the program of the step, its memory
// and warnings.
type trained struct {
	losses  []float64
	program *program.Program
	xla     int // the memory of a step, as XLA says; 0 where the engine does not
	warned  string
}

// peak returns the predicted peak of the memory of a training step, in bytes.
func (r trained) peak() float64 { return float64(report.New(r.program).Memory.Peak) }

// trainMixers trains a model of four blocks, which block makes within scope, and returns the
// outcome. scope calls its function, for example in a RematScope.
func trainMixers(t *testing.T, block func(name string) layers.Layer, scope func(f func() error) error, opts ...keras.CompileOption) trained {
	t.Helper()
	layers.ClearSession()
	x := keras.Input([]int{32, 16})
	y := x
	require.NoError(t, scope(func() error {
		for i := range 4 {
			y = y.Apply(block(fmt.Sprint("block_", i)))
		}
		return nil
	}))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	devices := 1
	if d := distribution.Current(); d != nil {
		devices = d.DeviceMesh().Size()
	}
	client := runtimetest.Open(t, devices)
	var log bytes.Buffer
	opts = append([]keras.CompileOption{keras.StepsPerExecution(1)}, opts...)
	opts = append(opts, keras.Loss("mse"), keras.Optimizer("sgd"), keras.Client(client), keras.Logger(slog.New(slog.NewTextHandler(&log, nil))))
	require.NoError(t, m.Compile(opts...))
	batch := make([][][]float32, 128)
	for i := range batch {
		batch[i] = make([][]float32, 32)
		for k := range batch[i] {
			batch[i][k] = make([]float32, 16)
			for n := range batch[i][k] {
				batch[i][k][n] = float32(math.Sin(float64(i + 3*k + 7*n)))
			}
		}
	}
	h, err := m.Fit(t.Context(), batch, batch, keras.BatchSize(64), keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0))
	require.NoError(t, err)
	out := trained{losses: h.Logs["loss"], program: m.Programs()[0], warned: log.String()}
	exe, err := client.Load(t.Context(), out.program)
	require.NoError(t, err)
	defer exe.Close()
	if stats, err := exe.Memory(); err == nil {
		out.xla = stats.Required()
	}
	return out
}

// requireLess requires that got has the losses of want, and needs at most the fraction part of
// want's memory: of the predicted peak, and of XLA's number where it is known.
func requireLess(t *testing.T, want, got trained, part float64) {
	t.Helper()
	require.InEpsilonSlice(t, want.losses, got.losses, runtimetest.Tolerance(1e-5))
	t.Logf("predicted %.0f of %.0f, XLA %d of %d", got.peak(), want.peak(), got.xla, want.xla)
	require.LessOrEqual(t, got.peak(), part*want.peak())
	if want.xla > 0 {
		require.LessOrEqual(t, float64(got.xla), part*float64(want.xla))
	}
}

func unscoped(f func() error) error { return f() }

func mixerNamed(name string) layers.Layer { return newMixer(name, false) }

// Layers in a RematScope train as without it, and a step takes less memory, as much less as the
// mode says. Reports name the scope. In the short form all scopes but the inner one compute values
// again.
func TestRematScope(t *testing.T) {
	whole := trainMixers(t, mixerNamed, unscoped)
	for _, tc := range []struct {
		name  string
		scope keras.RematScope
		part  float64
		by    string
	}{
		{"full", keras.RematScope{}, 0.6, "RematScope(full)"},
		{"larger_than", keras.RematScope{Mode: "larger_than", OutputSizeThreshold: 64*32*16 - 1}, 0.6, "RematScope(larger_than)"},
		{"larger_than all", keras.RematScope{Mode: "larger_than", OutputSizeThreshold: 1 << 20}, 1, ""},
		{"list_of_layers", keras.RematScope{Mode: "list_of_layers", LayerNames: []string{"block_1", "block_2", "block_3"}}, 0.8, "RematScope(list_of_layers)"},
		{"none", keras.RematScope{Mode: "none"}, 1, ""},
	} {
		if tc.part == 1 && !longtest.Enabled() {
			continue
		}
		t.Run(tc.name, func(t *testing.T) {
			got := trainMixers(t, mixerNamed, tc.scope.Do)
			requireLess(t, whole, got, tc.part)
			if tc.by == "" {
				require.Nil(t, got.program.Fitting)
				return
			}
			text := report.New(got.program).String()
			require.Contains(t, text, "memory policies: the peak is")
			require.Contains(t, text, tc.by)
		})
	}
	inner := func(f func() error) error {
		return keras.RematScope{}.Do(func() error { return keras.RematScope{Mode: "none"}.Do(f) })
	}
	require.Nil(t, trainMixers(t, mixerNamed, inner).program.Fitting, "the innermost scope counts")
}

// Steps of a RematScope that run several in one execution, or on a mesh, take less memory as well.
func TestRematScopeOfSteps(t *testing.T) {
	whole, part := trainMixers(t, mixerNamed, unscoped, keras.StepsPerExecution(2)), 0.7
	if runtimetest.Accelerated() {
		part = 0.78
	}
	requireLess(t, whole, trainMixers(t, mixerNamed, keras.RematScope{}.Do, keras.StepsPerExecution(2)), part)

	d, err := distribution.NewDataParallel(distribution.Mesh(mesh.MustParse("batch=2")))
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		requireLess(t, trainMixers(t, mixerNamed, unscoped), trainMixers(t, mixerNamed, keras.RematScope{}.Do), 0.7)
		return nil
	}))
}

// A layer, or a part of one, marked by Remat is computed again without a scope. A Dropout in it
// drops the same elements both times.
func TestRemat(t *testing.T) {
	whole := trainMixers(t, func(name string) layers.Layer { return newMixer(name, true) }, unscoped)
	got := trainMixers(t, func(name string) layers.Layer { return layers.Remat(newMixer(name, true)) }, unscoped)
	requireLess(t, whole, got, 0.6)
	activations := trainMixers(t, func(name string) layers.Layer { return newMixer(name, true) }, keras.RematScope{Mode: "activations"}.Do)
	if !runtimetest.Accelerated() { // accelerators compute activations again in the kernels that read them
		requireLess(t, whole, activations, 0.85)
		require.Contains(t, report.New(activations.program).String(), "block_*/up/activation  RematScope(activations)")
	}
	part := trainMixers(t, func(name string) layers.Layer { return &halfMixer{*newMixer(name, true)} }, unscoped)
	require.Less(t, part.peak(), whole.peak())
	require.Greater(t, part.peak(), got.peak()-1)
	require.Contains(t, report.New(part.program).String(), "block_*/remat/up")
}

// Policies name layers by their paths, and a rule of an inner layer makes an exception, as a rule
// does in a RematScope. Losses stay the same, and the peak memory is that of the rules, also with a
// limit. A rule that does not help, or matches nothing, is warned of.
func TestMemoryPolicies(t *testing.T) {
	whole := trainMixers(t, mixerNamed, unscoped)
	policies := func(rules ...string) keras.CompileOption {
		p := memory.NewPolicies()
		for i := 0; i < len(rules); i += 2 {
			require.NoError(t, p.Set(rules[i], program.Action(rules[i+1])))
		}
		return keras.MemoryPolicies(p)
	}
	all := trainMixers(t, mixerNamed, unscoped, policies(`block_\d`, "recompute"))
	requireLess(t, whole, all, 0.6)
	require.Empty(t, all.warned)
	some := trainMixers(t, mixerNamed, unscoped, policies(`block_\d`, "recompute", `block_.*/up`, "save"))
	require.InEpsilonSlice(t, whole.losses, some.losses, runtimetest.Tolerance(1e-5))
	require.Greater(t, some.peak(), all.peak())
	scoped := trainMixers(t, mixerNamed, keras.RematScope{}.Do, policies(`block_\d`, "save"))
	require.Equal(t, whole.peak(), scoped.peak(), "a rule goes before the scope")

	limit := int(0.7 * whole.peak())
	both := trainMixers(t, mixerNamed, unscoped, policies(`block_[23]`, "recompute"), keras.Memory(fmt.Sprint(limit)), keras.MicroBatches(1))
	require.InEpsilonSlice(t, whole.losses, both.losses, runtimetest.Tolerance(1e-5))
	require.LessOrEqual(t, both.peak(), float64(limit))
	text := report.New(both.program).String()
	require.Contains(t, text, `policy "block_[23]"`)
	require.Contains(t, text, "the limit")

	single := trainMixers(t, mixerNamed, unscoped, policies(`block_.*/down`, "recompute"))
	require.Contains(t, single.warned, "does not lower the peak")
	dead := trainMixers(t, mixerNamed, unscoped, policies("blok_.*", "recompute"))
	require.Contains(t, dead.warned, "matches nothing; the nearest paths are")
}

// Errors of scopes and policies name what is wrong, and are reported where these are given: by Do
// and by Compile.
func TestRematErrors(t *testing.T) {
	for _, tc := range []struct {
		scope keras.RematScope
		want  string
	}{
		{keras.RematScope{Mode: "ful"}, `RematScope: unknown mode "ful" (did you mean "full"?): want one of full, `},
		{keras.RematScope{OutputSizeThreshold: -1}, "OutputSizeThreshold is -1: want a number of elements"},
	} {
		require.ErrorContains(t, tc.scope.Do(func() error { t.Fatal("called"); return nil }), tc.want)
	}
	x := keras.Input([]int{2})
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(1))})
	require.NoError(t, err)
	require.ErrorContains(t, m.Compile(keras.MemoryPolicies(nil)), "the policies are nil")
	p := memory.NewPolicies()
	require.Error(t, p.Set("(", memory.Recompute))
	require.ErrorContains(t, m.Compile(keras.MemoryPolicies(p)), `memory policies: key "("`)
}
