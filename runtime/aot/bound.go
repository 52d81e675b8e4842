package aot

// This file tells compilers how much memory a program may use (target.Target.MemoryBound).

import (
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
