package utils

// This file makes samples from sequences: it pads sequences of different lengths, and takes windows
// of one sequence.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
)

// MaxLen sets the length of PadSequences' results. The default, and a negative number, mean the
// length of the longest sequence.
func MaxLen(n int) Option { return Option{option.New("MaxLen", func(c *config) { c.maxLen = n })} }

// Padding says where PadSequences pads sequences that are too short: "pre" (the default) or "post".
// Others are errors.
func Padding(side string) Option {
	return Option{option.New("Padding", func(c *config) { c.padding = side })}
}

// Truncating says where PadSequences cuts sequences that are too long: "pre" (the default) or
// "post". Others are errors.
func Truncating(side string) Option {
	return Option{option.New("Truncating", func(c *config) { c.truncating = side })}
}

// Value sets what PadSequences pads with; the default is 0. float32 rounds it. A number that an
// integer type does not have, such as 0.5 or NaN, is an error.
func Value(v float64) Option { return Option{option.New("Value", func(c *config) { c.value = v })} }

// PadSequences returns sequences as the rows of one tensor, padded or cut to one length:
// keras.utils.pad_sequences. Elements of type int become int32, others keep their type; an int that
// int32 has not is an error. Options: MaxLen, Padding, Truncating, Value.
func PadSequences[T int | int32 | int64 | uint8 | float32 | float64](sequences [][]T, opts ...Option) (*tensors.Tensor, error) {
	c := config{maxLen: -1, padding: "pre", truncating: "pre"}
	if err := option.Apply("utils: PadSequences", &c, opts, "MaxLen", "Padding", "Truncating", "Value"); err != nil {
		return nil, err
	}
	for _, side := range []string{c.padding, c.truncating} {
		if side != "pre" && side != "post" {
			return nil, fmt.Errorf(`utils: PadSequences: got %q as the side to pad or cut at, want "pre" or "post"`, side)
		}
	}
	n := c.maxLen
	if n < 0 {
		for _, s := range sequences {
			n = max(n, len(s), 0)
		}
	}
	if n < 0 {
		n = 0
	}
	half := 0.5
	if back := T(c.value); T(half) == 0 && float64(back) != c.value {
		return nil, fmt.Errorf("utils: PadSequences: Value: got %g, which %T has not", c.value, back)
	}
	flat := make([]T, len(sequences)*n)
	for i, s := range sequences {
		row := flat[i*n : (i+1)*n]
		for k := range row {
			row[k] = T(c.value)
		}
		switch {
		case len(s) > n && c.truncating == "pre":
			s = s[len(s)-n:]
		case len(s) > n:
			s = s[:n]
		}
		if c.padding == "pre" {
			row = row[n-len(s):]
		}
		copy(row, s)
	}
	if ints, ok := any(flat).([]int); ok {
		short := make([]int32, len(ints))
		for i, v := range ints {
			if short[i] = int32(v); int(short[i]) != v {
				return nil, fmt.Errorf("utils: PadSequences: got %d, which int32 has not: give sequences of int64", v)
			}
		}
		return data.FromFlat(short, len(sequences), n)
	}
	return data.FromFlat(flat, len(sequences), n)
}

// SequenceStride sets the distance between the starts of two successive windows of
// TimeseriesDatasetFromArray; the default is 1. A number below 1 is an error.
func SequenceStride(n int) Option {
	return Option{option.New("SequenceStride", func(c *config) { c.stride = n })}
}

// SamplingRate sets the distance of the elements of a window of TimeseriesDatasetFromArray; the
// default is 1. A number below 1 is an error.
func SamplingRate(n int) Option {
	return Option{option.New("SamplingRate", func(c *config) { c.rate = n })}
}

// BatchSize sets the number of windows of TimeseriesDatasetFromArray in a batch, 128 by default, or
// that of texts of TextDatasetFromDirectory, 32 by default. With 0 windows are not batched. Numbers
// below 0, and 0 for texts, are errors.
func BatchSize(n int) Option {
	return Option{option.New("BatchSize", func(c *config) { c.batchSize = n })}
}

// Shuffled makes the order of TimeseriesDatasetFromArray's windows, or the choice of SplitDataset's
// elements, random. Without it they are in order.
func Shuffled() Option { return Option{option.New("Shuffled", func(c *config) { c.shuffle = true })} }

// Seed sets the seed of the random order of Shuffled, or of TextDatasetFromDirectory, whose split
// it sets too. Without it a seed is drawn, another one in each run unless random.SetRandomSeed
// fixes it.
func Seed(seed uint64) Option { return Option{option.New("Seed", func(c *config) { c.seed = &seed })} }

// StartIndex sets the first element of the array that TimeseriesDatasetFromArray uses; the default
// is 0. A negative number, and one not before EndIndex, are errors.
func StartIndex(n int) Option {
	return Option{option.New("StartIndex", func(c *config) { c.start = n })}
}

