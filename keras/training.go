package keras

// This file defines Training: a Fit under way, which can be saved at any batch
// and resumed from there.

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/runtime"
)

// Training is a Fit under way. Callbacks get it by Model.Training.
type Training struct {
	model     *Model
	client    *runtime.Client
	data      data.Dataset
	batches   *dataIterator // of data
	config    runConfig
	callbacks []Callback
	history   *History

	epoch, batch, step int
	executed           int        // batches of the last execution
	last               *BatchLogs // of the last batch
	// the logs of the last epoch; after a resumption behind an epoch's last batch, those of that epoch
	logs        Logs
	resume      *resumption // argument of Resume, until it is restored
	taken       int         // how many batches data had yielded when the last step was done
	interrupted bool
	ahead       bool         // the programs of the first validation are being loaded
	lastBatches []data.Batch // of the last execution, for Replay
}

// Progress is the position of a training: which epoch, batch and step it has reached.
type Progress struct {
	Epoch int // the current or next epoch, from 0
	Batch int // number of batches done in this epoch; 0 between epochs
	Step  int // number of batches done in all epochs
	Last  int // number of batches of the last execution: 1, or up to StepsPerExecution; 0 before it
}

// Passed reports whether the last execution has completed another n batches of all
// epochs: what is to be done after every n batches is due.
func (p Progress) Passed(n int) bool { return p.Step/n > (p.Step-p.Last)/n }

// resumption is a checkpoint to resume the training from, and its metadata.
type resumption struct {
	checkpoint *checkpoint.Checkpoint
	metadata   *metadata
}

// Training returns the Fit under way, nil if there is none. Callbacks may call it
// in OnTrainBegin and later.
func (m *Model) Training() *Training { return m.training }

// Progress returns the position of the training.
func (t *Training) Progress() Progress { return Progress{t.epoch, t.batch, t.step, t.executed} }

// LogNames returns the names of the logs that callbacks get after a batch, and at the end of an
// epoch: there the same, and with validation data again with val_ before them. Both are nil if the
// training or test step, or the loss, is the user's own (TrainStep, TestStep, ComputeLoss).
func (t *Training) LogNames() (batch, epoch []string) {
	if t.model.ownStep(trainStep) != nil || t.model.ownStep(testStep) != nil {
		return nil, nil
	}
	batch = t.model.logNames()
	epoch = append(epoch, batch...)
	if t.config.validation != nil {
		for _, name := range batch {
			epoch = append(epoch, "val_"+name)
		}
	}
	return batch, epoch
}

// Interrupted reports whether the context of Fit has ended, as by Ctrl-C, before the training has.
// OnTrainEnd is then called all the same, and a callback that saves the training must not remove
// what it has saved. In a job of several processes it is always false.
func (t *Training) Interrupted() bool { return t.interrupted }

// Logs returns the logs after the last batch or, between epochs, those of the last epoch. It waits
// for the devices, and returns the error of a step.
func (t *Training) Logs(ctx context.Context) (Logs, error) {
	if t.batch > 0 {
		return t.last.Get(ctx)
	}
	return t.logs, nil
}

// Positioned returns an error unless the dataset is a data.Positioned. Without
// that, a training can be resumed only between epochs.
func (t *Training) Positioned() error {
	if _, ok := t.data.(data.Positioned); !ok {
		return t.noPosition()
	}
	return nil
}

// within reports whether a training that is done with batch batches of an epoch, and step steps in
// all, is within an iteration over its dataset, so that it can only resume with the dataset's
// position.
func (t *Training) within(batch, step int) bool {
	return batch > 0 || t.config.stepsPerEpoch > 0 && step > 0
}

func (t *Training) noPosition() error {
	of := t.data
	for u, ok := of.(unpositioned); ok; u, ok = of.(unpositioned) {
		of = u.of
	}
	return fmt.Errorf("the dataset, a %T, keeps no position, so that a training cannot be resumed within an epoch: train on tensors or on a dataset of package data, give yours the methods of data.Positioned, or save between epochs only, and without StepsPerEpoch", of)
}

