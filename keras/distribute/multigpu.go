package distribute

// This file defines MultiGPUModel.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
)

// MultiGPUModel lays out a model that was made for one device so that each of
// several devices has all of it and its part of each batch, and returns it:
// the multi_gpu_model that Keras had before strategies. gpus is their number,
// at least 2, or a []int of their ids. The devices are those of the process,
// virtual ones of the CPU where it has no others. Compile the model after it.
func MultiGPUModel(model *keras.Model, gpus any) (*keras.Model, error) {
	fail := func(err error) (*keras.Model, error) { return nil, fmt.Errorf("distribute: MultiGPUModel: %w", err) }
	var ids []int
	switch g := gpus.(type) {
	case int:
		for id := range max(g, 0) {
			ids = append(ids, id)
		}
	case []int:
		ids = g
	default:
		return fail(fmt.Errorf("got gpus as %T, want their number, such as 2, or their ids, such as []int{0, 1}", gpus))
	}
	if len(ids) < 2 {
		return fail(fmt.Errorf("got gpus %v, want at least 2: one device needs no distribution", gpus))
	}
	all, err := distribution.ListDevices()
	if err != nil {
		return fail(err)
	}
	devices := make([]string, len(ids))
	for i, id := range ids {
		if id < 0 || id >= len(all) {
			return fail(fmt.Errorf("got gpus %v, the process has %d devices, %s to %s: ask for fewer, or call distribution.Initialize with more virtual devices before anything runs",
				gpus, len(all), all[0], all[len(all)-1]))
		}
		devices[i] = all[id]
	}
	d, err := distribution.NewDataParallel(distribution.Devices(devices...))
	if err != nil {
		return fail(err)
	}
	if err := model.Distribute(d); err != nil {
		return fail(err)
	}
	return model, nil
}
