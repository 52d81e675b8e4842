package keras

// This file defines Training: a Fit under way, which can be saved at any batch
// and goes on from there.

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/runtime"
)

// Training is a Fit under way, as callbacks see it beyond their events.
type Training struct {
	model     *Model
	client    *runtime.Client
	data      data.Dataset
	batches   *feed // of data
	config    runConfig
	callbacks []Callback
	history   *History

	epoch, batch, step int
	last               *BatchLogs  // of the last batch
	logs               Logs        // of the last epoch, or of an epoch that was resumed after its last batch
	resume             *resumption // what Resume was given, until it is done
}

// Progress says how far a training is.
type Progress struct {
	Epoch int // the epoch under way or to come, from 0
	Batch int // how many batches of it are done; 0 between epochs
	Step  int // how many batches of all epochs are done
}

// resumption is a checkpoint from which the training is to go on.
type resumption struct {
	checkpoint *checkpoint.Checkpoint
	metadata   *metadata
}

// Resumable is a Callback with a state that belongs to the training's: when the
// training is resumed, Restore gets, after OnTrainBegin, what State returned.
type Resumable interface {
	Callback
	State() (CallbackState, error)
	Restore(CallbackState) error
}

// Checkpointer is a Callback that saves the training. Checkpoint is called when
// all callbacks have seen the end of a batch or, with a Progress whose Batch is
// 0, of an epoch.
type Checkpointer interface {
	Callback
	Checkpoint(ctx context.Context, t *Training) error
}

// Training returns the Fit under way, nil when there is none. From OnTrainBegin
// on callbacks may call it.
func (m *Model) Training() *Training { return m.training }

// Progress returns how far the training is.
func (t *Training) Progress() Progress { return Progress{t.epoch, t.batch, t.step} }

// LogNames returns the names of the logs that callbacks will see: after a batch,
// and at the end of an epoch.
func (t *Training) LogNames() (batch, epoch []string) {
	batch = t.model.logNames()
	epoch = append(epoch, batch...)
	if t.config.validation != nil {
		for _, name := range batch {
			epoch = append(epoch, "val_"+name)
		}
	}
	return batch, epoch
}

// Logs returns the numbers after the last batch or, between epochs, those of the
// epoch that has ended. It waits for the devices.
func (t *Training) Logs(ctx context.Context) (Logs, error) {
	if t.batch > 0 {
		return t.last.Get(ctx)
	}
	return t.logs, nil
}

// Positioned returns an error unless the data keep a position, without which a
// training can be resumed only between epochs.
func (t *Training) Positioned() error {
	if _, ok := t.data.(data.Positioned); !ok {
		return t.noPosition()
	}
	return nil
}

// within reports whether a training that stands there is within an iteration
// over its data.
func (t *Training) within(batch, step int) bool {
	return batch > 0 || t.config.stepsPerEpoch > 0 && step > 0
}

func (t *Training) noPosition() error {
	return fmt.Errorf("the dataset, a %T, keeps no position, so that a training cannot be resumed within an epoch: train on tensors or on a dataset of package data, give yours the methods of data.Positioned, or save between epochs only, and without StepsPerEpoch", t.data)
}

// Resume makes the training go on from a checkpoint: epoch and batch, history,
// data, variables, and the states of callbacks. It may be called in
// OnTrainBegin; the rest happens when all callbacks have begun. The checkpoint
// must stay open until then and is closed by Fit.
func (t *Training) Resume(c *checkpoint.Checkpoint) (Progress, error) {
	meta, err := readMetadata(c)
	if err != nil {
		return Progress{}, err
	}
	if t.resume != nil {
		return Progress{}, fmt.Errorf("the training is to go on from %s and from %s: give one of them", t.resume.checkpoint.Name(), c.Name())
	}
	t.resume = &resumption{c, meta}
	return Progress{meta.Epoch, meta.Batch, meta.Step}, nil
}

// run trains from the first epoch to the last.
func (t *Training) run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, t.close()) }()
	for _, cb := range t.callbacks {
		if err := cb.OnTrainBegin(ctx, t.model); err != nil {
			return err
		}
	}
	stop := false
	if r := t.resume; r != nil {
		t.epoch, t.batch, t.step = r.metadata.Epoch, r.metadata.Batch, r.metadata.Step
		if t.batch == 0 || t.epoch >= t.config.epochs { // else within the epoch
			if stop, err = t.restore(ctx); err != nil {
				return err
			}
		}
	}
	for !stop && t.epoch < t.config.epochs {
		if stop, err = t.runEpoch(ctx); err != nil {
			return err
		}
	}
	if err := t.model.compiled.optimizer.Finalize(ctx, t.client); err != nil {
		return err
	}
	for _, cb := range t.callbacks {
		if err := cb.OnTrainEnd(ctx); err != nil {
			return err
		}
	}
	return nil
}