// Resume resumes the training from a checkpoint: epoch and batch, history, the position of the
// dataset, variables, and the states of callbacks. A callback calls it in OnTrainBegin. Fit
// restores the checkpoint after the OnTrainBegin of all callbacks, or the OnEpochBegin if it was
// saved within an epoch, and closes it. Until then it must stay open. Resume returns the position
// that it holds. A second checkpoint, and one that holds no training, are errors.
func (t *Training) Resume(c *checkpoint.Checkpoint) (Progress, error) {
	meta, err := readMetadata(c)
	if err != nil {
		return Progress{}, err
	}
	if t.resume != nil {
		return Progress{}, fmt.Errorf("the training is to be resumed from %s and from %s: give one of them", t.resume.checkpoint.Name(), c.Name())
	}
	t.resume = &resumption{c, meta}
	return Progress{Epoch: meta.Epoch, Batch: meta.Batch, Step: meta.Step}, nil
}

// run trains from the current epoch, or the epoch of t.resume, to the last, and calls the
// callbacks. Before it returns, also with an error, it closes the callbacks and ends the model's
// pending work.
func (t *Training) run(ctx context.Context) (err error) {
	// a backup that is being written is completed before the job ends: the others come to it too
	defer func() {
		err = t.model.end(t.client, errors.Join(err, t.close()))
	}()
	for _, cb := range t.callbacks {
		if err := cb.OnTrainBegin(ctx, t.model); err != nil {
			return err
		}
	}
	stop := false
	if r := t.resume; r != nil {
		t.epoch, t.batch, t.step = r.metadata.Epoch, r.metadata.Batch, r.metadata.Step
		t.model.compiled.loop.done += t.step
		if t.batch == 0 || t.epoch >= t.config.epochs { // else runEpoch restores
			if stop, err = t.restore(ctx); err != nil {
				return err
			}
		}
	}
	for !stop && t.epoch < t.config.epochs {
		if stop, err = t.runEpoch(ctx); err != nil {
			return t.interrupt(ctx, err)
		}
	}
	for _, o := range append(t.model.compiled.own.optimizers, t.model.compiled.optimizer) {
		if err := o.Finalize(ctx, t.client); err != nil {
			return err
		}
	}
	for _, cb := range t.callbacks {
		if err := cb.OnTrainEnd(ctx); err != nil {
			return err
		}
	}
	return nil
}

// interrupt returns the error of an epoch. If that is the end of the context, callbacks
// may save the training once more, and are told that it ends. In a job of several
// processes, which are interrupted at different batches, it only returns the error.
func (t *Training) interrupt(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) || t.Job() != nil {
		return err
	}
	t.interrupted = true
	errs := []error{fmt.Errorf("interrupted in epoch %d, after %d batches of it: %w", t.epoch+1, t.batch, err)}
	ctx = context.WithoutCancel(ctx)
	if t.taken > 0 && t.taken == t.batches.yielded { // all batches that were taken are done
		errs = append(errs, t.checkpoint(ctx))
	}
	for _, cb := range t.callbacks {
		errs = append(errs, cb.OnTrainEnd(ctx))
	}
	return errors.Join(errs...)
}

