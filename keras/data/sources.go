package data

// This file defines the sources of pipelines: slices, functions, batches and other datasets.

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
)

// FromTensorSlices returns a pipeline of the samples of x and y, their slices along the first
// dimension, in order. x, y and the optional sample weights have the forms that Tensors takes: a
// tensor or a slice, or several of them in a []any or in a map by the names of inputs and outputs.
// A nil y means no labels. They must not change afterwards. No samples, different numbers of them,
// and scalars are errors of the pipeline (Err).
func FromTensorSlices(x, y any, sampleWeight ...any) *Pipeline {
	p := &Pipeline{names: []string{"FromTensorSlices"}}
	var all Batch
	var err error
	if all.X, all.Names.X, err = tensorsOf(x); err != nil {
		return p.fail(fmt.Errorf("x: %w", err))
	}
	if all.Y, all.Names.Y, err = tensorsOf(y); err != nil {
		return p.fail(fmt.Errorf("y: %w", err))
	}
	switch {
	case len(sampleWeight) > 1:
		return p.fail(fmt.Errorf("got %d sample weights, want at most one tensor of them", len(sampleWeight)))
	case len(sampleWeight) == 1 && sampleWeight[0] != nil:
		if all.SampleWeight, all.Names.SampleWeight, err = tensorsOf(sampleWeight[0]); err != nil {
			return p.fail(fmt.Errorf("sample weights: %w", err))
		}
	}
	if p.last, err = newTensorSlices(all); err != nil {
		return p.fail(err)
	}
	return p
}

// tensorsOf returns the tensors of a map by names, and their names in alphabetical order. For other
// values it returns what Tensors does, and nil for the names.
func tensorsOf(v any) ([]*tensors.Tensor, []string, error) {
	names, ts, err := NamedTensors(v)
	if names == nil && err == nil {
		ts, err = Tensors(v)
	}
	return ts, names, err
}

// FromGenerator returns a pipeline of the samples that an iterator yields; it is ranged over again
// in each epoch. An error of the iterator, and a sample without an input, end the iteration with an
// error. A nil iterator is an error of the pipeline (Err). It takes Size.
func FromGenerator(samples iter.Seq2[Batch, error], opts ...Option) *Pipeline {
	return fromIterator("FromGenerator", "sample", samples, opts)
}

// FromBatches returns a pipeline of the global batches that an iterator yields; it is ranged over
// again in each epoch. An error of the iterator, and a batch without an input, end the iteration
// with an error. A nil iterator is an error of the pipeline (Err). It takes Size.
func FromBatches(batches iter.Seq2[Batch, error], opts ...Option) *Pipeline {
	p := fromIterator("FromBatches", "batch", batches, opts)
	p.batched = true
	return p
}

func fromIterator(constructor, element string, seq iter.Seq2[Batch, error], opts []Option) *Pipeline {
	p := &Pipeline{names: []string{constructor}}
	c := config{size: Unknown}
	if err := option.Apply(constructor, &c, opts, "Size"); err != nil {
		p.err = err
		return p
	}
	if seq == nil {
		return p.fail(fmt.Errorf("got a nil iterator, want one that yields a Batch for each %s", element))
	}
	p.last = &generator{constructor: constructor, element: element, seq: seq, count: c.size}
	return p
}

// FromDataset returns a pipeline of the batches of ds, or ds itself if it is a pipeline. After Seek
// it goes on at the position: by Seek of ds, if that is Positioned. Any other ds is read from the
// start of an epoch, and the batches before the position are dropped.
func FromDataset(ds Dataset) *Pipeline {
	if p, ok := ds.(*Pipeline); ok {
		return p
	}
	p := &Pipeline{names: []string{"FromDataset"}, last: &dataset{ds}, batched: true}
	if from, ok := ds.(Positioned); ok { // its order depends on its seed
		p.seed = sync.OnceValue(func() uint64 { return from.Position().Seed })
	}
	return p
}

// DefaultBatchSize is the number of samples in a batch if the caller gives none, as in Keras.
const DefaultBatchSize = 32

// FromSlices returns the dataset that Fit uses for data in memory: the samples of x and y, in
// batches of batchSize (the last one may be smaller). With a shuffleSeed every epoch has another
// order; nil keeps the given order. y may be empty. sampleWeight has a weight for each sample, once
// for all outputs or for each output; it may be empty. A batchSize below 1, no samples, scalars and
// different numbers of samples are errors.
func FromSlices(x, y, sampleWeight []*tensors.Tensor, batchSize int, shuffleSeed *uint64) (*Pipeline, error) {
	if batchSize < 1 {
		return nil, fmt.Errorf("got batch size %d, want a positive number", batchSize)
	}
	source, err := newTensorSlices(Batch{X: x, Y: y, SampleWeight: sampleWeight})
	if err != nil {
		return nil, err
	}
	p := &Pipeline{last: source, names: []string{source.name()}}
	if shuffleSeed != nil {
		// part of the position, so that the position determines the order
		p.seed = func() uint64 { return *shuffleSeed }
		p = p.Shuffle(Full)
	}
	return p.Batch(batchSize), nil
}

