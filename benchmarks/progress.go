package main

// This file shows the progress of a run.

import (
	"fmt"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is a bar on a terminal, and lines in a file.
type progress struct {
	out  *os.File
	bar  *progressbar.ProgressBar // nil: print lines
	done int
	all  int
}

func newProgress(out *os.File, all int) *progress {
	p := &progress{out: out, all: all}
	if term.IsTerminal(int(out.Fd())) {
		p.bar = progressbar.NewOptions(all, progressbar.OptionSetWriter(out), progressbar.OptionShowCount(),
			progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(true))
	}
	return p
}

// next begins the part of the run that what names, and shows it.
func (p *progress) next(what string) {
	if p.done > 0 && p.bar != nil {
		_ = p.bar.Add(1)
	}
	p.done++
	if p.bar == nil {
		fmt.Fprintf(p.out, "%d/%d %s\n", p.done, p.all, what)
		return
	}
	p.bar.Describe(what)
}

// report shows on the bar what is being done now, and does not count it as a part. It does nothing
// without a bar, when lines are printed.
func (p *progress) report(what string) {
	if p.bar != nil {
		p.bar.Describe(what)
	}
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
