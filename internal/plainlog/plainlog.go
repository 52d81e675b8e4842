// Package plainlog prints log records as plain lines, for commands, examples and tests.
//
// Libraries log to the logger that their caller passes, or to slog.Default. A command makes New's
// logger the default, so that its users see the messages without times and levels.
package plainlog

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// New returns a logger that prints the message of each record on a line of w, and the attributes
// after it. It leaves out debug records.
func New(w io.Writer) *slog.Logger { return slog.New(&handler{out: &output{w: w}}) }

// output is a writer that several loggers share: it writes one line at a time.
type output struct {
	mu sync.Mutex
	w  io.Writer
}

// handler is the slog.Handler of New.
type handler struct {
	out    *output
	prefix string // prefix of the keys of attributes: the groups, with a dot after each
	attrs  string // the logger's attributes, as Handle prints them
}

func (h *handler) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

func (h *handler) Handle(_ context.Context, r slog.Record) error {
	var line strings.Builder
	line.WriteString(r.Message + h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		line.WriteString(h.text(a))
		return true
	})
	line.WriteString("\n")
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	_, err := io.WriteString(h.out.w, line.String())
	return err
}

// text returns the attribute a in its printed form, a space and name=value; empty for an empty
// attribute.
func (h *handler) text(a slog.Attr) string {
	if a.Equal(slog.Attr{}) {
		return ""
	}
	return " " + h.prefix + a.Key + "=" + a.Value.Resolve().String()
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	for _, a := range attrs {
		with.attrs += h.text(a)
	}
	return &with
}

func (h *handler) WithGroup(name string) slog.Handler {
	with := *h
	if name != "" {
		with.prefix += name + "."
	}
	return &with
}
