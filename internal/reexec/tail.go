package reexec

// This file keeps the end of a child's output.

import "bytes"

// Tail is a writer that keeps the end of its text. If Go's runtime ends the process and lists the
// goroutines, it keeps the text before that list, and the beginning of the list.
type Tail struct {
	text  []byte
	stack int // where the list of goroutines begins in text; 0 if it has not begun
}

const (
	tailBytes  = 4 << 10
	stackBytes = 1 << 10
)

// goroutines is the beginning of the list of goroutines that Go's runtime prints when it ends the
// process.
var goroutines = []byte("\ngoroutine ")

func (t *Tail) Write(p []byte) (int, error) {
	seen := max(0, len(t.text)-len(goroutines))
	t.text = append(t.text, p...)
	if t.stack == 0 {
		if i := bytes.Index(t.text[seen:], goroutines); i >= 0 {
			t.stack = seen + i + 1
		} else if extra := len(t.text) - 2*tailBytes; extra > 0 {
			t.text = append(t.text[:0], t.text[extra:]...)
		}
	}
	if t.stack > 0 {
		t.text = t.text[:min(len(t.text), t.stack+stackBytes)]
	}
	return len(p), nil
}

// String returns the last lines that were written, at most tailBytes.
func (t *Tail) String() string {
	text := t.text
	if extra := len(text) - tailBytes; extra > 0 {
		text = text[extra:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[i+1:]
		}
	}
	return string(bytes.TrimSpace(text))
}
