package target

// This file defines Target and holds the table of them.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Target is a row of the table: a compiler that gets programs, or an engine that runs them
// directly.
type Target struct {
	Name string // our name: any, cpu, gpu, tpu, goengine
	// PJRT's name for the platform: "cpu", "cuda", "tpu"; "" if PJRT has none
	Platform string
	// Version is the release of the plugin that Limits were tested with; package runtime/plugin
	// installs it. It is "" if the compiler is ours, or if the target stands for no compiler.
	Version     string
	Collectives Lowering
	// HostMemory says that devices have memory apart from the host's, and that programs may keep
	// arguments and results in either.
	HostMemory bool
	// StoresLate says that the compiler copies a value to the memory of the host as late as it can.
	// Until then the value is in the memory of the device.
	StoresLate bool
	// FillsMemory says that the compiler runs collectives as early as the memory that it knows of
	// allows, with more values in memory meanwhile.
	FillsMemory bool
	Limits      []Known
}

// Known is a limit that a target has, or may have.
type Known struct {
	Limit Limit
	// Seen says that tests have shown the limit in the target's version. If it is false, the limit
	// is assumed until running programs on the target shows that it is absent.
	Seen bool
}

// Lowering says how the collectives of per-device programs are written for a target.
type Lowering int

const (
	// AsTheyAre: the engine runs the collectives of the spmd dialect.
	AsTheyAre Lowering = iota
	// Combined: one StableHLO collective for all operands of an element type. In each collective
	// devices wait for each other, so fewer are better.
	Combined
	// Called: like Combined. In addition, devices that share a process make one call of
	// neighbouring collectives, whatever their dimensions and element types (Share).
	Called
	// Separate: one StableHLO collective for each operand; small operands of a gather share one.
	// The compilers for accelerators combine collectives themselves, when they know the memory
	// layouts of tensors, the size of the memory, and the ops that can run at the same time. A
	// collective with several operands would force one layout and one time on all of them. The
	// collectives have no channels, unlike those of XLA's own partitioner: libtpu splits
	// collectives of replicas into asynchronous parts only if they have none.
	Separate
)

// The targets.
var (
	// Any stands for no particular compiler. Its programs run on CPUs, but reports about them are
	// about accelerators. So sums stay sums, and collectives stay where they are needed.
	Any = &Target{Name: "any", Collectives: Combined, Limits: ofCPUs}
	// CPU is XLA on CPUs.
	CPU = &Target{
		Name: hardware.CPU, Platform: hardware.CPU, Version: "xla-cpu-pjrt-0.0.1", Collectives: Called,
		Limits: append(slices.Clip(ofCPUs), Known{SlowColumnSums, true}),
	}
	// GPU is XLA on NVIDIA's GPUs.
	GPU = &Target{Name: "gpu", Platform: hardware.CUDA, Version: "jax-cuda13-pjrt-0.12.0.1", Collectives: Separate, HostMemory: true, StoresLate: true, FillsMemory: true, Limits: append(slices.Clip(ofAccelerators), Known{FusesOperands, true})}
	// TPU is libtpu.
	TPU = &Target{Name: hardware.TPU, Platform: hardware.TPU, Version: "libtpu-0.0.51", Collectives: Separate, HostMemory: true, Limits: append(slices.Clip(ofAccelerators), Known{SumsForScatters, true}, Known{UnitDimensions, true}, Known{PadsChannels, true})}
	// GoEngine is package runtime/goengine, which runs programs as they are.
	GoEngine = &Target{Name: "goengine", Collectives: AsTheyAre, Limits: []Known{{MissingElements, false}, {DropsBarriers, false}}}
)

// ofCPUs are the limits of XLA on CPUs, except SlowColumnSums.
var ofCPUs = []Known{
	{AddedIndices, true}, {NegativePadding, true}, {TakesForGroups, true}, {MissingElements, true}, {FoldsDivisions, true},
	{DropsBarriers, true}, {SlowStridedProducts, true}, {SlowMaxGradients, true}, {SlowSmallImages, true}, {SlowLoopedConvolutions, true},
}

// ofAccelerators are the limits of XLA on accelerators. Limits that make the compiler abort can be
// tested without devices, and so can the folding of divisions: both compilers fold divisions by
// zero, and do not abort. Whether indices and padding give wrong results could only be tested on
// devices.
var ofAccelerators = []Known{{AddedIndices, false}, {NegativePadding, false}, {TakesForGroups, true}, {MissingElements, true}, {SummedInLoops, true}}

// Targets returns the rows of the table. The caller must not change them.
func Targets() []*Target { return []*Target{Any, CPU, GPU, TPU, GoEngine} }

// Other stands for a PJRT plugin that is not in the table.
const Other = "other"

// Of returns the target with the name, which is ours or PJRT's; for "" it returns Any. A name that
// is not in the table stands for another PJRT plugin: its collectives are those of accelerators,
// and it is assumed to have each limit of CPUs that makes programs wrong.
func Of(name string) *Target {
	if name == "" {
		return Any
	}
	if t := find(name); t != nil {
		return t
	}
	return &Target{Name: name, Platform: name, Collectives: Separate, Limits: assumedLimits(CPU.Limits)}
}

// Check returns an error if the name is neither in the table nor Other. The empty name is no error.
func Check(name string) error {
	if name == "" || name == Other || find(name) != nil {
		return nil
	}
	var names []string
	for _, t := range Targets() {
		names = append(names, t.Name)
		if t.Platform != "" && t.Platform != t.Name {
			names = append(names, t.Platform)
		}
	}
	return fmt.Errorf("%q is not known%s: want one of %s, or %q for another plugin of PJRT", name, suggest.DidYouMean(name, names), strings.Join(names, ", "), Other)
}

// NameOf returns platform, a name of ours or of PJRT, or Other if the table does not have it.
func NameOf(platform string) string {
	if find(platform) == nil {
		return Other
	}
	return platform
}

// find returns the row with the name, or nil if there is none.
func find(name string) *Target {
	for _, t := range Targets() {
		if name == t.Name || name == t.Platform && name != "" {
			return t
		}
	}
	return nil
}

// assumedLimits returns the limits that make programs wrong, as not seen.
func assumedLimits(limits []Known) (out []Known) {
	for _, k := range limits {
		if !k.Limit.CostsOnly() {
			out = append(out, Known{Limit: k.Limit})
		}
	}
	return out
}

// Has reports whether the target has a limit, or is assumed to have it. Every target has None.
func (t *Target) Has(l Limit) bool {
	return l == None || slices.ContainsFunc(t.Limits, func(k Known) bool { return k.Limit == l })
}
