package keras_test

// This file tests the explanations of a model's layouts.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/mesh"
)

// layoutModel builds and compiles a model of one Dense layer of 8 by 5, named d1, on the mesh
// data=2,model=4, with the layout map that set fills. The variables are d1/kernel and d1/bias. opts
// are those of the distribution. Warnings go to warnings. It returns the model, and the error of
// building or compiling it.
func layoutModel(t *testing.T, set func(*distribution.LayoutMap), warnings *bytes.Buffer, opts ...distribution.Option) (*keras.Model, error) {
	layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	set(layouts)
	d, err := distribution.NewModelParallel(layouts, "data", opts...)
	require.NoError(t, err)
	var m *keras.Model
	layers.ClearSession()
	distribution.Scope(d, func() error {
		x := keras.Input([]int{8}, layers.Name("x"))
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(5, layers.Name("d1")))}); err == nil {
			err = m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 8)), keras.Logger(plainlog.New(warnings)))
		}
		return nil
	})
	return m, err
}

func TestExplainSharding(t *testing.T) {
	var warnings, out bytes.Buffer
	m, err := layoutModel(t, func(l *distribution.LayoutMap) { l.Set("d1/kernel", "model", distribution.None) }, &warnings)
	require.NoError(t, err)
	_, err = m.Predict(t.Context(), [][]float32{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}}, keras.Verbose(0))
	require.NoError(t, err)
	require.NoError(t, m.ExplainSharding(&out, "d1/kernel"))
	require.Contains(t, out.String(), `annotated on parameter d1/kernel by rule "d1/kernel": [{"model"}, {}]`)
	require.Contains(t, out.String(), `runs as: 2x5xf32 [{"model"}, {}]`)
	require.NotContains(t, out.String(), "d1/bias")
	out.Reset()
	require.NoError(t, m.ExplainSharding(&out))
	require.Contains(t, out.String(), "parameter d1/bias")
	require.ErrorContains(t, m.ExplainSharding(&out, "d1/kernal"), `(did you mean "d1/kernel"?)`)
}

// The explanation that a model gives before any step is that of the step that Fit then runs, for
// float labels and for classes, and so is that of ExplainShardingFor with a batch of the same
// shapes. Nothing is compiled for it. With an open dimension in the inputs, ExplainSharding is an
// error that names ExplainShardingFor.
func TestExplainBeforeAnyStep(t *testing.T) {
	model := func(loss string, x *layers.Tensor, classes int) *keras.Model {
		t.Helper()
		y := x.Apply(layers.Dense(256, layers.Name("d1"), layers.Activation("relu"))).Apply(layers.Dense(classes, layers.Name("d2")))
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss(loss), keras.Optimizer("adam"), keras.Metrics("accuracy"), keras.Client(runtimetest.Open(t, 8)), quiet))
		return m
	}
	for _, tc := range []struct {
		loss string
		y    any
	}{
		{"mse", tensors.FromScalarAndDimensions(float32(1), 32, 8)},
		{"sparse_categorical_crossentropy", tensors.FromScalarAndDimensions(int32(1), 32)},
	} {
		t.Run(tc.loss, func(t *testing.T) {
			layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
			require.NoError(t, layouts.Set("d1/kernel", distribution.None, "model"))
			d, err := distribution.NewModelParallel(layouts, "data")
			require.NoError(t, err)
			layers.ClearSession()
			require.NoError(t, distribution.Scope(d, func() error {
				x := tensors.FromScalarAndDimensions(float32(1), 32, 64)
				m := model(tc.loss, keras.Input([]int{64}, layers.Name("x")), 8)
				var before, given bytes.Buffer
				require.NoError(t, m.ExplainSharding(&before))
				require.Contains(t, before.String(), `by rule "d1/kernel"`)
				require.NoError(t, m.ExplainShardingFor(&given, data.Batch{X: []*tensors.Tensor{x}, Y: []*tensors.Tensor{tc.y.(*tensors.Tensor)}}))
				require.Empty(t, m.Programs(), "nothing is compiled to run")
				_, err := m.Fit(t.Context(), x, tc.y, keras.BatchSize(32), keras.Verbose(0))
				require.NoError(t, err)
				var after bytes.Buffer
				require.NoError(t, m.ExplainSharding(&after))
				require.Equal(t, after.String(), before.String())
				require.Equal(t, after.String(), given.String())
				return nil
			}))
		})
	}

	layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		require.ErrorContains(t, model("mse", keras.Input([]int{-1, 8}), 8).ExplainSharding(io.Discard), "ExplainShardingFor with a batch")
		return nil
	}))
}

