package hardware

// This file names the platforms.

// The platforms, as PJRT names them: kinds of devices that have a plugin, and so a
// compiler, of their own.
const (
	CPU  = "cpu"  // the host, or virtual devices of it
	CUDA = "cuda" // NVIDIA's GPUs
	TPU  = "tpu"
)
