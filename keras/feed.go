package keras

// This file hands out the batches of a dataset in epochs.

import (
	"context"
	"fmt"
	"iter"

	"github.com/gospmd/gospmd/keras/data"
)

// feed hands out the batches of a dataset in epochs: each goes over the dataset
// or, where epochs have a number of steps, goes on where the last one ended.
type feed struct {
	data  data.Dataset
	steps int // of an epoch, 0 for as many as the dataset has batches
	warn  func(text string)

	next func() (data.Batch, error, bool) // of the dataset under way; nil for none
	stop func()
}

// feed returns the feed of a dataset.
func (m *Model) feed(ds data.Dataset, steps int) *feed {
	return &feed{data: ds, steps: steps, warn: func(text string) { m.warn(m.compiled.warnings, text) }}
}

// size returns the number of batches of an epoch, or what Dataset.Cardinality
// returns where that is not known.
func (f *feed) size() int {
	if f.steps > 0 {
		return f.steps
	}
	return f.data.Cardinality()
}

// epoch yields the batches of an epoch of which done have been handed out.
func (f *feed) epoch(ctx context.Context, done int) iter.Seq2[data.Batch, error] {
	if f.steps == 0 {
		return f.data.Batches(ctx)
	}
	return func(yield func(data.Batch, error) bool) {
		for n := done; n < f.steps; n++ {
			b, err, ok := f.pull(ctx)
			if !ok && n == 0 { // the dataset ended with the last epoch
				b, err, ok = f.pull(ctx)
			}
			if !ok {
				if n > 0 {
					f.warn(fmt.Sprintf("the dataset ended after %d of the %d steps that were wanted: ask for fewer, or let it go on by Repeat", n, f.steps))
				}
				return
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// pull returns the next batch; the call after one that finds none begins the
// dataset anew.
func (f *feed) pull(ctx context.Context) (b data.Batch, err error, ok bool) {
	if f.next == nil {
		f.next, f.stop = iter.Pull2(f.data.Batches(ctx))
	}
	if b, err, ok = f.next(); !ok {
		f.close()
	}
	return b, err, ok
}

// close ends what is under way.
func (f *feed) close() {
	if f.next != nil {
		f.stop()
		f.next, f.stop = nil, nil
	}
}
