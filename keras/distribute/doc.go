// Package distribute has the strategies of tf.distribute, and the older
// multi_gpu_model.
//
//	strategy, err := distribute.MirroredStrategy()
//	batchSize := 64 * strategy.NumReplicasInSync()
//	err = strategy.Scope(func() error {
//		model, err = makeModel() // and compile it
//		return err
//	})
//	history, err := model.Fit(ctx, x, y, keras.BatchSize(batchSize))
//
// A strategy is a distribution (package distribution) with TensorFlow's name; Compile binds
// models to it. This package shards nothing itself. A batch is always the global one.
// MultiWorkerMirroredStrategy is for several processes that all run the same program (package
// distribution).
//
// Order of use: one of the strategies, Scope, and in it the model.
//
//	file         what it holds
//	strategy.go  Strategy, MirroredStrategy, TPUStrategy, MultiWorkerMirroredStrategy; ListPhysicalDevices, SetVisibleDevices, MultiGPUModel
package distribute
