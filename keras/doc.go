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
//	file           what it holds
//	must.go        Must, Functional: short forms for programs
//	host.go        the part of a model that runs on the host: lookups of texts
//	model.go       Model, NewModel, the order of a model's nodes
//	submodel.go    models that begin within another one's graph
//	sequential.go  NewSequential, NewSubclassed, Build, ModelLayer: a model as a layer
//	compile.go     Compile, Distribute
//	memory.go      Memory: a limit, for which values are computed again
//	remat.go       RematScope, MemoryPolicies: what is computed again, by hand
//	named.go       data and outputs by the names of inputs and outputs
//	outputs.go     losses, metrics, weights and data of the outputs, by position or by name
//	structure.go   access to the parts of a model, Weights, SetWeights
//	summary.go     Summary
//	summary_table.go  its tables, which fit a width
//	assumed.go     the step that is explained before any has run
//	describe.go    ExplainSharding, warnings about layout rules
//	suggestions.go Suggestions, warnings about layouts that are mistakes
//	lower.go       Lower: a training step as it is traced
//	export.go      Export: the inference as a StableHLO program
//	eager.go       RunEagerly, Training.Replay: steps op by op, to look at their values
//	fitson.go      FitsOn: on which meshes of accelerators a training step fits
//	trainer.go     Fit, Evaluate, Predict, TrainOnBatch, TestOnBatch, PredictOnBatch
//	source.go      the options of Fit, Evaluate and Predict, and the datasets of the data given to them
//	training.go    Training: a Fit under way, saved and resumed
//	state.go       the content of a training's checkpoint, LoadCheckpoint
//	predictions.go the outputs of predict steps
//	events.go      the events of Evaluate, Predict and validations
//	callbacks.go   Callback, Resumable, Checkpointer, BatchObserver, Logs
//	progress.go    the progress bar
//	steps.go       the loop over the batches of an epoch; checks of a batch's shapes and labels
//	indices.go     checks of the numbers that embeddings look up
//	program.go     the programs of steps, compiled, cached and run
//	ahead.go       programs are loaded before they are needed
//	recording.go   a step as it is traced: forward pass, loss, gradients, optimizer, metrics
//	step.go        TrainStep, TestStep, ComputeLoss, Step: steps and losses of your own
//	step_tensors.go  Loss, Mean, Normal, Uniform, Optimize: the short forms of a Step
//	functions.go   losses and metrics that are functions of Tensors
//	batchlogs.go   BatchLogs.Value
//	execution.go   several steps as one program: a loop
//	automatic.go   when a training runs several steps as one program without being asked
//	job.go         several processes: Job, IsChief, batches of which each process has a part
//	compare.go     what the processes are about to run, compared
package keras
