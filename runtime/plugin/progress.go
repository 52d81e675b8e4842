package plugin

// This file shows the progress of a download: a bar on a terminal, else two
// plain lines.

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress counts the bytes that are written to it. A nil Progress is silent.
type Progress struct {
	out   io.Writer
	what  string
	bar   *progressbar.ProgressBar
	bytes int64
	begun bool
}

func newProgress(out io.Writer, what string) *Progress {
	if out == nil {
		out = os.Stderr
	}
	return &Progress{out: out, what: what}
}

// start tells the size of what comes, -1 when it is not known.
func (p *Progress) start(size int64) {
	if p == nil {
		return
	}
	p.begun = true
	if f, ok := p.out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription("gospmd: installing XLA's CPU plugin"),
			progressbar.OptionShowBytes(true),
			progressbar.OptionClearOnFinish())
		return
	}
	fmt.Fprintf(p.out, "gospmd: installing XLA's CPU plugin, once: %s%s\n", p.what, sizeText(size))
}

// Write counts bytes.
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

func (p *Progress) finish() {
	switch {
	case p == nil || !p.begun:
	case p.bar != nil:
		p.bar.Exit()
	default:
		fmt.Fprintf(p.out, "gospmd: download ended%s\n", sizeText(p.bytes))
	}
}

func sizeText(n int64) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f MB)", float64(n)/1e6)
}
