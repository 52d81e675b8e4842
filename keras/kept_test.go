package keras_test

// This file starts trainings again, with a compilation cache that earlier ones have filled.

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// start has the settings of a model and its training. Each test changes one of them, to see whether
// programs kept in the cache are still used.
type start struct {
	mesh, axes    string // layout of the first kernel: its axes, "-" for none
	units         int
	activation    string
	rate, dropout float64
	l2            float64
	momentum      float64
	// a number that closures use: of a Lambda layer, and of a loss of the user's own
	factor          float64
	seed, batch     int
	metric          string
	trainable       bool
	stepsPerProgram int
	keepLayouts     bool
	shardedUpdate   bool
}

// losses trains the model of s for two epochs on eight devices of the Go engine, with the
// compilation cache in dir; "off" is none. It returns the logs of the epochs by name, and the text
// of all warnings.
func (s start) losses(t *testing.T, dir string) (history map[string][]float64, warnings string) {
	t.Helper()
	c, err := runtime.Open(t.Context(), runtime.Options{Platform: "cpu", Engine: runtime.EngineGo, Devices: 8, CompilationCache: dir})
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	layouts := distribution.NewLayoutMap(mesh.MustParse(s.mesh))
	require.NoError(t, layouts.Set("a/kernel", strings.Split(strings.ReplaceAll(s.axes, "-", distribution.None), ",")...))
	var opts []distribution.Option
	if s.keepLayouts {
		opts = append(opts, distribution.KeepLayouts())
	}
	if s.shardedUpdate {
		opts = append(opts, distribution.ShardedUpdate())
	}
	d, err := distribution.NewModelParallel(layouts, "data", opts...)
	require.NoError(t, err)
	var log bytes.Buffer
	require.NoError(t, distribution.Scope(d, func() error {
		layers.ClearSession()
		random.SetRandomSeed(uint32(s.seed))
		x := keras.Input([]int{6})
		a := layers.Dense(s.units, layers.Name("a"), layers.Activation(s.activation), layers.KernelRegularizer(regularizers.L2(s.l2)),
			layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(s.seed))))
		y := x.Apply(a).Apply(layers.Dropout(s.dropout, layers.Seed(s.seed)))
		y = y.Apply(layers.Lambda(func(x *graph.Node) *graph.Node { return graph.MulScalar(x, s.factor) }))
		m := model(t, x, y.Apply(layers.Dense(2)))
		a.SetTrainable(s.trainable)
		own := losses.New("own", func(yTrue, yPred *graph.Node) *graph.Node {
			return graph.ReduceMean(graph.MulScalar(graph.Square(graph.Sub(yTrue, yPred)), s.factor), -1)
		})
		require.NoError(t, m.Compile(keras.Client(c), keras.Loss(own), keras.Logger(plainlog.New(&log)), keras.Metrics(s.metric), keras.StepsPerExecution(s.stepsPerProgram),
			keras.Optimizer(optimizers.SGD(optimizers.LearningRate(s.rate), optimizers.Momentum(s.momentum)))))
		h, err := m.Fit(t.Context(), ramp(32, 6), ramp(32, 2), keras.BatchSize(s.batch), keras.Epochs(2), keras.ShuffleSeed(1), keras.Verbose(0))
		require.NoError(t, err)
		history = h.Logs
		return nil
	}))
	return history, log.String()
}

// A second start has the losses of the first to the bit, and its warnings, and adds nothing to the
// cache. If the model, the training, the mesh or data that functions of the user's own have
// captured differ, the losses are those of a start without a cache. Files that were cut short do no
// harm. The short form changes one thing of each kind.
func TestSecondStart(t *testing.T) {
	t.Setenv("GOSPMD_DEBUG", "")
	before := cache.WorthKeeping
	cache.WorthKeeping = 0
	defer func() { cache.WorthKeeping = before }()
	dir := t.TempDir()
	kept := func() (n int) {
		for _, kind := range []cache.Kind{cache.Program, cache.Warnings} {
			files, err := filepath.Glob(filepath.Join(dir, "*."+string(kind)))
			require.NoError(t, err)
			n += len(files)
		}
		return n
	}
	base := start{mesh: "data=2,model=4", axes: "-,model", units: 8, activation: "relu", rate: .1, dropout: .25, l2: .01, momentum: .5, factor: 2,
		seed: 3, batch: 8, metric: "mae", trainable: true, stepsPerProgram: 1}
	short := []string{"nothing", "mesh", "layout", "rate", "what is captured", "steps of a program"}
	for _, tc := range []struct {
		name   string
		change func(*start)
		traced bool // the step is another one
	}{
		{"nothing", func(*start) {}, true},
		{"mesh", func(s *start) { s.mesh = "data=4,model=2" }, true},
		{"names of axes", func(s *start) { s.mesh, s.axes = "data=2,m=4", "-,m" }, true},
		{"layout", func(s *start) { s.axes = "model,-" }, true},
		{"binding layouts", func(s *start) { s.keepLayouts = true }, true},
		{"sharded update", func(s *start) { s.shardedUpdate = true }, true},
		{"units", func(s *start) { s.units = 16 }, true},
		{"activation", func(s *start) { s.activation = "tanh" }, true},
		{"rate", func(s *start) { s.rate = .2 }, false}, // a variable
		{"momentum", func(s *start) { s.momentum = .6 }, true},
		{"dropout", func(s *start) { s.dropout = .5 }, true},
		{"regularizer", func(s *start) { s.l2 = .02 }, true},
		{"what is captured", func(s *start) { s.factor = 3 }, true},
		{"seed", func(s *start) { s.seed = 4 }, false}, // variables
		{"batch", func(s *start) { s.batch = 16 }, true},
		{"metric", func(s *start) { s.metric = "mse" }, true},
		{"not trainable", func(s *start) { s.trainable = false }, true},
		{"steps of a program", func(s *start) { s.stepsPerProgram = 2 }, true},
	} {
		if !longtest.Enabled() && !slices.Contains(short, tc.name) {
			continue
		}
		s := base
		tc.change(&s)
		want, warned := s.losses(t, "off")
		had := kept()
		first, says := s.losses(t, dir)
		require.Equal(t, want, first, tc.name)
		require.Equal(t, warned, says, tc.name)
		require.Equal(t, tc.traced, kept() > had, tc.name)
		had = kept()
		second, says := s.losses(t, dir)
		require.Equal(t, want, second, tc.name)
		require.Equal(t, warned, says, tc.name)
		require.Equal(t, had, kept(), tc.name)
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files { // what is no program any more is made again
		require.NoError(t, os.Truncate(filepath.Join(dir, f.Name()), 40))
	}
	want, _ := base.losses(t, "off")
	got, _ := base.losses(t, dir)
	require.Equal(t, want, got)
}
