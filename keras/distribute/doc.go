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
// It has no mechanism of its own: a strategy is a distribution (package
// distribution) under the name that it has in TensorFlow, and models are bound
// to it by Compile. A batch is always the global one.
//
// Order of use: one of the strategies, Scope, and in it the model.
//
//	file             what it holds
//	strategy.go      Strategy: Scope, NumReplicasInSync
//	mirrored.go      MirroredStrategy, TPUStrategy
//	multiworker.go   MultiWorkerMirroredStrategy and TF_CONFIG
//	multigpu.go      MultiGPUModel
//	devices.go       devices by TensorFlow's names: ListPhysicalDevices, SetVisibleDevices
package distribute
