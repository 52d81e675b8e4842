package layers

// This file defines Hashing and HashedCrossing, which number values without a vocabulary, on the
// host; and their options.

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dgryski/go-farm"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// hashOptions holds the options of HashedCrossing, which Hashing has too: the number of bins, and
// HashMode.
type hashOptions struct {
	HashBins int    `argument:"num_bins" want:"size"`
	HashMode string `option:"output_mode" default:"int" oneof:"int one_hot multi_hot count"`
}

// hashingOptions holds the options of Hashing: the number of bins, HashMode, HashMask and Salt.
type hashingOptions struct {
	hashOptions
	HashMask token `option:"mask_value"`
	saltOptions
}

// binPolicy returns Keras' dtype policy of a hashing layer: "int64" for the mode "int", else
// "float32".
func (o *hashOptions) binPolicy() string {
	if o.HashMode == "int" {
		return "int64"
	}
	return "float32"
}

// HashingLayer puts texts and integers into numbered bins by their hash, on the host:
// keras.layers.Hashing.
type HashingLayer struct {
	onHost
	opts *hashingOptions
}

// Hashing returns a layer that puts texts or integers into bins, 0 to bins-1, by their hash.
// Options: Name, HashMask, Salt, HashMode ("int" by default).
func Hashing(bins int, opts ...Option) *HashingLayer {
	return declare[*HashingLayer]("Hashing", []Option{set("HashBins", bins)}, opts)
}

// HashMask sets the mask value, a text or a whole number. Hashing puts it into bin 0, and all other
// values into other bins, unless there is only one bin. By default there is no mask.
func HashMask(value any) Option { return set("HashMask", value) }

// HashMode sets what Hashing returns: "int" (the default), the bins; "one_hot", a vector for each
// value; or "multi_hot" or "count", a vector for each row. HashedCrossing takes "int" and
// "one_hot". Others are errors.
func HashMode(mode string) Option { return set("HashMode", mode) }

// Hash returns the bins of values, int64 in their shape, or their encoding by HashMode. values is a
// slice of texts or of integers, a slice of such slices, or a tensor of one or two dimensions;
// others are errors.
func (l *HashingLayer) Hash(values any) (*tensors.Tensor, error) {
	t, err := l.hash(values)
	if err != nil {
		return nil, fmt.Errorf("layer Hashing: Hash: %w", err)
	}
	return t, nil
}

// HostSpecs returns the spec of the bins, or of their encoding, for one input. Another number of
// inputs, and too few dimensions for HashMode, are errors.
func (l *HashingLayer) HostSpecs(inputs []Spec) ([]Spec, error) {
	if len(inputs) != 1 {
		return nil, fmt.Errorf("got %d inputs, want one", len(inputs))
	}
	s, err := encodedSpec(inputs[0], l.opts.HashMode, l.opts.HashBins)
	return []Spec{s}, err
}

// CallHost returns the bins of a tensor of any rank, as Hash does, encoded row by row. Another
// number of inputs is an error.
func (l *HashingLayer) CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	return only(inputs, func(x *tensors.Tensor) (*tensors.Tensor, error) {
		return byRows(x, l.opts.HashMode, l.opts.HashBins, l.hash)
	})
}

func (l *HashingLayer) hash(values any) (*tensors.Tensor, error) {
	rows, rank, err := textsOf(values)
	if err != nil {
		return nil, err
	}
	o := l.opts
	bins, masked := l.opts.HashBins, false
	if o.HashMask.value != nil && bins > 1 {
		bins, masked = bins-1, true
	}
	mask := fmt.Sprint(o.HashMask.value)
	out := make([][]int, len(rows))
	for i, row := range rows {
		for _, text := range row {
			n := int(hashText(text, o.Salt) % uint64(bins))
			switch {
			case masked && text == mask:
				n = 0
			case masked:
				n++
			}
			out[i] = append(out[i], n)
		}
	}
	return encodeRows(out, rank, o.HashMode, l.opts.HashBins)
}

// textsOf returns values as rows of texts, in which integers are written in decimal. values is a
// tensor, a slice, or a slice of slices of texts or integers; rank is 1 or 2. Others are errors.
func textsOf(values any) (rows [][]string, rank int, err error) {
	if rows, rank, err = rowsOf[string](values); err == nil {
		return rows, rank, nil
	}
	numbers, rank, err := rowsOf[int64](values)
	if _, ok := values.(*tensors.Tensor); err != nil && !ok {
		return nil, 0, fmt.Errorf("got a %T, want a slice of texts or integers, or of slices of them", values)
	}
	if err != nil {
		return nil, 0, err
	}
	for _, row := range numbers {
		texts := make([]string, len(row))
		for i, n := range row {
			texts[i] = strconv.FormatInt(n, 10)
		}
		rows = append(rows, texts)
	}
	return rows, rank, nil
}

