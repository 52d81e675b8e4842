package data

// This file defines Pipeline: its stages, and the position of an iteration.

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/random"
)

// Pipeline is a Positioned dataset made of stages, like tf.data.Dataset. Each method returns a new
// pipeline with one more stage and does not change its receiver. An error of a stage is kept: Err
// returns it, Batches yields it.
//
// The order of an epoch depends only on the seeds and on the number of the epoch. The elements of a
// stage depend only on those of the stage before it: functions that Map calls must have no state.
// Only one loop at a time may use a pipeline.
type Pipeline struct {
	last    stage
	names   []string
	batched bool
	size    int // number of samples in a batch, 0 if it is not known
	// source of seeds for the stages without their own seed; nil if there are no such stages
	seed func() uint64
	err  error

	mu      sync.Mutex
	at      Position
	started bool // whether a loop has started the epoch in at
}

// config holds the values of the options of stages.
type config struct {
	seed *uint64
	same bool
	drop bool
	size int

	parallel, cycle, block int
}

// Option is an option of a stage, such as Seed.
type Option struct{ setting }

// setting is the name of an option, and the function that sets it in a config.
type setting = option.Option[config]

// Seed sets the seed of the order of a Shuffle. By default one is drawn for the pipeline, at random
// or as random.SetRandomSeed fixes it.
func Seed(seed uint64) Option { return Option{option.New("Seed", func(c *config) { c.seed = &seed })} }

// SameOrder makes a Shuffle use the same order in each epoch; by default each epoch
// has its own order.
func SameOrder() Option { return Option{option.New("SameOrder", func(c *config) { c.same = true })} }

// DropRemainder makes Batch drop the last batch if it is smaller than the others.
func DropRemainder() Option {
	return Option{option.New("DropRemainder", func(c *config) { c.drop = true })}
}

// Size sets the number of samples or batches that an iterator yields, for FromGenerator and
// FromBatches. Without it the number is Unknown. A number below 0, and an iterator that yields
// another number, are errors.
func Size(n int) Option {
	return Option{setting{Name: "Size", Set: func(c *config) error {
		if n < 0 {
			return fmt.Errorf("got %d, want a number not below 0", n)
		}
		c.size = n
		return nil
	}}}
}

// NumParallelCalls sets how many calls of its function Map makes at a time, 1 by default. The
// elements keep their order. A number below 1 is an error.
func NumParallelCalls(n int) Option {
	return atLeastOne("NumParallelCalls", n, func(c *config) *int { return &c.parallel })
}

// CycleLength sets how many pipelines Interleave reads in turn, 1 by default. A number below 1 is
// an error.
func CycleLength(n int) Option {
	return atLeastOne("CycleLength", n, func(c *config) *int { return &c.cycle })
}

// BlockLength sets how many elements Interleave takes of a pipeline before the turn of the next
// one, 1 by default. A number below 1 is an error.
func BlockLength(n int) Option {
	return atLeastOne("BlockLength", n, func(c *config) *int { return &c.block })
}

func atLeastOne(name string, n int, field func(*config) *int) Option {
	return Option{option.NewChecked(name, n, option.Positive, func(c *config, n int) { *field(c) = n })}
}

// then returns a pipeline like p with the stage s behind its last one.
func (p *Pipeline) then(s stage) *Pipeline {
	return &Pipeline{last: s, names: p.with(s.name()), batched: p.batched, size: p.size, seed: p.seed}
}

func (p *Pipeline) with(name string) []string {
	return append(p.names[:len(p.names):len(p.names)], name)
}

// fail returns a pipeline whose error is err, for the last stage of p: reading it returns the
// error.
func (p *Pipeline) fail(err error) *Pipeline {
	return &Pipeline{names: p.names, err: fmt.Errorf("%s: %w", p.names[len(p.names)-1], err)}
}

