package callbacks

// This file writes event files, which TensorBoard reads: records of TensorFlow
// (TFRecord, tensorflow/core/lib/io/record_writer.cc) that hold protocol buffers
// (tensorflow/core/util/event.proto, core/framework/summary.proto).

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of the fields that are written.
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

// newEventFile makes a file in the folder, whose name tells time, host and
// process, as TensorFlow's do.
func newEventFile(dir string, now func() time.Time) (*eventFile, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be made: %w", dir, err)
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
			return nil, fmt.Errorf("cannot write into the folder %s: %w", dir, err)
		}
	}
	e := &eventFile{f, now}
	event := e.event(0)
	event = protowire.AppendTag(event, eventFileVersion, protowire.BytesType)
	return e, e.record(protowire.AppendString(event, eventFileFormat))
}

// scalars writes numbers of one step, all in one record.
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

// event returns the begin of an Event.
func (e *eventFile) event(step int) []byte {
	b := protowire.AppendTag(nil, eventWallTime, protowire.Fixed64Type)
	b = protowire.AppendFixed64(b, math.Float64bits(float64(e.now().UnixNano())/1e9))
	b = protowire.AppendTag(b, eventStep, protowire.VarintType)
	return protowire.AppendVarint(b, uint64(step))
}

// scalarValue returns a Summary.Value that holds a tensor of no dimensions, for
// the plugin that shows scalars.
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

// maskedSum is the checksum of records: a CRC-32C, rotated and moved on, so that
// the checksum of data with checksums is none of those.
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
