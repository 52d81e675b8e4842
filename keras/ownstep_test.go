package keras_test

// This file compares training steps of the user's own with Keras' guides, whose runs
// benchmarks/peers/train_step_reference.py wrote.

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/regularizers"
)

// ownStepCase is a run of Keras: the data, the weights of each model before and after it, and its
// logs.
type ownStepCase struct {
	X, Y       any
	Start, End [][]any // by model
	Logs       map[string][]float64
}

// tensor is the type of a value of a step, in short.
type tensor = *layers.Tensor

// ownStepPrograms has, by name, functions that make a model to be trained with a step of its own.
// They also return the models that it consists of.
var ownStepPrograms = map[string]func(t *testing.T, opts ...keras.CompileOption) (trained *keras.Model, parts []*keras.Model){
	"custom":       customProgram,
	"vae":          vaeProgram,
	"gan":          ganProgram,
	"compute_loss": lossProgram,
}

// lossProgram returns a model whose own loss adds a penalty to the compiled one, and the models in
// it.
func lossProgram(t *testing.T, opts ...keras.CompileOption) (*keras.Model, []*keras.Model) {
	x := keras.Input([]int{4})
	m := model(t, x, x.Apply(layers.Dense(5, layers.Activation("relu"), layers.KernelRegularizer(regularizers.L2(0.01)))).Apply(layers.Dense(1)))
	require.NoError(t, m.Compile(append(opts, keras.Optimizer("adam"), keras.Loss("mse"), keras.Metrics("mae"), keras.ComputeLoss(penalized))...))
	return m, []*keras.Model{m}
}

func penalized(s *keras.Step, predictions ...tensor) tensor {
	return s.ComputeLoss(predictions...).Add(ops.Mean(ops.Absolute(predictions[0])).Mul(0.1))
}

// penalizedDense is a Dense layer as a model of a type of its own, which overrides compute_loss:
// its loss is that of penalized.
type penalizedDense struct {
	layers.Base
	Out *layers.DenseLayer
}

func (m *penalizedDense) Call(c *layers.Context, in []*g.Node) []*g.Node {
	return []*g.Node{c.Apply(m.Out, in[0])}
}

func (m *penalizedDense) ComputeLoss(s *keras.Step, predictions ...tensor) tensor {
	return penalized(s, predictions...)
}

// TestLossOfType trains and evaluates a type that has ComputeLoss, and a model with the option
// ComputeLoss of the same function. The logs of Evaluate must be equal. A loss that is more than
// one number, and nil, are errors.
func TestLossOfType(t *testing.T) {
	var logs []keras.Logs
	for _, own := range []bool{true, false} {
		layers.ClearSession()
		random.SetRandomSeed(4)
		dense := layers.Dense(2)
		m := mustModel(keras.NewSequential(dense))
		opts := []keras.CompileOption{keras.Loss("mse"), keras.Metrics("mae"), goEngine(t), quiet}
		if own {
			m = mustModel(keras.NewSubclassed(&penalizedDense{Out: dense}))
		} else {
			opts = append(opts, keras.ComputeLoss(penalized))
		}
		require.NoError(t, m.Compile(opts...))
		_, err := m.Fit(t.Context(), ramp(12, 4), ramp(12, 2), keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0))
		require.NoError(t, err)
		got, err := m.Evaluate(t.Context(), ramp(12, 4), ramp(12, 2), keras.Verbose(0))
		require.NoError(t, err)
		logs = append(logs, got)
	}
	require.Equal(t, logs[0], logs[1])

	m := mustModel(keras.NewSequential(layers.Dense(2)))
	perSample := func(s *keras.Step, predictions ...tensor) tensor { return ops.Mean(predictions[0], ops.Axis(1)) }
	require.NoError(t, m.Compile(keras.ComputeLoss(perSample), goEngine(t), quiet))
	_, err := m.Fit(t.Context(), ramp(12, 4), nil, keras.Verbose(0))
	require.ErrorContains(t, err, "ComputeLoss: got a tensor of shape (12,), want one number: reduce it, as by ops.Mean")
	require.ErrorContains(t, m.Compile(keras.ComputeLoss(nil)), "Compile: ComputeLoss: got no function")
}

