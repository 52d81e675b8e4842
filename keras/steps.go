package keras

// This file runs steps over the batches of a dataset. Before, it checks
// batches against the model: their shapes, and labels that a loss cannot use,
// which XLA would silently turn into NaN or another class.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
)

// errStop, returned by onBatch, ends run without an error.
var errStop = errors.New("a callback stops the training")

// errNoBatch is the error for an empty dataset.
var errNoBatch = errors.New("the dataset yielded no batch: want at least one")

// stepLoop describes the steps over the batches of one epoch.
type stepLoop struct {
	kind      stepKind
	data      *dataIterator
	done      int  // number of batches that were done before the training was resumed
	automatic bool // it may run several steps as one program without being asked

	// onOutputs gets the results of every predict step. The others may be nil:
	// onBegin gets the number of the first batch of every execution before it is queued,
	// onBatch gets the number of the last batch of every execution and the logs of its
	// step, nil for predict steps, and onEnd is called after the last step.
	onOutputs func(outputs []*runtime.Array) error
	onBegin   func(batch int) error
	onBatch   func(batch int, logs *BatchLogs) error
	onEnd     func() error
}

// run runs the steps of a loop and returns the logs after the last one, nil for
// predict steps and if all batches were done before.
//
// It does not wait for a step: while the step runs, the next batch is made and
// transferred to the devices. The runtime bounds how many steps are queued.
func (m *Model) run(ctx context.Context, client *runtime.Client, l stepLoop) (Logs, error) {
	batch := l.done
	var last *BatchLogs
	for bs, err := range grouped(m.prepared(ctx, client, l), func() int { return m.atOnce(l) }) {
		if err != nil {
			return nil, err
		}
		if l.onBegin != nil {
			if err := l.onBegin(batch); err != nil {
				return nil, err
			}
		}
		results, err := m.execute(ctx, client, l, batch, bs)
		if err != nil {
			return nil, err
		}
		if results != nil {
			last.release()
			last = results
		}
		batch += len(bs)
		if l.kind == trainStep {
			m.noteTrained(ctx, client, l, bs)
		}
		if l.onBatch == nil {
			continue
		}
		if err := l.onBatch(batch-1, last); err == errStop {
			break
		} else if err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if batch == 0 {
		return nil, errNoBatch
	}
	if job := m.jobOn(client); job != nil {
		if err := job.Barrier(ctx, fmt.Sprintf("the end of its data, after %d batches of %s", batch, l.kind)); err != nil {
			return nil, err
		}
	}
	if l.onEnd != nil {
		if err := l.onEnd(); err != nil {
			return nil, err
		}
	}
	defer last.release() // not after an error: an interrupted training is saved with its logs
	return last.Get(ctx)
}

// execute queues the steps of an execution, whose first batch has number first, as one
// program or one by one. It returns the logs of the last step, nil for predict steps.
func (m *Model) execute(ctx context.Context, client *runtime.Client, l stepLoop, first int, bs []data.Batch) (last *BatchLogs, err error) {
	perProgram := 1
	if looped, err := m.runsAsLoop(client, l, bs); err != nil {
		return nil, err
	} else if looped {
		perProgram = len(bs)
	}
	for i := 0; i < len(bs); i += perProgram {
		of := bs[i : i+perProgram]
		step, err := m.program(ctx, client, l.kind, of...)
		if err != nil {
			return nil, err
		}
		if m.compiled.broadcast && first+i == l.done && m.jobOn(client) != nil {
			if err := variable.Broadcast(ctx, client, step.read); err != nil {
				return nil, err
			}
		}
		results, err := step.run(client, m.compiled.feed, of...)
		if err != nil {
			return nil, fmt.Errorf("batch %d: %w", first+i, err)
		}
		if l.kind != predictStep {
			last.release()
			last = &BatchLogs{names: step.logs, arrays: results}
			continue
		}
		for outputs := range slices.Chunk(results, len(m.outputs)) {
			if err := l.onOutputs(outputs); err != nil {
				return nil, err
			}
		}
	}
	return last, nil
}

// prepared yields the batches of an epoch, prepared for their steps.
func (m *Model) prepared(ctx context.Context, client *runtime.Client, l stepLoop) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		i := l.done
		for b, err := range l.data.epoch(ctx, l.done) {
			if err == nil {
				b, err = m.prepareBatch(client, l.kind, i, b)
			}
			if err != nil {
				err = fmt.Errorf("batch %d: %w", i, err)
			}
			if !yield(b, err) || err != nil {
				return
			}
			i++
		}
	}
}

