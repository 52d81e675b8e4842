package callbacks

// This file defines TensorBoard and writes its event files: records of TensorFlow
// (TFRecord, tensorflow/core/lib/io/record_writer.cc) that hold protocol buffers
// (tensorflow/core/util/event.proto, core/framework/summary.proto).

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gospmd/gospmd/keras"
)

// TensorBoard writes the logs into files that TensorBoard shows:
// keras.callbacks.TensorBoard. The logs of the training go to the directory train,
// those of the validation to validation: epoch_loss and so on with the number of
// the epoch, from 0, batch_loss and so on with the number of the step.
//
// In a job of several processes, process 0 writes them. It does not write Keras'
// histograms, images, graphs and profiles.
type TensorBoard struct {
	keras.BaseCallback
	LogDir              string // "logs" by default
	UpdateFreq          int    // after how many batches to write the logs of a batch; 0: never
	WriteStepsPerSecond bool   // write epoch_steps_per_second

	model             *keras.Model
	train, validation *eventFile // made when first used
	began             time.Time  // of the epoch
	first             int        // step of the epoch
	idle              bool       // another process writes the files
}

// ObservesBatches reports whether UpdateFreq is set.
func (c *TensorBoard) ObservesBatches() bool { return c.UpdateFreq > 0 }

// OnTrainBegin creates the file of the training.
func (c *TensorBoard) OnTrainBegin(_ context.Context, m *keras.Model) error {
	if c.UpdateFreq < 0 {
		return fmt.Errorf("TensorBoard: got UpdateFreq %d, want a number of batches, or 0 for epochs only", c.UpdateFreq)
	}
	c.model, c.train, c.validation, c.idle = m, nil, nil, !isChief(m)
	return c.write(&c.train, "train", 0, nil, nil)
}

// OnEpochBegin starts the clock.
func (c *TensorBoard) OnEpochBegin(context.Context, int) error {
	c.began, c.first = time.Now(), c.model.Training().Progress().Step
	return nil
}

// OnTrainBatchEnd writes the logs of a batch after every UpdateFreq batches.
func (c *TensorBoard) OnTrainBatchEnd(ctx context.Context, _ int, logs *keras.BatchLogs) error {
	p := c.model.Training().Progress()
	if c.idle || c.UpdateFreq == 0 || !p.Passed(c.UpdateFreq) {
		return nil
	}
	values, err := logs.Get(ctx)
	if err != nil {
		return err
	}
	return c.writeLogs(&c.train, "train", p.Step, "batch_", values)
}

// OnEpochEnd writes the logs of an epoch.
func (c *TensorBoard) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
	if c.idle {
		return nil
	}
	var train, validation keras.Logs
	for _, l := range logs {
		if name, ok := strings.CutPrefix(l.Name, "val_"); ok {
			validation = append(validation, keras.Log{Name: name, Value: l.Value})
		} else {
			train = append(train, l)
		}
	}
	rates, err := learningRates(ctx, c.model)
	if err != nil {
		return err
	}
	train = append(train, rates...)
	if c.WriteStepsPerSecond {
		steps := c.model.Training().Progress().Step - c.first
		train = append(train, keras.Log{Name: "steps_per_second", Value: float64(steps) / time.Since(c.began).Seconds()})
	}
	if err := c.writeLogs(&c.train, "train", epoch, "epoch_", train); err != nil || len(validation) == 0 {
		return err
	}
	return c.writeLogs(&c.validation, "validation", epoch, "epoch_", validation)
}

// learningRates returns the learning rate of a model, or those of the optimizers of a
// MultiOptimizer, such as learning_rate/adam.
func learningRates(ctx context.Context, m *keras.Model) (rates keras.Logs, err error) {
	all, several := m.Optimizer().Optimizers(), true
	if all == nil {
		all, several = append(all, m.Optimizer()), false
	}
	for _, o := range all {
		rate, err := o.LearningRate(ctx)
		if err != nil {
			return nil, err
		}
		name := "learning_rate"
		if several {
			name += "/" + o.Name()
		}
		rates = append(rates, keras.Log{Name: name, Value: rate})
	}
	return rates, nil
}

func (c *TensorBoard) writeLogs(to **eventFile, subdir string, step int, prefix string, logs keras.Logs) error {
	tags, values := make([]string, len(logs)), make([]float64, len(logs))
	for i, l := range logs {
		tags[i], values[i] = prefix+l.Name, l.Value
	}
	return c.write(to, subdir, step, tags, values)
}

// write writes numbers into a file, which is created at its first use.
func (c *TensorBoard) write(to **eventFile, subdir string, step int, tags []string, values []float64) (err error) {
	if c.idle {
		return nil
	}
	if *to == nil {
		dir := c.LogDir
		if dir == "" {
			dir = "logs"
		}
		*to, err = newEventFile(filepath.Join(dir, subdir), time.Now)
	}
	if err == nil && len(tags) > 0 {
		err = (*to).scalars(step, tags, values)
	}
	if err != nil {
		return fmt.Errorf("TensorBoard: %w", err)
	}
	return nil
}

