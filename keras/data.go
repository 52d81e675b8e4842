package keras

// This file makes batches of the data given to Fit, Evaluate and Predict. The batches have the
// order and the rank of the model's inputs and outputs.

import (
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// source holds what Fit, Evaluate or Predict is given to train or predict on: a dataset in x, or
// tensors x, y and weights.
type source struct {
	x, y, weights any
	batchSize     int     // 0 if not given
	steps         int     // number of batches to use, 0 if not given
	seed          *uint64 // for shuffling, nil for no shuffling
	unlabelled    bool    // y is not needed
}

// dataset returns x if it is a Dataset, else the dataset of x, y and the weights in batches.
// Labels, weights or a batch size beside a Dataset, and one without an end or steps, are errors. So
// are missing labels beside tensors, unless s.unlabelled is set.
func (s source) dataset() (data.Dataset, error) {
	if ds, ok := s.x.(data.Dataset); ok {
		if err := checkDataset(ds); err != nil {
			return nil, err
		}
		switch {
		case s.y != nil:
			return nil, fmt.Errorf("got labels beside a dataset: a dataset yields its labels itself")
		case s.weights != nil:
			return nil, fmt.Errorf("got sample weights beside a dataset: a dataset yields its weights itself")
		case s.batchSize != 0:
			return nil, fmt.Errorf("got batch size %d beside a dataset: a dataset yields batches itself", s.batchSize)
		case ds.Cardinality() == data.Infinite && s.steps == 0:
			return nil, fmt.Errorf("the dataset has no end: say after how many batches to stop, by StepsPerEpoch, ValidationSteps or Steps, or give it an end by Take, such as ds.Take(100)")
		}
		return ds, nil
	}
	xs, err := data.Tensors(s.x)
	if err != nil {
		return nil, fmt.Errorf("x: %w", err)
	}
	ys, err := data.Tensors(s.y)
	if err != nil {
		return nil, fmt.Errorf("y: %w", err)
	}
	if !s.unlabelled && len(ys) == 0 {
		return nil, fmt.Errorf("got no labels: give y, or a dataset that yields them")
	}
	if s.batchSize == 0 {
		s.batchSize = data.DefaultBatchSize
	}
	w, err := data.Tensors(s.weights)
	if err != nil {
		return nil, fmt.Errorf("sample weights: %w", err)
	}
	return data.FromSlices(xs, ys, w, s.batchSize, s.seed)
}

// checkDataset returns an error if the dataset is nil, or a Pipeline that was not made by a
// function of package data. Other types are not checked.
func checkDataset(ds data.Dataset) error {
	if v := reflect.ValueOf(ds); v.Kind() == reflect.Pointer && !v.IsNil() {
		if _, ok := ds.(*data.Pipeline); !ok {
			return nil // a type of the user's own, whose zero value may be a dataset
		}
	}
	return made.Check("the dataset", ds, "make one by data.FromTensorSlices or another function of package data")
}

// fitData returns the training data of x and y, without the part that ValidationSplit takes, with
// the weights of ClassWeight. It sets the validation data of c. Data that do not go together are an
// error.
func (c *runConfig) fitData(m *Model, x, y any) (data.Dataset, error) {
	train := source{x: x, y: y, weights: c.sampleWeight, batchSize: c.batchSize, steps: c.stepsPerEpoch, unlabelled: !m.needsLabels(trainStep)}
	validation := source{x: c.validationXY[0], y: c.validationXY[1], weights: c.validationWeight, batchSize: c.validationBatchSize, steps: c.validationSteps,
		unlabelled: !m.needsLabels(testStep)}
	if c.validationSplit > 0 && validation.x == nil {
		var err error
		if train, validation, err = train.split(validation, c.validationSplit); err != nil {
			return nil, fmt.Errorf("ValidationSplit: %w", err)
		}
	}
	if c.shuffle {
		train.seed = c.shuffleSeed()
	}
	ds, err := m.deviceData(train.dataset())
	if err != nil {
		return nil, err
	}
	if ds, err = c.weighClasses(ds); err != nil {
		return nil, err
	}
	if validation.x == nil {
		for _, o := range []struct {
			given bool
			name  string
		}{
			{c.validationWeight != nil, "ValidationSampleWeight"}, {c.validationSteps > 0, "ValidationSteps"},
			{c.validationFreq > 0, "ValidationFreq"}, {c.validationBatchSize > 0, "ValidationBatchSize"},
		} {
			if o.given {
				return nil, fmt.Errorf("got %s without data to validate on: give ValidationData or ValidationSplit", o.name)
			}
		}
		return ds, nil
	}
	_, yields := validation.x.(data.Dataset)
	if validation.batchSize == 0 && !yields {
		validation.batchSize = c.batchSize
	}
	c.validationTensors = !yields && !m.hasHost()
	if c.validation, err = m.deviceData(validation.dataset()); err != nil {
		return nil, fmt.Errorf("validation data: %w", err)
	}
	return ds, nil
}

// shuffleSeed returns the seed for shuffling: the one that was given, or a new one drawn by package
// random.
func (c *runConfig) shuffleSeed() *uint64 {
	if c.seed != nil {
		return c.seed
	}
	seed := random.DrawSeed()
	return &seed
}

// split takes the last share of the samples, from 0 to 1, off s: train has the other samples, and
// rest is validation with the taken ones. Datasets, and a share that leaves a part without samples,
// are errors, and both sources then return unchanged.
func (s source) split(validation source, share float64) (train, rest source, err error) {
	if _, ok := s.x.(data.Dataset); ok {
		return s, validation, fmt.Errorf("got a dataset, want data in memory: split the dataset by Take and Skip, and give a part as ValidationData")
	}
	n, err := samplesOf(s.x)
	if err != nil {
		return s, validation, err
	}
	at := int(math.Floor(float64(n) * (1 - share)))
	if at == 0 || at == n {
		return s, validation, fmt.Errorf("a share of %g of %d samples leaves one part without any: want more samples, or another share", share, n)
	}
	for _, field := range []struct {
		all         any
		train, rest *any
	}{{s.x, &s.x, &validation.x}, {s.y, &s.y, &validation.y}, {s.weights, &s.weights, &validation.weights}} {
		if field.all == nil {
			continue
		}
		ts, err := data.Tensors(field.all)
		if err != nil {
			return s, validation, err
		}
		var first, last []any
		for _, t := range ts {
			if dims := t.Shape().Dimensions; len(dims) == 0 || dims[0] != n {
				return s, validation, fmt.Errorf("got data of shape %v beside %d samples: all must have the same number", dims, n)
			}
			a, err := sampleRange(t, 0, at)
			if err != nil {
				return s, validation, err
			}
			b, err := sampleRange(t, at, n)
			if err != nil {
				return s, validation, err
			}
			first, last = append(first, a), append(last, b)
		}
		*field.train, *field.rest = first, last
	}
	return s, validation, nil
}

// sampleRange returns a copy of the samples of t with indices in [from, to).
func sampleRange(t *tensors.Tensor, from, to int) (*tensors.Tensor, error) {
	shape := t.Shape().Clone()
	bytes := int(shape.ByteSize()) / shape.Dimensions[0] // of a sample
	shape.Dimensions[0] = to - from
	out := tensors.FromShape(shape)
	var err error
	if e := t.ConstBytes(func(src []byte) {
		err = out.MutableBytes(func(dst []byte) { copy(dst, src[from*bytes:to*bytes]) })
	}); e != nil {
		err = e
	}
	return out, err
}

// oneBatch returns a dataset of x and y with one batch, which holds all samples, with the weights
// of SampleWeight or ClassWeight in c. unlabelled says that y may be nil. If x is a dataset, that
// is an error.
func (c *runConfig) oneBatch(m *Model, x, y any, unlabelled bool) (data.Dataset, error) {
	n, err := samplesOf(x)
	if err != nil {
		return nil, err
	}
	ds, err := m.deviceData(source{x: x, y: y, weights: c.sampleWeight, batchSize: n, unlabelled: unlabelled}.dataset())
	if err != nil {
		return nil, err
	}
	return c.weighClasses(ds)
}

// samplesOf returns how many samples x, tensors or slices, holds. It returns 1 if that cannot be
// told, and an error for a dataset.
func samplesOf(x any) (int, error) {
	if _, ok := x.(data.Dataset); ok {
		return 0, fmt.Errorf("got a dataset, want the tensors of a batch")
	}
	xs, err := data.Tensors(x)
	if err != nil {
		return 0, fmt.Errorf("x: %w", err)
	}
	if len(xs) == 0 || xs[0].Shape().Rank() == 0 {
		return 1, nil // making the dataset returns an error
	}
	return max(1, xs[0].Shape().Dimensions[0]), nil
}

// weighClasses adds the sample weights of ClassWeight to the dataset. Without ClassWeight it
// returns ds. ClassWeight together with SampleWeight is an error.
func (c *runConfig) weighClasses(ds data.Dataset) (data.Dataset, error) {
	switch {
	case c.classWeight == nil:
		return ds, nil
	case c.sampleWeight != nil:
		return nil, fmt.Errorf("got both SampleWeight and ClassWeight: give one of them")
	}
	return classWeighted(ds, c.classWeight), nil
}

// classWeighted returns ds with a weight for each sample: that of its class, or 1 for a class that
// is not in weights. Batches with several labels, or with weights of their own, give errors when
// they are read.
func classWeighted(ds data.Dataset, weights map[int]float64) data.Dataset {
	return madeOf(data.FromDataset(ds).Map(func(b data.Batch) (data.Batch, error) {
		if len(b.Y) != 1 || b.SampleWeight != nil {
			return b, fmt.Errorf("ClassWeight: got %d label tensors (and sample weights: %t), want one, without weights", len(b.Y), b.SampleWeight != nil)
		}
		classes, err := classesOf(b.Y[0])
		if err != nil {
			return b, fmt.Errorf("ClassWeight: %w", err)
		}
		w := make([]float32, len(classes))
		for i, c := range classes {
			w[i] = 1
			if weight, ok := weights[c]; ok {
				w[i] = float32(weight)
			}
		}
		b.SampleWeight = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(w, len(w))}
		return b, nil
	}), ds)
}