// grouped yields as many batches at a time as size says before each group, and those
// that are left before the end or before an error.
func grouped(batches iter.Seq2[data.Batch, error], size func() int) iter.Seq2[[]data.Batch, error] {
	return func(yield func([]data.Batch, error) bool) {
		var group []data.Batch
		n := 0
		for b, err := range batches {
			if len(group) == 0 {
				n = size()
			}
			if err == nil {
				group = append(group, b)
			}
			if len(group) == n || err != nil && len(group) > 0 {
				if !yield(group, nil) {
					return
				}
				group = nil
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
		if len(group) > 0 {
			yield(group, nil)
		}
	}
}

// prepareBatch checks batch i of an epoch and makes what its step needs. It
// returns the batch, for predict steps without labels. The first batch of an epoch
// resets the metrics.
func (m *Model) prepareBatch(client *runtime.Client, kind stepKind, i int, b data.Batch) (data.Batch, error) {
	b, err := m.conforming(b)
	if err != nil {
		return b, err
	}
	if b.Size() == 0 || len(b.Y) == 0 && m.needsLabels(kind) {
		return b, fmt.Errorf("got %d samples and %d label tensors, want samples, and labels to train or evaluate", b.Size(), len(b.Y))
	}
	if err := m.compiled.feed.check(b); err != nil {
		return b, err
	}
	if kind == predictStep {
		b.Y, b.SampleWeight = nil, nil
	}
	if err := m.resolve(b, kind); err != nil {
		return b, err
	}
	if err := m.checkIndices(b); err != nil {
		return b, err
	}
	if err := m.checkLabels(b, kind); err != nil {
		return b, err
	}
	if i == 0 && kind != predictStep {
		return b, m.resetMetrics(client)
	}
	return b, nil
}

// conforming returns a batch in the order and the rank of the model's inputs.
func (m *Model) conforming(b data.Batch) (data.Batch, error) {
	b, err := m.ordered(b)
	if err == nil && !m.hasHost() { // load has done so before its lookups
		b.X, err = inRank(m.inputs, b.X)
	}
	return b, err
}

// resolve checks a batch, and makes what depends on the shapes of the first one:
// the graph of a Sequential, metrics, the optimizer's slots.
func (m *Model) resolve(b data.Batch, kind stepKind) error {
	if !m.built() {
		if err := m.buildFor(b.X); err != nil {
			return err
		}
	}
	if err := m.checkBatch(b, kind); err != nil || kind == predictStep {
		return err
	}
	dm := m.mesh()
	if m.compiled.loss.metric == nil {
		if err := m.buildMetrics(b); err != nil {
			return err
		}
	}
	if kind == trainStep && m.ownStep(kind) == nil {
		return m.compiled.optimizer.Build(m.TrainableVariables(), dm)
	}
	return nil
}

// buildMetrics makes the metrics for the shapes of the first batch.
func (m *Model) buildMetrics(b data.Batch) error {
	c, dm := m.compiled, m.mesh()
	labels, err := c.labelsOf("label tensors", len(b.Y))
	if err != nil && m.ownStep(trainStep) == nil {
		return err
	}
	for i, h := range c.heads {
		if err != nil || labels[i] < 0 {
			continue
		}
		trackers := slices.Concat(h.metrics, h.weighted)
		if h.tracker != nil {
			trackers = append(trackers, h.tracker)
		}
		for _, t := range trackers {
			if err := t.build(dm, b.Y[labels[i]].Shape().Dimensions, m.outputs[i].Shape()); err != nil {
				return err
			}
		}
	}
	for _, t := range append([]*tracked{c.loss}, c.added...) {
		if err := t.build(dm, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// resetMetrics sets all states to 0.
func (m *Model) resetMetrics(client *runtime.Client) error {
	for _, v := range m.compiled.metricVariables() {
		if v.Array() == nil {
			continue
		}
		if err := v.Reset(client); err != nil {
			return err
		}
	}
	return nil
}

// dataIterator yields the batches of a dataset in epochs. An epoch is one
// iteration over the dataset or, if epochs have a number of steps, begins where
// the last one ended.
type dataIterator struct {
	data  data.Dataset
	steps int // of an epoch, 0 for one iteration over the dataset
	warn  func(text string)

	next func() (data.Batch, error, bool) // of the current iteration; nil for none
	stop func()

	yielded int // how many batches epoch has yielded
}

// iterator returns a dataIterator with the given number of steps in an epoch.
func (m *Model) iterator(ds data.Dataset, steps int) *dataIterator {
	return &dataIterator{data: ds, steps: steps, warn: func(text string) { m.warn(m.compiled.logger, text) }}
}

// size returns the number of batches of an epoch. If it is not known, it is what
// Dataset.Cardinality returns.
func (it *dataIterator) size() int {
	if it.steps > 0 {
		return it.steps
	}
	return it.data.Cardinality()
}

// epoch yields the batches of an epoch after the first done ones.
func (it *dataIterator) epoch(ctx context.Context, done int) iter.Seq2[data.Batch, error] {
	if it.steps == 0 {
		return it.count(it.data.Batches(ctx))
	}
	return it.count(func(yield func(data.Batch, error) bool) {
		for n := done; n < it.steps; n++ {
			b, err, ok := it.pull(ctx)
			if !ok && n == 0 { // the last epoch ended with the dataset
				b, err, ok = it.pull(ctx)
			}
			if !ok {
				if n > 0 {
					it.warn(fmt.Sprintf("the dataset ended after %d of the %d steps that were wanted: ask for fewer, or extend it by Repeat", n, it.steps))
				}
				return
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	})
}

// count counts the batches that seq yields.
func (it *dataIterator) count(seq iter.Seq2[data.Batch, error]) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for b, err := range seq {
			if err == nil {
				it.yielded++
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// pull returns the next batch; ok is false at the end of the dataset. The next
// call begins the dataset again.
func (it *dataIterator) pull(ctx context.Context) (b data.Batch, err error, ok bool) {
	if it.next == nil {
		it.next, it.stop = iter.Pull2(it.data.Batches(ctx))
	}
	if b, err, ok = it.next(); !ok {
		it.close()
	}
	return b, err, ok
}

// close ends the current iteration.
func (it *dataIterator) close() {
	if it.next != nil {
		it.stop()
		it.next, it.stop = nil, nil
	}
}

// checkBatch compares a batch with the model's inputs and outputs.
func (m *Model) checkBatch(b data.Batch, kind stepKind) error {
	err := checkInputs(m.deviceTensors(), b.X, func(t *tensors.Tensor) []int { return m.compiled.feed.dims(data.Dims(t)) })
	if err != nil {
		return err
	}
	if kind != predictStep && m.ownStep(kind) != nil {
		return nil
	}
	if len(b.Y) > 0 {
		if _, err := m.compiled.labelsOf("label tensors", len(b.Y)); err != nil {
			return err
		}
	}
	if len(b.SampleWeight) > 1 {
		if _, err := m.compiled.labelsOf("sample weights", len(b.SampleWeight)); err != nil {
			return err
		}
	}
	for i, y := range b.Y {
		if y.DType() == dtypes.Complex64 || y.DType() == dtypes.Complex128 {
			return fmt.Errorf("labels %d are %s, want real numbers", i, y.DType())
		}
	}
	return nil
}

// fits reports whether a shape fits one with open dimensions.
func fits(got, want []int) bool {
	return slices.EqualFunc(got, want, func(g, w int) bool { return w < 0 || g == w })
}

// checkLabels checks the labels of a batch against Keras' losses. It does not
// check labels of the user's own losses.
func (m *Model) checkLabels(b data.Batch, kind stepKind) error {
	if len(b.Y) == 0 || m.ownStep(kind) != nil {
		return nil
	}
	labels, err := m.compiled.labelsOf("label tensors", len(b.Y))
	if err != nil {
		return err
	}
	for i, h := range m.compiled.heads {
		if labels[i] < 0 || h.loss == nil {
			continue
		}
		class, _ := h.loss.Config()
		if class == "" {
			continue
		}
		r := labelRule{classes: -1}
		if class == "SparseCategoricalCrossentropy" && !h.loss.Ignores() {
			shape := m.outputs[i].Shape()
			r = labelRule{classNumbers: true, classes: shape[len(shape)-1]}
		}
		if err := r.check(b.Y[labels[i]], m.outputs[i]); err != nil {
			return fmt.Errorf("labels %d: %w", labels[i], err)
		}
	}
	return nil
}

// labelRule describes valid labels: finite numbers, or class numbers.
type labelRule struct {
	classNumbers bool
	classes      int // number of classes, -1 if it is not known
}

// check returns an error that names the first label that is not valid.
func (r labelRule) check(y *tensors.Tensor, output *layers.Tensor) error {
	bad, value := -1, 0.0
	err := data.Numbers(y, func(i int, v float64) bool {
		if !r.allows(v) {
			bad, value = i, v
		}
		return bad < 0
	})
	if err != nil || bad < 0 {
		return err
	}
	sample := bad / max(1, y.Size()/max(1, y.Shape().Dimensions[0]))
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return fmt.Errorf("sample %d of the batch has the label %v, want a finite number: look for gaps in the data", sample, value)
	case value != math.Trunc(value):
		return fmt.Errorf("sample %d of the batch has the label %v, want the number of a class, an integer", sample, value)
	}
	limit := "a class from 0 on"
	if r.classes >= 0 {
		limit = fmt.Sprintf("a class from 0 to %d, for %s has %d outputs", r.classes-1, output.Producer().Name(), r.classes)
	}
	return fmt.Errorf("sample %d of the batch has the label %v, want %s", sample, value, limit)
}

// allows reports whether a label is valid.
func (r labelRule) allows(v float64) bool {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return false
	case r.classNumbers:
		return v >= 0 && v == math.Trunc(v) && (r.classes < 0 || v < float64(r.classes))
	}
	return true
}

// needsLabels reports whether the batches of a step must have labels: those of an
// output with a loss or metrics, unless the step is the user's own.
func (m *Model) needsLabels(kind stepKind) bool {
	if kind == predictStep || m.ownStep(kind) != nil {
		return false
	}
	if !m.built() {
		return m.compiled.hasLoss()
	}
	return slices.ContainsFunc(m.compiled.heads, (*head).labelled)
}
