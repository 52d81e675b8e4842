package keras

// This file gives a model's layers the memory that they may take: RematScope and MemoryPolicies.

import (
	"errors"
	"maps"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/keras/layers"
)

// RematScope is keras.RematScope: what the layers that are made in it compute is not kept for the
// backward pass, but computed again.
//
//	err := keras.RematScope{Mode: "larger_than", OutputSizeThreshold: 1 << 20}.Do(func() error {
//		…
//	})
type RematScope = layers.RematScope

// MemoryPolicies says for layers, by their paths, what is computed again in the backward pass in
// place of keeping it, and what is kept whatever Memory says:
//
//	policies := memory.NewPolicies()
//	policies.Set("blocks_.*/attention", memory.Recompute)
//	model.Compile(keras.MemoryPolicies(policies))
//
// A layer that a key matches has its action, and not that of its RematScope. A key that matches no
// layer of a step is a warning, with the nearest paths.
func MemoryPolicies(p *memory.Policies) CompileOption {
	return CompileOption{Name: "MemoryPolicies", Set: func(c *compileConfig) error {
		if p == nil {
			return errors.New("the policies are nil: make them by memory.NewPolicies, or leave the option out")
		}
		c.policies = p
		return p.Err()
	}}
}

// memoryPolicies returns what the option and the scopes of layers say; nil if they say nothing.
func (m *Model) memoryPolicies() *memory.Policies {
	scopes := map[string]string{}
	for _, n := range m.nodes {
		if !n.IsInput() {
			maps.Copy(scopes, layers.Recomputed(n.Layer))
		}
	}
	if len(scopes) == 0 {
		return m.compiled.policies
	}
	return m.compiled.policies.WithScopes(scopes)
}