// classesOf returns the class of each sample of y: the label itself, or the index of the largest
// number of a one-hot row. Labels of more than two dimensions are an error.
func classesOf(y *tensors.Tensor) ([]int, error) {
	dims := y.Shape().Dimensions
	if len(dims) > 2 {
		return nil, fmt.Errorf("got labels %s, want class numbers or one-hot rows", y.Shape())
	}
	width := 1
	if len(dims) == 2 {
		width = dims[1]
	}
	classes := make([]int, dims[0])
	largest := 0.0 // of the row so far
	err := data.Numbers(y, func(i int, v float64) bool {
		row, column := i/width, i%width
		switch {
		case width == 1:
			classes[row] = int(v)
		case column == 0 || v > largest:
			classes[row], largest = column, v
		}
		return true
	})
	return classes, err
}

// deviceData returns ds as a dataset of batches for the devices: if a part of the model runs on the
// host, it is applied to the batches ahead of the steps, in other goroutines. It returns err if
// that is not nil.
func (m *Model) deviceData(ds data.Dataset, err error) (data.Dataset, error) {
	if err != nil || !m.hasHost() {
		return ds, err
	}
	p := data.FromDataset(ds).Map(m.load).Prefetch(ahead)
	if from, ok := ds.(data.Positioned); ok {
		l := &loading{p, from}
		return l, l.Seek(from.Position())
	}
	return madeOf(p, ds), nil
}

