package fit

// This file makes a program fit into a limit of memory by the figures of the devices' compiler.

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
)

// maxTries is the largest number of times that Within compiles the program.
const maxTries = 4

// OverLimitError says that a program fits a limit by our prediction, but not by the figures of the
// devices' compiler.
type OverLimitError struct {
	Limit int // bytes of a device
	Least int // the least peak of the compiler
	// Refused is the error of package compile for a lower limit, under which the compiler's peak
	// might have been low enough; nil if there is none.
	Refused error
}

// Error gives both sizes, and the text of Refused if that is not nil.
func (e *OverLimitError) Error() string {
	text := fmt.Sprintf("the program does not fit: by its own figures the target's compiler needs %s on a device, and the limit is %s",
		texttable.Bytes(e.Least), texttable.Bytes(e.Limit))
	if e.Refused != nil {
		text += "; a program that needs less was not found: " + e.Refused.Error()
	}
	return text
}

// Unwrap returns Refused.
func (e *OverLimitError) Unwrap() error { return e.Refused }

// Answer is the end of a search by Within. Another search for the same program and limit begins
// there, so that it needs one try.
type Answer struct {
	Ask  int `json:"ask"`  // the limit of our prediction, in bytes; 0: there was no search
	Peak int `json:"peak"` // the compiler's peak of the program for Ask, in bytes; 0: it is not known
}

// Tried is a program that Within tried.
type Tried[E any] struct {
	Answer
	Made E // what the function try made
	// Predicted is our prediction of the peak, in bytes.
	Predicted int
}

// Within returns a program whose peak is at most limit bytes on a device by the figures of the
// devices' compiler. try makes the program for a limit of memory as we predict it
// (compile.Options.MemoryLimit), and compiles it. It returns what it made, our prediction of the
// peak, and the compiler's peak, both in bytes; a compiler without figures has the peak 0, and its
// program is taken to fit. Where the compiler needs more memory than limit, Within tries a lower
// limit, up to maxTries times. drop, if it is not nil, gets what was made and is not returned. A
// limit of 0 means no limit.
//
// known is the Answer of an earlier search, or the zero Answer. Its program is tried first, and if
// it has the same peak, it is returned, even if it does not fit. Another peak comes from another
// compiler: then the search begins anew. An Answer without a peak says where the search begins.
//
// If no try fits, the error is an *OverLimitError, and the result is the program with the least
// peak. If a later try finds no program (*report.OverBudgetError), that is the Refused of the
// *OverLimitError. Any other error of try is returned as it is, with the zero Tried.
func Within[E any](limit int, known Answer, try func(ask int) (made E, predicted, peak int, err error), drop func(E)) (Tried[E], error) {
	if drop == nil {
		drop = func(E) {}
	}
	ask := cmp.Or(known.Ask, limit)
	if known.Peak > 0 {
		made, predicted, peak, err := try(ask)
		t := Tried[E]{Answer{ask, peak}, made, predicted}
		switch {
		case err != nil:
			return Tried[E]{}, err
		case peak == known.Peak && peak > limit:
			return t, &OverLimitError{Limit: limit, Least: peak}
		case peak == known.Peak:
			return t, nil
		}
		drop(made)
		ask = limit
	}
	var best Tried[E]
	over := &OverLimitError{Limit: limit}
	for n := range maxTries {
		made, predicted, peak, err := try(ask)
		var none *report.OverBudgetError
		switch {
		case n > 0 && errors.As(err, &none):
			over.Refused = err
			return best, over
		case err != nil && n > 0:
			drop(best.Made)
			fallthrough
		case err != nil:
			return Tried[E]{}, err
		case n > 0 && peak >= best.Peak:
			drop(made)
		default:
			if n > 0 {
				drop(best.Made)
			}
			best = Tried[E]{Answer{ask, peak}, made, predicted}
			over.Least = peak
		}
		if limit == 0 || peak <= limit {
			break
		}
		ask = lowerLimit(ask, predicted, peak, limit)
	}
	if limit > 0 && best.Peak > limit {
		return best, over
	}
	return best, nil
}

// lowerLimit returns the limit to ask for next, where a program that was asked to stay below ask, and
// was predicted to, has a peak above the limit: lower by the part that the peak is too high. All are
// bytes of a device.
func lowerLimit(ask, predicted, peak, limit int) int {
	return int(float64(min(ask, predicted)) * float64(limit) / float64(peak))
}