// callbackContext returns the context of callbacks between batches: without the end of ctx, so that
// an interrupt lets them finish; in a job of several processes ctx itself.
func (t *Training) callbackContext(ctx context.Context) context.Context {
	if t.Job() != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// close closes the iteration over the dataset, the checkpoint of a resumption and the callbacks
// that are io.Closers. It drops pending programs. It returns all errors together.
func (t *Training) close() error {
	t.batches.close()
	t.model.dropPending()
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

// runEpoch runs one epoch, or the rest of a resumed one, with its validation, and calls the
// callbacks; stop is true if a callback stops the training.
func (t *Training) runEpoch(ctx context.Context) (stop bool, err error) {
	for _, cb := range t.callbacks {
		if err := cb.OnEpochBegin(ctx, t.epoch); err != nil {
			return false, err
		}
	}
	if t.resume != nil { // the checkpoint was saved within this epoch
		if stop, err = t.restore(ctx); err != nil {
			return false, err
		}
	}
	begin := func(batch int) error {
		return each(t.callbacks, func(cb Callback) error { return cb.OnTrainBatchBegin(ctx, batch) })
	}
	logs, err := t.model.run(ctx, t.client, stepLoop{kind: trainStep, data: t.batches, done: t.batch, automatic: t.automatic(), onBegin: begin, onBatch: func(batch int, logs *BatchLogs) error {
		t.executed = batch + 1 - t.batch
		t.batch, t.last, t.taken = batch+1, logs, t.batches.yielded
		t.step += t.executed
		whole := t.callbackContext(ctx)
		for _, cb := range t.callbacks {
			if err := cb.OnTrainBatchEnd(whole, batch, logs); err != nil {
				return err
			}
			stop = stop || cb.StopTraining()
		}
		if err := t.checkpoint(whole); err != nil {
			return err
		}
		if stop {
			return errStop
		}
		return t.loadTestStep(ctx)
	}})
	if err != nil {
		return false, err
	}
	if logs == nil { // the epoch was resumed after its last batch
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

// validates reports whether this epoch ends with a validation: there are validation data, and
// ValidationFreq divides the number of epochs so far.
func (t *Training) validates() bool {
	return t.config.validation != nil && (t.epoch+1)%max(1, t.config.validationFreq) == 0
}

// validate returns logs and, if this epoch has a validation, its logs after them, with val_ before
// their names.
func (t *Training) validate(ctx context.Context, logs Logs) (Logs, error) {
	if !t.validates() {
		return logs, nil
	}
	batches := &dataIterator{model: t.model, data: t.config.validation, steps: t.config.validationSteps}
	defer batches.close()
	val, err := t.model.runTest(ctx, t.callbacks, stepLoop{data: batches}, func(l stepLoop) (Logs, error) { return t.model.run(ctx, t.client, l) })
	if err != nil {
		return nil, fmt.Errorf("validation: %w", err)
	}
	for _, l := range val {
		logs = append(logs, Log{"val_" + l.Name, l.Value})
	}
	return logs, nil
}

// checkpoint calls the Checkpointers. Those that are Resumable come first, so
// that the checkpoints of the others hold their new state.
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

// restore restores the checkpoint of Resume, and closes it; stop is true if a callback had stopped
// the training before it was saved. A position that the dataset cannot take is an error.
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
		if err := p.Seek(meta.position(t.client)); err != nil {
			return false, fmt.Errorf("the data cannot be resumed at the position in %s: %w", c.Name(), err)
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

// prepare makes all variables of the training, in the shardings of its train
// step. It reads one batch, because they depend on its shapes.
func (t *Training) prepare(ctx context.Context) error {
	for b, err := range t.data.Batches(ctx) {
		if err == nil {
			b, err = t.model.conforming(b)
		}
		if err == nil {
			err = t.model.resolve(b, trainStep)
		}
		if err != nil {
			return fmt.Errorf("batch 0: %w", err)
		}
		_, err = t.model.program(ctx, t.client, trainStep, b)
		return err
	}
	return errNoBatch
}

// restoreCallbacks restores the states of Resumable callbacks from c; states describes what is
// saved. Callbacks of one kind get the saved states of that kind in order; one without a saved
// state is not restored.
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

// loadTestStep starts, once, to load the program of the validation at the end of this epoch, if the
// validation data are tensors: reading a batch early has no side effects. It ignores an error in
// the program: the validation reports it. It does nothing with StepsPerExecution above 1, with a
// test step of the user's own, and in a job of several processes, which must all load programs in
// the same order.
func (t *Training) loadTestStep(ctx context.Context) error {
	if t.ahead || !t.validates() {
		return nil
	}
	t.ahead = true
	m, c := t.model, t.config
	at, ok := c.validation.(data.Positioned)
	if !ok || !c.validationTensors || m.compiled.perExecution > 1 || m.ownStep(testStep) != nil || t.Job() != nil {
		return nil
	}
	start := at.Position()
	for b, err := range c.validation.Batches(ctx) {
		if err == nil {
			m.loadTest(ctx, t.client, b)
		}
		break
	}
	return at.Seek(start)
}