// madeOf returns the pipeline p, which is made from ds, as a dataset. If ds has no position
// (data.Positioned), the result hides that of p, which could not return to a position.
func madeOf(p *data.Pipeline, ds data.Dataset) data.Dataset {
	if _, ok := ds.(data.Positioned); ok {
		return p
	}
	return unpositioned{p, ds}
}

// unpositioned is a dataset without a position; of is the dataset that it is made from, which has
// none either.
type unpositioned struct {
	data.Dataset
	of data.Dataset
}

// slots are the inputs or outputs of a model that named data are assigned to.
type slots struct {
	all    []string // all valid names
	wanted []string // the names that need data, in order
	// otherwise makes a tensor for a missing name; nil: a missing name is an error
	otherwise func(samples int) *tensors.Tensor
}

// slots returns the places that named data are assigned to: for the inputs, for the labels of
// outputs with a loss or metrics, and for their sample weights. A missing sample weight is 1. If
// the model is not compiled, all outputs have labels.
func (m *Model) slots() (x, y, weights slots) {
	inputs, outputs := m.InputNames(), m.OutputNames()
	labelled := outputs
	if m.compiled != nil {
		labelled = nil
		for i, h := range m.compiled.heads {
			if h.labelled() {
				labelled = append(labelled, outputs[i])
			}
		}
	}
	return slots{inputs, inputs, nil}, slots{outputs, labelled, nil}, slots{outputs, labelled, ones}
}

