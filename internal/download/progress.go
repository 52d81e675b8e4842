package download

// This file prints the progress of a download, and messages while it waits.

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress counts the bytes that are written to it. A nil Progress is silent.
type Progress struct {
	Output io.Writer     // nil for os.Stderr
	What   string        // what is done: "downloading https://…"
	Silent time.Duration // time without a line before a message says what it waits for; 0 means 2 seconds

	quiet bool
	mu    sync.Mutex // timers print lines too
	bar   *progressbar.ProgressBar
	bytes int64
	begun bool
}

// Quiet returns a Progress that prints only messages about waiting; nil for nil.
func (p *Progress) Quiet() *Progress {
	if p == nil {
		return nil
	}
	return &Progress{Output: p.Output, What: p.What, Silent: p.Silent, quiet: true}
}

// output returns the writer of the lines: p.Output, or standard error if that is nil.
func (p *Progress) output() io.Writer {
	if p.Output == nil {
		return os.Stderr
	}
	return p.Output
}

// ShowWait shows what is waited for, and for how long at most, unless the wait ends
// before that would interest anybody. The caller calls done at the end of the wait.
func (p *Progress) ShowWait(what string, limit time.Duration) (done func()) {
	if p == nil {
		return func() {}
	}
	silent := p.Silent
	if silent == 0 {
		silent = 2 * time.Second
	}
	var mu sync.Mutex
	ended := false
	timer := time.AfterFunc(silent, func() {
		mu.Lock()
		defer mu.Unlock()
		if !ended {
			p.printf("gospmd: %s: waiting for %s, at most %s\n", p.What, what, limit)
		}
	})
	return func() {
		timer.Stop()
		mu.Lock()
		defer mu.Unlock()
		ended = true
	}
}

func (p *Progress) printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.output(), format, args...)
}

// Start sets the size of the download, -1 if it is not known. It shows a bar, which Write moves, or
// prints a line where the output is no terminal. A quiet or nil Progress shows nothing.
func (p *Progress) Start(size int64) {
	if p == nil || p.quiet {
		return
	}
	p.begun = true
	if f, ok := p.output().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(f),
			progressbar.OptionSetDescription("gospmd: "+p.What),
			progressbar.OptionShowBytes(true),
			progressbar.OptionClearOnFinish())
		return
	}
	p.printf("gospmd: %s%s\n", p.What, sizeText(size))
}

// Write counts bytes, and shows them if there is a bar. It never fails. A nil Progress counts
// nothing.
func (p *Progress) Write(b []byte) (int, error) {
	if p == nil {
		return len(b), nil
	}
	p.bytes += int64(len(b))
	if p.bar != nil {
		p.bar.Add(len(b))
	}
	return len(b), nil
}

// Finish ends the display: it removes the bar or, without a terminal, prints how many bytes were
// written. It does nothing if Start was not called.
func (p *Progress) Finish() {
	switch {
	case p == nil || !p.begun:
	case p.bar != nil:
		p.bar.Exit()
	default:
		p.printf("gospmd: download ended%s\n", sizeText(p.bytes))
	}
}

func sizeText(n int64) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f MB)", float64(n)/1e6)
}
