// Package errlist joins errors, and prints errors of one cause as one line, with their number: for
// example for 300 inputs that do not fit a mesh.
//
// It finds equal causes by comparing the texts only, and does not look at wrapped errors.
//
// Order of use: Join, or Fold for lines that the caller writes.
//
//	function  role
//	Join      one error of many
//	Fold      lines: those of one cause become one
package errlist

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Join returns an error with a line for each cause in errs, or nil if there is
// no error. It wraps all of them.
func Join(errs ...error) error {
	err := errors.Join(errs...)
	if err == nil {
		return nil
	}
	var lines []string
	for _, e := range errs {
		if e != nil {
			lines = append(lines, e.Error())
		}
	}
	return &joined{err, strings.Join(Fold(lines), "\n")}
}

// joined is a joined error with a folded text.
type joined struct {
	error
	text string
}

// Error returns the folded lines.
func (j *joined) Error() string { return j.text }

// Unwrap returns the errors as errors.Join has them.
func (j *joined) Unwrap() error { return j.error }

// Fold returns the first line of each cause, in order, with the number of further lines of that
// cause. Lines have one cause if they differ only in numbers, in texts in brackets, and in the
// names of their subjects, which are quoted texts before the first colon.
func Fold(lines []string) []string {
	var out []string
	index, more := map[string]int{}, []int{}
	for _, line := range lines {
		key := cause(line)
		at, known := index[key]
		if !known {
			index[key] = len(out)
			out, more = append(out, line), append(more, 0)
			continue
		}
		more[at]++
	}
	for i, n := range more {
		if n > 0 {
			out[i] = fmt.Sprintf("%s (and %d more like this)", out[i], n)
		}
	}
	return out
}

var (
	quoted   = regexp.MustCompile(`"[^"]*"`)
	brackets = regexp.MustCompile(`\[[^\]]*\]`)
	sizes    = regexp.MustCompile(`\d+(x[\dx]*)?`)
)

// cause returns the part of a line that all lines of one cause have in common.
func cause(line string) string {
	about, rest, _ := strings.Cut(line, ": ")
	return sizes.ReplaceAllString(brackets.ReplaceAllString(quoted.ReplaceAllString(about, "…")+": "+rest, "[…]"), "#")
}