// customProgram returns a model with a step that has a loss and metrics of its own, as the first
// one of Keras' guide, and the models that it consists of: itself alone.
func customProgram(t *testing.T, opts ...keras.CompileOption) (*keras.Model, []*keras.Model) {
	x := keras.Input([]int{4})
	m := model(t, x, x.Apply(layers.Dense(5, layers.Activation("relu"))).Apply(layers.Dense(1)))
	mse, tracker, mae := losses.MeanSquaredError(), metrics.Mean(metrics.Name("loss")), metrics.MeanAbsoluteError(metrics.Name("mae"))
	step := func(s *keras.Step) keras.StepLogs {
		predictions := s.Call(s.X...)
		loss := s.Loss(mse, s.Y[0], predictions[0])
		gradients := s.Gradients(loss, m.TrainableVariables()...)
		s.ApplyGradients(m.Optimizer(), gradients, m.TrainableVariables()...)
		s.UpdateMean(tracker, loss)
		s.Update(mae, s.Y[0], predictions[0], nil)
		return keras.StepLogs{"loss": s.Result(tracker), "mae": s.Result(mae)}
	}
	require.NoError(t, m.Compile(append(opts, keras.Optimizer("adam"), keras.TrainStep(step))...))
	return m, []*keras.Model{m}
}

// VAE is the model of Keras' guide that overrides train_step: a variational autoencoder.
type VAE struct {
	layers.Base
	Encoder, Decoder *keras.Model
	seed             *random.SeedGenerator
}

// Compute returns the decoder's output for the mean that the encoder computes from x, without
// random numbers.
func (v *VAE) Compute(x tensor) tensor {
	return v.Decoder.Apply(layers.ApplyAll(v.Encoder.AsLayer(), x)[0])
}

// TrainStep is train_step of Keras' guide: it trains the encoder and the decoder, and returns the
// losses.
func (v *VAE) TrainStep(s *keras.Step) keras.StepLogs {
	x := s.X[0]
	z := layers.ApplyAll(v.Encoder.AsLayer(), x)
	mean, logVar := z[0], z[1]
	out := v.Decoder.Apply(mean.Add(ops.Exp(logVar.Mul(0.5)).Mul(s.Normal(v.seed, mean.Shape()...))))
	reconstruction := s.Loss("binary_crossentropy", x, out).Mul(x.Shape()[1])
	kl := ops.Mean(ops.Sum(logVar.Add(1).Sub(ops.Square(mean)).Sub(ops.Exp(logVar)).Mul(-0.5), ops.Axis(1)))
	total := reconstruction.Add(kl)
	s.Optimize(total)
	return keras.StepLogs{"loss": s.Mean("loss", total), "reconstruction_loss": s.Mean("reconstruction_loss", reconstruction), "kl_loss": s.Mean("kl_loss", kl)}
}

func vaeProgram(t *testing.T, opts ...keras.CompileOption) (*keras.Model, []*keras.Model) {
	x, z := keras.Input([]int{8}), keras.Input([]int{2})
	hidden := x.Apply(layers.Dense(6, layers.Activation("relu")))
	encoder, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{hidden.Apply(layers.Dense(2)), hidden.Apply(layers.Dense(2))})
	require.NoError(t, err)
	decoder := model(t, z, z.Apply(layers.Dense(6, layers.Activation("relu"))).Apply(layers.Dense(8, layers.Activation("sigmoid"))))
	m, err := keras.NewSubclassed(&VAE{Encoder: encoder, Decoder: decoder, seed: random.NewSeedGenerator(1337)})
	require.NoError(t, err)
	require.NoError(t, m.Compile(append(opts, keras.Optimizer("adam"))...))
	return m, []*keras.Model{encoder, decoder}
}

