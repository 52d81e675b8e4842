package program

// This file says what was done to make a Program fit into memory.

import (
	"slices"
	"strings"
)

// Fitting says how a Program was made to fit into a limit of memory
// (compile.Options.MemoryLimit), what memory policies have done (compile.Options.MemoryPolicies),
// and how many micro-batches there are (compile.Options.MicroBatches). Bytes and seconds are
// predicted, for one device and one run.
type Fitting struct {
	Limit  int `json:"limit"`  // 0: there is none
	Before int `json:"before"` // the peak without the limit and the policies
	After  int `json:"after"`  // the peak of the Program
	// Asked is the limit that After keeps, where that is below Limit because the devices' compiler
	// needs more memory than was predicted; 0: it is Limit.
	Asked int `json:"asked,omitempty"`
	// Compiled is the peak by the figures of the devices' compiler; 0 where it was not asked for the
	// limit, or has no figures.
	Compiled int `json:"compiled,omitempty"`
	// MicroBatches is the number of parts in which a run computes its batch, one after the other; 1
	// is the whole batch at once.
	MicroBatches int `json:"micro_batches"`
	// Gathers says that the limit lets loops gather the weights that they read, in each iteration,
	// in place of reading gathered ones from before the loop.
	Gathers bool `json:"gathers,omitempty"`
	// predicted seconds that the limit and the policies add to a run; 0 if they change nothing, and
	// less than 0 where the place of weights and the optimizer's state saves more. Micro-batches count only
	// where the limit chose their number.
	Seconds float64 `json:"seconds"`
	// RelativeTo is the predicted seconds of a run of the Program if the machine has no scale of time
	// and there are seconds to compare with it, and else 0. Without a scale all seconds of the
	// Fitting compare with it only: no device takes them.
	RelativeTo float64 `json:"relative_to,omitempty"`
	// Curve is the memory in use during a run without the limit and the policies. Its points are the
	// largest bytes of equal parts of the run, in the order of time. It is empty if the Program fits
	// as it is.
	Curve []int `json:"curve,omitempty"`
	// Placement says where weights and the state of the optimizer are, if the limit chose it; nil if
	// the options did.
	Placement *StatePlacement `json:"placement,omitempty"`
	// Values are those that live from the time when they are made to a much later use, mostly from
	// the forward to the backward pass, in the order in which they are made. It is empty where the
	// Program fits as it is.
	Values []Crossing `json:"values,omitempty"`
}

// Has reports whether a value has the action.
func (f *Fitting) Has(action Action) bool {
	return slices.ContainsFunc(f.Values, func(v Crossing) bool { return v.Action == action })
}

// StatePlacement says where a limit has put the weights and the state of the optimizer, and how much
// of both is in the memory of a device, in bytes.
type StatePlacement struct {
	Sharded   bool `json:"sharded"`   // the limit has chosen compile.Options.ShardedUpdate
	Weights   bool `json:"weights"`   // the limit has chosen compile.Options.FullySharded
	Offloaded bool `json:"offloaded"` // the limit has chosen compile.Options.OffloadOptimizer
	Before    int  `json:"before"`    // bytes where the options put them
	After     int  `json:"after"`     // bytes where the limit put them
	// Least is the lowest peak that was found where the options put them, if that is over the limit;
	// else 0.
	Least int `json:"least,omitempty"`
	// Saved is by how many predicted seconds the place makes a run shorter, among programs that fit;
	// 0 if there is no other.
	Saved float64 `json:"saved"`
}

// String names what was chosen, such as "a sharded update". Sharded weights include that.
func (p StatePlacement) String() string {
	var chosen []string
	switch {
	case p.Weights:
		chosen = append(chosen, "sharded weights")
	case p.Sharded:
		chosen = append(chosen, "a sharded update")
	}
	if p.Offloaded {
		chosen = append(chosen, "the optimizer's state on the host")
	}
	return strings.Join(chosen, " and ")
}

// Action is what is done with a value in the time in which nothing uses it.
type Action string

// The actions.
const (
	Save      Action = "save"      // it stays in memory
	Recompute Action = "recompute" // it is freed, and computed again before it is used
	// it is made right before it is used, and not as soon as it can be: nothing is computed again
	Delay Action = "delay"
	// it is moved to the memory of the host, and fetched before it is used
	Offload Action = "offload"
	// it is kept in fewer bits, as bfloat16, and converted back before it is used: the results
	// change
	Compress Action = "compress"
)

// Actions lists all actions.
var Actions = []Action{Recompute, Offload, Compress, Delay, Save}

// Crossing is a value that lives over a time in which nothing uses it.
type Crossing struct {
	Action Action `json:"action"`
	Type   string `json:"type"`
	Op     string `json:"op"`
	Layer  string `json:"layer"`
	// By names the rule or the scope that chose the action, such as policy "blocks_.*"; it is empty
	// where the limit did, or where nothing asked for another one than Save.
	By    string `json:"by,omitempty"`
	Bytes int    `json:"bytes"`
	// predicted seconds of computing the value again, of moving it to the host and back, or of
	// converting it, also where the device does other work meanwhile; 0 if it is saved
	Seconds float64 `json:"seconds"`
}