// ones returns a weight of 1 for each of n samples.
func ones(n int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{1}, n), n)
}

// byName replaces maps by name in x and y, and in the sample weights and validation data of c, by
// lists in the model's order. Unknown and missing names are errors.
func (m *Model) byName(x, y *any, c *runConfig) error {
	xs, ys, weights := m.slots()
	for _, d := range []struct {
		what string
		v    *any
		slots
	}{
		{"x", x, xs},
		{"y", y, ys},
		{"validation data: x", &c.validationXY[0], xs},
		{"validation data: y", &c.validationXY[1], ys},
		{"sample weights", &c.sampleWeight, weights},
		{"validation sample weights", &c.validationWeight, weights},
	} {
		if d.v == nil {
			continue
		}
		names, ts, err := data.NamedTensors(*d.v)
		if err == nil && names != nil {
			*d.v, err = d.inOrder(names, ts)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", d.what, err)
		}
	}
	return nil
}

// inOrder returns the tensors in the order of the wanted names; names[i] is the name of ts[i]. A
// name that is not wanted but known is left out, an unknown one is an error. A missing one is made
// by s.otherwise, or is an error without that function.
func (s slots) inOrder(names []string, ts []*tensors.Tensor) ([]*tensors.Tensor, error) {
	samples := 0
	for i, name := range names {
		if !slices.Contains(s.all, name) {
			return nil, fmt.Errorf("there is no %q%s: the names are %s", name, suggest.DidYouMean(name, s.all), suggest.Quote(s.all))
		}
		if ts[i].Shape().Rank() > 0 {
			samples = ts[i].Shape().Dimensions[0]
		}
	}
	list := make([]*tensors.Tensor, len(s.wanted))
	for i, name := range s.wanted {
		switch at := slices.Index(names, name); {
		case at >= 0:
			list[i] = ts[at]
		case s.otherwise == nil:
			return nil, fmt.Errorf("got nothing for %q: give all of %s", name, suggest.Quote(s.wanted))
		default:
			list[i] = s.otherwise(samples)
		}
	}
	return list, nil
}

// dataIterator yields the batches of a dataset in epochs, as the model takes them. An epoch is one
// iteration over the dataset or, if epochs have a number of steps, begins where the last one ended.
type dataIterator struct {
	data  data.Dataset
	steps int // number of steps in an epoch; 0 for one iteration over the dataset
	model *Model

	next func() (data.Batch, error, bool) // of the current iteration; nil for none
	stop func()

	yielded int // how many batches epoch has yielded
}

// size returns the number of batches of an epoch: the steps that the caller wants, or without them
// what Dataset.Cardinality returns, which may be Infinite or Unknown.
func (it *dataIterator) size() int {
	if it.steps > 0 {
		return it.steps
	}
	return it.data.Cardinality()
}

