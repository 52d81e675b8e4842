package callbacks

// This file writes event files of TensorBoard: records of TensorFlow (TFRecord,
// tensorflow/core/lib/io/record_writer.cc) that hold protocol buffers
// (tensorflow/core/util/event.proto, core/framework/summary.proto, graph.proto).

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// These are the field numbers and constants of the protocol buffers.
const (
	eventWallTime    = 1
	eventStep        = 2
	eventFileVersion = 3
	eventGraph       = 4
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
	tensorContent   = 4
	tensorFloat     = 5
	shapeDim        = 2
	dimSize         = 1
	graphNode       = 1
	nodeName        = 1
	nodeOp          = 2
	nodeInput       = 3
	dtypeFloat      = 1 // DT_FLOAT
	dtypeDouble     = 2 // DT_DOUBLE
	dataClassScalar = 1 // DATA_CLASS_SCALAR
	dataClassTensor = 2 // DATA_CLASS_TENSOR
	scalarsPlugin   = "scalars"
	histograms      = "histograms" // the plugin
	eventFileFormat = "brain.Event:2"
	eventFilePrefix = "events.out.tfevents"
)

// eventFile is an event file of TensorBoard that is being written.
type eventFile struct {
	f   *os.File
	now func() time.Time
}

// newEventFile creates an event file in dir, which it makes if necessary, and writes its first
// record, the version of the format. Its name has the time, the host and the process, as
// TensorFlow's have. now returns the time, for the name and for all records.
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

// scalars writes one record with the numbers of a step, as float32: values[i] has the tag tags[i].
func (e *eventFile) scalars(step int, tags []string, values []float64) error {
	return e.summary(step, len(tags), func(i int) []byte {
		content := protowire.AppendFixed32(nil, math.Float32bits(float32(values[i])))
		return taggedTensor(tags[i], scalarsPlugin, dataClassScalar, dtypeFloat, nil, tensorFloat, content)
	})
}

// buckets is the number of parts of a histogram, as in TensorFlow.
const buckets = 30

// histograms writes one record with a histogram of a step for each tag: how often numbers of
// values[i] occur.
func (e *eventFile) histograms(step int, tags []string, values [][]float64) error {
	return e.summary(step, len(tags), func(i int) []byte {
		var content []byte
		for _, b := range bucketsOf(values[i]) {
			for _, x := range b {
				content = binary.LittleEndian.AppendUint64(content, math.Float64bits(x))
			}
		}
		return taggedTensor(tags[i], histograms, dataClassTensor, dtypeDouble, []int{buckets, 3}, tensorContent, content)
	})
}

// bucketsOf returns the buckets of a histogram of values: for each its lower and its upper limit,
// and how many numbers are in it (tensorboard/plugins/histogram/summary_v2.py). If all numbers are
// equal, the last one has all. NaN and infinities are left out. Without numbers everything is 0.
func bucketsOf(values []float64) (out [buckets][3]float64) {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	if len(values) == 0 {
		return out
	}
	low, high := slices.Min(values), slices.Max(values)
	width := (high - low) / buckets
	for i := range out {
		out[i] = [3]float64{low + float64(i)*width, low + float64(i+1)*width}
	}
	out[buckets-1][1] = high
	for _, v := range values {
		i := buckets - 1
		if width > 0 {
			i = min(i, int((v-low)/width))
		}
		out[i][2]++
	}
	return out
}

// summary writes a record of a step with n values to the file; value(i) returns the encoded i-th
// value.
func (e *eventFile) summary(step, n int, value func(i int) []byte) error {
	var summary []byte
	for i := range n {
		summary = protowire.AppendTag(summary, summaryValue, protowire.BytesType)
		summary = protowire.AppendBytes(summary, value(i))
	}
	event := e.event(step)
	event = protowire.AppendTag(event, eventSummary, protowire.BytesType)
	return e.record(protowire.AppendBytes(event, summary))
}

// drawnNode is a node of a graph that TensorBoard draws: its name, its kind, and the names of the
// nodes that it takes as inputs.
type drawnNode struct {
	name, op string
	inputs   []string
}

