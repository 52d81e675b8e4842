// Package brief keeps error texts short: it writes values that come from files or from users with
// at most Limit bytes, and a list of errors with at most Errors of them. An ellipsis marks what was
// cut.
//
// It is not for output that programs read back.
//
// Order of use: Text for a string, Value for anything, Quote for a list of names, Join for several
// errors; Error for errors of packages that read a file.
package brief

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limit is the largest number of bytes of a value in an error text, without the
// ellipsis. Errors is the largest number of errors and of names in one. ErrorLimit is
// the largest number of bytes of the text of an error that Error returns.
const (
	Limit      = 100
	Errors     = 8
	ErrorLimit = 2000
)

// Text returns s, cut after at most Limit bytes, between characters, with an ellipsis; a short s as
// it is.
func Text(s string) string { return cut(s, Limit) }

func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// Value formats a value for people: text without quotes, [1 2], map[class_name:L2]. It reads only
// the part of the value that it returns.
func Value(v any) string {
	var w writer
	w.value(v)
	return Text(w.String())
}

// writer collects text up to its limit.
type writer struct{ strings.Builder }

func (w *writer) isFull() bool { return w.Len() > Limit }

// value writes the text of v, a value as encoding/json decodes it, until the writer is full. Each
// level of the recursion first writes a byte, so that the depth is bounded too.
func (w *writer) value(v any) {
	if w.isFull() {
		return
	}
	switch v := v.(type) {
	case string:
		w.WriteString(cut(v, Limit+1))
	case []any:
		w.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				w.WriteByte(' ')
			}
			if w.value(x); w.isFull() {
				return
			}
		}
		w.WriteByte(']')
	case map[string]any:
		w.WriteString("map[")
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				w.WriteByte(' ')
			}
			w.WriteString(cut(key, Limit) + ":")
			if w.value(v[key]); w.isFull() {
				return
			}
		}
		w.WriteByte(']')
	default:
		fmt.Fprint(w, v)
	}
}

// Error returns err, with its text cut in the middle if it is too long; nil for nil.
func Error(err error) error {
	if err == nil || len(err.Error()) <= ErrorLimit {
		return err
	}
	return &short{err}
}

// short is an error whose text is cut in the middle if it is too long. It wraps the full error.
type short struct{ error }

func (s *short) Error() string {
	const end = 400
	text := s.error.Error()
	from := len(text) - end
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return cut(text, ErrorLimit-end-len(" … ")) + " " + text[from:]
}

func (s *short) Unwrap() error { return s.error }

// Quote returns the first Errors names for an error text, each quoted and cut as by Text, with
// commas between: "a", "b". If there are more, it ends in their number: "and 2 more". Without names
// it returns none.
func Quote(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quoted := make([]string, 0, Errors+1)
	for _, n := range names[:min(len(names), Errors)] {
		quoted = append(quoted, strconv.Quote(Text(n)))
	}
	if rest := len(names) - Errors; rest > 0 {
		quoted = append(quoted, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(quoted, ", ")
}

// Join joins errors as errors.Join does, but lists only the first Errors of them, and the number of
// the others. nil errors are left out; if all are nil, it returns nil.
func Join(errs ...error) error {
	errs = slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	if rest := len(errs) - Errors; rest > 0 {
		errs = append(errs[:Errors], fmt.Errorf("and %d errors more", rest))
	}
	return errors.Join(errs...)
}
