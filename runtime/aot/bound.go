package aot

// This file tells compilers how much memory a program may use (target.Target.MemoryBound).

import (
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/xlaflag"
)

// boundTPU lets libtpu use at most that many bytes of a device of t.
func boundTPU(q *question, t hardware.Target, bytes int) {
	if reserved := t.Chip.UsableMemory() - bytes; reserved > 0 {
		q.CompileOptions = xlaflag.Append(q.CompileOptions, []xlaflag.Flag{{Name: "xla_tpu_user_reserved_hbm_bytes", Value: strconv.Itoa(reserved)}})
	}
}

// boundGPU lets XLA for GPUs use at most that many bytes.
func boundGPU(q *question, t hardware.Target, bytes int) {
	if bytes < t.Chip.UsableMemory() {
		q.CompileOptions = xlaflag.AppendMemory(q.CompileOptions, bytes)
	}
}

// within compiles by with and the flags. If the executable needs more than bound bytes, it compiles
// also with c.inOrder, and returns what needs less. A bound of 0 is none.
func (c compiler) within(bound int, flags []xlaflag.Flag, with func([]xlaflag.Flag) (*Executable, *hloModule, error)) (*Executable, *hloModule, error) {
	e, m, err := with(flags)
	if err != nil || bound == 0 || e.Memory.Peak <= bound || c.inOrder == nil {
		return e, m, err
	}
	if ordered, n, err := with(slices.Concat(c.inOrder, flags)); err == nil && ordered.Memory.Peak < e.Memory.Peak {
		return ordered, n, nil
	}
	return e, m, nil
}