// epoch yields the batches of an epoch, with an error as the last. Without a number of steps these
// are the batches of one iteration over the dataset, from its position on; done is then ignored.
// With it, they are the next steps-done batches of the dataset: done of the epoch were used before.
// If the dataset ends among them, it warns and ends; at the start of an epoch, it begins the
// dataset again.
func (it *dataIterator) epoch(ctx context.Context, done int) iter.Seq2[data.Batch, error] {
	if it.steps == 0 {
		return it.conform(it.data.Batches(ctx))
	}
	return it.conform(func(yield func(data.Batch, error) bool) {
		for n := done; n < it.steps; n++ {
			b, err, ok := it.pull(ctx)
			if !ok && n == 0 { // the last epoch ended with the dataset
				b, err, ok = it.pull(ctx)
			}
			if !ok {
				if n > 0 {
					it.model.warn(it.model.compiled.logger, fmt.Sprintf("the dataset ended after %d of the %d steps that were wanted: ask for fewer, or extend it by Repeat", n, it.steps))
				}
				return
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	})
}

// conform yields the batches of seq with their tensors in the order of the model's inputs and
// outputs, and of their rank. It counts the batches.
func (it *dataIterator) conform(seq iter.Seq2[data.Batch, error]) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for b, err := range seq {
			if err == nil {
				it.yielded++
				b, err = it.model.conforming(b)
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// pull returns the next batch, or the error of the dataset; ok is false at the end of the dataset.
// The next call then begins the dataset again.
func (it *dataIterator) pull(ctx context.Context) (b data.Batch, err error, ok bool) {
	if it.next == nil {
		it.next, it.stop = iter.Pull2(it.data.Batches(ctx))
	}
	if b, err, ok = it.next(); !ok {
		it.close()
	}
	return b, err, ok
}

// close ends the current iteration over the dataset, if there is one. The next pull begins another
// one.
func (it *dataIterator) close() {
	if it.next != nil {
		it.stop()
		it.next, it.stop = nil, nil
	}
}

// conforming returns the batch b with its tensors in the order of the model's inputs and outputs,
// and its inputs in the rank of the model's. Names that are missing or unknown are errors.
func (m *Model) conforming(b data.Batch) (data.Batch, error) {
	b, err := m.ordered(b)
	if err == nil && !m.hasHost() { // load has done so before its lookups
		b.X, err = inRank(m.inputs, b.X)
	}
	return b, err
}

// ordered returns the batch b with its tensors in the order of the model's inputs and outputs, if
// the dataset names its tensors; otherwise it returns b. Names that are missing or unknown are
// errors.
func (m *Model) ordered(b data.Batch) (data.Batch, error) {
	if b.Names.X == nil && b.Names.Y == nil && b.Names.SampleWeight == nil {
		return b, nil
	}
	xs, ys, weights := m.slots()
	for _, d := range []struct {
		what  string
		names []string
		ts    *[]*tensors.Tensor
		slots
	}{{"x", b.Names.X, &b.X, xs}, {"y", b.Names.Y, &b.Y, ys}, {"sample weights", b.Names.SampleWeight, &b.SampleWeight, weights}} {
		if d.names == nil || len(d.all) == 0 { // a Sequential that is not built has no names yet
			continue
		}
		if len(d.names) != len(*d.ts) {
			return b, fmt.Errorf("%s: got %d names for %d tensors: want one for each", d.what, len(d.names), len(*d.ts))
		}
		var err error
		if *d.ts, err = d.inOrder(d.names, *d.ts); err != nil {
			return b, fmt.Errorf("%s: %w", d.what, err)
		}
	}
	b.Names = data.Names{}
	return b, nil
}

// inRank returns the data xs with the rank of the inputs, as Keras does. It adds a last dimension
// of 1 if the input has one more dimension, of size 1, than the data. It removes a last dimension
// of 1 if the input has one less.
func inRank(inputs []*layers.Tensor, xs []*tensors.Tensor) ([]*tensors.Tensor, error) {
	out := slices.Clone(xs)
	for i, x := range xs {
		if i >= len(inputs) {
			break
		}
		got, want := data.Dims(x), inputs[i].Shape()
		n, last := len(got), len(want)-1
		switch {
		case n == last && n > 0 && want[last] == 1:
			got = append(got, 1)
		case n == last+2 && got[n-1] == 1:
			got = got[:n-1]
		default:
			continue
		}
		var err error
		if out[i], err = data.Reshape(x, got...); err != nil {
			return nil, err
		}
	}
	return out, nil
}
