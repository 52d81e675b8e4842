// Package keras is a Keras-like API on devices in a mesh: write a model as for
// one device, set a distribution, and the same program runs on all of them.
//
//	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // Ctrl-C ends Fit cleanly
//	defer stop()
//	dist, err := distribution.NewDataParallel()
//	distribution.SetDistribution(dist)
//	x := keras.Input([]int{28, 28, 1})
//	y := x.Apply(layers.Flatten()).Apply(layers.Dense(10, layers.Activation("softmax")))
//	model, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
//	err = model.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy"))
//	history, err := model.Fit(ctx, images, labels, keras.BatchSize(32), keras.Epochs(3))
//
// Names, defaults and numbers are those of Keras 3. The packages below this one
// have the names that they have in Keras: layers, ops, activations, losses, metrics,
// optimizers, regularizers, constraints, initializers, random, distribution.
//
// This package defines the train, test and predict steps of a model. It does not
// partition or run programs: package trace records a step, package compile
// compiles it, and package runtime runs it.
//
// Order of use: NewModel, NewSequential or NewSubclassed, Compile, then Fit,
// Evaluate, Predict.
//
// A batch takes one way to the devices, from Fit, Evaluate, Predict and TrainOnBatch. The stages of
// the way are files, in this order (go run ./benchmarks/way prints it):
//
//	trainer.go     Fit, Evaluate, Predict, TrainOnBatch, TestOnBatch, PredictOnBatch
//	data.go        batches of the data given, in the order and the rank of the inputs and outputs
//	checks.go      the checks of a batch; what the first batch completes
//	steps.go       the loop of steps: how many at a time, as one program or one by one
//	program.go     the programs of steps, compiled, cached, and loaded before they are needed
//	placement.go   batches and variables on the devices; the part of a batch that a process has
//	logs.go        the logs of a step, History
//
// Around it:
//
//	options.go     the options of Fit, Evaluate and Predict
//	training.go    Training: a Fit under way, saved and resumed
//	state.go       the content of a training's checkpoint, LoadCheckpoint
//	callbacks.go   Callback, Resumable, Checkpointer, BatchObserver; when they are called
//	progress.go    the progress bar
//	predictions.go the outputs of predict steps
//	execution.go   several steps as one program: how, and when without being asked
//	host.go        the part of a model that runs on the host: lookups of texts
//	job.go         several processes: Job, IsChief, what they are about to run, compared
//
// How a step is made:
//
//	recording.go   a step as it is traced: forward pass, loss, gradients, optimizer, metrics
//	ownstep.go     TrainStep, TestStep, ComputeLoss, Step: steps and losses of your own
//	ownstep_tensors.go  Loss, Mean, Normal, Uniform, Optimize: the short forms of a Step
//	functions.go   losses and metrics that are functions of Tensors
//	outputs.go     losses, metrics, weights and data of the outputs, by position or by name
//
// The model:
//
//	model.go       Model, NewModel, the order of a model's nodes
//	submodel.go    models that begin within another one's graph
//	sequential.go  NewSequential, NewSubclassed, Build, ModelLayer: a model as a layer
//	compile.go     Compile, Distribute
//	memory.go      Memory, RematScope, MemoryPolicies: values that are computed again
//	structure.go   access to the parts of a model, Weights, SetWeights
//	must.go        Must, Functional: short forms for programs
//
// Reports on a model:
//
//	summary.go     Summary
//	summary_table.go  its tables, which fit a width
//	lower.go       Lower: a training step as it is traced; the step that is explained before any ran
//	describe.go    ExplainSharding, warnings about layout rules
//	suggestions.go Suggestions, warnings about layouts that are mistakes
//	fitson.go      FitsOn: on which meshes of accelerators a training step fits
//	export.go      Export: the inference as a StableHLO program
//	eager.go       RunEagerly, Training.Replay: steps op by op, to look at their values
package keras