// tensorSlices is a source of samples in memory: slices of tensors along their
// first dimension.
type tensorSlices struct {
	all     Batch
	samples int
}

func newTensorSlices(all Batch) (*tensorSlices, error) {
	if len(all.X) == 0 {
		return nil, fmt.Errorf("got no input data, want at least one tensor")
	}
	s := &tensorSlices{all: all}
	for slot, t := range all.Tensors() {
		what := slotName(all, slot)
		if dims := t.Shape().Dimensions; slot >= len(all.X)+len(all.Y) && (len(dims) == 0 || dims[0] != s.samples) {
			return nil, fmt.Errorf("sample weights have shape %v for %d samples: want one weight for each sample", dims, s.samples)
		}
		if len(Dims(t)) == 0 {
			return nil, fmt.Errorf("%s is a scalar, want samples along the first dimension", what)
		}
		if t.DType().IsPacked() {
			return nil, fmt.Errorf("%s is %s, whose elements share bytes: want a type of whole bytes, such as uint8", what, t.Shape())
		}
		n := t.Shape().Dimensions[0]
		if slot == 0 {
			s.samples = n
		}
		if n != s.samples {
			return nil, fmt.Errorf("%s has %d samples, input 0 has %d: all data must have the same number of samples", what, n, s.samples)
		}
	}
	if s.samples == 0 {
		return nil, fmt.Errorf("the data has no samples: want at least one")
	}
	return s, nil
}

func (s *tensorSlices) name() string { return "FromTensorSlices" }
func (s *tensorSlices) size() int    { return s.samples }

func (s *tensorSlices) identify(w io.Writer) error {
	fmt.Fprintf(w, "rows, %s\n", tensorCounts(s.all)) // part of the checksum in cache files
	for _, t := range s.all.Tensors() {
		fmt.Fprintln(w, t.Shape())
		var written error
		if err := t.ConstBytes(func(b []byte) { _, written = w.Write(b) }); err != nil {
			return err
		}
		if written != nil {
			return written
		}
	}
	return nil
}

func (s *tensorSlices) at(pass) func(i int) (item, error) {
	return func(i int) (item, error) { return item{s.all, i}, nil }
}

func (s *tensorSlices) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return sequence(ctx, from, s.samples, s.at(p))
}

// generator is a source: the elements of the user's iterator, over which each pass iterates again.
type generator struct {
	constructor string // FromGenerator or FromBatches
	element     string // what an element is called in messages
	seq         iter.Seq2[Batch, error]
	count       int // the number of elements, or Unknown
}

func (s *generator) name() string { return s.constructor }
func (s *generator) size() int    { return s.count }

func (s *generator) identify(w io.Writer) error {
	_, err := fmt.Fprintln(w, "generator", s.constructor, s.count)
	return err
}

func (s *generator) at(pass) func(int) (item, error) { return nil }

func (s *generator) open(ctx context.Context, _ pass, from int) iter.Seq2[item, error] {
	return skipFirst(func(yield func(item, error) bool) {
		i := 0
		for b, err := range s.seq {
			switch {
			case ctx.Err() != nil:
				err = ctx.Err()
			case err != nil:
				err = fmt.Errorf("%s: %s %d: %w", s.constructor, s.element, i, err)
			case slices.Contains(b.Tensors(), (*tensors.Tensor)(nil)) || len(b.X) == 0:
				err = fmt.Errorf("%s: %s %d has %s, or one of them is nil: want at least one input, and tensors only", s.constructor, s.element, i, tensorCounts(b))
			case s.count >= 0 && i >= s.count:
				err = fmt.Errorf("%s: got a %s after the %d that Size names: give Size the right number, or leave it out", s.constructor, s.element, s.count)
			}
			if !yield(itemOf(b), err) || err != nil {
				return
			}
			i++
		}
		if s.count >= 0 && i < s.count {
			yield(item{}, fmt.Errorf("%s: the iterator ended after %d of the %d that Size names: give Size the right number, or leave it out", s.constructor, i, s.count))
		}
	}, from)
}

// dataset is a source: the batches of another Dataset.
type dataset struct{ ds Dataset }

func (s *dataset) name() string { return "FromDataset" }
func (s *dataset) size() int    { return s.ds.Cardinality() }

func (s *dataset) identify(w io.Writer) error {
	_, err := fmt.Fprintf(w, "dataset %T %d\n", s.ds, s.ds.Cardinality())
	return err
}

func (s *dataset) at(pass) func(int) (item, error) { return nil }

func (s *dataset) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	batches := func(yield func(item, error) bool) {
		for b, err := range s.ds.Batches(ctx) {
			if !yield(itemOf(b), err) || err != nil {
				return
			}
		}
	}
	positioned, ok := s.ds.(Positioned)
	if !ok {
		return skipFirst(batches, from)
	}
	return func(yield func(item, error) bool) {
		if err := positioned.Seek(Position{Seed: p.seed, Epoch: int(p.number), Batch: from}); err != nil {
			yield(item{}, err)
			return
		}
		batches(yield)
	}
}