// ganProgram returns the discriminator of a GAN. Its step also trains a generator, and each has an
// optimizer of its own. The second result is both models, the discriminator first.
func ganProgram(t *testing.T, opts ...keras.CompileOption) (*keras.Model, []*keras.Model) {
	image, latent := keras.Input([]int{5}), keras.Input([]int{3})
	discriminator := model(t, image, image.Apply(layers.Dense(6, layers.Activation("leaky_relu"))).Apply(layers.Dense(1)))
	generator := model(t, latent, latent.Apply(layers.Dense(6, layers.Activation("relu"))).Apply(layers.Dense(5)))
	dAdam, gAdam := optimizers.Adam(optimizers.LearningRate(3e-3)), optimizers.Adam(optimizers.LearningRate(2e-3))
	entropy := losses.BinaryCrossentropy(losses.FromLogits())
	seed := random.NewSeedGenerator(1337)
	dTracker := metrics.Mean(metrics.Name("d_loss"))
	step := func(s *keras.Step) keras.StepLogs {
		real := s.X[0]
		n := real.Shape()[0]
		combined := ops.Concatenate([]tensor{generator.Apply(s.Normal(seed, n, 3)), real}, 0)
		labels := ops.Concatenate([]tensor{ops.Ones([]int{n, 1}), ops.Zeros([]int{n, 1})}, 0)
		dLoss := s.Loss(entropy, labels.Add(s.Uniform(seed, 2*n, 1).Mul(0.05)), s.Call(combined)[0])
		s.Minimize(dAdam, dLoss, discriminator.TrainableVariables()...)
		gLoss := s.Loss(entropy, ops.Zeros([]int{n, 1}), s.Call(generator.Apply(s.Normal(seed, n, 3)))[0])
		s.Minimize(gAdam, gLoss, generator.TrainableVariables()...)
		s.UpdateMean(dTracker, dLoss)
		return keras.StepLogs{"d_loss": s.Result(dTracker), "g_loss": s.Mean("g_loss", gLoss)}
	}
	require.NoError(t, discriminator.Compile(append(opts, keras.TrainStep(step))...))
	return discriminator, []*keras.Model{discriminator, generator}
}

func TestOwnStepsAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct{ Cases map[string]ownStepCase }](t, "testdata/reference/train_step.json")
	require.Len(t, file.Cases, len(ownStepPrograms))
	for name, want := range file.Cases {
		for _, meshName := range []string{"", "data=2,model=4", "data=3,model=2"} {
			for _, perExecution := range []int{1, 3} {
				t.Run(name+" on "+meshName, func(t *testing.T) {
					onMesh(t, meshName, func(client keras.CompileOption) {
						if meshName != "" || perExecution > 1 {
							client = goEngine(t)
						}
						layers.ClearSession()
						m, parts := ownStepPrograms[name](t, client, quiet, keras.StepsPerExecution(perExecution))
						for i, part := range parts {
							require.NoError(t, part.SetWeights(t.Context(), anyTensors(want.Start[i])...))
						}
						var y any
						if want.Y != nil {
							y = tracetest.Tensor(want.Y)
						}
						history, err := m.Fit(t.Context(), tracetest.Tensor(want.X), y, keras.BatchSize(6), keras.Epochs(3), keras.Shuffle(false), keras.Verbose(0))
						require.NoError(t, err)
						require.Len(t, history.Logs, len(want.Logs))
						for log := range want.Logs {
							require.InDeltaSlice(t, want.Logs[log], history.Logs[log], runtimetest.Tolerance(2e-5), log)
						}
						for i, part := range parts {
							weights, err := part.Weights(t.Context())
							require.NoError(t, err)
							for k, w := range anyTensors(want.End[i]) {
								require.True(t, weights[k].InDelta(w.(*tensors.Tensor), runtimetest.Tolerance(1e-5)), "weight %d of model %d: got %v, want %v", k, i, weights[k], w)
							}
						}
					})
				})
			}
		}
	}
}

