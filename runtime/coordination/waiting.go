package coordination

// This file logs what a process waits for while it joins its job.

import (
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// The first and the longest time between log messages of a waiting process. The time grows from one
// message to the next.
const (
	firstNotice = 3 * time.Second
	maxNotice   = 2 * time.Minute
)

// waiting logs what a process waits for, until end is called. name names the process that waits,
// from is when it began, and what returns what it waits for.
type waiting struct {
	log  *slog.Logger
	name string
	mu   sync.Mutex
	what func() string // nil at first
	from time.Time
	done chan struct{}
}

func newWaiting(o Options) *waiting {
	w := &waiting{log: o.Logger, name: fmt.Sprintf("process %d (%s)", o.ProcessID, o.Name), from: time.Now(), done: make(chan struct{})}
	go w.run()
	return w
}

// set changes what the process waits for.
func (w *waiting) set(what func() string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.what = what
}

func (w *waiting) setf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.set(func() string { return text })
}

// end ends the messages.
func (w *waiting) end() { close(w.done) }

func (w *waiting) run() {
	for next := firstNotice; ; next = min(2*next, maxNotice) {
		select {
		case <-w.done:
			return
		case <-time.After(next):
			w.say()
		}
	}
}

func (w *waiting) say() {
	w.mu.Lock()
	what := w.what
	w.mu.Unlock()
	if what == nil {
		return
	}
	w.log.Warn(fmt.Sprintf("gospmd: %s waits for %s, since %s (%v ago)",
		w.name, what(), w.from.Format(time.TimeOnly), time.Since(w.from).Round(time.Second)))
}
