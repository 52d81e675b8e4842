package worker

// This file defines the messages.

// Request is a request to a worker.
type Request struct {
	Do string `json:"do"`
	// Of open: the model, with its folder Dir, which has model.json, weights.npz and data.npz; the
	// sizes and names of the mesh's axes. No sizes mean one device and no distribution.
	Model string   `json:"model,omitempty"`
	Mesh  []int    `json:"mesh,omitempty"`
	Axes  []string `json:"axes,omitempty"`
	Dir   string   `json:"dir,omitempty"`
	// Of open, for a worker of JAX: the name of one of jax.checkpoint_policies, and whether it is
	// applied to each layer in place of the whole model; and for our worker: the limit of the memory
	// of a device in bytes. Empty means none.
	Policy      string `json:"policy,omitempty"`
	PerLayer    bool   `json:"per_layer,omitempty"`
	MemoryLimit int    `json:"memory_limit,omitempty"`
	// Of step and fit: the number of batches.
	Count int `json:"count,omitempty"`
	// Of frontend: whether to compile as well; nil is yes.
	Compile *bool `json:"compile,omitempty"`
}

// Answer is a worker's answer. Which fields are set depends on the request.
type Answer struct {
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`

	// Seconds of the parts of a request: all of them for open, and for frontend those of tracing,
	// lowering and compiling.
	Import    float64 `json:"import,omitempty"`
	Build     float64 `json:"build,omitempty"`
	Trace     float64 `json:"trace,omitempty"`
	Lower     float64 `json:"lower,omitempty"`
	Compile   float64 `json:"compile,omitempty"`
	FirstStep float64 `json:"first_step,omitempty"`

	TraceCPU   float64 `json:"trace_cpu,omitempty"`
	LowerCPU   float64 `json:"lower_cpu,omitempty"`
	CompileCPU float64 `json:"compile_cpu,omitempty"`

	Loss       float64           `json:"loss,omitempty"`
	Devices    int               `json:"devices,omitempty"`
	Versions   map[string]string `json:"versions,omitempty"`
	SinceStart float64           `json:"since_start,omitempty"` // seconds since the process was started
	// CPU seconds: for open of the process, otherwise of the request.
	CPU float64 `json:"cpu,omitempty"`

	// For step and fit.
	Wall   float64   `json:"wall,omitempty"`
	Losses []float64 `json:"losses,omitempty"` // loss of each step; for fit their mean

	// For memory: bytes on a device. Predicted is the peak that our compiler predicts.
	Arguments int `json:"arguments,omitempty"`
	Outputs   int `json:"outputs,omitempty"`
	Temporary int `json:"temporary,omitempty"`
	Peak      int `json:"peak,omitempty"`
	Predicted int `json:"predicted,omitempty"`

	// For comm: what a device sends in a step.
	Bytes       int `json:"bytes,omitempty"`
	Collectives int `json:"collectives,omitempty"`
}
