package target

// This file defines Target and holds the table of them.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Target is a row of the table: a compiler that gets programs, or an engine that runs
// them as they are.
type Target struct {
	Name string // ours: any, cpu, gpu, tpu, goengine
	// PJRT's name of the devices: "cpu", "cuda", "tpu"; "" if PJRT has none
	Platform string
	// Version is the release of the plugin in which Limits were looked for, as package
	// runtime/plugin installs it; "" where the compiler is ours, or none is meant.
	Version     string
	Collectives Lowering
	// KeepsBarriers says that an optimization_barrier holds until the compiler has ordered the ops.
	// XLA on CPUs removes barriers before it looks for equal ops.
	KeepsBarriers bool
	Limits        []Known
}

// Known is a limit of a target.
type Known struct {
	Limit Limit
	// Seen says that the target's version has it. Otherwise it is taken for granted until
	// programs that have run show that it is not there.
	Seen bool
}

// Lowering says what becomes of the collectives of per-device programs.
type Lowering int

const (
	// AsTheyAre: the engine runs the ops of the spmd dialect.
	AsTheyAre Lowering = iota
	// Combined: one of StableHLO for all operands of an element type, since devices
	// meet in each.
	Combined
	// Called: as Combined. Devices that share a process make one call of neighbours, whatever
	// their dimensions and element types (Share).
	Called
	// Separate: one of StableHLO for each operand, and one for small ones that are gathered
	// together. The compilers for accelerators combine collectives by themselves, when they know
	// the layouts of tensors in memory, the size of the memory and the ops that run meanwhile. A
	// collective that has several operands from the start forces one layout and one moment on all
	// of them. The collectives have no channels, unlike those of XLA's own partitioner: libtpu cuts
	// collectives of replicas into asynchronous parts only where they have none.
	Separate
)

// The targets.
var (
	// Any stands for no compiler in particular: its programs run on CPUs, and reports of them
	// speak of accelerators. So sums stay sums, and collectives stay where they are needed.
	Any = &Target{Name: "any", Collectives: Combined, Limits: ofCPUs}
	// CPU is XLA on CPUs.
	CPU = &Target{
		Name: hardware.CPU, Platform: hardware.CPU, Version: "xla-cpu-pjrt-0.0.1", Collectives: Called,
		Limits: append(slices.Clip(ofCPUs), Known{SlowColumnSums, true}),
	}
	// GPU is XLA on NVIDIA's GPUs.
	GPU = &Target{Name: "gpu", Platform: hardware.CUDA, Version: "jax-cuda13-pjrt-0.12.0.1", Collectives: Separate, KeepsBarriers: true, Limits: ofAccelerators}
	// TPU is libtpu.
	TPU = &Target{Name: hardware.TPU, Platform: hardware.TPU, Version: "libtpu-0.0.51", Collectives: Separate, KeepsBarriers: true, Limits: ofAccelerators}
	// GoEngine is package runtime/goengine, which runs programs as they are.
	GoEngine = &Target{Name: "goengine", Collectives: AsTheyAre, Limits: []Known{{MissingElements, false}}}
)

// ofCPUs are the limits of XLA on CPUs, except SlowColumnSums.
var ofCPUs = []Known{
	{AddedIndices, true}, {NegativePadding, true}, {TakesForGroups, true}, {MissingElements, true}, {FoldsDivisions, true},
	{SlowStridedProducts, true}, {SlowMaxGradients, true}, {SlowSmallImages, true},
}

// ofAccelerators are the limits of XLA on accelerators. Compiling for absent ones shows those
// that end the compiler; that both fold divisions by zero, and go on, it shows as well.
// Whether indices and padding give wrong results there, only running programs would show.
var ofAccelerators = []Known{{AddedIndices, false}, {NegativePadding, false}, {TakesForGroups, true}, {MissingElements, true}}

// Targets returns the rows of the table. The caller must not change them.
func Targets() []*Target { return []*Target{Any, CPU, GPU, TPU, GoEngine} }

// Other names another plugin of PJRT, which the table lacks.
const Other = "other"

// Of returns the target with the name, ours or PJRT's: Any for "". A name that the table
// lacks is another plugin of PJRT: its collectives
// are those of accelerators, and it is taken to have each limit that makes programs wrong.
func Of(name string) *Target {
	if name == "" {
		return Any
	}
	if t := find(name); t != nil {
		return t
	}
	return &Target{Name: name, Platform: name, Collectives: Separate, Limits: assumed(CPU.Limits)}
}

// Check returns an error for a name that is neither of the table nor Other.
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

// NameOf returns a platform's name, or Other where the table lacks it.
func NameOf(platform string) string {
	if find(platform) == nil {
		return Other
	}
	return platform
}

// find returns the row with the name, nil if there is none.
func find(name string) *Target {
	for _, t := range Targets() {
		if name == t.Name || name == t.Platform && name != "" {
			return t
		}
	}
	return nil
}

// assumed returns those of the limits, as not seen, without which programs would not be right.
func assumed(limits []Known) (out []Known) {
	for _, k := range limits {
		if !k.Limit.CostsOnly() {
			out = append(out, Known{Limit: k.Limit})
		}
	}
	return out
}

// Has reports whether the target has a limit, or is taken to have it. It has None.
func (t *Target) Has(l Limit) bool {
	return l == None || slices.ContainsFunc(t.Limits, func(k Known) bool { return k.Limit == l })
}