// TestStepAsBuiltIn requires that a step of the user that does what the built-in one does gives the
// same history, with several outputs, regularizers and a last short batch.
func TestStepAsBuiltIn(t *testing.T) {
	step := func(s *keras.Step) keras.StepLogs {
		predictions := s.Call(s.X...)
		loss := s.ComputeLoss(predictions...)
		if s.Training {
			s.Optimize(loss)
		}
		s.UpdateMetrics(loss, predictions...)
		return s.Metrics()
	}
	var histories []*keras.History
	for _, own := range [][]keras.CompileOption{nil, {keras.TrainStep(step), keras.TestStep(step)}} {
		layers.ClearSession()
		random.SetRandomSeed(2)
		x := keras.Input([]int{4})
		a := x.Apply(layers.Dense(3, layers.Name("a"), layers.KernelRegularizer(regularizers.L2(0.01))))
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{a, a.Apply(layers.Dense(2, layers.Name("b")))})
		require.NoError(t, err)
		require.NoError(t, m.Compile(append(own, keras.Loss("mse", "mae"), keras.LossWeights(1, 0.5), keras.Metrics(nil, "mse"), goEngine(t), quiet)...))
		history, err := m.Fit(t.Context(), ramp(12, 4), []any{ramp(12, 3), ramp(12, 2)}, keras.BatchSize(5), keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0),
			keras.ValidationSplit(0.25))
		require.NoError(t, err)
		histories = append(histories, history)
	}
	require.Equal(t, histories[0], histories[1])
}

// bottleneck is a layer of a user's own that returns its input, and adds the mean of its squares to
// the loss.
type bottleneck struct{ layers.Base }

func (*bottleneck) Call(c *layers.Context, in []*g.Node) []*g.Node {
	c.AddLoss(c.Tensor(g.ReduceAllMean(g.Square(in[0]))))
	return in
}

// TestFitOnAddLoss trains without a loss and without labels on what a layer adds to the loss. The
// loss must fall, and Evaluate must return what the layer adds.
func TestFitOnAddLoss(t *testing.T) {
	x := keras.Input([]int{4})
	m := model(t, x, x.Apply(layers.Dense(3)).Apply(&bottleneck{}))
	require.NoError(t, m.Compile(goEngine(t), quiet))
	history, err := m.Fit(t.Context(), ramp(12, 4), nil, keras.Epochs(4), keras.Verbose(0))
	require.NoError(t, err)
	logs := history.Logs["loss"]
	require.Less(t, logs[3], logs[0])
	out, err := m.PredictOnBatch(t.Context(), ramp(12, 4))
	require.NoError(t, err)
	mean := 0.0
	for _, v := range tensors.MustCopyFlatData[float32](out[0]) {
		mean += float64(v) * float64(v) / 36
	}
	evaluated, err := m.Evaluate(t.Context(), ramp(12, 4), nil, keras.Verbose(0))
	require.NoError(t, err)
	require.InDelta(t, mean, evaluated[0].Value, runtimetest.Tolerance(1e-5))
}

// TestTwoUpdatesInAStep requires that two updates of the same variables in one step, as those of a
// critic, give what two steps give.
func TestTwoUpdatesInAStep(t *testing.T) {
	for _, optimizer := range []string{"sgd", "adam"} {
		var weights [][]*tensors.Tensor
		for updates := range []int{1, 2} {
			layers.ClearSession()
			random.SetRandomSeed(3)
			x := keras.Input([]int{4})
			m := model(t, x, x.Apply(layers.Dense(3, layers.Activation("tanh"))).Apply(layers.Dense(1)))
			step := func(s *keras.Step) keras.StepLogs {
				var loss tensor
				for range updates + 1 {
					y := s.Call(s.X[0])[0] // with a second derivative
					slope := s.Gradient(y, s.X[0])
					loss = ops.Mean(ops.Square(y)).Add(ops.Mean(ops.Square(slope)))
					s.Minimize(m.Optimizer(), loss, m.TrainableVariables()...)
				}
				return keras.StepLogs{"loss": loss}
			}
			require.NoError(t, m.Compile(keras.Optimizer(optimizer), keras.TrainStep(step), goEngine(t), quiet))
			for range 2 - updates {
				_, err := m.TrainOnBatch(t.Context(), ramp(6, 4), nil)
				require.NoError(t, err)
			}
			w, err := m.Weights(t.Context())
			require.NoError(t, err)
			weights = append(weights, w)
		}
		for i := range weights[0] {
			require.True(t, weights[0][i].InDelta(weights[1][i], runtimetest.Tolerance(1e-6)), "%s: weight %d: got %v, want %v", optimizer, i, weights[1][i], weights[0][i])
		}
	}
}

