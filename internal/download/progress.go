package download

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
	Output io.Writer // nil for os.Stderr
	What   string    // what is done: "downloading https://…"

	bar   *progressbar.ProgressBar
	bytes int64
	begun bool
}

// Start tells the size of what comes, -1 when it is not known.
func (p *Progress) Start(size int64) {
	if p == nil {
		return
	}
	p.begun = true
	if p.Output == nil {
		p.Output = os.Stderr
	}
	if f, ok := p.Output.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(p.Output),
			progressbar.OptionSetDescription("gospmd: "+p.What),
			progressbar.OptionShowBytes(true),
			progressbar.OptionClearOnFinish())
		return
	}
	fmt.Fprintf(p.Output, "gospmd: %s%s\n", p.What, sizeText(size))
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

// Finish ends the display.
func (p *Progress) Finish() {
	switch {
	case p == nil || !p.begun:
	case p.bar != nil:
		p.bar.Exit()
	default:
		fmt.Fprintf(p.Output, "gospmd: download ended%s\n", sizeText(p.bytes))
	}
}

func sizeText(n int64) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f MB)", float64(n)/1e6)
}
