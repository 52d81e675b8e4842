package data

// This file defines Pipeline: how stages are put together, and where an
// iteration stands.

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/internal/option"
)

// Pipeline is a Positioned dataset made of stages, as tf.data.Dataset is. Each
// method returns a new pipeline with one stage more and leaves its own as it
// is. What is wrong with a stage is kept: Err returns it, Batches yields it.
//
// The order of epoch e is a function of the seeds and of e, and what a stage
// yields one of what comes before it: functions that Map calls must not keep a
// state. A pipeline is for one loop at a time.
type Pipeline struct {
	last    stage
	names   []string
	batched bool
	seed    *uint64 // of the stages that have none of their own
	err     error

	mu    sync.Mutex
	at    Position
	begun bool // at is within an epoch that a loop was over
}

// config is what the options of stages set.
type config struct {
	seed *uint64
	same bool
	drop bool
	size int
}

// Option configures a stage.
type Option = option.Option[config]

// Seed fixes the orders of a Shuffle; by default they are drawn once for the
// pipeline.
func Seed(seed uint64) Option { return option.New("Seed", func(c *config) { c.seed = &seed }) }

// SameOrder makes a Shuffle order each epoch alike; by default each epoch has
// its own order.
func SameOrder() Option { return option.New("SameOrder", func(c *config) { c.same = true }) }

// DropRemainder leaves out the last batch if it is smaller than the others.
func DropRemainder() Option { return option.New("DropRemainder", func(c *config) { c.drop = true }) }

// Size tells how many samples, or batches, an iterator yields, where that is
// known.
func Size(n int) Option {
	return Option{Name: "Size", Set: func(c *config) error {
		if n < 0 {
			return fmt.Errorf("got %d, want a number not below 0", n)
		}
		c.size = n
		return nil
	}}
}

// FromTensorSlices returns a pipeline of the samples of x and y, which lie
// along the first dimension, in order. x, y and the weights of samples, which
// may be left out, are what Tensors takes: tensors or slices, several of them
// in a []any; nil for no labels. They must not change any more.
func FromTensorSlices(x, y any, sampleWeight ...any) *Pipeline {
	p := &Pipeline{names: []string{"FromTensorSlices"}}
	var all Batch
	var err error
	if all.X, err = Tensors(x); err != nil {
		return p.fail(fmt.Errorf("x: %w", err))
	}
	if all.Y, err = Tensors(y); err != nil {
		return p.fail(fmt.Errorf("y: %w", err))
	}
	switch {
	case len(sampleWeight) > 1:
		return p.fail(fmt.Errorf("got %d sample weights, want at most one tensor of them", len(sampleWeight)))
	case len(sampleWeight) == 1 && sampleWeight[0] != nil:
		if all.SampleWeight, err = Tensor(sampleWeight[0]); err != nil {
			return p.fail(fmt.Errorf("sample weights: %w", err))
		}
	}
	if p.last, err = newRows(all); err != nil {
		return p.fail(err)
	}
	return p
}

// FromGenerator returns a pipeline of the samples that an iterator yields; it
// is ranged over anew in each epoch. It takes Size.
func FromGenerator(samples iter.Seq2[Batch, error], opts ...Option) *Pipeline {
	return fromIterator("FromGenerator", "sample", samples, opts)
}

// FromBatches returns a pipeline of the global batches that an iterator
// yields; it is ranged over anew in each epoch. It takes Size.
func FromBatches(batches iter.Seq2[Batch, error], opts ...Option) *Pipeline {
	p := fromIterator("FromBatches", "batch", batches, opts)
	p.batched = true
	return p
}

func fromIterator(called, each string, seq iter.Seq2[Batch, error], opts []Option) *Pipeline {
	p := &Pipeline{names: []string{called}}
	c := config{size: Unknown}
	if err := option.Apply(called, &c, opts, "Size"); err != nil {
		p.err = err
		return p
	}
	if seq == nil {
		return p.fail(fmt.Errorf("got a nil iterator, want one that yields a Batch for each %s", each))
	}
	p.last = &generator{called: called, each: each, seq: seq, count: c.size}
	return p
}