// Before any step, ExplainSharding assumes labels in the shape that the loss takes, for each loss.
func TestExplainEachLoss(t *testing.T) {
	d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse("data=2,model=4")), "data")
	require.NoError(t, err)
	for _, loss := range losses.Names() {
		layers.ClearSession()
		require.NoError(t, distribution.Scope(d, func() error {
			x := keras.Input([]int{20, 8})
			y := x
			if strings.EqualFold(loss, "circle") {
				y = x.Apply(layers.Flatten())
			}
			m := model(t, x, y.Apply(layers.Dense(8)))
			require.NoError(t, m.Compile(keras.Loss(loss), keras.Client(runtimetest.Open(t, 8)), quiet))
			require.NoError(t, m.ExplainSharding(io.Discard), loss)
			return nil
		}))
	}
}

// Reports before any step are about the micro-batches that the step then has: as many as
// MicroBatches says, or the next smaller number that divides the samples of a device. All reports
// on the step have the same peak.
func TestReportsOnMicroBatches(t *testing.T) {
	for asked, want := range map[int]int{4: 4, 3: 2} {
		layers.ClearSession()
		d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse("data=2,model=4")), "data")
		require.NoError(t, err)
		require.NoError(t, distribution.Scope(d, func() error {
			x := keras.Input([]int{64}, layers.Name("x"))
			m := model(t, x, x.Apply(layers.Dense(256, layers.Activation("relu"))).Apply(layers.Dense(64)))
			require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), keras.Client(runtimetest.Open(t, 8)), quiet, keras.MicroBatches(asked)))
			type peaks struct{ microBatches, explained, cost, suggested int }
			reported := func() (out peaks) {
				e, err := m.Explanation()
				require.NoError(t, err)
				require.NoError(t, e.Err)
				require.NotNil(t, e.Program().Fitting)
				c, err := m.LayoutCost()
				require.NoError(t, err)
				s, err := m.Suggestions()
				require.NoError(t, err)
				return peaks{e.Program().Fitting.MicroBatches, report.NewFor(e.Program(), cost.Host()).Memory.Peak, c.Chosen.Memory, s.Before.Memory}
			}
			before := reported()
			in := tensors.FromScalarAndDimensions(float32(1), 32, 64)
			require.NoError(t, m.ExplainShardingFor(io.Discard, data.Batch{X: []*tensors.Tensor{in}, Y: []*tensors.Tensor{in}}))
			_, err := m.Fit(t.Context(), in, in, keras.BatchSize(32), keras.Verbose(0))
			require.NoError(t, err)
			peak := report.NewFor(m.Programs()[0], cost.Host()).Memory.Peak
			require.Equal(t, peaks{want, peak, peak, peak}, before)
			require.Equal(t, before, reported())

			_, err = m.Predict(t.Context(), in, keras.BatchSize(32), keras.Verbose(0))
			require.NoError(t, err)
			e, err := m.Explanation()
			require.NoError(t, err)
			require.Nil(t, e.Program().Fitting, "the prediction has no micro-batches")
			return nil
		}))
	}
}

// A model that is compiled for a machine by name has one peak on it, whatever the devices: in
// Suggestions, in LayoutCost, and in the summary once a step is compiled.
func TestOnePeakOfAMachine(t *testing.T) {
	dm := mesh.MustParse("data=2,model=4")
	target, err := hardware.ParseTarget("v5e:2x4")
	require.NoError(t, err)
	machine, err := cost.MachineFor(target, dm)
	require.NoError(t, err)
	d, err := distribution.NewModelParallel(distribution.NewLayoutMap(dm), "data")
	require.NoError(t, err)
	layers.ClearSession()
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{16}, layers.Name("x"))
		m := model(t, x, x.Apply(layers.Dense(32)).Apply(layers.Dense(4)))
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 8)), quiet, keras.Compiler(compile.Options{Machine: machine})))
		_, err := m.Fit(t.Context(), tensors.FromScalarAndDimensions(float32(1), 32, 16), tensors.FromScalarAndDimensions(float32(1), 32, 4), keras.Verbose(0))
		require.NoError(t, err)
		peak := report.NewFor(m.Programs()[0], machine).Memory.Peak
		require.Greater(t, peak, 2*report.New(m.Programs()[0]).Memory.Peak, "of CPUs it is another one")
		s, err := m.Suggestions()
		require.NoError(t, err)
		c, err := m.LayoutCost()
		require.NoError(t, err)
		require.Equal(t, []int{peak, peak}, []int{s.Before.Memory, c.Chosen.Memory})
		var summary strings.Builder
		require.NoError(t, m.Summary(&summary))
		require.Contains(t, summary.String(), texttable.GroupDigits(peak))
		return nil
	}))
}

