// Package keras is a Keras-like API on devices in a mesh: write a model as for
// one device, set a distribution, and the same program runs on all of them.
//
//	dist, err := distribution.NewDataParallel()
//	distribution.SetDistribution(dist)
//	x := keras.Input([]int{28, 28, 1})
//	y := x.Apply(layers.Flatten()).Apply(layers.Dense(10, layers.Activation("softmax")))
//	model, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
//	err = model.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy"))
//	history, err := model.Fit(ctx, images, labels, keras.BatchSize(32), keras.Epochs(3))
//
// Names, defaults and numbers are Keras 3's. Around this package stand those
// that Keras has under the same names: layers, activations, losses, metrics,
// optimizers, initializers, random, distribution.
//
// It is not where programs are partitioned or run: a step is traced (package
// trace), compiled (package compile) and run (package runtime); this package
// only says what a step is.
//
// Order of use: NewModel, NewSequential or NewSubclassed, Compile, then Fit, Evaluate,
// Predict.
//
//	file            what it holds
//	model.go        Model: a graph of layers
//	order.go        the order of a model's nodes
//	sequential.go   NewSequential: a list of layers
//	nested.go       NewSubclassed: a Go type as a model; a model as a layer
//	compile.go      Compile: optimizer, losses, metrics
//	distribute.go   Distribute: the model's distribution
//	explain.go      ExplainSharding, Suggestions
//	lint.go         warnings of layout rules that do nothing
//	program.go      the train, test and predict steps: traced, compiled, cached
//	trainer.go      Fit
//	runoptions.go   the options of Fit, Evaluate and Predict
//	source.go       the datasets of what these are given
//	feed.go         the batches of a dataset, in epochs
//	training.go     Training: a Fit under way, saved and resumed
//	state.go        what a checkpoint of a training holds
//	steps.go        steps over a dataset
//	evaluate.go     Evaluate
//	predict.go      Predict
//	onbatch.go      TrainOnBatch, TestOnBatch, PredictOnBatch
//	labels.go       labels that a loss cannot take
//	weighting.go    weights of samples and classes
//	weights.go      Weights, SetWeights
//	structure.go    access to the parts of a model
//	callbacks.go    Callback, Logs
//	progress.go     the progress bar
//	summary.go      Summary
package keras
