package runtime

// This file holds the programs that an engine loads. It lets Load return before a
// compilation has ended, which cannot be interrupted.

import (
	"context"
	"runtime"
	"sync"
	"weak"
)

// loads counts the loads of programs that are in progress on a client, and holds the programs that
// were loaded.
type loads struct {
	mu     sync.Mutex
	count  int
	ending func() // called when no load is in progress; nil until a caller asks for that
	open   map[weak.Pointer[asyncProgram]]bool
}

// add adds a program that was loaded. The garbage collector may still free the program.
func (l *loads) add(p *asyncProgram) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[weak.Pointer[asyncProgram]]bool{}
	}
	w := weak.Make(p)
	l.open[w] = true
	runtime.AddCleanup(p, l.forget, w)
}

func (l *loads) forget(w weak.Pointer[asyncProgram]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, w)
}

// close closes all programs that were added and not closed.
func (l *loads) close() {
	l.mu.Lock()
	open := l.open
	l.open = nil
	l.mu.Unlock()
	for w := range open {
		if p := w.Value(); p != nil {
			p.Close()
		}
	}
}

// await returns the result of load. If ctx ends first, it returns the cause. The load then goes on
// in the background, and its result is freed.
func (l *loads) await(ctx context.Context, load func() (DriverProgram, error)) (DriverProgram, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.count++
	l.mu.Unlock()
	if ctx.Done() == nil {
		defer l.end()
		return load()
	}
	type result struct {
		program DriverProgram
		err     error
	}
	ended := make(chan result)
	go func() {
		defer l.end()
		p, err := load()
		select {
		case ended <- result{p, err}:
		case <-ctx.Done():
			if err == nil {
				p.Free()
			}
		}
	}()
	select {
	case r := <-ended:
		return r.program, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// end ends a load. If it was the last one in progress, end calls the function that callWhenIdle has
// left.
func (l *loads) end() {
	l.mu.Lock()
	l.count--
	end := l.ending
	last := l.count == 0 && end != nil
	if last {
		l.ending = nil
	}
	l.mu.Unlock()
	if last {
		end()
	}
}

// callWhenIdle calls end, once no load goes on: now, or when the last one has ended.
func (l *loads) callWhenIdle(end func()) {
	l.mu.Lock()
	l.ending = end
	now := l.count == 0
	if now {
		l.ending = nil
	}
	l.mu.Unlock()
	if now {
		end()
	}
}