// TestUpdateValues updates a mean with the losses of tokens of several batches, weighted by token.
// At the end of the epoch the log must be the weighted mean of all tokens.
func TestUpdateValues(t *testing.T) {
	x := keras.Input([]int{4})
	m := model(t, x, x.Apply(layers.Dense(3)))
	mean := metrics.Mean(metrics.Name("tokens"))
	step := func(s *keras.Step) keras.StepLogs {
		s.UpdateValues(mean, s.X[0], s.SampleWeight[0])
		return keras.StepLogs{"tokens": s.Result(mean)}
	}
	require.NoError(t, m.Compile(keras.TrainStep(step), keras.TestStep(step), goEngine(t), quiet))
	values := [][]float32{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}
	weights := [][]float32{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 1}}
	logs, err := m.Evaluate(t.Context(), values, nil, keras.SampleWeight(weights), keras.BatchSize(2), keras.Verbose(0))
	require.NoError(t, err)
	require.InDelta(t, (1+5+6+9+10+11+12)/7.0, logs[0].Value, 1e-6)
}

// TestCompileBeforeBuild compiles models that are not built. Build must bind the losses and
// metrics, and return errors if they do not fit.
func TestCompileBeforeBuild(t *testing.T) {
	for _, m := range []*keras.Model{mustModel(keras.NewSequential(layers.Dense(1))), mustModel(keras.NewSubclassed(&bottleneck{}))} {
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Metrics("mae"), goEngine(t), quiet))
		require.NoError(t, m.Build([]int{1}))
		history, err := m.Fit(t.Context(), ramp(6, 1), ramp(6, 1), keras.Verbose(0))
		require.NoError(t, err)
		require.Contains(t, history.Logs, "mae")
	}
	m := mustModel(keras.NewSequential(layers.Dense(1)))
	require.NoError(t, m.Compile(keras.Loss("mse", "mse"), goEngine(t), quiet))
	require.ErrorContains(t, m.Build([]int{1}), "got 2 losses for 1 outputs")
}

func mustModel(m *keras.Model, err error) *keras.Model {
	if err != nil {
		panic(err)
	}
	return m
}

// TestWithTraining calls layers with training=False: in a graph, and in a training step. There
// nothing may be dropped, and the moving mean must stay. Without training=False the step must use
// the mean of the batch, and change the moving mean. A Sequential refuses such a layer.
func TestWithTraining(t *testing.T) {
	layers.ClearSession()
	inner := keras.Input([]int{4})
	base := model(t, inner, inner.Apply(layers.Dropout(0.5, layers.Seed(3))).Apply(layers.BatchNormalization()))
	x := keras.Input([]int{4})
	m := model(t, x, layers.Apply(layers.WithTraining(base.AsLayer(), false), x))
	sum := func(out []*tensors.Tensor) (sum float64) {
		for _, v := range tensors.MustCopyFlatData[float32](out[0]) {
			sum += float64(v)
		}
		return sum
	}
	step := func(s *keras.Step) keras.StepLogs {
		inference := s.X[0].Apply(layers.WithTraining(base.AsLayer(), false))
		require.True(t, s.Training)
		if len(s.Y) > 0 {
			return keras.StepLogs{"sum": ops.Sum(s.Call(s.X[0])[0])}
		}
		return keras.StepLogs{"sum": ops.Sum(inference)}
	}
	require.NoError(t, m.Compile(keras.TrainStep(step), goEngine(t), quiet))
	start, err := m.Weights(t.Context())
	require.NoError(t, err)
	predicted, err := m.Predict(t.Context(), ramp(6, 4), keras.Verbose(0))
	require.NoError(t, err)
	logs, err := m.TrainOnBatch(t.Context(), ramp(6, 4), nil)
	require.NoError(t, err)
	require.InDelta(t, sum(predicted), logs[0].Value, 1e-4, "nothing is dropped")
	after, err := m.Weights(t.Context())
	require.NoError(t, err)
	require.Equal(t, start[2].Value(), after[2].Value(), "the moving mean stays")

	logs, err = m.TrainOnBatch(t.Context(), ramp(6, 4), ramp(6, 4))
	require.NoError(t, err)
	require.InDelta(t, 0, logs[0].Value, 1e-4, "the mean of the batch is taken")
	after, err = m.Weights(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, start[2].Value(), after[2].Value(), "the moving mean is updated")

	_, err = keras.NewSequential(layers.WithTraining(layers.Dense(1), false))
	require.ErrorContains(t, err, "layer 0 is a Dense called with training, and a Sequential calls layers with nothing but tensors")
}

