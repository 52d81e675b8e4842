package aot

// This file tells compilers how much memory a program may use. A compiler fetches values from the
// host as early as the memory that it knows of allows, and stores them late. If it knows of all the
// memory of a device, then values that a program moves to the host to fit into less stay in the
// device's memory for most of the time.

import (
	"regexp"
	"strconv"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/xlaflag"
	"github.com/gospmd/gospmd/program"
)

// MemoryBound returns the bytes of a device that Compile lets the compiler of p use: the limit that
// p was made for or, without one, its predicted peak. It is 0, which bounds nothing, unless p moves
// values to the host (program.Offload).
func MemoryBound(p *program.Program) int {
	f := p.Fitting
	if f == nil || !f.Has(program.Offload) {
		return 0
	}
	if f.Limit > 0 {
		return f.Limit
	}
	return f.After
}

// boundTPU lets libtpu use at most that many bytes of a device of t.
func boundTPU(q *question, t hardware.Target, bytes int) {
	if reserved := t.Chip.UsableMemory() - bytes; reserved > 0 {
		q.CompileOptions = xlaflag.Append(q.CompileOptions, []xlaflag.Flag{{Name: "xla_tpu_user_reserved_hbm_bytes", Value: strconv.Itoa(reserved)}})
	}
}

// schedulerShare is the part of a GPU's memory, in percent, that XLA's scheduler lets programs use
// (GetSchedulerMemoryLimit in xla/service/gpu/gpu_hlo_schedule.cc).
const schedulerShare = 80

// memorySize matches the size of the memory in the specification of a GPU.
var memorySize = regexp.MustCompile(`device_memory_size: \d+`)

// boundGPU lets XLA for GPUs use at most that many bytes: the specification of the GPU in q gets a
// smaller memory.
func boundGPU(q *question, t hardware.Target, bytes int) {
	if bytes >= t.Chip.UsableMemory() {
		return
	}
	size := []byte("device_memory_size: " + strconv.Itoa(bytes/schedulerShare*100))
	for i, o := range q.Options {
		q.Options[i].Text = string(memorySize.ReplaceAll([]byte(o.Text), size))
	}
}
