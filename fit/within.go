package fit

// This file makes a program fit into a limit of memory by the figures of the target's compiler.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// maxTries is the largest number of times that Within compiles the program.
const maxTries = 4

// OverLimitError says that a program fits a limit by our prediction, but not by the figures of the
// target's compiler.
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

// LowerLimit returns the limit to ask for next, where a program that was asked to stay below ask, and
// was predicted to, has a peak above the limit: lower by the part that the peak is too high. All are
// bytes of a device.
func LowerLimit(ask, predicted, peak, limit int) int {
	return int(float64(min(ask, predicted)) * float64(limit) / float64(peak))
}

// Within returns a program whose peak is at most limit bytes on a device by the figures of the
// target's compiler, and what compile made of it, which has these figures. partition makes the
// program for a limit of memory as we predict it (compile.Options.MemoryLimit), and compile
// compiles it. Where the compiler needs more memory than was predicted, Within partitions again for
// a lower limit. If that does not help, the error is an *OverLimitError. Every error of compile is
// returned as it is, and so is one of the first call of partition; one of a later call is the
// Refused of the *OverLimitError. A limit of 0 means no limit.
func Within(limit int, partition func(limit int) (*program.Program, error), compile func(*program.Program) (*aot.Executable, error)) (*program.Program, *aot.Executable, error) {
	over := &OverLimitError{Limit: limit}
	for ask, try := limit, 0; try < maxTries; try++ {
		p, err := partition(ask)
		if err != nil && try > 0 {
			over.Refused = err
			break
		}
		if err != nil {
			return nil, nil, err
		}
		e, err := compile(p)
		if err != nil {
			return nil, nil, err
		}
		peak := e.Memory.Peak
		if limit == 0 || peak <= limit {
			return p, e, nil
		}
		if over.Least == 0 || peak < over.Least {
			over.Least = peak
		}
		ask = LowerLimit(ask, p.Fitting.After, peak, limit)
	}
	return nil, nil, over
}
