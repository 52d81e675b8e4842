package distribution

// This file defines Distribution and holds the current one.

import "sync"

// Distribution says how models lie on a mesh: keras.distribution.Distribution.
// DataParallel and ModelParallel are the two that Keras has; a type of your own
// will do as well. If it has a method ShardedUpdate() bool that returns true,
// the optimizer's work is split.
type Distribution interface {
	// DeviceMesh returns the mesh.
	DeviceMesh() *DeviceMesh
	// BatchDimName returns the name of the axis that splits batches.
	BatchDimName() string
	// NumModelReplicas returns how many devices, or groups of devices, hold the
	// whole model.
	NumModelReplicas() int
	// DataLayout returns the layout of data of the given rank.
	DataLayout(rank int) (*TensorLayout, error)
	// VariableLayout returns the layout of the variable of that path and rank.
	VariableLayout(path string, rank int) (*TensorLayout, error)
	// TensorLayout returns the layout of a value inside of a model, such as the
	// output of a layer, d1/output; nil leaves it to the compiler.
	TensorLayout(path string) (*TensorLayout, error)
}

var current struct {
	sync.Mutex
	distribution Distribution
}

// SetDistribution makes d the distribution of the models made from here on;
// nil means one device. It holds for the whole process.
func SetDistribution(d Distribution) {
	current.Lock()
	defer current.Unlock()
	current.distribution = d
}

// Current returns the current distribution, nil when there is none:
// keras.distribution.distribution.
func Current() Distribution {
	current.Lock()
	defer current.Unlock()
	return current.distribution
}

// Scope calls f with d as the current distribution and puts back the one
// before, also when f panics: Distribution.scope. It returns f's error.
func Scope(d Distribution, f func() error) error {
	before := Current()
	SetDistribution(d)
	defer SetDistribution(before)
	return f()
}

// batchLayout splits the first dimension over the batch axis.
func batchLayout(m *DeviceMesh, batchDim string, rank int) (*TensorLayout, error) {
	axes := make([]string, rank)
	if rank > 0 {
		axes[0] = batchDim
	}
	return NewTensorLayout(axes, m)
}