// Of a layer's output that a rule replicates only shards are used: it is scattered, and the rule is
// named in the explanation and the report. With the option KeepLayouts it holds, and the step sends
// as many bytes as LayoutCost predicts for that, more than without.
func TestKeepLayouts(t *testing.T) {
	explained := func(opts ...distribution.Option) (*keras.Model, string) {
		layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
		layouts.Set("d[12]/kernel", "model", distribution.None)
		layouts.Set("d1/output", "data", distribution.None)
		d, err := distribution.NewModelParallel(layouts, "data", opts...)
		require.NoError(t, err)
		var m *keras.Model
		layers.ClearSession()
		require.NoError(t, distribution.Scope(d, func() error {
			x := keras.Input([]int{512}, layers.Name("x"))
			y := x.Apply(layers.Dense(512, layers.Name("d1"), layers.UseBias(false))).Apply(layers.Dense(512, layers.Name("d2")))
			if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
				return err
			}
			return m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 8)), quiet)
		}))
		_, err = m.Predict(t.Context(), tensors.FromScalarAndDimensions(float32(1), 256, 512), keras.BatchSize(256), keras.Verbose(0))
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, m.ExplainSharding(&out))
		return m, out.String()
	}
	m, text := explained()
	const override = `is annotated [{"data"}, {}] by rule "d1/output": [{"data"}, {}] and runs as [{"data"}, {"model"}]`
	require.Contains(t, text, override)
	require.Contains(t, report.New(m.Programs()[0]).String(), override)
	c, err := m.LayoutCost()
	require.NoError(t, err)
	require.Greater(t, c.Kept.Bytes, c.Chosen.Bytes)
	require.Contains(t, c.String(), override)

	m, text = explained(distribution.KeepLayouts())
	require.NotContains(t, text, "and runs as")
	require.Empty(t, m.Programs()[0].Overrides)
	kept := report.New(m.Programs()[0])
	require.Equal(t, c.Kept.Bytes, kept.Bytes)
}

func TestLayoutLint(t *testing.T) {
	for _, tc := range []struct {
		name   string
		set    func(*distribution.LayoutMap)
		want   string // in the error of a strict distribution
		logged bool   // also a warning of another one
	}{
		{"nothing wrong", func(l *distribution.LayoutMap) { l.Set("d1/kernel", "model", distribution.None) }, "", false},
		{"replicated", func(*distribution.LayoutMap) {}, `are replicated on every device although the mesh has "model" to shard them: "d1/kernel"`, false},
		{"wasted", func(l *distribution.LayoutMap) { l.Set("d1/kernel", distribution.None, "model") }, `"d1/kernel" (rule "d1/kernel"): 37 % of its memory is padding`, true},
		{"dead", func(l *distribution.LayoutMap) {
			l.Set("d1/kernel", "model", distribution.None)
			l.Set("d2/kernel", "model", distribution.None)
		}, `the rule "d2/kernel" matches nothing`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var warnings bytes.Buffer
			_, err := layoutModel(t, tc.set, &warnings)
			require.NoError(t, err)
			if tc.logged {
				require.Contains(t, warnings.String(), tc.want)
			} else {
				require.Empty(t, warnings.String())
			}
			if _, err = layoutModel(t, tc.set, &warnings, distribution.Strict()); tc.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.want)
			}
		})
	}
}

