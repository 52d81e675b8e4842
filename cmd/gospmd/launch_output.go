package main

// This file merges the output of the processes of gospmd launch line by line.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/term"
)

// merged is where the output of all processes goes: whole lines, and on a terminal
// the line that process 0 is still writing, such as its progress bar.
type merged struct {
	mu        sync.Mutex
	out, diag io.Writer
	live      bool      // out is a terminal
	open      *prefixed // whose line is on the screen without an end
}

func newMerged(out, diag io.Writer) *merged {
	file, ok := out.(*os.File)
	return &merged{out: out, diag: diag, live: ok && term.IsTerminal(int(file.Fd()))}
}

// stream returns the writer for the standard output or the standard error of a process.
func (m *merged) stream(rank int, errors bool) *prefixed {
	p := &prefixed{m: m, w: m.out, prefix: fmt.Sprintf("[%d] ", rank), bar: m.live && rank == 0 && !errors}
	if errors {
		p.w = m.diag
	}
	return p
}

// prefixed is one stream of one process. Text that a carriage return overwrites is
// dropped, other than where it is the bar.
type prefixed struct {
	m      *merged
	w      io.Writer
	prefix string
	bar    bool
	line   []byte // what has been written of the line
	over   bool   // a carriage return came last
	last   string // the last line that says something
	fatal  bool   // last says why the process ended
}

// maxLine is how long a line may become before it is cut.
const maxLine = 64 << 10

// Write takes what a process writes. It never fails, so that the process goes on
// where the output is closed.
func (p *prefixed) Write(text []byte) (int, error) {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	for rest := text; len(rest) > 0; {
		i := bytes.IndexAny(rest, "\r\n")
		if i != 0 {
			if i < 0 {
				i = len(rest)
			}
			if p.over {
				p.line, p.over = p.line[:0], false
			}
			p.line = append(p.line, rest[:i]...)
			rest = rest[i:]
			if len(p.line) > maxLine {
				p.flush()
			}
			continue
		}
		if p.over = rest[0] == '\r'; !p.over {
			p.flush()
		}
		rest = rest[1:]
	}
	if p.bar && len(p.line) > 0 {
		p.show("")
	}
	return len(text), nil
}

// end prints what has no end of line.
func (p *prefixed) end() {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	if len(p.line) > 0 {
		p.flush()
	}
}

// flush prints the line.
func (p *prefixed) flush() {
	p.note(strings.TrimSpace(string(p.line)))
	p.show("\n")
	p.line = p.line[:0]
}

// show prints the line as it is. On the screen it replaces itself, and the line
// that another stream has begun stays as it is.
func (p *prefixed) show(end string) {
	before, after := "", end
	switch {
	case p.m.open != nil && p.m.open != p:
		before = "\n"
	case p.m.open == p:
		before, after = "\r", "\x1b[K"+end
	}
	if before == "\n" {
		io.WriteString(p.m.out, before) //nolint:errcheck // see Write
		before = ""
	}
	fmt.Fprintf(p.w, "%s%s%s%s", before, p.prefix, p.line, after) //nolint:errcheck // see Write
	p.m.open = nil
	if end == "" {
		p.m.open = p
	}
}

// onlyEnded are lines that only say that a process has ended, as go run prints them.
var onlyEnded = regexp.MustCompile(`^(exit status \d+|signal: .*)$`)

// note keeps the line that says best why the process ended: the first of a panic,
// else the last.
func (p *prefixed) note(line string) {
	if line == "" || p.fatal || onlyEnded.MatchString(line) {
		return
	}
	p.last = line
	p.fatal = strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// lastError returns the line that note kept.
func (p *prefixed) lastError() string {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	return p.last
}
