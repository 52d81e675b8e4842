package distribute

// This file defines Strategy.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/distribution"
)

// Strategy is a distribution of models over devices: tf.distribute.Strategy.
type Strategy struct {
	name         string
	distribution distribution.Distribution
}

// NewStrategy makes a strategy of any distribution, such as a ModelParallel,
// which TensorFlow has no strategy for.
func NewStrategy(d distribution.Distribution) (*Strategy, error) {
	if d == nil {
		return nil, fmt.Errorf("distribute: NewStrategy got no distribution, want one, such as distribution.NewModelParallel returns")
	}
	return &Strategy{"Strategy", d}, nil
}

// Scope calls f with the strategy in force: models that are made or compiled in
// f belong to it, and can be used after it. It returns f's error.
func (s *Strategy) Scope(f func() error) error { return distribution.Scope(s.distribution, f) }

// NumReplicasInSync returns how many parts a global batch is split into: the
// number by which to multiply the size of a batch for one device.
func (s *Strategy) NumReplicasInSync() int { return s.distribution.NumModelReplicas() }

// Distribution returns the distribution that the strategy is.
func (s *Strategy) Distribution() distribution.Distribution { return s.distribution }

// String returns the name and the mesh.
func (s *Strategy) String() string {
	return fmt.Sprintf("%s on %s", s.name, s.distribution.DeviceMesh())
}
