package keras

// This file defines the logs of steps and epochs: how they are fetched from the devices, and the
// history of Fit.

import (
	"context"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/runtime"
)

// Log is a number with a name, such as the loss, that callbacks and the progress bar show.
type Log struct {
	Name  string
	Value float64
}

// Logs are the logs of a step or an epoch, sorted by name; those of the
// validation come last.
type Logs []Log

// Get returns the number with the given name; ok is false if there is none.
func (l Logs) Get(name string) (value float64, ok bool) {
	for _, x := range l {
		if x.Name == name {
			return x.Value, true
		}
	}
	return 0, false
}

// BatchLogs are the logs after a step, such as the loss, still on the devices. Get and Value fetch
// them.
type BatchLogs struct {
	names  []string
	arrays []*runtime.Array
	logs   Logs
}

// Get waits for the step and returns its logs, one for each number of a metric. It keeps them, so
// it can be called again. A nil b has none. After the callbacks of the batch have returned, logs
// that were not read are an error.
func (b *BatchLogs) Get(ctx context.Context) (Logs, error) {
	switch {
	case b == nil:
		return nil, nil
	case b.logs != nil:
		return b.logs, nil
	case b.arrays == nil:
		return nil, errors.New("the logs of this batch are no longer on the devices: call Get in OnTrainBatchEnd")
	}
	logs := make(Logs, 0, len(b.names))
	for i, name := range b.names {
		flat, err := b.arrays[i].Get(ctx)
		if err != nil {
			return nil, err
		}
		values := flat.([]float32)
		for k, v := range values {
			of := name
			if len(values) > 1 { // of a metric with several numbers
				of = numberedLog(name, k)
			}
			logs = append(logs, Log{of, float64(v)})
		}
	}
	b.logs = logs
	return logs, nil
}

// Value waits for the step, as Get does, and returns the number with the given name. A name that
// the logs lack is an error.
func (b *BatchLogs) Value(ctx context.Context, name string) (float64, error) {
	logs, err := b.Get(ctx)
	if err != nil {
		return 0, err
	}
	if v, ok := logs.Get(name); ok {
		return v, nil
	}
	names := make([]string, len(logs))
	for i, l := range logs {
		names[i] = l.Name
	}
	return 0, fmt.Errorf("the batch has no log %q%s", name, suggest.Closest(name, names, "it has "))
}

func (b *BatchLogs) release() {
	if b == nil {
		return
	}
	for _, a := range b.arrays {
		a.Release()
	}
	b.arrays = nil
}

// History holds the logs at the end of each epoch of Fit.
type History struct {
	Epochs []int                // from 0
	Logs   map[string][]float64 // by name, one value for each epoch
}

func (h *History) add(epoch int, logs Logs) {
	h.Epochs = append(h.Epochs, epoch)
	for _, l := range logs {
		h.Logs[l.Name] = append(h.Logs[l.Name], l.Value)
	}
}