// refuse returns a pipeline whose error is err, for the stage that the method of that name would
// have added to p. p does not change.
func (p *Pipeline) refuse(stage string, err error) *Pipeline {
	return (&Pipeline{names: p.with(stage)}).fail(err)
}

// element returns the word for an element in messages: sample or batch.
func (p *Pipeline) element() string {
	if p.batched {
		return "batch"
	}
	return "sample"
}

// Shuffle orders the elements at random, drawing each from a buffer of the next elements, of the
// given size; Full holds all. A buffer below 1, and Full for an endless pipeline, are errors. It
// takes Seed and SameOrder.
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
		// drawn at its first use, because a job of several processes may not have been joined yet
		next.seed = sync.OnceValue(random.DrawSeed)
	}
	return next
}

// Batch puts n consecutive samples into a batch; the last batch may be smaller. An n below 1, and
// elements that are batches already, are errors. It takes DropRemainder.
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
		return next.fail(fmt.Errorf("the elements are batches already: give the wanted size to the first Batch"))
	}
	next = p.then(&batching{stage: p.last, n: n, drop: c.drop})
	next.batched, next.size = true, n
	return next
}

// Map replaces each element, a sample before Batch and a batch after it, by the result of f, which
// must not change the tensors of its argument. f may be called from other goroutines. An error of
// f, and a result without inputs, end the iteration with an error. A nil f is an error of the
// pipeline (Err). It takes NumParallelCalls.
func (p *Pipeline) Map(f func(Batch) (Batch, error), opts ...Option) *Pipeline {
	if p.err != nil {
		return p
	}
	if f == nil {
		return p.refuse("Map", fmt.Errorf("got a nil function"))
	}
	c := config{parallel: 1}
	next := &Pipeline{names: p.with("Map")}
	if next.err = option.Apply("Map", &c, opts, "NumParallelCalls"); next.err != nil {
		return next
	}
	return p.then(&mapping{stage: p.last, f: f, element: p.element(), parallel: c.parallel})
}

// Interleave replaces each element by those of the pipeline that f makes of it, samples by samples
// and batches by batches. It reads several of these pipelines in turn, so that the lines of files,
// for instance, are mixed. The order is always the same. An error of f or of its pipeline, a nil
// one, and one of batches for samples or of samples for batches, end the iteration with an error. A
// nil f is an error of the pipeline (Err). It takes CycleLength and BlockLength.
func (p *Pipeline) Interleave(f func(Batch) (*Pipeline, error), opts ...Option) *Pipeline {
	if p.err != nil {
		return p
	}
	if f == nil {
		return p.refuse("Interleave", fmt.Errorf("got a nil function"))
	}
	c := config{cycle: 1, block: 1}
	next := &Pipeline{names: p.with("Interleave")}
	if next.err = option.Apply("Interleave", &c, opts, "CycleLength", "BlockLength"); next.err != nil {
		return next
	}
	next = p.then(&interleaving{stage: p.last, f: f, cycle: c.cycle, block: c.block, element: p.element(), batched: p.batched})
	if next.seed == nil {
		next.seed = sync.OnceValue(random.DrawSeed) // for shuffles in the pipelines
	}
	return next
}

// Take yields only the first n elements, samples before Batch and batches after it. A negative n is
// an error.
func (p *Pipeline) Take(n int) *Pipeline {
	return p.addCounted("Take", n, 0, func() stage { return &take{p.last, n} })
}

// Skip drops the first n elements, samples before Batch and batches after it. A negative n is an
// error.
func (p *Pipeline) Skip(n int) *Pipeline {
	return p.addCounted("Skip", n, 0, func() stage { return &skip{p.last, n} })
}

// Repeat yields the elements n times, forever if n is not given, and none for 0. A negative n is an
// error. All repetitions together are one epoch.
func (p *Pipeline) Repeat(n ...int) *Pipeline {
	rounds := forever
	if len(n) > 0 {
		rounds = n[0]
	}
	return p.addCounted("Repeat", rounds, 0, func() stage { return &repeat{p.last, rounds} })
}

