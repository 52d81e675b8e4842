package distribute

// This file defines the strategies that give every device the whole model.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/distribution"
)

// MirroredStrategy gives each of the devices the whole model and its part of
// each batch: tf.distribute.MirroredStrategy. Without devices it takes all of
// the process.
func MirroredStrategy(devices ...string) (*Strategy, error) {
	return mirrored("MirroredStrategy", devices)
}

// TPUStrategy is MirroredStrategy on all TPU cores of the process:
// tf.distribute.TPUStrategy. A process uses one platform: that of the TPU is
// chosen before anything runs, which is the place of TensorFlow's resolver and
// initialize_tpu_system.
//
//	err := distribution.Initialize(distribution.Options{Platform: "tpu"})
//	strategy, err := distribute.TPUStrategy()
func TPUStrategy() (*Strategy, error) {
	devices, err := distribution.ListDevices("tpu")
	if err != nil {
		return nil, fmt.Errorf("distribute: TPUStrategy: %w", err)
	}
	return mirrored("TPUStrategy", devices)
}

func mirrored(name string, devices []string) (*Strategy, error) {
	var opts []distribution.Option
	if len(devices) > 0 {
		opts = append(opts, distribution.Devices(names(devices)...))
	}
	d, err := distribution.NewDataParallel(opts...)
	if err != nil {
		return nil, fmt.Errorf("distribute: %s: %w", name, err)
	}
	return &Strategy{name, d}, nil
}