// Close closes the files.
func (c *TensorBoard) Close() error {
	var errs []error
	for _, e := range []*eventFile{c.train, c.validation} {
		if e != nil {
			errs = append(errs, e.f.Close())
		}
	}
	c.train, c.validation = nil, nil
	return errors.Join(errs...)
}

// The field numbers and constants of the protocol buffers.
const (
	eventWallTime    = 1
	eventStep        = 2
	eventFileVersion = 3
	eventSummary     = 5

	summaryValue    = 1
	valueTag        = 1
	valueTensor     = 8
	valueMetadata   = 9
	metadataPlugin  = 1
	metadataClass   = 4
	pluginName      = 1
	tensorDType     = 1
	tensorShape     = 2
	tensorFloat     = 5
	dtypeFloat      = 1 // DT_FLOAT
	dataClassScalar = 1 // DATA_CLASS_SCALAR
	scalarsPlugin   = "scalars"
	eventFileFormat = "brain.Event:2"
	eventFilePrefix = "events.out.tfevents"
)

// eventFile is an event file being written.
type eventFile struct {
	f   *os.File
	now func() time.Time
}

// newEventFile creates a file in dir. Its name has the time, the host and the
// process, as TensorFlow's have.
func newEventFile(dir string, now func() time.Time) (*eventFile, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the directory %s cannot be made: %w", dir, err)
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	var f *os.File
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.%010d.%s.%d.%d.v2", eventFilePrefix, now().Unix(), host, os.Getpid(), i)
		f, err = os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			break
		}
		if !os.IsExist(err) {
			return nil, fmt.Errorf("cannot write into the directory %s: %w", dir, err)
		}
	}
	e := &eventFile{f, now}
	event := e.event(0)
	event = protowire.AppendTag(event, eventFileVersion, protowire.BytesType)
	return e, e.record(protowire.AppendString(event, eventFileFormat))
}

// scalars writes the numbers of one step in one record.
func (e *eventFile) scalars(step int, tags []string, values []float64) error {
	var summary []byte
	for i, tag := range tags {
		summary = protowire.AppendTag(summary, summaryValue, protowire.BytesType)
		summary = protowire.AppendBytes(summary, scalarValue(tag, values[i]))
	}
	event := e.event(step)
	event = protowire.AppendTag(event, eventSummary, protowire.BytesType)
	return e.record(protowire.AppendBytes(event, summary))
}

// event returns the fields that all Events begin with.
func (e *eventFile) event(step int) []byte {
	b := protowire.AppendTag(nil, eventWallTime, protowire.Fixed64Type)
	b = protowire.AppendFixed64(b, math.Float64bits(float64(e.now().UnixNano())/1e9))
	b = protowire.AppendTag(b, eventStep, protowire.VarintType)
	return protowire.AppendVarint(b, uint64(step))
}

// scalarValue returns a Summary.Value that holds a scalar tensor, for the plugin
// that shows scalars.
func scalarValue(tag string, value float64) []byte {
	plugin := protowire.AppendTag(nil, pluginName, protowire.BytesType)
	plugin = protowire.AppendString(plugin, scalarsPlugin)
	metadata := protowire.AppendTag(nil, metadataPlugin, protowire.BytesType)
	metadata = protowire.AppendBytes(metadata, plugin)
	metadata = protowire.AppendTag(metadata, metadataClass, protowire.VarintType)
	metadata = protowire.AppendVarint(metadata, dataClassScalar)
	tensor := protowire.AppendTag(nil, tensorDType, protowire.VarintType)
	tensor = protowire.AppendVarint(tensor, dtypeFloat)
	tensor = protowire.AppendTag(tensor, tensorShape, protowire.BytesType)
	tensor = protowire.AppendBytes(tensor, nil)
	tensor = protowire.AppendTag(tensor, tensorFloat, protowire.BytesType)
	tensor = protowire.AppendBytes(tensor, protowire.AppendFixed32(nil, math.Float32bits(float32(value))))

	b := protowire.AppendTag(nil, valueTag, protowire.BytesType)
	b = protowire.AppendString(b, tag)
	b = protowire.AppendTag(b, valueTensor, protowire.BytesType)
	b = protowire.AppendBytes(b, tensor)
	b = protowire.AppendTag(b, valueMetadata, protowire.BytesType)
	return protowire.AppendBytes(b, metadata)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskedSum is the checksum of records: a CRC-32C, rotated, plus a constant. So the
// checksum of data that contains checksums is not one of those.
func maskedSum(data []byte) uint32 {
	sum := crc32.Checksum(data, castagnoli)
	return (sum>>15 | sum<<17) + 0xa282ead8
}

// record writes a record: its length and data, each with a checksum.
func (e *eventFile) record(data []byte) error {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	b = binary.LittleEndian.AppendUint32(b, maskedSum(b))
	b = append(b, data...)
	b = binary.LittleEndian.AppendUint32(b, maskedSum(data))
	_, err := e.f.Write(b)
	return err
}