// Prefetch computes up to n elements, at least 1, ahead of the current one, in a goroutine that
// ends with the loop over the batches.
func (p *Pipeline) Prefetch(n int) *Pipeline {
	return p.addCounted("Prefetch", n, 1, func() stage { return &prefetch{p.last, n} })
}

// addCounted adds the stage that s returns, of the method name with the number n. An n below least
// is an error of the pipeline.
func (p *Pipeline) addCounted(name string, n, least int, s func() stage) *Pipeline {
	if p.err != nil {
		return p
	}
	if n < least {
		return p.refuse(name, fmt.Errorf("got %d, want a number not below %d", n, least))
	}
	return p.then(s())
}

// Cache keeps the elements, so that the stages before it run once: in memory or, if a name is
// given, in a file. A complete pass over the elements writes the file, which is complete or does
// not exist. Later programs read it. An endless pipeline, several names and an empty one are errors
// of the pipeline (Err). A file of other data or other stages, or a damaged one, ends the iteration
// with an error.
func (p *Pipeline) Cache(file ...string) *Pipeline {
	if p.err != nil {
		return p
	}
	switch {
	case p.last.size() == Infinite:
		return p.refuse("Cache", fmt.Errorf("an endless dataset cannot be kept: put Cache before Repeat"))
	case len(file) > 1 || len(file) == 1 && file[0] == "":
		return p.refuse("Cache", fmt.Errorf("got the file names %q, want one, or none to keep the elements in memory", file))
	case len(file) == 1:
		return p.then(&fileCache{stage: p.last, path: file[0]})
	}
	return p.then(newCache(p.last, p.seed != nil))
}

// Err returns the error of the first stage that could not be added, or nil.
func (p *Pipeline) Err() error { return p.err }

// String returns the names of the stages, joined by points: FromTensorSlices.Shuffle.Batch.
func (p *Pipeline) String() string { return strings.Join(p.names, ".") }

// Cardinality returns the number of batches of an epoch, or Unknown or
// Infinite.
func (p *Pipeline) Cardinality() int {
	if p.err != nil {
		return Unknown
	}
	return p.last.size()
}

// BatchSize returns the number of samples that Batch puts into a batch, 0 if the
// pipeline gets its batches from elsewhere.
func (p *Pipeline) BatchSize() int { return p.size }

// Position returns the position of the iteration: how far the running or last pass has come, and
// the seed. Seek continues from it.
func (p *Pipeline) Position() Position {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.at
	if p.seed != nil {
		at.Seed = p.seed()
	}
	return at
}

// Seek sets the position of the next call of Batches, and the seed of the stages without their own
// seed. A position that the pipeline does not have, such as one beyond its last batch, is an error.
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
		p.seed = func() uint64 { return to.Seed }
	}
	p.at, p.started = to, false
	return nil
}

// Batches yields the batches of the next epoch or, after Seek, the rest of the epoch. After a loop
// that ended early the next epoch starts. A pipeline with an error (Err), and one without the stage
// Batch, yields only an error.
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
		current, from := p.start()
		for it, err := range p.last.open(ctx, current, from) {
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
		p.at.Epoch, p.at.Batch, p.started = p.at.Epoch+1, 0, false
	}
}

// start begins a loop over the batches: it returns the pass, which has the epoch's number and seed,
// and the number of its first element. Unless Seek has set the position, it goes on to the next
// epoch.
func (p *Pipeline) start() (pass, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started {
		p.at.Epoch, p.at.Batch = p.at.Epoch+1, 0
	}
	p.started = true
	current := pass{number: uint64(p.at.Epoch)}
	if p.seed != nil {
		current.seed = p.seed()
	}
	return current, p.at.Batch
}

func (p *Pipeline) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at.Batch++
}