// close ends what callbacks have open, also after an error.
func (t *Training) close() error {
	t.batches.close()
	var errs []error
	if t.resume != nil {
		errs = append(errs, t.resume.checkpoint.Close())
	}
	for _, cb := range t.callbacks {
		if c, ok := cb.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// runEpoch runs one epoch, or what is left of it; stop tells that a callback
// wants no more.
func (t *Training) runEpoch(ctx context.Context) (stop bool, err error) {
	for _, cb := range t.callbacks {
		if err := cb.OnEpochBegin(ctx, t.epoch); err != nil {
			return false, err
		}
	}
	if t.resume != nil { // within the epoch, which the callbacks have begun anew
		if stop, err = t.restore(ctx); err != nil {
			return false, err
		}
	}
	logs, err := t.model.run(ctx, t.client, pass{kind: trainStep, data: t.batches, done: t.batch, onBatch: func(batch int, logs *BatchLogs) error {
		t.batch, t.last = batch+1, logs
		t.step++
		for _, cb := range t.callbacks {
			if err := cb.OnTrainBatchEnd(ctx, batch, logs); err != nil {
				return err
			}
			stop = stop || cb.StopTraining()
		}
		if err := t.checkpoint(ctx); err != nil {
			return err
		}
		if stop {
			return errStop
		}
		return nil
	}})
	if err != nil {
		return false, err
	}
	if logs == nil { // no batch was left
		logs = t.logs
	}
	if logs, err = t.validate(ctx, logs); err != nil {
		return false, err
	}
	t.history.add(t.epoch, logs)
	for _, cb := range t.callbacks {
		if err := cb.OnEpochEnd(ctx, t.epoch, logs); err != nil {
			return false, err
		}
		stop = stop || cb.StopTraining()
	}
	t.epoch, t.batch, t.last, t.logs = t.epoch+1, 0, nil, logs
	return stop, t.checkpoint(ctx)
}

// validate adds the logs of the validation, if there is one after this epoch.
func (t *Training) validate(ctx context.Context, logs Logs) (Logs, error) {
	if t.config.validation == nil || (t.epoch+1)%max(1, t.config.validationFreq) != 0 {
		return logs, nil
	}
	batches := t.model.feed(t.config.validation, t.config.validationSteps)
	defer batches.close()
	val, err := t.model.run(ctx, t.client, pass{kind: testStep, data: batches})
	if err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	for _, l := range val {
		logs = append(logs, Log{"val_" + l.Name, l.Value})
	}
	return logs, nil
}

func (h *History) add(epoch int, logs Logs) {
	h.Epochs = append(h.Epochs, epoch)
	for _, l := range logs {
		h.Logs[l.Name] = append(h.Logs[l.Name], l.Value)
	}
}

// checkpoint lets those save the training that do so; first those that have a
// state themselves, which so is in what the others save.
func (t *Training) checkpoint(ctx context.Context) error {
	for _, withState := range []bool{true, false} {
		for _, cb := range t.callbacks {
			c, ok := cb.(Checkpointer)
			if _, resumable := cb.(Resumable); !ok || resumable != withState {
				continue
			}
			if err := c.Checkpoint(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// restore brings back what Resume was given; stop tells that a callback wanted
// no more then.
func (t *Training) restore(ctx context.Context) (stop bool, err error) {
	c, meta := t.resume.checkpoint, t.resume.metadata
	if err := t.prepare(ctx); err != nil {
		return false, err
	}
	if err := restoreGroups(t.client, c, t.model.stateGroups()); err != nil {
		return false, err
	}
	*t.history = *meta.History.in()
	for _, l := range meta.Logs {
		t.logs = append(t.logs, Log{l.Name, float64(l.Value)})
	}
	if p, ok := t.data.(data.Positioned); ok && meta.Data != nil {
		if err := p.Seek(*meta.Data); err != nil {
			return false, fmt.Errorf("the data cannot go on where %s says: %w", c.Name(), err)
		}
	} else if t.within(meta.Batch, meta.Step) {
		return false, t.noPosition()
	}
	if err := t.restoreCallbacks(c, meta.Callbacks); err != nil {
		return false, err
	}
	t.resume = nil
	for _, cb := range t.callbacks {
		stop = stop || cb.StopTraining()
	}
	return stop, c.Close()
}

// prepare makes all variables of the training, in the layouts that its steps
// want them in. It needs the shapes of a batch for that.
func (t *Training) prepare(ctx context.Context) error {
	for b, err := range t.data.Batches(ctx) {
		if err != nil {
			return fmt.Errorf("batch 0: %w", err)
		}
		if err := t.model.resolve(b, true); err != nil {
			return fmt.Errorf("batch 0: %w", err)
		}
		_, err = t.model.program(ctx, t.client, trainStep, b)
		return err
	}
	return errNoBatch
}

// restoreCallbacks gives each Resumable the state of the one of its kind that
// stood at its place among those.
func (t *Training) restoreCallbacks(c *checkpoint.Checkpoint, states []callbackMetadata) error {
	used := make([]bool, len(states))
	for _, cb := range t.callbacks {
		r, ok := cb.(Resumable)
		if !ok {
			continue
		}
		for i, s := range states {
			if used[i] || s.Kind != kindOf(cb) {
				continue
			}
			used[i] = true
			state := CallbackState{Values: s.Values}
			for k := range s.Tensors {
				x, err := hostTensor(c, callbackTensor(i, k))
				if err != nil {
					return err
				}
				state.Tensors = append(state.Tensors, x)
			}
			if err := r.Restore(state); err != nil {
				return fmt.Errorf("%s: its state in %s: %w", kindOf(cb), c.Name(), err)
			}
			break
		}
	}
	return nil
}
