package runtime

// This file implements Buffer and Loaded on a Driver: device buffers, which may be pending and
// count their uses, and programs, whose runs are queued.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// asyncBuffer implements Buffer. It counts its uses, and is freed when the last use ends. Its uses
// are: its owner, until Release; the work that makes it; each queued run that reads it; and each
// Read. The garbage collector frees a buffer that was never released.
type asyncBuffer struct {
	engine *asyncEngine
	typ    ir.Type
	future *future
	result bool // whether a run makes the buffer, not a transfer
	uses   atomic.Int32
	print  valuePrint // fingerprint of the value; set before the first run that takes the buffer

	mu sync.Mutex // held while raw is read
	// raw is nil until the buffer is made and after it is freed. The raw buffer of a result is
	// there as soon as the run was started, before the future is complete.
	raw   DriverBuffer
	donee string // the program that the buffer was donated to
}

// newAsyncBuffer returns a buffer of type t that is ready when f is completed. It has two uses, the
// owner's and that of the work that makes it.
func newAsyncBuffer(e *asyncEngine, t ir.Type, f *future) *asyncBuffer {
	b := &asyncBuffer{engine: e, typ: t, future: f}
	b.uses.Store(2)
	return b
}

var errReleased = errors.New("the buffer was released")

// use adds a use. It returns an error if the last use has ended.
func (b *asyncBuffer) use() error {
	for {
		n := b.uses.Load()
		if n == 0 {
			return errReleased
		}
		if b.uses.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

// drop ends a use. The end of the last use frees the buffer.
func (b *asyncBuffer) drop() {
	if b.uses.Add(-1) != 0 {
		return
	}
	b.mu.Lock()
	raw := b.raw
	b.raw = nil
	b.mu.Unlock()
	if raw != nil {
		raw.Free()
	}
}

func (b *asyncBuffer) Type() ir.Type { return b.typ }

func (b *asyncBuffer) Wait(ctx context.Context) error { return b.future.wait(ctx) }

func (b *asyncBuffer) Read(ctx context.Context, dst []byte) error {
	if len(dst) != b.typ.Bytes() {
		return fmt.Errorf("got %d bytes to read %s into, want %d", len(dst), b.typ, b.typ.Bytes())
	}
	if err := b.use(); err != nil {
		return err
	}
	defer b.drop()
	if err := b.future.wait(ctx); err != nil {
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.raw == nil {
		return fmt.Errorf("the buffer was donated to program %q", b.donee)
	}
	return b.raw.Read(dst)
}

func (b *asyncBuffer) Release() { b.drop() }

// isStarted reports whether b is a result of a run that was started and has not ended. Only Run and
// the queue of executions may call it.
func (b *asyncBuffer) isStarted() bool {
	return !b.future.isDone() && b.result && b.raw != nil // else its error is known
}

// asyncProgram implements Loaded. It is freed when it is closed and its last
// queued run is done.
type asyncProgram struct {
	engine  *asyncEngine
	program *program.Program
	raw     DriverProgram
	donated []int // indices of donated inputs, in the list of all devices' inputs
	refs    atomic.Int32
	closed  atomic.Bool

	// The following fields are used only if the program's mesh spans processes.
	ranks  []int                 // the processes of the mesh; nil for this process alone
	common map[int][]commonShard // by rank of another process: the shards of inputs that it holds too
	load   int                   // the number of the Load, equal in all processes
	runs   int                   // the number of Runs so far

	crossings *crossings // the collectives that cross processes
}

// asyncRun is one execution of a program on the devices of this process, and its arguments and
// results.
type asyncRun struct {
	*asyncProgram
	future  *future
	args    []*asyncBuffer // all arguments of the first device, then those of the second, …
	results []*asyncBuffer // ordered like args

	execution Execution // nil until the run was started
	failure   error     // the error of a run that had to be started although it was to fail

	number int // the number of this run of the program, from 1
	// agreed waits until the other processes have announced this run. It is nil if the program runs
	// in one process.
	agreed func() error
}

func (l *asyncProgram) Run(args [][]Buffer) ([][]Buffer, error) {
	n, outputs := len(l.program.Inputs), l.program.Outputs
	r := &asyncRun{asyncProgram: l, future: newFuture()}
	r.args = make([]*asyncBuffer, 0, len(args)*n)
	release := func() {
		for _, b := range r.args {
			b.drop()
		}
	}
	for pos, row := range args {
		for i, arg := range row {
			b, ok := arg.(*asyncBuffer)
			if !ok || b.engine != l.engine {
				release()
				return nil, fmt.Errorf("BUG: input %d at position %d is not a buffer of this engine", i, pos)
			}
			if err := b.use(); err != nil {
				release()
				return nil, fmt.Errorf("input %q at position %d: %w", l.program.Inputs[i].Name, pos, err)
			}
			r.args = append(r.args, b)
		}
	}
	results := make([][]Buffer, len(args))
	r.results = make([]*asyncBuffer, 0, len(args)*len(outputs))
	for pos := range results {
		results[pos] = make([]Buffer, len(outputs))
		for i, out := range outputs {
			b := newAsyncBuffer(l.engine, out.Local, r.future)
			b.result = true
			results[pos][i] = b
			r.results = append(r.results, b)
		}
	}
	l.announce(r)
	l.refs.Add(1)
	l.engine.takeSlot()
	begin := l.engine.runs.push
	if l.engine.runs.isIdle() && r.canStart() {
		r.future.run = r
		begin = l.engine.runs.run
	}
	if err := begin(r.do); err != nil {
		<-l.engine.slots
		l.refs.Add(-1)
		release()
		return nil, err
	}
	return results, nil
}

// announce numbers the run, from 1. If the program spans processes, it tells the others of the run,
// and sets r.agreed.
func (l *asyncProgram) announce(r *asyncRun) {
	l.runs++
	r.number = l.runs
	if len(l.ranks) > 1 {
		r.agreed = l.engine.job.announceRun(l.ranks, fmt.Sprintf("run %d of program %d, %q", r.number, l.load, brief.Text(l.program.Name)),
			givenValues{l.program, l.common, slices.Clone(r.args)})
	}
}

// starter returns the program if it can start the run without waiting for its end, else nil. It is
// nil also for programs that span processes, because the processes of a run wait for each other.
func (r *asyncRun) starter() Starter {
	if s, ok := r.raw.(Starter); ok && r.agreed == nil {
		return s
	}
	return nil
}

// canStart reports whether do would start the run at once, without waiting for arguments or for
// earlier executions.
func (r *asyncRun) canStart() bool {
	if r.starter() == nil || r.engine.started.isFull() {
		return false
	}
	for _, b := range r.args {
		if !b.future.isDone() && !b.isStarted() {
			return false
		}
	}
	return true
}

// do starts the run, when its arguments are ready or being computed. If starter returns nil, do
// also waits for the end of the run. An error goes to the run's future. The queue of executions
// calls do, or Run does while the queue is idle.
func (r *asyncRun) do() {
	s := r.starter()
	err := r.await(s == nil)
	if err != nil {
		r.end(err)
		return
	}
	if s != nil {
		r.engine.started.makeRoom()
		err = r.execute(func(args []DriverBuffer) (results []DriverBuffer, err error) {
			results, r.execution, err = s.Start(args, r.donated)
			return results, err
		})
		if r.execution != nil {
			r.failure = err
			r.engine.started.add(r)
			if r.future.run == nil {
				go r.engine.started.settle(r) // a goroutine that waits for the future does not know that the run was started
			}
			return
		}
	} else {
		var abandoned bool
		if abandoned, err = r.executeTogether(); abandoned {
			r.future.complete(r.runError(err)) // the devices may still use the arguments
			<-r.engine.slots
			return
		}
	}
	r.end(r.runError(err))
}

// finish ends a run that was started: it waits for the runs that make its arguments, and completes
// the run's future with their error or with err, that of its own execution.
func (r *asyncRun) finish(err error) {
	r.end(cmp.Or(r.await(true), r.runError(cmp.Or(err, r.failure))))
}

// runError returns err as the error of this run, with the program's name, so that it differs from
// the error of a run that this one depends on; nil for nil.
func (r *asyncRun) runError(err error) error {
	if err == nil {
		return nil
	}
	return &runError{program: r.program.Name, cause: err}
}

// end completes the run's future with err, frees its slot in the queue, and ends the uses of its
// arguments, results and program. Donated arguments lose the use of their owner too.
func (r *asyncRun) end(err error) {
	r.future.complete(err)
	<-r.engine.slots
	for _, i := range r.donated {
		r.args[i].drop() // the owner's use
	}
	for _, b := range r.args {
		b.drop()
	}
	for _, b := range r.results {
		b.drop()
	}
	r.args, r.results = nil, nil // the queue's goroutine keeps its last function reachable
	r.drop()
}

// await waits for the arguments. It waits for transfers in progress, and if ended is true also for
// the runs that make arguments. If ended is false, it is enough that such a run was started. The
// error of an argument that failed names the program and the input.
func (r *asyncRun) await(ended bool) error {
	for i, b := range r.args {
		if !ended && b.isStarted() {
			continue
		}
		if err := b.future.wait(context.Background()); err != nil {
			return dependencyError(r.program.Name, r.program.Inputs[i%len(r.program.Inputs)].Name, err)
		}
	}
	return nil
}

// executeTogether executes a program that may span processes. If another process is lost, some
// devices of this process fail, and its other devices may wait for them forever. Then
// executeTogether returns abandoned: the run's arguments are never freed, because devices may still
// use them.
func (r *asyncRun) executeTogether() (abandoned bool, err error) {
	j := r.engine.job
	execute := func() error {
		return r.execute(func(args []DriverBuffer) ([]DriverBuffer, error) { return r.raw.Execute(args, r.donated) })
	}
	if r.agreed == nil {
		return false, execute()
	}
	if err := j.failure(); err != nil {
		return false, r.explain(r.crossings.start(), err)
	}
	if err := r.agreed(); err != nil {
		return false, r.explain(r.crossings.start(), err)
	}
	done := make(chan error, 1)
	go func() { done <- execute() }()
	select {
	case err = <-done:
	case <-j.failed:
		select {
		case err = <-done:
		case <-time.After(abandonTime):
			return true, r.explain(r.crossings.place(), j.failure())
		}
	}
	if err != nil {
		err = r.explain(r.crossings.place(), err)
	}
	return false, err
}

// abandonTime is how long the devices of this process have to end a run after another process was
// lost.
const abandonTime = time.Second

// explain returns err with the run, and the collective at, if that is not empty. If a lost process
// has led to err, that loss takes its place. explain ends the job, because other processes wait for
// data that this process does not send.
func (r *asyncRun) explain(at string, err error) error {
	j := r.engine.job
	err = j.cause(err)
	what := fmt.Sprintf("run %d", r.number)
	if at != "" {
		what += ", " + at
	}
	err = fmt.Errorf("%s, in process %d: %w", what, j.rank, err)
	j.end(err)
	return err
}

// execute calls how with the arguments, and stores the results that it returns. It marks donated
// arguments as freed.
func (r *asyncRun) execute(how func(args []DriverBuffer) ([]DriverBuffer, error)) error {
	raws := make([]DriverBuffer, len(r.args))
	for _, i := range r.donated {
		r.args[i].mu.Lock() // after the reads in progress
		defer r.args[i].mu.Unlock()
	}
	for i, b := range r.args {
		raws[i] = b.raw
	}
	outs, err := how(raws)
	if err != nil {
		return err
	}
	for _, i := range r.donated { // the driver has freed them
		r.args[i].raw, r.args[i].donee = nil, r.program.Name
	}
	if len(outs) != len(r.results) {
		return fmt.Errorf("BUG: the driver returned %d buffers, want %d", len(outs), len(r.results))
	}
	for i, out := range outs {
		r.results[i].raw = out // no goroutine reads it before the future is complete
	}
	return nil
}

// drop ends a use of the program. The end of the last use frees it.
func (l *asyncProgram) drop() {
	if l.refs.Add(-1) == 0 {
		l.raw.Free()
	}
}

func (l *asyncProgram) Memory() (MemoryStats, error) { return l.raw.Memory() }

// FromCache reports whether the driver loaded the program from the compilation cache.
func (l *asyncProgram) FromCache() bool { return fromCache(l.raw) }

func (l *asyncProgram) Close() error {
	if l.closed.CompareAndSwap(false, true) {
		l.engine.loads.forget(weak.Make(l))
		l.drop()
	}
	return nil
}
