package aot

// This file turns the compilers' messages about programs that are too large into errors. If a
// compiler has no message, it makes one.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/program"
)

// OutOfMemoryError says that a program does not fit a device of its target.
type OutOfMemoryError struct {
	Target hardware.Target
	// Limit is the memory of a device that programs may use, and Required the memory that this one
	// needs, in bytes.
	Limit, Required int
	// Largest are the largest tensors that the compiler names. If it names none, Estimated is true,
	// and they are the largest tensors that gospmd expects at the peak.
	Largest   []Tensor
	Estimated bool
	// Compiler is the compiler's message. It is empty for GPUs, whose compiler accepts programs of
	// any size: then Required is its own figure, and was compared with Limit here.
	Compiler string
}

// Tensor is a tensor in a device's memory.
type Tensor struct {
	Bytes int    `json:"bytes"`
	Shape string `json:"shape"` // shape of the device's shard, with its element type
	Layer string `json:"layer"` // the input, or the layer and operation, that it belongs to; may be empty
}

// Error gives the required memory and what programs may use, and lists the largest tensors with
// their layers.
func (e *OutOfMemoryError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "out of memory: a device must hold %s, and programs may use %s of it", texttable.Bytes(e.Required), texttable.Bytes(e.Limit))
	if e.Compiler == "" {
		b.WriteString(" (the compiler for GPUs refuses no program; this is its own figure)")
	}
	if len(e.Largest) > 0 {
		by := "the compiler"
		if e.Estimated {
			by = "gospmd's estimate"
		}
		fmt.Fprintf(&b, "; the largest tensors, by %s:\n", by)
		w := texttable.New(&b)
		for _, t := range e.Largest {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", texttable.Bytes(t.Bytes), t.Shape, t.Layer)
		}
		w.Flush()
		return texttable.Trim(b.String()) + "shard them along more axes, make the batch smaller, or choose a larger target"
	}
	return b.String()
}

// The two forms of libtpu's message, with the required and the available memory.
var hbmMessages = []*regexp.Regexp{
	regexp.MustCompile(`total memory required for HLO temporaries \(([^)]+)\) exceeds available HBM \(([^)]+)\)`),
	regexp.MustCompile(`Ran out of memory in memory space hbm\. Used (\S+) of (\S+) hbm`),
}

// refusalError returns the error of p, which the compiler has refused for t, if a.Failed says that
// p is too large; nil if it says something else. a.Failed must be set.
func refusalError(a answer, p *program.Program, t hardware.Target) *OutOfMemoryError {
	for _, form := range hbmMessages {
		m := form.FindStringSubmatch(a.Failed.Message)
		if m == nil {
			continue
		}
		e := &OutOfMemoryError{Target: t, Required: binaryBytes(m[1]), Limit: binaryBytes(m[2]), Compiler: a.Failed.Message}
		e.Limit = cmp.Or(int(a.Attributes[memoryLimit]), e.Limit) // not rounded
		if e.Largest = largestNamedTensors(a.Failed.Message); e.Largest == nil {
			e.Largest, e.Estimated = largestExpectedTensors(p), true
		}
		return e
	}
	return nil
}

// tooLargeError returns the error of a program that was compiled and does not fit, or nil; nil also
// if the limit is not known. XLA's plugin for CUDA compiles such programs.
func (e *Executable) tooLargeError(p *program.Program) *OutOfMemoryError {
	required := e.Memory.Required()
	if e.MemoryLimit == 0 || required <= e.MemoryLimit {
		return nil
	}
	return &OutOfMemoryError{Target: e.Target, Limit: e.MemoryLimit, Required: required, Largest: largestExpectedTensors(p), Estimated: true}
}

// binaryBytes reads a size in the form that XLA prints, with units of powers of 1024: 15.75G,
// 512.0K, 0B. Other texts give 0.
func binaryBytes(text string) int {
	number := strings.TrimRight(text, "KMGTPiB.")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	if unit := strings.TrimPrefix(text, number); unit != "" {
		x *= float64(int(1) << (10 * (strings.IndexByte("KMGTP", unit[0]) + 1)))
	}
	return int(x)
}

// allocation matches an entry of libtpu's list of the largest allocations. allocationName and
// allocationShape match the op's name and the shape in such an entry.
var (
	allocation      = regexp.MustCompile(`(?m)^\s*\d+\. Size: (\S+)\n((?:.+\n)*)`)
	allocationName  = regexp.MustCompile(`op_name="([^"]*)"`)
	allocationShape = regexp.MustCompile(`(?m)^\s*Shape: ([^{\s]+)`)
)

// largestNamedTensors returns the allocations that libtpu lists in its message; nil if it lists
// none.
func largestNamedTensors(message string) (out []Tensor) {
	for _, m := range allocation.FindAllStringSubmatch(message+"\n", -1) {
		t := Tensor{Bytes: binaryBytes(m[1])}
		if shape := allocationShape.FindStringSubmatch(m[2]); shape != nil {
			t.Shape = shape[1]
		}
		if name := allocationName.FindStringSubmatch(m[2]); name != nil {
			t.Layer = name[1]
		}
		out = append(out, t)
	}
	return out
}

// maxLargest is the number of tensors that OutOfMemoryError lists at most.
const maxLargest = 8

// largestExpectedTensors returns the largest of the inputs, of the outputs in memory of their own,
// and of the temporary values that are expected to live at the fullest moment: at most maxLargest,
// the largest first.
func largestExpectedTensors(p *program.Program) (out []Tensor) {
	for _, in := range p.Inputs {
		out = append(out, Tensor{in.Local.MemoryBytes(), in.Local.Short(), "input " + in.Name})
	}
	for i, o := range p.Outputs {
		if !slices.ContainsFunc(p.Inputs, func(in program.Input) bool { return in.Alias == i }) {
			out = append(out, Tensor{o.Local.MemoryBytes(), o.Local.Short(), "output " + o.Name})
		}
	}
	for _, l := range report.New(p).Memory.Largest {
		out = append(out, Tensor{l.Bytes, l.Type, strings.TrimSpace(l.Layer + " " + l.Op)})
	}
	slices.SortStableFunc(out, func(a, b Tensor) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out[:min(len(out), maxLargest)]
}