// Fit gives one piece of advice about replicated weights: the first one of Suggestions.
func TestAdviceOfFit(t *testing.T) {
	var warnings bytes.Buffer
	d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse("data=2,model=4")), "data")
	require.NoError(t, err)
	var m *keras.Model
	layers.ClearSession()
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{256}, layers.Name("x"))
		y := x.Apply(layers.Dense(1024, layers.Name("d1"), layers.Activation("relu"))).Apply(layers.Dense(256, layers.Name("d2")))
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		return m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), keras.Client(runtimetest.Open(t, 8)), keras.Logger(plainlog.New(&warnings)))
	}))
	require.Empty(t, warnings.String())
	x := tensors.FromScalarAndDimensions(float32(1), 32, 256)
	_, err = m.Fit(t.Context(), x, x, keras.BatchSize(32), keras.Verbose(0))
	require.NoError(t, err)
	s, err := m.Suggestions()
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(warnings.String(), "may be a mistake"), warnings.String())
	require.Equal(t, 1, strings.Count(warnings.String(), "\n"), warnings.String())
	require.Contains(t, warnings.String(), strings.Join(s.Best[0].Lines, " and "))
}

// If both of two layers are sharded by columns, the value between them is gathered: the suggestion
// is to shard the second by rows. With that rule in the map the step has the suggested cost.
// Suggestions are the same before and after a step, and in each call.
func TestSuggestions(t *testing.T) {
	train := func(set func(*distribution.LayoutMap)) *keras.Model {
		layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
		set(layouts)
		d, err := distribution.NewModelParallel(layouts, "data")
		require.NoError(t, err)
		var m *keras.Model
		layers.ClearSession()
		require.NoError(t, distribution.Scope(d, func() error {
			x := keras.Input([]int{64}, layers.Name("x"))
			y := x.Apply(layers.Dense(256, layers.Name("d1"), layers.Activation("relu"))).Apply(layers.Dense(64, layers.Name("d2")))
			if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
				return err
			}
			return m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), keras.Client(runtimetest.Open(t, 8)), quiet)
		}))
		before, err := m.Suggestions()
		require.NoError(t, err)
		x := tensors.FromScalarAndDimensions(float32(1), 32, 64)
		_, err = m.Fit(t.Context(), x, x, keras.BatchSize(32), keras.Verbose(0))
		require.NoError(t, err)
		after, err := m.Suggestions()
		require.NoError(t, err)
		require.Equal(t, after.String(), before.String(), "before any step as after one")
		return m
	}
	m := train(func(l *distribution.LayoutMap) {
		l.Set(".*kernel", "", "model")
		l.Set("d1/bias", "model")
	})
	s, err := m.Suggestions()
	require.NoError(t, err)
	require.NotEmpty(t, s.Best)
	require.Equal(t, `layouts.Override("d2/kernel", "model", "")`, s.Best[0].Lines[0])
	again, err := m.Suggestions()
	require.NoError(t, err)
	require.Equal(t, s.String(), again.String())

	changed := train(func(l *distribution.LayoutMap) {
		l.Set(".*kernel", "", "model")
		l.Set("d1/bias", "model")
		for _, r := range s.Best[0].Rules {
			l.Override(r.Key, r.Axes...)
		}
	})
	r := report.New(changed.Programs()[0])
	require.Equal(t, []int{s.Best[0].After.Collectives, s.Best[0].After.Bytes, s.Best[0].After.Flops, s.Best[0].After.Memory},
		[]int{len(r.Collectives), r.Bytes, r.Flops, r.Memory.Peak})
}

// Models that share a layout map log each of its warnings once. A rule that matches nothing is
// reported by the first model, also if a later one will use it; a rule that an earlier model has
// used is not reported.
func TestWarningsOfALayoutMap(t *testing.T) {
	layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	layouts.Set("d1/kernel", "", "model")
	layouts.Set("d2/kernel", "model") // and no second axis, of which the lint tells
	layouts.Set("d3/kernal", "model", "")
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	var out bytes.Buffer
	for _, name := range []string{"d1", "d2", "d2", "d1"} {
		layers.ClearSession()
		require.NoError(t, distribution.Scope(d, func() error {
			x := keras.Input([]int{512}, layers.Name("x"))
			m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(2048, layers.Name(name)))})
			if err != nil {
				return err
			}
			return m.Compile(keras.Loss("mse"), keras.Logger(plainlog.New(&out)))
		}))
	}
	// before its model was there
	require.Equal(t, 1, strings.Count(out.String(), `"d2/kernel" matches nothing`), out.String())
	require.Equal(t, 0, strings.Count(out.String(), `"d1/kernel" matches nothing`), out.String())
	require.Equal(t, 1, strings.Count(out.String(), `"d3/kernal" matches nothing`), out.String())
	// the second layout is short
	require.Equal(t, 3, strings.Count(out.String(), "keras: model "), out.String())
}

