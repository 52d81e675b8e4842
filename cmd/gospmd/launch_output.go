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

// merged merges the output of all processes. It writes whole lines. On a terminal it also shows the
// line that process 0 is still writing, such as its progress bar.
type merged struct {
	mu        sync.Mutex
	out, diag io.Writer
	live      bool      // out is a terminal
	open      *prefixed // the stream whose unfinished line is on the screen
}

func newMerged(out, diag io.Writer) *merged {
	file, ok := out.(*os.File)
	return &merged{out: out, diag: diag, live: ok && term.IsTerminal(int(file.Fd()))}
}

// stream returns the writer for the standard output of process rank or, if errors is true, for its
// standard error. It begins each line with the rank.
func (m *merged) stream(rank int, errors bool) *prefixed {
	p := &prefixed{m: m, w: m.out, prefix: fmt.Sprintf("[%d] ", rank), bar: m.live && rank == 0 && !errors}
	if errors {
		p.w = m.diag
	}
	return p
}

// prefixed is one stream of one process. It drops text that a carriage return overwrites, except
// for the progress bar.
type prefixed struct {
	m      *merged
	w      io.Writer
	prefix string
	bar    bool
	line   []byte // the unfinished line
	over   bool   // the last character was a carriage return
	last   string // the last line with content
	fatal  bool   // last is the reason why the process ended
}

// maxLine is the longest line. Longer lines are cut.
const maxLine = 64 << 10

// Write takes output of the process. It prints each line that is complete, with the prefix, without
// text that a carriage return overwrites, and keeps the rest. It never fails, so that the process
// continues even if the output is closed.
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

// end prints a last line without an end of line.
func (p *prefixed) end() {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	if len(p.line) > 0 {
		p.flush()
	}
}

// flush prints the unfinished line as a whole line.
func (p *prefixed) flush() {
	p.note(strings.TrimSpace(string(p.line)))
	p.show("\n")
	p.line = p.line[:0]
}

// show rewrites the unfinished line of this stream on the terminal, followed by end. If another
// stream's unfinished line is there, show begins a new line first.
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

// onlyEnded are lines that only say that a process has ended, such as those of go run.
var onlyEnded = regexp.MustCompile(`^(exit status \d+|signal: .*)$`)

// note remembers the line that best says why the process ended: the first line of a panic,
// otherwise the last line.
func (p *prefixed) note(line string) {
	if line == "" || p.fatal || onlyEnded.MatchString(line) {
		return
	}
	p.last = line
	p.fatal = strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// lastError returns the line that note has stored as the likely reason of the process' end; empty
// if there is none.
func (p *prefixed) lastError() string {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	return p.last
}