// graph writes a record with the nodes of a model's graph to the file: their names, kinds and
// inputs.
func (e *eventFile) graph(nodes []drawnNode) error {
	var graph []byte
	for _, n := range nodes {
		node := protowire.AppendTag(nil, nodeName, protowire.BytesType)
		node = protowire.AppendString(node, n.name)
		node = protowire.AppendTag(node, nodeOp, protowire.BytesType)
		node = protowire.AppendString(node, n.op)
		for _, in := range n.inputs {
			node = protowire.AppendTag(node, nodeInput, protowire.BytesType)
			node = protowire.AppendString(node, in)
		}
		graph = protowire.AppendTag(graph, graphNode, protowire.BytesType)
		graph = protowire.AppendBytes(graph, node)
	}
	event := e.event(0)
	event = protowire.AppendTag(event, eventGraph, protowire.BytesType)
	return e.record(protowire.AppendBytes(event, graph))
}

// event returns the bytes of the fields that all Events of a step begin with: the time and the
// step.
func (e *eventFile) event(step int) []byte {
	b := protowire.AppendTag(nil, eventWallTime, protowire.Fixed64Type)
	b = protowire.AppendFixed64(b, math.Float64bits(float64(e.now().UnixNano())/1e9))
	b = protowire.AppendTag(b, eventStep, protowire.VarintType)
	return protowire.AppendVarint(b, uint64(step))
}

// taggedTensor returns the bytes of a Summary.Value of TensorBoard: a tensor with a tag, for the
// plugin called of that shows it. class is a dataClass constant, dtype a dtype constant, and dims
// the sizes of the tensor. The elements, content, are in the given field of the tensor's message.
func taggedTensor(tag, of string, class, dtype uint64, dims []int, field protowire.Number, content []byte) []byte {
	plugin := protowire.AppendTag(nil, pluginName, protowire.BytesType)
	plugin = protowire.AppendString(plugin, of)
	metadata := protowire.AppendTag(nil, metadataPlugin, protowire.BytesType)
	metadata = protowire.AppendBytes(metadata, plugin)
	metadata = protowire.AppendTag(metadata, metadataClass, protowire.VarintType)
	metadata = protowire.AppendVarint(metadata, class)
	var shape []byte
	for _, n := range dims {
		dim := protowire.AppendTag(nil, dimSize, protowire.VarintType)
		shape = protowire.AppendTag(shape, shapeDim, protowire.BytesType)
		shape = protowire.AppendBytes(shape, protowire.AppendVarint(dim, uint64(n)))
	}
	tensor := protowire.AppendTag(nil, tensorDType, protowire.VarintType)
	tensor = protowire.AppendVarint(tensor, dtype)
	tensor = protowire.AppendTag(tensor, tensorShape, protowire.BytesType)
	tensor = protowire.AppendBytes(tensor, shape)
	tensor = protowire.AppendTag(tensor, field, protowire.BytesType)
	tensor = protowire.AppendBytes(tensor, content)

	b := protowire.AppendTag(nil, valueTag, protowire.BytesType)
	b = protowire.AppendString(b, tag)
	b = protowire.AppendTag(b, valueTensor, protowire.BytesType)
	b = protowire.AppendBytes(b, tensor)
	b = protowire.AppendTag(b, valueMetadata, protowire.BytesType)
	return protowire.AppendBytes(b, metadata)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskedSum returns the checksum of data in a record: a CRC-32C, rotated, plus a constant. So the
// checksum of data that contains checksums is not one of those.
func maskedSum(data []byte) uint32 {
	sum := crc32.Checksum(data, castagnoli)
	return (sum>>15 | sum<<17) + 0xa282ead8
}

// record writes a record to the file: the length of data and data, each with its checksum.
func (e *eventFile) record(data []byte) error {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	b = binary.LittleEndian.AppendUint32(b, maskedSum(b))
	b = append(b, data...)
	b = binary.LittleEndian.AppendUint32(b, maskedSum(data))
	_, err := e.f.Write(b)
	return err
}