// The first training step warns of a layout that is a mistake, once, with the line that mends
// it. It is what Suggestions, and the commands lint and partition -suggest, say first of the
// same module. A good layout map gets no warning. The short form has two mistakes of four.
func TestOneAdvice(t *testing.T) {
	client := runtimetest.Open(t, 8)
	train := func(set func(*distribution.LayoutMap)) (*keras.Model, *ir.Module, string) {
		layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
		set(layouts)
		d, err := distribution.NewModelParallel(layouts, "data")
		require.NoError(t, err)
		var out bytes.Buffer
		var m *keras.Model
		var step *ir.Module
		layers.ClearSession()
		require.NoError(t, distribution.Scope(d, func() error {
			x := keras.Input([]int{512}, layers.Name("x"))
			y := x.Apply(layers.Dense(2048, layers.Name("d1"), layers.Activation("relu"))).Apply(layers.Dense(512, layers.Name("d2")))
			m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
			if err != nil {
				return err
			}
			if err = m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), keras.Client(client), keras.Logger(plainlog.New(&out))); err != nil {
				return err
			}
			b := data.Batch{X: []*tensors.Tensor{tensors.FromScalarAndDimensions(float32(1), 32, 512)}, Y: []*tensors.Tensor{tensors.FromScalarAndDimensions(float32(1), 32, 512)}}
			if step, err = m.Lower(b); err != nil {
				return err
			}
			for range 2 {
				if _, err = m.Fit(t.Context(), b.X[0], b.Y[0], keras.BatchSize(32), keras.Verbose(0)); err != nil {
					return err
				}
			}
			return nil
		}))
		return m, step, out.String()
	}
	good := func(l *distribution.LayoutMap) {
		l.Set("d1/kernel", "", "model")
		l.Set("d1/bias", "model")
		l.Set("d2/kernel", "model", "")
	}
	_, _, text := train(good)
	require.Empty(t, text)
	for _, axes := range longtest.Pick([][]string{{"", "model"}, {"data", ""}}, [][]string{{"", "model"}, {"", "data"}, {"data", ""}, {"", ""}}) {
		t.Run(fmt.Sprint(axes), func(t *testing.T) {
			m, step, text := train(func(l *distribution.LayoutMap) {
				good(l)
				l.Override("d2/kernel", axes...)
			})
			require.Equal(t, 1, strings.Count(text, "keras: model "), "%s", text)
			require.Contains(t, text, `layouts.Override("d2/kernel", "`)
			own, err := m.Suggestions()
			require.NoError(t, err)
			o := suggest.Options{Options: compile.Options{Platform: client.Platform()}}
			if o.Platform == "cpu" {
				o.Machine = cost.Host()
			}
			found, err := suggest.Find(step, o)
			require.NoError(t, err)
			require.Equal(t, first(own), first(found))
			warnings, err := suggest.Lint(step, o)
			require.NoError(t, err)
			require.Equal(t, found.Best[0].Flags, warnings.Mends[0].Flags)
			for _, w := range warnings.Brief() {
				require.Contains(t, text, w)
			}
		})
	}
}

// first returns the text of the first of the suggestions, as s prints it, without its number.
func first(s *suggest.Suggestions) string {
	_, rest, _ := strings.Cut(s.String(), "\n\n1. ")
	one, _, _ := strings.Cut(rest, "\n\n2. ")
	return strings.TrimSpace(one)
}

// The place of each op is the line of this file that has applied its layer, in the
// forward and in the backward pass, of the rule of an optimizer of one's own, or that
// compiles the model: never one of a library.
func TestWhereIsTheUsersLine(t *testing.T) {
	own := optimizers.New("own", 0.1, nil, func(u *optimizers.Update) {
		u.SetValue(graph.Sub(u.Value(), graph.Mul(u.Gradient, u.LearningRate)))
	})
	usersLines(t, "adam", "adam", "m.Compile(")
	usersLines(t, own, "own", "u.SetValue(")
}

