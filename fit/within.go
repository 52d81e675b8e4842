package fit

// This file makes a program fit into a limit of memory by the figures of the devices' compiler.

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/texttable"
)

// maxTries is the largest number of times that Within compiles the program.
const maxTries = 5

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
// limit, and where no program is found for that, one in between, up to maxTries times. drop, if it
// is not nil, gets what was made and is not returned. A limit of 0 means no limit.
//
// Predictions leave a margin for their errors, which a compiler's figures do not need. So where no
// program is found for limit (*report.OverBudgetError), Within tries the limit of the same
// prediction without the margin. That program must be within limit by the compiler's figures.
//
// known is the Answer of an earlier search, or the zero Answer. Its program is tried first, and if
// it has the same peak, it is returned, even if it does not fit. Another peak comes from another
// compiler: then the search begins again. An Answer without a peak says where the search begins.
//
// If no program that was tried fits, the error is an *OverLimitError, and the result is the program
// with the least peak. If a later try finds no program, the last of these errors is the Refused of
// the *OverLimitError. Any other error of try, and that of the first try if no program fits without
// the margin either, is returned as it is, with the zero Tried.
func Within[E any](limit int, known Answer, try func(ask int) (made E, predicted, peak int, err error), drop func(E)) (Tried[E], error) {
	if drop == nil {
		drop = func(E) {}
	}
	at := func(ask int) (Tried[E], error) {
		made, predicted, peak, err := try(ask)
		switch {
		case err != nil:
			return Tried[E]{}, err
		case limit > 0 && peak > limit:
			err = &OverLimitError{Limit: limit, Least: peak}
		}
		return Tried[E]{Answer{ask, peak}, made, predicted}, err
	}
	var none *report.OverBudgetError
	var over *OverLimitError
	best, err := at(cmp.Or(known.Ask, limit))
	switch {
	case known.Peak > 0 && best.Ask > 0 && best.Answer != known:
		drop(best.Made)
		return Within(limit, Answer{}, try, drop)
	case limit > 0 && known.Ask == 0 && errors.As(err, &none):
		t, without := at(int(float64(limit) * float64(limit) / float64(memory.Usable(limit, 0))))
		switch {
		case t.Ask > 0 && (without != nil || t.Peak == 0):
			drop(t.Made)
			return Tried[E]{}, err
		case errors.As(without, &none):
			return Tried[E]{}, err
		}
		return t, without
	}
	floor := 0 // the largest limit under which no program was found
	var refused error
	for n, last := 1, best; n < maxTries && errors.As(err, &over) && best.Answer != known; n++ {
		ask := lowerLimit(last.Ask, last.Predicted, last.Peak, limit)
		if ask <= floor {
			ask = (floor + last.Ask) / 2
		}
		t, failed := at(ask)
		switch {
		case errors.As(failed, &none):
			floor, refused = ask, failed
			continue
		case t.Ask == 0:
			drop(best.Made)
			return t, failed
		case t.Peak < best.Peak:
			drop(best.Made)
			best, err = t, failed
		default:
			drop(t.Made)
		}
		last = t
	}
	if errors.As(err, &over) {
		over.Refused = refused
	}
	return best, err
}

// lowerLimit returns the limit to ask for next, where a program that was asked to stay below ask,
// and was predicted to, has a peak above the limit: lower by the part that the peak is too high.
// All are bytes of a device.
func lowerLimit(ask, predicted, peak, limit int) int {
	return int(float64(min(ask, predicted)) * float64(limit) / float64(peak))
}
