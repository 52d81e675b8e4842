package reexec

// This file keeps the end of what a child writes to its terminal.

import "bytes"

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

// tailBytes is how much.
const tailBytes = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if extra := len(t.text) - 2*tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

// String returns the last lines.
func (t *tail) String() string {
	text := t.text
	if len(text) > tailBytes {
		text = text[len(text)-tailBytes:]
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[i+1:]
		}
	}
	return string(bytes.TrimSpace(text))
}