// DTypePolicy returns Keras' policy of the layer: "int64" for bins, "float32" for their encodings.
func (l *HashingLayer) DTypePolicy() string { return l.opts.binPolicy() }

// HashedCrossingLayer puts combinations of values into numbered bins by their hash, on the host:
// keras.layers.HashedCrossing.
type HashedCrossingLayer struct {
	onHost
	opts *hashOptions
}

// HashedCrossing returns a layer that puts the combinations of the values of several columns into
// bins, 0 to bins-1, by their hash. Options: Name, HashMode ("int" by default, or "one_hot").
func HashedCrossing(bins int, opts ...Option) *HashedCrossingLayer {
	return declare[*HashedCrossingLayer]("HashedCrossing", []Option{set("HashBins", bins)}, opts)
}

// DTypePolicy returns Keras' policy of the layer: "int64" for bins, "float32" for their encodings.
func (l *HashedCrossingLayer) DTypePolicy() string { return l.opts.binPolicy() }

// HostSpecs returns the spec of the bins, or of their encoding. It returns an error unless the
// inputs are two or more columns of texts or integers, all of the shape (None, 1) or all (None,).
func (l *HashedCrossingLayer) HostSpecs(inputs []Spec) ([]Spec, error) {
	if len(inputs) < 2 {
		return nil, fmt.Errorf("got %d inputs, want at least two", len(inputs))
	}
	for _, in := range inputs {
		if n := len(in.Shape); n > 2 || n == 2 && in.Shape[1] != 1 || !slices.Equal(in.Shape, inputs[0].Shape) || in.DType.IsFloat() {
			return nil, fmt.Errorf("got inputs %v, want texts or integers, all of the shape (None, 1) or all (None,)", inputs)
		}
	}
	s, err := encodedSpec(inputs[0], l.opts.HashMode, l.opts.HashBins)
	return []Spec{s}, err
}

// CallHost returns the bin of each sample, as Cross does, for tensors of columns, in the shape of
// the first input or of its encoding.
func (l *HashedCrossingLayer) CallHost(inputs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	columns := make([]any, len(inputs))
	for i, x := range inputs {
		column, err := data.Reshape(x, -1)
		if err != nil {
			return nil, err
		}
		columns[i] = column
	}
	out, err := l.cross(columns)
	if err == nil {
		out, err = data.Reshape(out, encodedDims(data.Dims(inputs[0]), l.opts.HashMode, l.opts.HashBins)...)
	}
	return []*tensors.Tensor{out}, err
}

// Cross returns the bin of each sample, [samples] int64, or its encoding by HashMode. Each column
// is a slice or a vector of texts or of integers, with one value for each sample. Fewer than two
// columns, different lengths, and other columns are errors.
func (l *HashedCrossingLayer) Cross(columns ...any) (*tensors.Tensor, error) {
	t, err := l.cross(columns)
	if err != nil {
		return nil, fmt.Errorf("layer HashedCrossing: Cross: %w", err)
	}
	return t, nil
}

func (l *HashedCrossingLayer) cross(columns []any) (*tensors.Tensor, error) {
	if len(columns) < 2 {
		return nil, fmt.Errorf("got %d columns, want at least two", len(columns))
	}
	var samples [][]uint64
	for i, c := range columns {
		values, err := fingerprints(c)
		if err == nil && i > 0 && len(values) != len(samples) {
			err = fmt.Errorf("got %d values, the first column has %d", len(values), len(samples))
		}
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", i, err)
		}
		if i == 0 {
			samples = make([][]uint64, len(values))
		}
		for k, v := range values {
			samples[k] = append(samples[k], v)
		}
	}
	rows := make([][]int, len(samples))
	for i, values := range samples {
		rows[i] = []int{int(crossHashes(values) % uint64(l.opts.HashBins))}
	}
	return encodeRows(rows, 1, l.opts.HashMode, l.opts.HashBins)
}

// fingerprints returns a 64-bit number for each value of a column: the FarmHash of a text, or the
// integer itself. A column that is no list of either is an error.
func fingerprints(column any) (out []uint64, err error) {
	if texts, err := tokensOf[string](column); err == nil {
		for _, t := range texts {
			out = append(out, farm.Fingerprint64([]byte(t)))
		}
		return out, nil
	}
	numbers, err := tokensOf[int64](column)
	for _, n := range numbers {
		out = append(out, uint64(n))
	}
	return out, err
}
