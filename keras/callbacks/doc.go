// Package callbacks holds Keras' callbacks: things that watch Fit and act.
//
//	history, err := model.Fit(ctx, x, y, keras.Epochs(100), keras.Callbacks(
//		&callbacks.EarlyStopping{Monitor: "val_loss", Patience: 3, RestoreBestWeights: true},
//		&callbacks.CSVLogger{Path: "log.csv"},
//	))
//
// A callback is a struct: fields that are left out have Keras' defaults. One
// value serves one Fit at a time. What a callback keeps from epoch to epoch is
// part of the checkpoints of the training (keras.Resumable).
//
// It is not the place of the interface itself: keras.Callback is in package
// keras, and a callback of your own embeds keras.BaseCallback.
//
//	file                what it holds
//	monitor.go          which number is watched, and what makes it better
//	earlystopping.go    EarlyStopping
//	learningrate.go     LearningRateScheduler, ReduceLROnPlateau
//	backup.go           BackupAndRestore
//	modelcheckpoint.go  ModelCheckpoint
//	template.go         names of files with fields such as {epoch:02d}
//	background.go       files that are written while the training goes on
//	csvlogger.go        CSVLogger
//	tensorboard.go      TensorBoard
//	eventfile.go        the files that TensorBoard reads
//	terminateonnan.go   TerminateOnNaN
//	lambda.go           Lambda
package callbacks
