package hardware

// This file names the platforms.

// The platforms, with the names that PJRT gives them. The devices of a platform have a PJRT plugin,
// and so a compiler, of their own.
const (
	CPU  = "cpu"  // the host, or virtual devices of it
	CUDA = "cuda" // NVIDIA's GPUs
	TPU  = "tpu"
)

// Platforms returns all platforms.
func Platforms() []string { return []string{CPU, CUDA, TPU} }