// FromDataset returns a pipeline of the batches of ds: ds itself, if it is a
// pipeline. One that is not Positioned is read from the begin of the epoch
// wherever the pipeline is set.
func FromDataset(ds Dataset) *Pipeline {
	if p, ok := ds.(*Pipeline); ok {
		return p
	}
	return &Pipeline{names: []string{"FromDataset"}, last: &dataset{ds}, batched: true}
}

// then returns p with one stage more.
func (p *Pipeline) then(s stage) *Pipeline {
	return &Pipeline{last: s, names: p.with(s.name()), batched: p.batched, seed: p.seed}
}

func (p *Pipeline) with(name string) []string {
	return append(p.names[:len(p.names):len(p.names)], name)
}

// fail returns a pipeline that only says what is wrong with its last stage.
func (p *Pipeline) fail(err error) *Pipeline {
	return &Pipeline{names: p.names, err: fmt.Errorf("%s: %w", p.names[len(p.names)-1], err)}
}

// each is what an element is called.
func (p *Pipeline) each() string {
	if p.batched {
		return "batch"
	}
	return "sample"
}

// Shuffle orders the elements at random, drawing each from a buffer of the
// given number of those that come next; Full holds them all. It takes Seed and
// SameOrder.
func (p *Pipeline) Shuffle(buffer int, opts ...Option) *Pipeline {
	if p.err != nil {
		return p
	}
	var c config
	next := &Pipeline{names: p.with("Shuffle")}
	if err := option.Apply("Shuffle", &c, opts, "Seed", "SameOrder"); err != nil {
		next.err = err
		return next
	}
	if buffer < 1 {
		return next.fail(fmt.Errorf("got a buffer of %d, want a positive number, or data.Full", buffer))
	}
	if n := p.last.size(); n == Infinite && buffer == Full {
		return next.fail(fmt.Errorf("a buffer cannot hold all of an endless dataset: shuffle before Repeat, or give the size of the buffer"))
	}
	s := &shuffle{stage: p.last, buffer: buffer, seed: c.seed, depth: uint64(len(p.names)), fixed: c.same}
	next = p.then(s)
	if next.seed == nil {
		drawn := rand.Uint64()
		next.seed = &drawn
	}
	return next
}

// Batch puts n samples after the other into a batch; the last one may be
// smaller. It takes DropRemainder.
func (p *Pipeline) Batch(n int, opts ...Option) *Pipeline {
	if p.err != nil {
		return p
	}
	var c config
	next := &Pipeline{names: p.with("Batch")}
	if err := option.Apply("Batch", &c, opts, "DropRemainder"); err != nil {
		next.err = err
		return next
	}
	if n < 1 {
		return next.fail(fmt.Errorf("got batch size %d, want a positive number", n))
	}
	if p.batched {
		return next.fail(fmt.Errorf("the elements are batches already: give the size that is wanted to the first Batch"))
	}
	next = p.then(&batching{stage: p.last, n: n, drop: c.drop})
	next.batched = true
	return next
}

// Map replaces each element, a sample before Batch and a batch after it, by
// what f returns; f must not change the tensors that it is given. It may be
// called from other goroutines.
func (p *Pipeline) Map(f func(Batch) (Batch, error)) *Pipeline {
	if p.err != nil {
		return p
	}
	if f == nil {
		return (&Pipeline{names: p.with("Map")}).fail(fmt.Errorf("got a nil function"))
	}
	return p.then(&mapping{stage: p.last, f: f, each: p.each()})
}

// Take yields only the first n elements.
func (p *Pipeline) Take(n int) *Pipeline {
	return p.counted("Take", n, 0, func() stage { return &take{p.last, n} })
}

// Skip leaves out the first n elements.
func (p *Pipeline) Skip(n int) *Pipeline {
	return p.counted("Skip", n, 0, func() stage { return &skip{p.last, n} })
}

