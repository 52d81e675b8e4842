package data

// This file holds the stages that pipelines begin with.

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
)

// rows is a source of samples that lie in memory, one after the other.
type rows struct {
	all     Batch
	samples int
}

func newRows(all Batch) (*rows, error) {
	if len(all.X) == 0 {
		return nil, fmt.Errorf("got no input data, want at least one tensor")
	}
	s := &rows{all: all}
	for slot, t := range all.Tensors() {
		what := slotName(all, slot)
		if dims := t.Shape().Dimensions; slot == len(all.X)+len(all.Y) && (len(dims) == 0 || dims[0] != s.samples) {
			return nil, fmt.Errorf("sample weights have shape %v for %d samples: want one weight for each sample", dims, s.samples)
		}
		if t.Shape().Rank() == 0 {
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

func (s *rows) name() string { return "FromTensorSlices" }
func (s *rows) size() int    { return s.samples }

func (s *rows) identify(w io.Writer) error {
	fmt.Fprintf(w, "rows, %s\n", parts(s.all))
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

func (s *rows) at(pass) func(i int) (item, error) {
	return func(i int) (item, error) { return item{s.all, i}, nil }
}

func (s *rows) open(ctx context.Context, p pass, from int) iter.Seq2[item, error] {
	return sequence(ctx, from, s.samples, s.at(p))
}

// generator is a source that ranges over an iterator of the user's, anew in
// each pass.
type generator struct {
	called string // the constructor
	each   string // what an element is called
	seq    iter.Seq2[Batch, error]
	count  int
}

func (s *generator) name() string { return s.called }
func (s *generator) size() int    { return s.count }

func (s *generator) identify(w io.Writer) error {
	_, err := fmt.Fprintln(w, "generator", s.called, s.count)
	return err
}

func (s *generator) at(pass) func(int) (item, error) { return nil }

func (s *generator) open(ctx context.Context, _ pass, from int) iter.Seq2[item, error] {
	return skipped(func(yield func(item, error) bool) {
		i := 0
		for b, err := range s.seq {
			switch {
			case ctx.Err() != nil:
				err = ctx.Err()
			case err != nil:
				err = fmt.Errorf("%s: %s %d: %w", s.called, s.each, i, err)
			case slices.Contains(b.Tensors(), (*tensors.Tensor)(nil)) || len(b.X) == 0:
				err = fmt.Errorf("%s: %s %d has %s, or one of them is nil: want at least one input, and tensors only", s.called, s.each, i, parts(b))
			case s.count >= 0 && i >= s.count:
				err = fmt.Errorf("%s: got a %s after the %d that Size names: give Size the right number, or leave it out", s.called, s.each, s.count)
			}
			if !yield(whole(b), err) || err != nil {
				return
			}
			i++
		}
		if s.count >= 0 && i < s.count {
			yield(item{}, fmt.Errorf("%s: the iterator ended after %d of the %d that Size names: give Size the right number, or leave it out", s.called, i, s.count))
		}
	}, from)
}

// dataset is a source of the batches of another Dataset.
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
			if !yield(whole(b), err) || err != nil {
				return
			}
		}
	}
	positioned, ok := s.ds.(Positioned)
	if !ok {
		return skipped(batches, from)
	}
	return func(yield func(item, error) bool) {
		if err := positioned.Seek(Position{Seed: p.seed, Epoch: int(p.number), Batch: from}); err != nil {
			yield(item{}, err)
			return
		}
		batches(yield)
	}
}
