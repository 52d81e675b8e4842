// Package callbacks holds Keras' callbacks, which watch Fit and act on it.
//
//	history, err := model.Fit(ctx, x, y, keras.Epochs(100), keras.Callbacks(
//		&callbacks.EarlyStopping{Monitor: "val_loss", Patience: 3, RestoreBestWeights: true},
//		&callbacks.CSVLogger{Filename: "log.csv"},
//	))
//
// A callback is a struct; fields that are not set have Keras' defaults. One value
// serves one Fit at a time. The state that a callback keeps from epoch to epoch
// is part of the checkpoints of the training (keras.Resumable).
//
// In a job of several processes the callbacks of all of them are called. Those that write files
// or print do so in process 0 (keras.Training.IsChief). Give all processes the same callbacks:
// some need all processes to save.
//
// The interface itself is not here: keras.Callback is in package keras, and a
// callback of your own embeds keras.BaseCallback.
//
// Order of use: pass callbacks to Fit with keras.Callbacks.
//
//	file                what it holds
//	lambda.go           Lambda
//	basic.go            LearningRateScheduler, TerminateOnNaN
//	locate.go           the first number of a step that is not finite
//	messages.go         what callbacks print
//	csvlogger.go        CSVLogger
//	averages.go         SwapEMAWeights
//	remote.go           RemoteMonitor
//	monitor.go          Mode; EarlyStopping, ReduceLROnPlateau
//	backup.go           BackupAndRestore; checkpoints of a training
//	modelcheckpoint.go  ModelCheckpoint; file names with fields such as {epoch:02d}
//	tensorboard.go      TensorBoard
//	eventfile.go        its event files: scalars, histograms, graphs
//	graph.go            the graph of the layers
package callbacks