// Repeat goes over the elements n times, without end if n is left out. All of
// it is one epoch.
func (p *Pipeline) Repeat(n ...int) *Pipeline {
	rounds := forever
	if len(n) > 0 {
		rounds = n[0]
	}
	return p.counted("Repeat", rounds, 0, func() stage { return &repeat{p.last, rounds} })
}

// Prefetch makes up to n elements ahead of the one in use, in a goroutine that
// lives no longer than the loop over the batches.
func (p *Pipeline) Prefetch(n int) *Pipeline {
	return p.counted("Prefetch", n, 1, func() stage { return &prefetch{p.last, n} })
}

// counted adds a stage that has a number, which must not be below least.
func (p *Pipeline) counted(name string, n, least int, s func() stage) *Pipeline {
	if p.err != nil {
		return p
	}
	if n < least {
		return (&Pipeline{names: p.with(name)}).fail(fmt.Errorf("got %d, want a number not below %d", n, least))
	}
	return p.then(s())
}

// Cache keeps the elements, so that what comes before it is done once: in
// memory, as they come, or in a file, if a name is given. A whole pass over the
// elements writes the file, which is whole or not there; later programs read
// it, and refuse one that was made of other data.
func (p *Pipeline) Cache(file ...string) *Pipeline {
	if p.err != nil {
		return p
	}
	fail := func(err error) *Pipeline { return (&Pipeline{names: p.with("Cache")}).fail(err) }
	switch {
	case p.last.size() == Infinite:
		return fail(fmt.Errorf("an endless dataset cannot be kept: put Cache before Repeat"))
	case len(file) > 1 || len(file) == 1 && file[0] == "":
		return fail(fmt.Errorf("got the file names %q, want one, or none to keep the elements in memory", file))
	case len(file) == 1:
		return p.then(&fileCache{stage: p.last, path: file[0]})
	}
	return p.then(newCache(p.last, p.seed != nil))
}

// Err returns what is wrong with a stage.
func (p *Pipeline) Err() error { return p.err }

// String names the stages.
func (p *Pipeline) String() string { return strings.Join(p.names, ".") }

// Cardinality returns the number of batches of an epoch, or Unknown or
// Infinite.
func (p *Pipeline) Cardinality() int {
	if p.err != nil {
		return Unknown
	}
	return p.last.size()
}

// Position returns where the iteration stands.
func (p *Pipeline) Position() Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.at
	if p.seed != nil {
		at.Seed = *p.seed
	}
	return at
}

// Seek sets where the next call of Batches goes on.
func (p *Pipeline) Seek(to Position) error {
	if p.err != nil {
		return p.err
	}
	if n := p.Cardinality(); to.Epoch < 0 || to.Batch < 0 || n >= 0 && to.Batch > n {
		return fmt.Errorf("there is no batch %d of epoch %d, an epoch has %d batches: the position is that of another dataset", to.Batch, to.Epoch, n)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seed != nil {
		p.seed = &to.Seed
	}
	p.at, p.begun = to, false
	return nil
}

// Batches yields the batches of the next epoch, or the rest of the one that
// Seek went into. After a loop that was broken off the next epoch begins.
func (p *Pipeline) Batches(ctx context.Context) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		if p.err != nil {
			yield(Batch{}, p.err)
			return
		}
		if !p.batched {
			yield(Batch{}, fmt.Errorf("%s yields samples, want batches: add a Batch", p))
			return
		}
		which, from := p.begin()
		for it, err := range p.last.open(ctx, which, from) {
			var b Batch
			if err == nil {
				b, err = it.batch()
			}
			if err != nil {
				yield(Batch{}, err)
				return
			}
			p.count()
			if !yield(b, nil) {
				return
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.at.Epoch, p.at.Batch, p.begun = p.at.Epoch+1, 0, false
	}
}

// begin returns the pass that a loop goes over now, and from where.
func (p *Pipeline) begin() (pass, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun {
		p.at.Epoch, p.at.Batch = p.at.Epoch+1, 0
	}
	p.begun = true
	which := pass{number: uint64(p.at.Epoch)}
	if p.seed != nil {
		which.seed = *p.seed
	}
	return which, p.at.Batch
}

func (p *Pipeline) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at.Batch++
}
