package program

// This file says what was done to make a Program fit into memory.

// Fitting says how a Program was made to fit into a limit of memory
// (compile.Options.MemoryLimit), what memory policies have done (compile.Options.MemoryPolicies),
// and how many micro-batches there are (compile.Options.MicroBatches). Bytes and seconds are
// predicted, for one device and one run.
type Fitting struct {
	Limit  int `json:"limit"`  // 0: there is none
	Before int `json:"before"` // the peak without the limit and the policies
	After  int `json:"after"`  // the peak of the Program
	// MicroBatches is the number of parts in which a run computes its batch, one after the other; 1
	// is the whole batch at once.
	MicroBatches int `json:"micro_batches"`
	// predicted seconds by which the limit and the policies make a run longer; 0 if they change
	// nothing. Micro-batches count only where the limit chose their number.
	Seconds float64 `json:"seconds"`
	// Curve is the memory in use during a run without the limit and the policies. Its points are the
	// largest bytes of equal parts of the run, in the order of time. It is empty if the Program fits
	// as it is.
	Curve []int `json:"curve,omitempty"`
	// Values are those that live from the time when they are made to a much later use, mostly from
	// the forward to the backward pass, in the order in which they are made. It is empty where the
	// Program fits as it is.
	Values []Crossing `json:"values,omitempty"`
}

// Action is what is done with a value in the time in which nothing uses it.
type Action string

// The actions.
const (
	Save      Action = "save"      // it stays in memory
	Recompute Action = "recompute" // it is freed, and computed again before it is used
	// it is made right before it is used, and not as soon as it can be: nothing is computed again
	Delay Action = "delay"
)

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
	// predicted seconds of computing the value again; 0 if it is saved
	Seconds float64 `json:"seconds"`
}