func TestOwnStepErrors(t *testing.T) {
	compile := func(step keras.StepFunc) error {
		x := keras.Input([]int{4})
		m := model(t, x, x.Apply(layers.Dense(3)))
		if err := m.Compile(keras.TrainStep(step), goEngine(t), quiet); err != nil {
			return err
		}
		_, err := m.Fit(t.Context(), ramp(4, 4), nil, keras.Verbose(0))
		return err
	}
	require.ErrorContains(t, compile(nil), "TrainStep: got no function")
	require.ErrorContains(t, compile(func(s *keras.Step) keras.StepLogs {
		return keras.StepLogs{"all": s.X[0]}
	}), `the log "all" of the step: got a tensor of shape (4, 4), want one number, or a few in a row`)
	require.ErrorContains(t, compile(func(s *keras.Step) keras.StepLogs {
		s.Minimize(nil, ops.Sum(s.X[0]))
		return nil
	}), "Minimize: got no optimizer")
	require.ErrorContains(t, compile(func(s *keras.Step) keras.StepLogs {
		x := ops.StopGradient(s.X[0])
		return keras.StepLogs{"loss": ops.Sum(s.Gradient(x, x))}
	}), "parameter 0 is what graph.StopGradient returned, by which no gradient can be taken: go on with graph.Identity of it")
	require.ErrorContains(t, compile(func(s *keras.Step) keras.StepLogs {
		return keras.StepLogs{"loss": s.ComputeLoss(s.Call(s.X...)...)}
	}), "the model was compiled without a loss")
}

// TestOwnStepResumes interrupts a training whose own step also uses a second model, its optimizer
// and generators of random numbers. All of these must be saved with the training, so that it
// resumes with the same numbers.
func TestOwnStepResumes(t *testing.T) {
	x := ramp(20, 5)
	run := func(dir string, cut error) (map[string][]float64, []*tensors.Tensor, error) {
		layers.ClearSession()
		random.SetRandomSeed(5)
		m, parts := ganProgram(t, goEngine(t), quiet)
		backup := &callbacks.BackupAndRestore{BackupDir: dir, Logger: slog.New(slog.DiscardHandler)}
		stop := &callbacks.Lambda{EpochBegin: func(_ context.Context, epoch int) error {
			if epoch == 2 {
				return cut
			}
			return nil
		}}
		history, err := m.Fit(t.Context(), x, nil, keras.BatchSize(6), keras.Epochs(4), keras.Shuffle(false), keras.Verbose(0), keras.Callbacks(backup, stop))
		var weights []*tensors.Tensor
		for _, part := range parts {
			w, err := part.Weights(t.Context())
			require.NoError(t, err)
			weights = append(weights, w...)
		}
		return history.Logs, weights, err
	}
	wantLogs, want, err := run(t.TempDir(), nil)
	require.NoError(t, err)
	dir := t.TempDir()
	_, _, err = run(dir, errors.New("cut"))
	require.ErrorContains(t, err, "cut")
	logs, got, err := run(dir, nil)
	require.NoError(t, err)
	require.Equal(t, wantLogs, logs)
	for i := range want {
		require.True(t, want[i].Equal(got[i]), "weight %d", i)
	}
}
