package random_test

// This file tests the source of seeds that the program does not give.

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/random"
)

// TestSetEntropy requires that the same entropy gives the same seeds of layers and of shuffles, and
// other entropy other seeds. If it is nil or fails, the process has seeds of its own. A seed that
// the program has set goes before the entropy.
func TestSetEntropy(t *testing.T) {
	t.Cleanup(func() { random.SetEntropy(nil) })
	type seeds struct {
		layers  [3]int
		shuffle [3]uint64
	}
	draw := func(entropy func() ([]uint32, error)) (s seeds) {
		random.SetEntropy(entropy)
		for i := range 3 {
			s.layers[i], s.shuffle[i] = random.MakeDefaultSeed(), random.DrawSeed()
		}
		return s
	}
	words := func(first uint32) func() ([]uint32, error) {
		return func() ([]uint32, error) { return []uint32{first, 2, 3, 4, 5, 6, 7, 8}, nil }
	}
	a := draw(words(1))
	require.Equal(t, a, draw(words(1)))
	require.NotEqual(t, a, draw(words(2)))
	require.NotEqual(t, a, draw(nil))
	failing := func() ([]uint32, error) { return nil, errors.New("nobody is there") }
	require.NotEqual(t, draw(failing), draw(failing), "the process' own")
	require.NotEqual(t, a.shuffle[0], a.shuffle[1])

	random.SetRandomSeed(7)
	want, order := random.MakeDefaultSeed(), random.DrawSeed()
	random.SetRandomSeed(7)
	random.SetEntropy(words(1))
	require.Equal(t, want, random.MakeDefaultSeed(), "a seed that was given counts")
	require.Equal(t, order, random.DrawSeed(), "it fixes shuffles too")
	random.SetRandomSeed(8)
	require.NotEqual(t, order, random.DrawSeed())
}