// usersLines trains a model with the given optimizer, which layers' names show as name, on a mesh.
// It requires that the place of each op in its explanation is a line of this file: that of the
// layer, one that compiles the model, or one with the text rule. Ops must be at each kind of line
// but the compiling one.
func usersLines(t *testing.T, optimizer any, name, rule string) {
	layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	var m *keras.Model
	layers.ClearSession()
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{8, 16}, layers.Name("x"))
		y := x.Apply(layers.MultiHeadAttention(2, 8, layers.Name("attention")))
		y = y.Apply(layers.LayerNormalization(layers.Name("norm")))
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		return m.Compile(keras.Loss("mse"), keras.Optimizer(optimizer), keras.Client(runtimetest.Open(t, 8)), quiet)
	}))
	x := tensors.FromScalarAndDimensions(float32(1), 32, 8, 16)
	_, err = m.Fit(t.Context(), x, x, keras.BatchSize(32), keras.Verbose(0))
	require.NoError(t, err)
	e, err := m.Explanation()
	require.NoError(t, err)
	source, err := os.ReadFile("explain_test.go")
	require.NoError(t, err)
	lines := strings.Split(string(source), "\n")
	seen := map[string]bool{}
	for _, v := range e.Values {
		if v.Kind != explain.Made {
			continue
		}
		file, number, ok := strings.Cut(v.Where, ":")
		require.True(t, ok && file == "explain_test.go", "%s %s at %q", v.Name, v.Op, v.Where)
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		want := "m.Compile("
		switch {
		case strings.Contains(v.Layer, "attention") && !strings.HasPrefix(v.Layer, name):
			want = "layers.MultiHeadAttention("
		case strings.Contains(v.Layer, "norm") && !strings.HasPrefix(v.Layer, name):
			want = "layers.LayerNormalization("
		case strings.Contains(lines[n-1], rule):
			want = rule
		}
		require.Contains(t, lines[n-1], want, "%s %s of %s at %s", v.Name, v.Op, v.Layer, v.Where)
		seen[v.Layer], seen[want] = true, true
	}
	require.True(t, seen["grad(attention)"] && seen["grad(norm)"] && seen[rule], "%v", seen)
}

// A step over the budget is an error where it is compiled, before it runs: the variables do not
// change. A step within it runs. A negative budget is an error of Compile.
func TestBudget(t *testing.T) {
	fit := func(opts ...keras.CompileOption) error {
		layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
		layouts.Set("d1/kernel", "model", distribution.None)
		d, err := distribution.NewModelParallel(layouts, "data")
		require.NoError(t, err)
		layers.ClearSession()
		return distribution.Scope(d, func() error {
			x := keras.Input([]int{8}, layers.Name("x"))
			m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(5, layers.Name("d1")))})
			require.NoError(t, err)
			opts = append(opts, keras.Loss("mse"), keras.Client(runtimetest.Open(t, 8)), quiet)
			if err := m.Compile(opts...); err != nil {
				return err
			}
			before := m.Variables()[0].Array()
			_, err = m.Fit(t.Context(), [][]float32{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}}, [][]float32{{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}, keras.Verbose(0))
			if err != nil {
				require.Equal(t, before, m.Variables()[0].Array(), "nothing has run")
			}
			return err
		})
	}
	err := fit(keras.Budget(report.Budget{Bytes: 1}))
	var over *report.OverBudgetError
	require.ErrorAs(t, err, &over)
	require.ErrorContains(t, err, "program train_step is over budget: a device sends")
	require.ErrorAs(t, fit(keras.Budget(report.Budget{Memory: 10})), &over)
	require.ErrorAs(t, fit(keras.Budget(report.Budget{Forbid: []cost.Kind{cost.AllReduce}}), keras.Compiler(compile.Options{})), &over)
	require.NoError(t, fit(keras.Budget(report.Budget{Bytes: 1e6, Memory: 1e6})))
	require.ErrorContains(t, fit(keras.Budget(report.Budget{Bytes: -1})), "the budget allows -1 bytes")
}
