package worker

// This file defines the messages.

// Request asks a worker to do something.
type Request struct {
	Do string `json:"do"`
	// Of open: the model, whose folder Dir has model.json, weights.npz and data.npz; the
	// sizes of the mesh and its axes; no sizes mean one device and no distribution.
	Model string   `json:"model,omitempty"`
	Mesh  []int    `json:"mesh,omitempty"`
	Axes  []string `json:"axes,omitempty"`
	Dir   string   `json:"dir,omitempty"`
	// Of step and fit: the number of batches.
	Count int `json:"count,omitempty"`
	// Of frontend: whether to compile as well; nil is yes.
	Compile *bool `json:"compile,omitempty"`
}

// Answer is what a worker says. Which fields it sets depends on the request.
type Answer struct {
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`

	// Of open, and the first ones of frontend: wall and CPU seconds of its parts.
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
	SinceStart float64           `json:"since_start,omitempty"` // of the process
	// CPU seconds: of the process for open, else of the request.
	CPU float64 `json:"cpu,omitempty"`

	// Of step and fit.
	Wall   float64   `json:"wall,omitempty"`
	Losses []float64 `json:"losses,omitempty"` // of each step; of fit their mean

	// Of memory: bytes of a device. Predicted is the peak by our own compiler.
	Arguments int `json:"arguments,omitempty"`
	Outputs   int `json:"outputs,omitempty"`
	Temporary int `json:"temporary,omitempty"`
	Peak      int `json:"peak,omitempty"`
	Predicted int `json:"predicted,omitempty"`

	// Of comm: what a device sends in a step.
	Bytes       int `json:"bytes,omitempty"`
	Collectives int `json:"collectives,omitempty"`
}