// EndIndex sets the end of TimeseriesDatasetFromArray: the index after the last element that it
// takes. The default, and a negative number, mean the array's end. A number beyond the end is an
// error.
func EndIndex(n int) Option { return Option{option.New("EndIndex", func(c *config) { c.end = n })} }

// TimeseriesDatasetFromArray returns a dataset of windows over an array, each of sequenceLength
// elements: keras.utils.timeseries_dataset_from_array. The first dimension of array is time.
// Element i of targets is the target of the window that begins at element i of the array; windows
// without one are left out. targets may be nil. It is an error if there is no window. Options:
// SequenceStride, SamplingRate, BatchSize, Shuffled, Seed, StartIndex, EndIndex.
func TimeseriesDatasetFromArray(array, targets any, sequenceLength int, opts ...Option) (*data.Pipeline, error) {
	c := config{stride: 1, rate: 1, batchSize: 128, end: -1}
	accepted := []string{"SequenceStride", "SamplingRate", "BatchSize", "Shuffled", "Seed", "StartIndex", "EndIndex"}
	if err := option.Apply("utils: TimeseriesDatasetFromArray", &c, opts, accepted...); err != nil {
		return nil, err
	}
	fail := func(format string, args ...any) (*data.Pipeline, error) {
		return nil, fmt.Errorf("utils: TimeseriesDatasetFromArray: "+format, args...)
	}
	x, err := data.Tensor(array)
	if err != nil {
		return fail("%w", err)
	}
	if x.Rank() == 0 {
		return fail("got a scalar, want an array whose first dimension is time")
	}
	length := x.Shape().Dimensions[0]
	if c.end < 0 {
		c.end = length
	}
	switch {
	case sequenceLength < 1:
		return fail("got the sequence length %d, want at least 1", sequenceLength)
	case c.stride < 1 || c.rate < 1:
		return fail("got the sequence stride %d and the sampling rate %d, want at least 1", c.stride, c.rate)
	case c.batchSize < 0:
		return fail("got the batch size %d, want at least 1, or 0 for none", c.batchSize)
	case c.start < 0 || c.start >= c.end || c.end > length:
		return fail("got the elements from %d to %d of %d: want a part of them", c.start, c.end, length)
	}
	windows := c.end - c.start - (sequenceLength-1)*c.rate
	var y *tensors.Tensor
	if targets != nil {
		if y, err = data.Tensor(targets); err != nil {
			return fail("targets: %w", err)
		}
		if y.Rank() == 0 {
			return fail("targets: got a scalar, want one target for each window")
		}
		windows = min(windows, y.Shape().Dimensions[0]-c.start)
	}
	if windows < 1 {
		return fail("%d elements have no window of %d elements at a distance of %d with a target", c.end-c.start, sequenceLength, c.rate)
	}
	var begins []int32
	for at := 0; at < windows; at += c.stride {
		begins = append(begins, int32(c.start+at))
	}
	w := windowing{x: x, y: y, length: sequenceLength, rate: c.rate}
	p := data.FromTensorSlices(begins, nil)
	if c.shuffle {
		var seed []data.Option
		if c.seed != nil {
			seed = append(seed, data.Seed(*c.seed))
		}
		p = p.Shuffle(data.Full, seed...)
	}
	if c.batchSize > 0 {
		p = p.Batch(c.batchSize)
	}
	p = p.Map(w.cut)
	return p, p.Err()
}

// windowing cuts windows of a length and a sampling rate out of an array.
type windowing struct {
	x, y         *tensors.Tensor // y may be nil
	length, rate int
}

// cut returns the windows that begin at the indices in b.X[0], one index or a batch: of w.x, length
// elements at the sampling rate, and the targets of w.y if there are any.
func (w windowing) cut(b data.Batch) (out data.Batch, err error) {
	var begins, elements []int
	err = data.Numbers(b.X[0], func(_ int, v float64) bool {
		begins = append(begins, int(v))
		for k := range w.length {
			elements = append(elements, int(v)+k*w.rate)
		}
		return true
	})
	if err != nil {
		return out, err
	}
	batch := b.X[0].Shape().Dimensions // [] or [n]
	part := func(t *tensors.Tensor, indices []int, dims ...int) (*tensors.Tensor, error) {
		got, err := data.Gather(t, indices)
		if err != nil {
			return nil, err
		}
		return data.Reshape(got, append(append(batch[:len(batch):len(batch)], dims...), t.Shape().Dimensions[1:]...)...)
	}
	x, err := part(w.x, elements, w.length)
	if err != nil {
		return out, err
	}
	out.X = []*tensors.Tensor{x}
	if w.y != nil {
		y, err := part(w.y, begins)
		if err != nil {
			return out, err
		}
		out.Y = []*tensors.Tensor{y}
	}
	return out, nil
}
