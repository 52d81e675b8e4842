package fit

// This file asks the target's compiler for the memory and the time of a program.

import (
	"cmp"
	"context"
	"errors"

	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// Compiler holds the figures that the target's compiler gives for a program, per device. Sizes are
// in bytes.
type Compiler struct {
	Name string `json:"name,omitempty"`
	Fits bool   `json:"fits"`
	// Required is what the program needs of the device's own memory, with its code, and Limit what it
	// may use of that. Memory.Peak is the figure to compare with Row.Memory.Peak.
	Required int        `json:"memory_required"`
	Limit    int        `json:"memory_limit,omitempty"`
	Memory   aot.Memory `json:"memory"`
	// Seconds is the compiler's own estimate of a run's time; 0: it has none. It does not include
	// the time that collectives wait, nor that of the ops that OpsWithoutEstimate counts.
	Seconds            float64 `json:"seconds,omitempty"`
	OpsWithoutEstimate int     `json:"ops_without_estimate,omitempty"`
	Flops              float64 `json:"flops"`
	BytesAccessed      float64 `json:"bytes_accessed"`
	// Collectives is the number of collectives in the optimized program, and CollectiveBytes the
	// size of their results.
	Collectives     int     `json:"collectives"`
	CollectiveBytes int     `json:"collective_bytes"`
	CompileSeconds  float64 `json:"compile_seconds"`
	// OutOfMemory is the text of the compiler's error for a program that does not fit into the
	// memory; it is "" for one that does.
	OutOfMemory string `json:"out_of_memory,omitempty"`
}

// peak returns the compiler's peak of the program in bytes; 0 if c is nil: it was not asked.
func (c *Compiler) peak() int {
	if c == nil {
		return 0
	}
	return cmp.Or(c.Memory.Peak, c.Required)
}

// ask compiles p for the target, and returns the compiler's figures. If the program needs too much
// memory, that is no error: the figures are then only Required, Limit and OutOfMemory. The error
// wraps aot.ErrNoPlugin if there is no compiler for the target.
func ask(ctx context.Context, p *program.Program, o *Options) (*Compiler, error) {
	e, err := aot.Compile(ctx, p, o.Target, o.AOT)
	var oom *aot.OutOfMemoryError
	if errors.As(err, &oom) {
		return &Compiler{Required: oom.Required, Limit: oom.Limit, OutOfMemory: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	c := &Compiler{
		Name: e.Compiler, Fits: true, Required: e.Memory.Required(), Limit: e.MemoryLimit, Memory: e.Memory,
		Seconds: e.EstimatedSeconds, OpsWithoutEstimate: e.OpsWithoutEstimate, Flops: e.Flops, BytesAccessed: e.BytesAccessed,
		Collectives: len(e.Collectives), CompileSeconds: e.CompileSeconds,
	}
	for _, x := range e.Collectives {
		c.CollectiveBytes += x.Bytes
	}
	return c, nil
}
